import { NativeSelect } from '@mantine/core';
import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Form, useLoaderData, useLocation } from '@remix-run/react';
import { can } from '~/access/actions';
import { usuarioOf } from '~/access/session.server';
import { writeCount } from '~/core/count';
import { withParams } from '~/core/list';
import { MARKETS } from '~/core/market';
import { openList } from '~/platform/lists/list.server';
import { MERCADOS } from '~/domain/mercados/mercados';
import { productosList } from '~/domain/compras/catalogo/listProductos.server';
import { nombreCorto, PRODUCTO_AUSENTE, EXISTENCIA_LABEL } from '~/domain/compras/catalogo/producto';
import { listCatalogos } from '~/domain/compras/catalogo/productos.server';
import { defineActions } from '~/http/actions.server';
import { Boton } from '~/ui/Boton';
import { ListScreen } from '~/ui/ListScreen';
import { definePanel } from '~/ui/ficha/panel';
import { DosLineas, type Column } from '~/ui/DataTable';
import { AhoraProvider, Edad } from '~/ui/Edad';
import { Estatus } from '~/ui/Estatus';
import { HiddenParams } from '~/ui/HiddenParams';
import { ConRetrato } from '~/ui/lista/ConRetrato';
import { Pesos } from '~/ui/Pesos';
import { usePantalla } from '~/ui/Pantallas';
import { db } from '~db/shared.server';
import { FiltroProveedor } from '~/routes/cierre/reportes/FiltroProveedor';
import { openRecord } from '~/routes/area/openRecord';
import { productoOf } from './record';
import { productoActions } from './actions';
import { celdaOfEnvio } from './celdas';
import { Piezas, PrecioProveedor, Queda } from './Precio';
import './producto.css';

export { shouldRevalidate } from '~/ui/ficha/soloFicha';

// Each screen that shows this panel defines it. A module that two screens share would be bundled into the file of the panel, which then loads at once.

const PANEL = definePanel('ProductoFicha', {
  load: async () => (await import('./ProductoFicha')).ProductoFicha,
  que: 'Producto',
  ausente: PRODUCTO_AUSENTE,
  con: ['cp'],
});

