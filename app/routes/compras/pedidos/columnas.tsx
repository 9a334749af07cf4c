import { nombreCorto } from '~/domain/compras/catalogo/producto';
import { conError, ESTIMADO, loQueQueda, quedaEnBreve, sePierde } from '~/domain/compras/pedidos/pedido';
import { relojOf } from '~/platform/hoy/reloj';
import { ventaUrl } from '~/domain/ventas/ordenes/orden';
import { DosLineas, type Column } from '~/ui/DataTable';
import { Estatus, type Tono } from '~/ui/Estatus';
import { Fecha, formatFecha, formatHora } from '~/ui/Fecha';
import { ConRetrato } from '~/ui/lista/ConRetrato';
import { Pesos } from '~/ui/Pesos';
import { MarcaDePago, MarcaDePaquete } from '~/routes/ventas/ordenes/columns';
import { dineroOf, type Fila } from './acciones';
import { estadoOf, motivoOf } from './estado';
import './pedidos.css';
import { toInstant } from '~/core/time';

type Columna = Column<Fila, never>;

/** Returns the tint of a row: red for a sale that ended, amber for a wrong SKU and for a pedido that its supplier objects to. */
export const tonoOfPedido = (fila: Pick<Fila, 'clase' | 'estado' | 'errores'>): Tono | undefined =>
  fila.clase === 'cancelada' || fila.clase === 'devuelta'
    ? 'mal'
    : fila.clase === 'invalida' || conError(fila)
      ? 'aviso'
      : undefined;

const HORA = 3_600_000;
/** A pedido that lapses shows its own deadline; the others show their age, since a sale waits for them. */
const PLAZOS = { aviso: 12 * HORA, mal: 24 * HORA };

function Plazo({ fila: { creadoEn, venceEn, estado, errores }, ahora }: { fila: Fila; ahora: string }) {
  if (conError({ estado, errores })) return <Estatus tono="mal">{estadoOf({ estado, errores })}</Estatus>;
  const vence = venceEn === null ? null : toInstant(venceEn);
  const { texto, tono } = relojOf({ desde: toInstant(creadoEn), vence }, PLAZOS, toInstant(ahora));
  return (
    <span title={vence ? `Vence el ${formatFecha(vence)}` : `Desde el ${formatFecha(creadoEn)}`}>
      <Estatus tono={tono}>{texto}</Estatus>
    </span>
  );
}

/** '2 x BOS-10379, 1 x APC-100 · Almacén 01A' */
const loQuePide = ({ lineas, almacen }: Pick<Fila, 'lineas' | 'almacen'>) =>
  [lineas.map(({ cantidad, modelo }) => `${cantidad} x ${modelo}`).join(', '), almacen && `Almacén ${almacen}`]
    .filter(Boolean)
    .join(' · ');

/** Returns the column of the sale's title over these facts of its pedido, with the picture of what is asked for. */
const tituloOf = (debajoOf: (fila: Fila) => string[]) =>
  ({
    header: 'Titulo',
    tarjeta: 'titulo',
    opens: true,
    cell: (fila) => {
      const debajo = debajoOf(fila).join(' · ');
      return (
        <ConRetrato lado={fila.alLado}>
          <DosLineas
            debajo={
              <span className={conError(fila) ? 'mal' : undefined} title={debajo}>
                {debajo}
              </span>
            }
          >
            <span title={fila.titulo}>{nombreCorto(fila.titulo)}</span>
          </DosLineas>
        </ConRetrato>
      );
    },
  }) as const satisfies Columna;

export const COLUMNAS = {
  /** Number and date in one column, where the title would lack the room of another. */
  ventaYFecha: {
    header: 'Id de la Venta / Fecha',
    tarjeta: 'numero',
    className: 'con-fecha',
    sort: 'fecha',
    width: 168,
    cell: ({ market, numOrden, packId, envio, fechaCreacion }) => (
      <DosLineas
        debajo={
          <>
            <Fecha valor={fechaCreacion} hora={false} /> {envio === null ? '· Sin envío' : formatHora(fechaCreacion)}
            <MarcaDePaquete packId={packId} />
          </>
        }
      >
        <a href={ventaUrl(market, numOrden)} target="_blank" rel="noopener noreferrer">
          {numOrden}
        </a>
      </DosLineas>
    ),
  },
  titulo: tituloOf((fila) => [motivoOf(fila) ?? loQuePide(fila)]),
  /** Of pedidos to several suppliers. */
  tituloYProveedor: {
    ...tituloOf((fila) => [fila.proveedorLabel, motivoOf(fila) ?? loQuePide(fila)]),
    header: 'Titulo / Proveedor',
    key: 'Titulo',
    sort: 'proveedor',
  },
} as const satisfies Record<string, Columna>;

/** The column of the supplier's folio (else the folio a person typed) over our folio and the mark of the payment. */
export const cotizacionAt = <T,>(a: string | undefined): Column<Fila, T> => ({
  header: 'Cotización',
  width: 106,
  hideUnder: 'sm',
  cell: ({ ordenId, folio, folioProveedor, cotizacion, pagos, conArchivos }) => (
    <DosLineas debajo={pagos > 0 ? <MarcaDePago conArchivos={conArchivos} /> : folio}>
      {a === undefined ? (
        (folioProveedor ?? cotizacion ?? '—')
      ) : (
        <a href={`${a}?ver=${ordenId}`}>{folioProveedor ?? cotizacion ?? 'Sin folio'}</a>
      )}
    </DosLineas>
  ),
});

/** The profit after the purchase; a loss is red and has a sign. */
function Queda({ fila }: { fila: Fila }) {
  const dinero = dineroOf(fila);
  const dicho = quedaEnBreve(dinero);
  if (dicho === null) return <>falta un precio</>;
  return (
    <span
      className={sePierde(dinero) ? 'perdida' : undefined}
      title={[loQueQueda(dinero), dinero.estimado && ESTIMADO].filter(Boolean).join(', ') || undefined}
    >
      {dicho}
    </span>
  );
}

/** With their totals, and the clock of the moment when the page was made. */
export const columnasOfDinero = <T extends { pagado: string; costo: string } | null>(): Column<Fila, T>[] => [
  {
    header: 'Monto Pagado',
    tarjeta: 'monto',
    sort: 'pagado',
    width: 114,
    hideUnder: 'sm',
    align: 'right',
    cell: ({ pagado }) => (
      <span className="dos-lineas">
        <Pesos valor={pagado} />
      </span>
    ),
    total: (totales) => <Pesos valor={totales.pagado} />,
  },
  {
    header: 'Costo',
    width: 134,
    hideUnder: 'sm',
    align: 'right',
    cell: (fila) => (
      <DosLineas debajo={<Queda fila={fila} />}>
        <Pesos valor={fila.costo} />
      </DosLineas>
    ),
    total: (totales) => <Pesos valor={totales.costo} />,
  },
];

export const plazoAt = <T,>(ahora: string): Column<Fila, T> => ({
  header: 'Plazo',
  tarjeta: 'estatus',
  className: 'plazo',
  sort: 'plazo',
  width: 116,
  cell: (fila) => (
    <DosLineas debajo={conError(fila) ? null : estadoOf(fila)}>
      <Plazo fila={fila} ahora={ahora} />
    </DosLineas>
  ),
});
