import { Checkbox, NativeSelect } from '@mantine/core';
import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Form, useLoaderData, useLocation } from '@remix-run/react';
import { can } from '~/access/actions';
import { usuarioOf } from '~/access/session.server';
import { toWire, withParams } from '~/core/list';
import { type Market, MARKETS } from '~/core/market';
import { openList } from '~/platform/lists/list.server';
import { MERCADOS, seCrea } from '~/domain/mercados/mercados';
import { nombreCorto } from '~/domain/compras/catalogo/producto';
import { publicacionesList } from '~/domain/publicaciones/publicaciones/listPublicaciones.server';
import {
  ESTATUS_JUNTOS,
  estatusOf,
  PUBLICACION_AUSENTE,
  subestatusOf,
  tipoOf,
} from '~/domain/publicaciones/publicaciones/publicacion';
import { listProveedorOptions } from '~/domain/compras/directorio/proveedores.server';
import { waitsForPersona, askRetenida } from '~/domain/publicaciones/publicaciones/retenida';
import { listSeguimiento } from '~/domain/publicaciones/publicaciones/publicaciones.server';
import { defineActions } from '~/http/actions.server';
import { Boton } from '~/ui/Boton';
import { ListScreen } from '~/ui/ListScreen';
import { definePanel } from '~/ui/ficha/panel';
import { type AccionDeFila, DosLineas, type Column } from '~/ui/DataTable';
import { AhoraProvider } from '~/ui/Edad';
import { Estatus } from '~/ui/Estatus';
import { Fecha, Hora } from '~/ui/Fecha';
import { HiddenParams } from '~/ui/HiddenParams';
import { Icono } from '~/ui/Icono';
import { ConRetrato } from '~/ui/lista/ConRetrato';
import { usePantalla } from '~/ui/Pantallas';
import { Pesos } from '~/ui/Pesos';
import { db } from '~db/shared.server';
import { openRecord } from '~/routes/area/openRecord';
import { publicacionOf } from './record';
import { FiltroProveedor } from '~/routes/cierre/reportes/FiltroProveedor';
import { accionesOfList } from '~/routes/operacion/lotes/lotes';
import { publicacionActions } from './actions';
import { celdaOfPrecio, celdaOfStock } from './celdas';
import { Seguimiento } from './Seguimiento';
import '../../compras/productos/producto.css';
import './publicacion.css';

export { shouldRevalidate } from '~/ui/ficha/soloFicha';

const PANEL = definePanel('PublicacionFicha', {
  load: async () => (await import('./PublicacionFicha')).PublicacionFicha,
  que: 'Publicación',
  ausente: PUBLICACION_AUSENTE,
});

/** The fields of the filters beside the marketplaces. */
const CAMPOS = ['sync', 'estatus', 'proveedor', 'sinProducto'];