export const meta: MetaFunction = () => [{ title: 'Productos' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const [lista, abierto, catalogos] = await Promise.all([
    openList(db(), productosList, request, usuario),
    openRecord(request, usuario, productoOf),
    listCatalogos(db()),
  ]);
  return {
    lista,
    abierto,
    catalogos,
    edita: can(usuario, 'productos.editar'),
    ahora: new Date().toISOString(),
  };
}

export const action = defineActions(productoActions());

type Lista = ReturnType<typeof useLoaderData<typeof loader>>['lista'];
type Row = Lista['ventana']['filas'][number];

/** The columns, of which the cost of shipping is changed in place by who may. */
const columnsFor = (edita: boolean): Column<Row, Lista['totales']>[] => [
  {
    header: 'Nombre',
    tarjeta: 'titulo',
    opens: true,
    cell: (producto) => (
      <ConRetrato lado={producto.alLado}>
        <DosLineas debajo={[producto.marca, producto.modelo, producto.idProveedor].filter(Boolean).join(' · ')}>
          <span title={producto.nombre ?? undefined}>{nombreCorto(producto.nombre)}</span>
        </DosLineas>
      </ConRetrato>
    ),
  },
  {
    header: 'Proveedor',
    tarjeta: 'numero',
    width: 116,
    cell: ({ proveedorLabel, ausenteDesde, enVenta }) => (
      <DosLineas debajo={ausenteDesde !== null ? 'ya no está en su catálogo' : enVenta ? null : 'ya no lo venden'}>
        {proveedorLabel}
      </DosLineas>
    ),
  },
  {
    header: 'Costo',
    tarjeta: 'estatus',
    className: 'costo',
    width: 140,
    align: 'right',
    cell: (producto) => (
      <DosLineas debajo={<Edad valor={producto.precioEn} vieja={producto.caducada} />}>
        <PrecioProveedor {...producto} />
      </DosLineas>
    ),
  },
  ...MARKETS.map((market): Column<Row, Lista['totales']> => ({
    header: MERCADOS[market].label,
    key: `precio-${market}`,
    ...(market === MARKETS[0] && { tarjeta: 'monto' }),
    width: 118,
    align: 'right',
    hideUnder: market === MARKETS[0] ? undefined : 'md',
    cell: ({ precios }) => {
      const precio = precios[market];
      return precio ? (
        <DosLineas debajo={<Queda {...precio} />}>
          <Pesos valor={precio.precio} />
        </DosLineas>
      ) : (
        '—'
      );
    },
  })),
  {
    header: 'Envio',
    width: 96,
    align: 'right',
    hideUnder: 'md',
    edita: edita ? celdaOfEnvio : undefined,
    cell: ({ costoEnvio }) => (costoEnvio === null ? '—' : <Pesos valor={costoEnvio} />),
  },
  {
    header: 'Stock',
    tarjeta: 'fecha',
    className: 'stock',
    sort: 'existencia',
    width: 124,
    align: 'right',
    cell: (producto) => (
      <DosLineas debajo={<Edad valor={producto.existenciaEn} vieja={producto.caducada} />}>
        <Piezas {...producto} />
      </DosLineas>
    ),
  },
  {
    header: 'Vendidas',
    sort: 'vendidas',
    width: 96,
    align: 'right',
    hideUnder: 'sm',
    cell: ({ piezasVendidas }) => (piezasVendidas === 0 ? <span className="cero">0</span> : writeCount(piezasVendidas)),
  },
  {
    header: 'Auto orden',
    width: 100,
    hideUnder: 'md',
    cell: ({ autoOrden }) => (autoOrden ? <Estatus tono="ok">Activado</Estatus> : null),
  },
];

/** Labels for the filter, whose name already says what they are about. */
const EN_FILTRO = { ...EXISTENCIA_LABEL, sinDato: 'Desconocida' };

export default function Productos() {
  const { lista, abierto, catalogos, edita, ahora } = useLoaderData<typeof loader>();
  const { search } = useLocation();
  const [configuracion, tokens] = [usePantalla('tiendasConfiguracion'), usePantalla('tokens')];
  const tiendas = configuracion ?? tokens;
  const sinConexion = catalogos.every(({ conectado }) => !conectado);
  return (
    <AhoraProvider ahora={ahora}>
      <ListScreen
        titulo="Productos"
        lista={lista}
        columns={columnsFor(edita)}
        rowKey={(producto) => producto.id}
        nombra={(producto) => nombreCorto(producto.nombre)}
        lines={2}
        placeholder="Nombre, modelo, marca, clave o GTIN"
        de={({ todos }) => todos}
        vacia={{
          nada: sinConexion
            ? 'Ningún proveedor está conectado: su catálogo llega en cuanto se guardan sus llaves.'
            : 'Los catálogos de los proveedores se están leyendo. Llegan solos.',
          ...(sinConexion && tiendas && { salida: { texto: 'Conectar un proveedor', to: tiendas } }),
        }}
        panel={PANEL}
        abierta={abierto}
        cancelar={withParams(search, { editar: null })}
        refusals={['leer']}
        filtros={
          <Form method="get" className="rango" preventScrollReset>
            <HiddenParams search={search} without={['proveedor', 'existencia', 'pagina', 'ver', 'editar']} />
            <FiltroProveedor valor={lista.filtro.proveedor} proveedores={catalogos} />
            <NativeSelect
              key={`existencia-${lista.filtro.existencia}`}
              name="existencia"
              label="Existencia"
              defaultValue={lista.filtro.existencia}
              data={[
                { value: '', label: 'Todas' },
                ...Object.entries(EN_FILTRO).map(([value, label]) => ({ value, label })),
              ]}
            />
            <Boton tono="acento" type="submit">
              Buscar
            </Boton>
          </Form>
        }
      />
    </AhoraProvider>
  );
}
