import { TextInput } from '@mantine/core';
import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Form, Link, useLoaderData, useLocation } from '@remix-run/react';
import { can } from '~/access/actions';
import { usuarioOf } from '~/access/session.server';
import { writeCount } from '~/core/count';
import { toWire, withParams } from '~/core/list';
import { DONDE_VALE } from '~/domain/ventas/ordenes/costos';
import {
  askCosto,
  CostoPropioForm,
  costosList,
  listSinCosto,
  readCosto,
  saveCosto,
} from '~/domain/ventas/ordenes/costos.server';
import { defineActions } from '~/http/actions.server';
import { openList } from '~/platform/lists/list.server';
import { EmptyState } from '~/ui/Blocks';
import type { Column } from '~/ui/DataTable';
import { Fecha } from '~/ui/Fecha';
import { ListScreen } from '~/ui/ListScreen';
import { Pesos } from '~/ui/Pesos';
import { TablaCaja } from '~/ui/TablaCaja';
import { db } from '~db/shared.server';
import { CostoDeUno } from './CostoDeUno';
import './costos.css';

export const meta: MetaFunction = () => [{ title: 'Costos propios' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const sku = new URL(request.url).searchParams.get('sku')?.trim() ?? '';
  const [lista, sinCosto, abierto] = await Promise.all([
    openList(db(), costosList, request, usuario),
    listSinCosto(db()),
    sku === '' ? null : readCosto(db(), sku),
  ]);
  return { lista, sinCosto, sku, abierto: abierto && toWire(abierto), puede: can(usuario, 'costos.editar') };
}

export const action = defineActions({
  costo: {
    schema: CostoPropioForm,
    right: 'costos.editar',
    confirm: askCosto,
    commit: (trx, costo, usuario) => saveCosto(trx, costo, usuario.id),
    aviso: 'Se guardó el costo. Las ventas que lo esperan se calculan de nuevo.',
  },
});

type Lista = ReturnType<typeof useLoaderData<typeof loader>>['lista'];
type Row = Lista['ventana']['filas'][number];

function AbrirSku({ sku, texto }: { sku: string; texto: string }) {
  const { search } = useLocation();
  return (
    <Link to={withParams(search, { sku })} preventScrollReset discover="none" aria-label={`${texto} de ${sku}`}>
      {texto}
    </Link>
  );
}

const columns: Column<Row, Lista['totales']>[] = [
  {
    header: 'Desde',
    sort: 'desde',
    width: 110,
    tarjeta: 'fecha',
    cell: ({ desde }) => <Fecha valor={desde} hora={false} />,
  },
  { header: 'Producto', tarjeta: 'titulo', cell: ({ titulo }) => titulo ?? '—' },
  { header: 'SKU', sort: 'sku', width: 240, tarjeta: 'numero', copia: ({ sku }) => [sku], cell: ({ sku }) => sku },
  {
    header: 'Costo con IVA',
    sort: 'costo',
    width: 130,
    align: 'right',
    tarjeta: 'monto',
    cell: ({ costo }) => <Pesos valor={costo} />,
  },
  {
    header: 'Vale para',
    width: 240,
    hideUnder: 'md',
    tarjeta: 'estatus',
    cell: ({ soloAlmacen }) => DONDE_VALE(soloAlmacen),
  },
  {
    header: 'Escrito',
    sort: 'escrito',
    width: 150,
    hideUnder: 'md',
    cell: ({ escritoEn, usuario }) => (
      <>
        <Fecha valor={escritoEn} hora={false} />
        <div className="nota">{usuario ?? '—'}</div>
      </>
    ),
  },
  { header: 'Historia', width: 100, cell: ({ sku }) => <AbrirSku sku={sku} texto="Abrir" /> },
];

/** What a piece costs of the goods that nobody orders for a sale: those in the marketplace's warehouse, and our own brand. */
export default function CostosPropios() {
  const { lista, sinCosto, sku, abierto, puede } = useLoaderData<typeof loader>();
  return (
    <ListScreen
      titulo="Costos propios"
      nota="Lo que cuesta cada pieza de lo que no se pide para una venta: lo que está en Full o FBA, y la marca propia."
      lista={lista}
      columns={columns}
      rowKey={({ id }) => id}
      placeholder="SKU"
      vacia={{ nada: 'Todavía no hay costos escritos.' }}
      botones={<PorSku sku={sku} />}
      encima={
        sku !== '' &&
        (abierto ? (
          <CostoDeUno key={`${abierto.sku} ${abierto.huella}`} costo={abierto} puede={puede} />
        ) : (
          <div className="hoja">
            <EmptyState>Ninguna venta ni publicación tiene el SKU {sku}.</EmptyState>
          </div>
        ))
      }
    >
      {sinCosto.filas.length > 0 && <SinCosto {...sinCosto} />}
    </ListScreen>
  );
}

/** The SKU whose costs are shown: a form without a script. */
function PorSku({ sku }: { sku: string }) {
  return (
    <Form method="get" className="por-sku" preventScrollReset>
      <TextInput
        key={sku}
        label="SKU de un producto"
        name="sku"
        defaultValue={sku}
        maxLength={200}
        required
        withAsterisk
        autoComplete="off"
      />
      <button type="submit" className="boton">
        Ver su costo
      </button>
    </Form>
  );
}

type Props = ReturnType<typeof useLoaderData<typeof loader>>['sinCosto'];

function SinCosto({ filas, todos }: Props) {
  return (
    <section className="hoja sin-costo" aria-labelledby="sin-costo">
      <h2 id="sin-costo">Sin costo</h2>
      <p className="nota">
        Lo vendido en tres meses que nadie pide a un proveedor y cuyo costo no se sabe: de sus ventas tampoco se sabe
        cuánto quedó.
        {todos > filas.length && ` Se muestran ${filas.length} de ${writeCount(todos)} productos.`}
      </p>
      <TablaCaja nombre="Productos sin costo" conMandos>
        <table className="tabla tablero">
          <thead>
            <tr>
              <th>Producto</th>
              <th className="num">Ventas</th>
              <th className="num">Piezas</th>
              <th>
                <span className="oculto">Qué hacer</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {filas.map(({ sku, titulo, ventas, piezas }) => (
              <tr key={sku}>
                <td className="titular">
                  {titulo}
                  <div className="nota">{sku}</div>
                </td>
                <td className="num" data-campo="Ventas">
                  {writeCount(ventas)}
                </td>
                <td className="num" data-campo="Piezas">
                  {writeCount(piezas)}
                </td>
                <td className="acciones">
                  <AbrirSku sku={sku} texto="Escribir costo" />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TablaCaja>
    </section>
  );
}