export const meta: MetaFunction = () => [{ title: 'Publicaciones' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const [lista, abierto, seguimiento, proveedores] = await Promise.all([
    openList(db(), publicacionesList, request, usuario),
    openRecord(request, usuario, publicacionOf),
    listSeguimiento(db()),
    listProveedorOptions(db()),
  ]);
  return {
    lista,
    abierto,
    seguimiento: toWire(seguimiento),
    puedeDetener: can(usuario, 'publicaciones.detener'),
    puedeEditar: can(usuario, 'publicaciones.editar'),
    puedeLeer: can(usuario, 'publicaciones.leer'),
    proveedores,
    acciones: accionesOfList(publicacionesList.lista, usuario),
    ahora: new Date().toISOString(),
  };
}

export const action = defineActions(publicacionActions());

type Lista = ReturnType<typeof useLoaderData<typeof loader>>['lista'];
type Row = Lista['ventana']['filas'][number];

/**
 * The columns of a listing. `cambiar` is the address where a category is changed, and `sinAlmacen` the marketplaces that take no pieces yet; both for people
 * who may change a listing, undefined for the others.
 */
const columnsFor = (
  cambiar: string | undefined,
  sinAlmacen: readonly Market[] | undefined,
): Column<Row, Lista['totales']>[] => [
  {
    header: 'Fecha',
    sort: 'creada',
    width: 92,
    hideUnder: 'md',
    cell: ({ fechaCreacion }) =>
      fechaCreacion && (
        <DosLineas debajo={<Hora valor={fechaCreacion} />}>
          <Fecha valor={fechaCreacion} hora={false} />
        </DosLineas>
      ),
  },
  {
    header: 'Titulo',
    tarjeta: 'titulo',
    sort: 'titulo',
    opens: true,
    cell: ({ titulo, sku, alLado }) => (
      <ConRetrato lado={alLado}>
        <DosLineas debajo={sku}>
          <span title={titulo}>{nombreCorto(titulo)}</span>
        </DosLineas>
      </ConRetrato>
    ),
  },
  {
    header: 'ID / Link',
    key: 'ID',
    tarjeta: 'numero',
    width: 130,
    cell: ({ market, marketId, clave, tipo, link, titulo }) => (
      <DosLineas
        debajo={
          <span title={MERCADOS[market].label}>
            {[MERCADOS[market].siglas, tipoOf(market, tipo)].filter(Boolean).join(' · ')}
          </span>
        }
      >
        {link ? (
          <a
            href={link}
            target="_blank"
            rel="noopener noreferrer"
            aria-label={`Ver ${nombreCorto(titulo)} en el mercado`}
          >
            {marketId ?? clave}
          </a>
        ) : (
          (marketId ?? clave)
        )}
      </DosLineas>
    ),
  },
  {
    // The category below it is a link that says its whole path.
    header: 'Proveedor',
    sort: 'proveedor',
    width: 120,
    hideUnder: 'md',
    cell: ({ id, market, proveedorLabel, proveedor, categoria, categoriaRuta, categoriaId }) => (
      <DosLineas
        debajo={
          categoriaId !== null && (
            <a
              href={cambiar && MERCADOS[market].publicador !== null ? `${cambiar}?ver=${id}` : `?ver=${id}`}
              title={categoriaRuta?.join(' > ') || categoriaId}
            >
              {categoria ?? categoriaId}
            </a>
          )
        }
      >
        {proveedorLabel ?? proveedor ?? '—'}
      </DosLineas>
    ),
  },
  {
    header: 'Precio',
    tarjeta: 'monto',
    sort: 'precio',
    width: 98,
    align: 'right',
    edita: sinAlmacen && celdaOfPrecio,
    cell: ({ precio, precioPendiente, precioRetenido }) => (
      <DosLineas
        debajo={
          precioRetenido ? (
            <span className="retenido" title="Este precio espera a una persona">
              → <Pesos valor={precioRetenido} />
            </span>
          ) : precioPendiente && precioPendiente !== precio ? (
            <span title="Este precio va en camino al mercado">
              → <Pesos valor={precioPendiente} />
            </span>
          ) : null
        }
      >
        <Pesos valor={precio} />
      </DosLineas>
    ),
  },
  {
    header: 'Stock',
    tarjeta: 'fecha',
    sort: 'stock',
    width: 66,
    align: 'right',
    edita: sinAlmacen && ((fila) => celdaOfStock(fila, sinAlmacen)),
    cell: ({ stock, stockPendiente, stockRetenido, sobreventa }) => (
      <DosLineas
        debajo={
          sobreventa > 0 ? (
            <span className="retenido">sobreventa {sobreventa}</span>
          ) : stockRetenido ? (
            <span className="retenido" title="Este stock espera a una persona">
              → 0
            </span>
          ) : stockPendiente !== null && stockPendiente !== stock ? (
            <span title="Este stock va en camino al mercado">→ {stockPendiente}</span>
          ) : null
        }
      >
        {stock ?? '—'}
        <span className="en-tarjeta"> {stock === 1 ? 'pieza' : 'piezas'}</span>
      </DosLineas>
    ),
  },
  {
    header: 'Vendidas',
    sort: 'vendidas',
    width: 80,
    align: 'right',
    hideUnder: 'md',
    cell: ({ vendido }) => (vendido === 0 ? <span className="cero">0</span> : (vendido ?? '—')),
  },
  {
    header: 'Estatus',
    tarjeta: 'estatus',
    sort: 'estatus',
    width: 112,
    cell: ({ market, estatus, subestatus, problemas, ausenteDesde, errorPendiente }) => {
      const { label, tono } = estatusOf(market, estatus);
      const nota = ausenteDesde
        ? 'ya no está'
        : (problemas[0] ?? errorPendiente ?? (subestatus[0] && subestatusOf(subestatus[0])));
      return (
        <DosLineas debajo={nota && <span title={nota}>{nombreCorto(nota, 34)}</span>}>
          <Estatus tono={tono}>{label}</Estatus>
        </DosLineas>
      );
    },
  },
  {
    header: 'Sincroniza',
    key: 'Sincronización',
    head: (
      <>
        <Icono nombre="reintentar" />
        <span className="oculto">Sincroniza</span>
      </>
    ),
    width: 44,
    hideUnder: 'md',
    cell: ({ autoSync }) => (autoSync ? 'Sí' : 'No'),
  },
];

/** The decisions about a change that waits for a person. */
const decisionesOf = (fila: Row): AccionDeFila[] =>
  waitsForPersona(fila)
    ? [true, false].map((aplicar) => ({
        texto: aplicar ? 'Aplicar' : 'Descartar',
        nombre: `${aplicar ? 'Aplicar' : 'Descartar'} el cambio de ${nombreCorto(fila.titulo)}`,
        envia: { intent: 'decidirRetenida', id: fila.id, huella: fila.secuencia ?? 0, aplicar },
        pregunta: () => askRetenida(fila, aplicar),
      }))
    : [];

/** The acts on a listing: the decisions about what waits, its category and a new reading, as far as the person may. `cambiar` is the address of the category. */
const accionesOf = (
  fila: Row,
  cambiar: string | undefined,
  puedeEditar: boolean,
  puedeLeer: boolean,
): AccionDeFila[] => {
  const { id, market, estatus, ausenteDesde, titulo } = fila;
  const nombre = nombreCorto(titulo);
  return [
    ...(puedeEditar ? decisionesOf(fila) : []),
    ...(puedeEditar && cambiar && MERCADOS[market].publicador !== null
      ? [
          {
            texto: 'Cambiar categoria',
            corto: 'Categoria',
            nombre: `Cambiar categoria de ${nombre}`,
            href: `${cambiar}?ver=${id}`,
          },
        ]
      : []),
    ...(puedeLeer && !ausenteDesde && !seCrea(market, estatus)
      ? [
          {
            texto: 'Actualizar publicación',
            corto: 'Actualizar',
            nombre: `Actualizar ${nombre}`,
            envia: { intent: 'leerPublicacion', id },
            pregunta: 'del servidor' as const,
          },
        ]
      : []),
  ];
};

export default function Publicaciones() {
  const { lista, abierto, seguimiento, proveedores, puedeDetener, puedeEditar, puedeLeer, acciones, ahora } =
    useLoaderData<typeof loader>();
  const { search } = useLocation();
  const tokens = usePantalla('tokens');
  const cambiar = usePantalla('cambiarCategoria');
  const { sync, estatus, proveedor, sinProducto } = lista.filtro;
  const puestos = MARKETS.filter((market) => lista.filtro[market] === '1');
  const elegido = ESTATUS_JUNTOS.find(({ codigos }) => codigos.includes(estatus))?.codigos[0] ?? '';
  const sinAlmacen = seguimiento.flatMap((uno) => (uno.sinAlmacen ? uno.market : []));
  const todos = puestos.length === 0 || puestos.length === MARKETS.length;
  return (
    <AhoraProvider ahora={ahora}>
      <ListScreen
        titulo="Publicaciones"
        botones={<Seguimiento mercados={seguimiento} puedeDetener={puedeDetener} />}
        plegados
        lista={lista}
        columns={columnsFor(puedeEditar ? cambiar : undefined, puedeEditar ? sinAlmacen : undefined)}
        rowKey={(publicacion) => publicacion.id}
        nombra={(publicacion) => nombreCorto(publicacion.titulo)}
        lines={2}
        placeholder="Titulo, ID o SKU"
        vacia={{
          nada: 'Lo que está a la venta se lee en cuanto el mercado se conecta.',
          ...(tokens && { salida: { texto: 'Activación de API', to: tokens } }),
        }}
        enFila={
          puedeEditar || puedeLeer
            ? { ancho: 136, tarjeta: 'menu', de: (fila) => accionesOf(fila, cambiar, puedeEditar, puedeLeer) }
            : undefined
        }
        acciones={acciones}
        panel={PANEL}
        abierta={abierto}
        cancelar={withParams(search, { editar: null })}
        refusals={[
          'leerPublicacion',
          'leerCompetencia',
          'leerPromociones',
          'excluirPromocion',
          'palanca',
          'decidirRetenida',
        ]}
        filtros={
          <Form method="get" className="rango" preventScrollReset>
            <HiddenParams search={search} without={[...MARKETS, ...CAMPOS, 'pagina', 'ver', 'editar']} />
            {MARKETS.toReversed().map((market) => (
              <Checkbox
                key={`${market}-${puestos.join('-')}`}
                name={market}
                value="1"
                label={MERCADOS[market].publicaciones.casilla}
                defaultChecked={todos || puestos.includes(market)}
              />
            ))}
            <FiltroProveedor valor={proveedor} proveedores={proveedores} />
            <NativeSelect
              key={`estatus-${estatus}`}
              name="estatus"
              label="Estatus"
              defaultValue={elegido}
              data={[
                { value: '', label: 'Todos' },
                ...ESTATUS_JUNTOS.map(({ label, codigos }) => ({ value: codigos[0]!, label })),
              ]}
            />
            <NativeSelect
              key={`sync-${sync}`}
              name="sync"
              label="Sincronización"
              defaultValue={sync}
              data={[
                { value: '', label: 'Todas' },
                { value: 'si', label: 'Sí' },
                { value: 'no', label: 'No' },
              ]}
            />
            <Checkbox
              key={`producto-${sinProducto}`}
              name="sinProducto"
              value="1"
              label="Sin producto"
              defaultChecked={sinProducto !== ''}
            />
            <Boton type="submit">Filtrar</Boton>
          </Form>
        }
      />
    </AhoraProvider>
  );
}
