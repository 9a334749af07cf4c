import type { Wire } from '~/core/list';
import { nombreCorto } from '~/domain/compras/catalogo/producto';
import { CAUSA_LABEL, estatusDeLiberacion } from '~/domain/cierre/conciliacion/concepto';
import type { ajustesList, conciliadasList, depositosList } from '~/domain/cierre/conciliacion/listConciliacion.server';
import type { porLiberarList } from '~/domain/cierre/conciliacion/listPorLiberar.server';
import type { sueltosList } from '~/domain/cierre/conciliacion/listSueltos.server';
import { busquedaOf, CLASE_DE_SUELTO_LABEL, MOTIVO_DE_SUELTO_LABEL } from '~/domain/cierre/conciliacion/suelto';
import { MERCADOS } from '~/domain/mercados/mercados';
import { type Column } from '~/ui/DataTable';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { Pesos } from '~/ui/Pesos';
import { Cuadre } from './Cuadre';
import { textoDeReclamo } from './textoDeReclamo';

type Lista = {
  first(...args: never[]): Promise<{ filas: readonly object[] }>;
  totals(...args: never[]): Promise<object>;
};
/** The columns of a list: what each row and its totals are in the browser. */
type Columnas<L extends Lista> = Column<
  Wire<Awaited<ReturnType<L['first']>>['filas'][number]>,
  Wire<Omit<Awaited<ReturnType<L['totals']>>, 'corte'>>
>[];

const Reclamo = ({ motivo, reclamadoEn }: { motivo: string | null; reclamadoEn: string | null }) => (
  <>
    {reclamadoEn && <Estatus tono="aviso">Reclamado</Estatus>} <span title={motivo ?? undefined}>{motivo}</span>
  </>
);

const Cantidad = ({ valor }: { valor: string }) =>
  Number(valor) === 0 ? (
    <>—</>
  ) : (
    <span className={valor.startsWith('-') ? 'perdida' : undefined}>
      <Pesos valor={valor} />
    </span>
  );

export const DEPOSITOS: Columnas<typeof depositosList> = [
  {
    header: 'Fecha',
    tarjeta: 'fecha',
    sort: 'fecha',
    width: 134,
    opens: true,
    cell: ({ fecha }) => <Fecha valor={fecha} />,
  },
  { header: 'Mercado', tarjeta: 'titulo', width: 130, cell: ({ market }) => MERCADOS[market].label },
  {
    header: 'Depósito',
    tarjeta: 'monto',
    sort: 'importe',
    width: 124,
    align: 'right',
    cell: ({ importe }) => <Pesos valor={importe} />,
    total: ({ importe }) => <Pesos valor={importe} />,
  },
  { header: 'Movimientos', width: 124, align: 'right', cell: ({ suma }) => <Pesos valor={suma} /> },
  {
    header: 'Queda',
    width: 110,
    align: 'right',
    hideUnder: 'md',
    cell: ({ saldoDespues }) => <Pesos valor={saldoDespues} />,
  },
  {
    header: 'Sin explicar',
    width: 116,
    align: 'right',
    cell: ({ sinExplicar }) => <Cantidad valor={sinExplicar} />,
    total: ({ sinExplicar }) => <Cantidad valor={sinExplicar} />,
  },
  {
    header: 'Diferencia en ventas',
    sort: 'diferencia',
    width: 158,
    align: 'right',
    cell: ({ diferencia }) => <Cantidad valor={diferencia} />,
    total: ({ diferencia }) => <Cantidad valor={diferencia} />,
  },
  {
    header: 'Estatus',
    tarjeta: 'estatus',
    width: 130,
    cell: Cuadre,
  },
  { header: 'Motivo', cell: (deposito) => <Reclamo {...deposito} /> },
];

export const VENTAS: Columnas<typeof conciliadasList> = [
  {
    header: 'Liquidada',
    tarjeta: 'fecha',
    sort: 'fecha',
    width: 138,
    opens: true,
    cell: ({ fecha }) => <Fecha valor={fecha} />,
  },
  {
    header: 'No. Orden',
    tarjeta: 'numero',
    width: 168,
    copia: ({ numOrden }) => [numOrden],
    cell: ({ numOrden }) => numOrden,
  },
  { header: 'Título', tarjeta: 'titulo', cell: ({ titulo }) => <span title={titulo}>{nombreCorto(titulo)}</span> },
  {
    header: 'Esperado',
    sort: 'esperado',
    width: 104,
    align: 'right',
    cell: ({ esperado }) => <Pesos valor={esperado} />,
    total: ({ esperado }) => <Pesos valor={esperado} />,
  },
  {
    header: 'Recibido',
    tarjeta: 'monto',
    sort: 'recibido',
    width: 104,
    align: 'right',
    cell: ({ recibido }) => <Pesos valor={recibido} />,
    total: ({ recibido }) => <Pesos valor={recibido} />,
  },
  {
    header: 'Diferencia',
    sort: 'diferencia',
    width: 104,
    align: 'right',
    cell: ({ diferencia }) => <Cantidad valor={diferencia} />,
    total: ({ diferencia }) => <Cantidad valor={diferencia} />,
  },
  {
    header: 'Comisión',
    width: 92,
    align: 'right',
    hideUnder: 'md',
    cell: ({ dComision }) => <Cantidad valor={dComision} />,
  },
  { header: 'Envío', width: 84, align: 'right', hideUnder: 'md', cell: ({ dEnvio }) => <Cantidad valor={dEnvio} /> },
  {
    header: 'Retención',
    width: 92,
    align: 'right',
    hideUnder: 'md',
    cell: ({ dRetencion }) => <Cantidad valor={dRetencion} />,
  },
  {
    header: 'Estatus',
    tarjeta: 'estatus',
    width: 136,
    cell: Cuadre,
  },
];

