import type { ReactNode } from 'react';
import type { ListFilter, ListPage, Wire } from '~/core/list';
import type { Market } from '~/core/market';
import { TABLAS } from '~/domain/facturacion/mes/mes';
import type { readArticulosOf } from '~/domain/facturacion/mes/mesView.server';
import { ventaUrl } from '~/domain/ventas/ordenes/orden';
import { DataTable, type Column, type RowDetail } from '~/ui/DataTable';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { Pesos } from '~/ui/Pesos';

type Venta = {
  id: string;
  fechaCreacion: string;
  market: Market;
  numOrden: string;
  titulo: string;
  importe: string;
};
type Refacturada = Venta & { folioGlobal: string; folio: string };
type Devuelta = Venta & { clase: string; folio: string };
type Parcial = Venta & { folio: string; cobrado: string; pagado: string };
type Totales = { registros: number; subTotal: string; iva: string; total: string };
type Lista<Row> = ListPage<ListFilter & { mes: string }, Row, Totales>;
type Articulos = Wire<Awaited<ReturnType<typeof readArticulosOf>>>;

type Props = {
  ver: string | null;
  articulos: Articulos;
  area: string;
  /** The choice of the month. */ children: ReactNode;
} & (
  | { tabla: 'ordenes'; lista: Lista<Venta> }
  | { tabla: 'refacturacion'; lista: Lista<Refacturada> }
  | { tabla: 'devueltas'; lista: Lista<Devuelta> }
  | { tabla: 'parciales'; lista: Lista<Parcial> }
);

/** The foot says the three sums; the first runs over the empty cell beside it. */
const fecha = {
  header: 'Fecha de creación',
  sort: 'fecha',
  width: 156,
  opens: true,
  cell: (venta: Venta) => <Fecha valor={venta.fechaCreacion} />,
  total: ({ subTotal }: Totales) => (
    <>
      Sub-Total <Pesos valor={subTotal} />
    </>
  ),
} as const;
const venta = {
  header: 'Venta',
  sort: 'orden',
  width: 168,
  cell: ({ market, numOrden }: Venta) => (
    <a href={ventaUrl(market, numOrden)} target="_blank" rel="noopener noreferrer">
      {numOrden}
    </a>
  ),
} as const;
const titulo = {
  header: 'Artículo',
  hideUnder: 'sm',
  cell: (orden: Venta) => <span title={orden.titulo}>{orden.titulo}</span>,
  total: ({ iva }: Totales) => (
    <>
      I.V.A <Pesos valor={iva} />
    </>
  ),
} as const;
const pagado = {
  header: 'Monto pagado',
  sort: 'importe',
  width: 152,
  align: 'right',
  cell: (orden: Venta) => <Pesos valor={orden.importe} />,
  total: ({ total }: Totales) => (
    <>
      Total <Pesos valor={total} />
    </>
  ),
} as const;

const ORDENES: Column<Venta, Totales>[] = [fecha, venta, titulo, pagado];
const REFACTURACION: Column<Refacturada, Totales>[] = [
  fecha,
  venta,
  titulo,
  { header: 'Factura global', width: 130, cell: ({ folioGlobal }) => folioGlobal },
  { header: 'Factura del cliente', width: 158, cell: ({ folio }) => folio },
  pagado,
];
const DEVUELTAS: Column<Devuelta, Totales>[] = [
  fecha,
  venta,
  titulo,
  { header: 'Factura', width: 100, cell: ({ folio }) => folio },
  {
    header: 'Estado',
    width: 110,
    cell: ({ clase }) => <Estatus tono="mal">{clase === 'cancelada' ? 'Cancelada' : 'Devuelta'}</Estatus>,
  },
  pagado,
];

const PARCIALES: Column<Parcial, Totales>[] = [
  fecha,
  venta,
  titulo,
  { header: 'Factura', width: 80, cell: ({ folio }) => folio },
  { header: 'Cobrado', width: 104, align: 'right', cell: ({ cobrado }) => <Pesos valor={cobrado} /> },
  { header: 'Pagado', width: 104, align: 'right', cell: ({ pagado }) => <Pesos valor={pagado} /> },
  { ...pagado, header: 'Por acreditar' },
];

/** One of the tables. A row expands to its articles. */
export function Ventas(props: Props) {
  const { ver, articulos, area, children } = props;
  const common = {
    label: TABLAS[props.tabla].titulo,
    placeholder: 'Venta, comprador o artículo',
    area,
    children,
    opens: true,
    rowKey: ({ id }: { id: string }) => id,
    detail: ver ? detailOf(ver, articulos) : null,
  };
  if (props.tabla === 'ordenes') return <DataTable key="ordenes" lista={props.lista} columns={ORDENES} {...common} />;
  if (props.tabla === 'refacturacion')
    return <DataTable key="refacturacion" lista={props.lista} columns={REFACTURACION} {...common} />;
  if (props.tabla === 'parciales')
    return <DataTable key="parciales" lista={props.lista} columns={PARCIALES} {...common} />;
  return <DataTable key="devueltas" lista={props.lista} columns={DEVUELTAS} {...common} />;
}

function detailOf(key: string, articulos: Articulos): RowDetail {
  return {
    key,
    lines: articulos.length + 1,
    content: (
      <table>
        <thead>
          <tr>
            <th>Descripción</th>
            <th className="sin-sm" style={{ width: 190 }}>
              SKU
            </th>
            <th className="der" style={{ width: 80 }}>
              Cantidad
            </th>
            <th className="der sin-sm" style={{ width: 120 }}>
              Precio unitario
            </th>
            <th className="der" style={{ width: 120 }}>
              Total
            </th>
          </tr>
        </thead>
        <tbody>
          {articulos.map((articulo) => (
            <tr key={articulo.id}>
              <td>{articulo.nombre}</td>
              <td className="sin-sm">{articulo.sku ?? '—'}</td>
              <td className="der">{articulo.cantidad}</td>
              <td className="der sin-sm">
                <Pesos valor={articulo.precioUnitario} />
              </td>
              <td className="der">
                <Pesos valor={articulo.importe} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    ),
  };
}
