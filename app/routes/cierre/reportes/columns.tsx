import type { Wire } from '~/core/list';
import { enMiles } from '~/core/importe';
import { porqueOf } from '~/domain/ventas/libro/dinero';
import { ventaUrl } from '~/domain/ventas/ordenes/orden';
import type { llenarReporteList } from '~/domain/cierre/reportes/utilidadLists.server';
import type { Column } from '~/ui/DataTable';
import type { Tono } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { formatPesos, Pesos } from '~/ui/Pesos';
import './reportes.css';

export type Fila = Wire<Awaited<ReturnType<(typeof llenarReporteList)['window']>>[number]>;
type Totales = {
  registros: number;
  pagado: string;
  cancelado: string;
  comision: string;
  costoEnvio: string;
  sinEnvio: number;
  retencion: string;
  facturado: string;
  utilidad: string;
  conUtilidad: number;
  estimada: string;
  conEstimada: number;
};

export const tonoFila = ({ clase }: Fila): Tono | undefined =>
  clase === 'normal' ? undefined : clase === 'invalida' ? 'aviso' : 'mal';

/** The profit of a sale. A loss is red and has a sign; an estimate has ≈ and its reason. It is final once the marketplace has paid out. */
function Utilidad({
  fila,
}: {
  fila: Pick<Fila, 'utilidad' | 'estimada' | 'definitiva' | 'estima' | 'falta' | 'pagado' | 'clase'>;
}) {
  const { utilidad, estimada, definitiva } = fila;
  const porque = porqueOf(fila).join(' ');
  const valor = utilidad ?? estimada;
  if (valor === null)
    return (
      <span className="nota" title={porque}>
        {fila.falta.includes('calculo')
          ? 'Calculando'
          : fila.clase === 'normal' && fila.pagado === '0.00'
            ? 'Sin pagar'
            : 'Sin costo'}
      </span>
    );
  const situacion =
    utilidad === null ? porque : definitiva ? 'Final: ya se liquidó' : 'Falta la liquidación del mercado';
  return (
    <span className={valor.startsWith('-') ? 'perdida' : undefined} title={situacion}>
      {utilidad === null && '≈ '}
      <Pesos valor={valor} />
      {definitiva && <span aria-label={situacion}> ✓</span>}
    </span>
  );
}

/** The profit that is known and of how many sales; below it what is estimated of others. */
function SumaDeUtilidad({ totales }: { totales: Totales }) {
  const { utilidad, conUtilidad, estimada, conEstimada, registros } = totales;
  return (
    <span className="de-cuantas">
      <Suma valor={utilidad} />
      <span className="nota">
        de {enMiles(String(conUtilidad))} de {enMiles(String(registros))}
      </span>
      {conEstimada > 0 && <span className="nota">≈ {formatPesos(estimada)}</span>}
    </span>
  );
}

/** A part of what the marketplace keeps, as the ledger has it. */
const POR_TASAS = 'Se estima con las tasas de Configuración de tiendas';

function Parte({ valor, estimada, porque = POR_TASAS }: { valor: string | null; estimada: boolean; porque?: string }) {
  return (
    <span title={estimada ? porque : undefined}>
      {estimada && '≈ '}
      <Pesos valor={valor} />
    </span>
  );
}

/** Seven sums side by side: a month of millions has to fit under a column of hundreds. */
function Suma({ valor }: { valor: string }) {
  return (
    <span className={valor.startsWith('-') ? 'suma perdida' : 'suma'}>
      <Pesos valor={valor} />
    </span>
  );
}

/** The parts of the profit, in the order of the subtraction. */
export const COLUMNS: Column<Fila, Totales>[] = [
  {
    header: 'Fecha',
    sort: 'fecha',
    width: 92,
    opens: true,
    cell: (orden) => <Fecha valor={orden.fechaCreacion} hora={false} />,
  },
  {
    header: 'No. Orden',
    sort: 'orden',
    width: 168,
    copia: ({ numOrden }) => [numOrden],
    cell: ({ market, numOrden }) => (
      <a href={ventaUrl(market, numOrden)} target="_blank" rel="noopener noreferrer">
        {numOrden}
      </a>
    ),
  },
  {
    header: 'Monto pagado',
    sort: 'pagado',
    width: 114,
    align: 'right',
    cell: (orden) => <Pesos valor={orden.pagado} />,
    total: ({ pagado }) => <Suma valor={pagado} />,
  },
  {
    header: 'Cancelado',
    sort: 'cancelado',
    width: 94,
    align: 'right',
    cell: (orden) => (orden.cancelado === '0.00' ? '—' : <Pesos valor={orden.cancelado} />),
    total: ({ cancelado }) => <Suma valor={cancelado} />,
  },
  {
    header: 'Comisión',
    sort: 'comision',
    width: 94,
    align: 'right',
    cell: ({ comision, estima }) => (
      <Parte
        valor={comision}
        estimada={estima.includes('comision')}
        porque={estima.includes('estimacion') ? 'Es la que el mercado estima para el precio vendido' : POR_TASAS}
      />
    ),
    total: ({ comision }) => <Suma valor={comision} />,
  },
  {
    header: 'Envío',
    sort: 'envio',
    width: 84,
    align: 'right',
    cell: (orden) => <Pesos valor={orden.costoEnvio} />,
    total: ({ costoEnvio, sinEnvio }) => (
      <span className="de-cuantas">
        <Suma valor={costoEnvio} />
        {sinEnvio > 0 && <span className="nota">sin {enMiles(String(sinEnvio))}</span>}
      </span>
    ),
  },
  {
    header: 'Retención',
    sort: 'retencion',
    width: 94,
    align: 'right',
    cell: (orden) => <Parte valor={orden.retencion} estimada={orden.estima.includes('retencion')} />,
    total: ({ retencion }) => <Suma valor={retencion} />,
  },
  {
    header: 'Factura',
    sort: 'factura',
    width: 98,
    align: 'right',
    cell: (orden) => (orden.facturasProveedor === 0 ? '—' : <Pesos valor={orden.facturado} />),
    total: ({ facturado }) => <Suma valor={facturado} />,
  },
  {
    header: 'Utilidad',
    sort: 'utilidad',
    width: 100,
    align: 'right',
    cell: (orden) => <Utilidad fila={orden} />,
    total: (totales) => <SumaDeUtilidad totales={totales} />,
  },
  { header: 'Proveedor', sort: 'proveedor', width: 106, cell: ({ proveedor }) => proveedor ?? '—' },
  {
    header: 'No. de factura',
    width: 114,
    cell: ({ folios }) => <span title={folios ?? undefined}>{folios ?? '—'}</span>,
  },
];