export const AJUSTES: Columnas<typeof ajustesList> = [
  { header: 'Fecha', tarjeta: 'fecha', sort: 'fecha', width: 150, cell: ({ en }) => <Fecha valor={en} /> },
  {
    header: 'No. Orden',
    tarjeta: 'numero',
    width: 168,
    copia: ({ numOrden }) => [numOrden],
    cell: ({ numOrden }) => numOrden,
  },
  { header: 'Mes de la venta', width: 130, cell: ({ mes }) => mes },
  { header: 'Por', tarjeta: 'titulo', cell: ({ causa }) => CAUSA_LABEL[causa] },
  { header: 'Utilidad antes', width: 130, align: 'right', cell: ({ antes }) => <Pesos valor={antes} /> },
  { header: 'Utilidad después', width: 140, align: 'right', cell: ({ despues }) => <Pesos valor={despues} /> },
  {
    header: 'Ajuste',
    tarjeta: 'monto',
    sort: 'diferencia',
    width: 120,
    align: 'right',
    cell: ({ diferencia }) => <Cantidad valor={diferencia} />,
    total: ({ diferencia }) => <Cantidad valor={diferencia} />,
  },
];

export const LIBERAR: Columnas<typeof porLiberarList> = [
  {
    header: 'Se libera',
    tarjeta: 'fecha',
    sort: 'libera',
    width: 116,
    cell: ({ libera }) => (libera === null ? '—' : <Fecha valor={libera} hora={false} />),
  },
  { header: 'Vendida', sort: 'fecha', width: 104, cell: ({ fecha }) => <Fecha valor={fecha} hora={false} /> },
  { header: 'Mercado', width: 130, cell: ({ market }) => MERCADOS[market].label },
  {
    header: 'No. Orden',
    tarjeta: 'numero',
    width: 168,
    copia: ({ numOrden }) => [numOrden],
    cell: ({ market, numOrden }) => (
      <a href={MERCADOS[market].ventaUrl(numOrden)} target="_blank" rel="noopener noreferrer">
        {numOrden}
      </a>
    ),
  },
  { header: 'Título', tarjeta: 'titulo', cell: ({ titulo }) => <span title={titulo}>{nombreCorto(titulo)}</span> },
  {
    header: 'Por liberar',
    tarjeta: 'monto',
    sort: 'monto',
    width: 124,
    align: 'right',
    cell: ({ porLiberar, estimado }) => (
      <>
        {estimado && '≈ '}
        <Pesos valor={porLiberar} />
      </>
    ),
    total: ({ porLiberar }) => <Pesos valor={porLiberar} />,
  },
  {
    header: 'Estatus',
    tarjeta: 'estatus',
    width: 150,
    copia: (venta) => [textoDeReclamo(venta)].filter((texto) => texto !== null),
    cell: (venta) =>
      venta.atrasada ? <Estatus tono="mal">{estatusDeLiberacion(venta)}</Estatus> : estatusDeLiberacion(venta),
  },
];

export const SUELTOS: Columnas<typeof sueltosList> = [
  {
    header: 'Fecha',
    tarjeta: 'fecha',
    sort: 'fecha',
    width: 134,
    opens: true,
    cell: ({ hasta }) => <Fecha valor={hasta} />,
  },
  { header: 'Qué es', tarjeta: 'titulo', width: 170, cell: ({ clase }) => CLASE_DE_SUELTO_LABEL[clase] },
  {
    header: 'Importe',
    tarjeta: 'monto',
    sort: 'importe',
    width: 112,
    align: 'right',
    cell: ({ importe }) => <Cantidad valor={importe} />,
    total: ({ importe }) => <Cantidad valor={importe} />,
  },
  {
    header: 'Motivo',
    tarjeta: 'estatus',
    width: 206,
    cell: (suelto) =>
      suelto.motivo !== null ? (
        MOTIVO_DE_SUELTO_LABEL[suelto.motivo]
      ) : (
        <Estatus tono={suelto.porIdentificar ? 'mal' : 'aviso'}>{busquedaOf(suelto) ?? 'Por identificar'}</Estatus>
      ),
  },
  {
    header: 'Número',
    tarjeta: 'numero',
    width: 168,
    copia: ({ numero }) => (numero === null ? [] : [numero]),
    cell: ({ numero }) => numero ?? '—',
  },
  { header: 'Mercado', width: 120, cell: ({ market }) => MERCADOS[market].label },
  {
    header: 'Dicho por el mercado',
    hideUnder: 'md',
    cell: ({ detalle }) => <span title={detalle}>{detalle}</span>,
  },
];
