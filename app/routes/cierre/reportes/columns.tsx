import type { Wire } from '~/core/list';
import { ventaUrl } from '~/domain/ventas/ordenes/orden';
import type { llenarReporteList } from '~/domain/cierre/reportes/utilidadLists.server';
import type { Column } from '~/ui/DataTable';
import type { Tono } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { Pesos } from '~/ui/Pesos';
import './reportes.css';

export type Fila = Wire<Awaited<ReturnType<(typeof llenarReporteList)['window']>>[number]>;
type Totales = {
  registros: number;
  pagado: string;
  cancelado: string;
  comision: string;
  costoEnvio: string;
  retencion: string;
  facturado: string;
  utilidad: string;
};

export const tonoFila = ({ clase }: Fila): Tono | undefined =>
  clase === 'normal' ? undefined : clase === 'invalida' ? 'aviso' : 'mal';

const SIN_FACTURA = 'Estimada con el costo del pedido. La factura del proveedor la hace definitiva.';
const SIN_COMISION = 'Estimada con las tasas de Configuración de tiendas: el mercado todavía no dice su comisión.';

/**
 * The profit of a sale. A loss is red and has a sign. A sale without a supplier invoice is in no sum; the profit is final once the marketplace has paid out.
 */
function Utilidad({
  valor,
  estimada,
  definitiva,
  conFactura,
}: {
  valor: string | null;
  estimada: string | null;
  definitiva: boolean;
  conFactura: boolean;
}) {
  if (valor === null)
    return estimada === null ? (
      <span className="nota">Sin factura</span>
    ) : (
      <span className="nota" title={conFactura ? SIN_COMISION : SIN_FACTURA}>
        est. <Pesos valor={estimada} />
      </span>
    );
  const situacion = definitiva ? 'Final: ya se liquidó' : 'Estimada: falta la liquidación del mercado';
  return (
    <span className={valor.startsWith('-') ? 'perdida' : undefined} title={situacion}>
      <Pesos valor={valor} />
      {definitiva && <span aria-label={situacion}> ✓</span>}
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
    width: 96,
    align: 'right',
    cell: (orden) => (orden.cancelado === '0.00' ? '—' : <Pesos valor={orden.cancelado} />),
    total: ({ cancelado }) => <Suma valor={cancelado} />,
  },
  {
    header: 'Comisión',
    sort: 'comision',
    width: 96,
    align: 'right',
    cell: (orden) => <Pesos valor={orden.comision} />,
    total: ({ comision }) => <Suma valor={comision} />,
  },
  {
    header: 'Envío',
    sort: 'envio',
    width: 84,
    align: 'right',
    cell: (orden) => <Pesos valor={orden.costoEnvio} />,
    total: ({ costoEnvio }) => <Suma valor={costoEnvio} />,
  },
  {
    header: 'Retención',
    sort: 'retencion',
    width: 96,
    align: 'right',
    cell: (orden) => <Pesos valor={orden.retencion} />,
    total: ({ retencion }) => <Suma valor={retencion} />,
  },
  {
    header: 'Factura',
    sort: 'factura',
    width: 100,
    align: 'right',
    cell: (orden) => (orden.facturasProveedor === 0 ? '—' : <Pesos valor={orden.facturado} />),
    total: ({ facturado }) => <Suma valor={facturado} />,
  },
  {
    header: 'Utilidad',
    sort: 'utilidad',
    width: 102,
    align: 'right',
    cell: ({ utilidad, estimada, definitiva, facturasProveedor }) => (
      <Utilidad valor={utilidad} {...{ estimada, definitiva }} conFactura={facturasProveedor > 0} />
    ),
    total: ({ utilidad }) => <Suma valor={utilidad} />,
  },
  { header: 'Proveedor', sort: 'proveedor', width: 106, cell: ({ proveedor }) => proveedor ?? '—' },
  {
    header: 'No. de factura',
    width: 118,
    cell: ({ folios }) => <span title={folios ?? undefined}>{folios ?? '—'}</span>,
  },
];
