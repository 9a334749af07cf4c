import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Form, Link, useLoaderData, useLocation } from '@remix-run/react';
import { z } from 'zod';
import { requireAccion } from '~/access/lotes';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { NotAllowed } from '~/core/errors';
import { toWire, withParams } from '~/core/list';
import type { Market } from '~/core/market';
import { prepareBatch, readPreparedBatch } from '~/platform/batches/prepared.server';
import { openList } from '~/platform/lists/list.server';
import { MERCADOS } from '~/domain/mercados/mercados';
import { NOMBRE_EN, nombreCorto, PRODUCTO_AUSENTE } from '~/domain/compras/catalogo/producto';
import { listCatalogos } from '~/domain/compras/catalogo/productos.server';
import { readBorrador, readVista } from '~/domain/publicaciones/publicador/borrador.server';
import { formularioGuardado } from '~/domain/publicaciones/publicador/categorias.server';
import {
  chooseCategoria,
  enEspera,
  saveOferta,
  saveRespuestas,
  hechosOfPublicar,
  MARKET,
  publish,
  PUBLICADORES,
} from '~/domain/publicaciones/publicador/publish.server';
import { pasoOfRechazo, respuestasOfForm } from '~/domain/publicaciones/publicador/publicador';
import {
  CategoriaComun,
  CategoriaElegida,
  comunesForm,
  OfertaForm,
  Publicar,
  respuestasForm,
} from '~/domain/publicaciones/publicador/forms';
import { marketOfVarios, readVarios } from '~/domain/publicaciones/publicador/publicarVarios.server';
import { ACCIONES } from '~/domain/operacion/batchCatalog.server';
import { SIN_PUBLICACION } from '~/domain/publicaciones/publicador/sinPublicacionList.server';
import { defineActions, outcome } from '~/http/actions.server';
import { Boton } from '~/ui/Boton';
import { PageHeader, Panel } from '~/ui/Blocks';
import { type Column, DataTable, DosLineas } from '~/ui/DataTable';
import { AhoraProvider, Edad } from '~/ui/Edad';
import { Estatus } from '~/ui/Estatus';
import { HiddenParams } from '~/ui/HiddenParams';
import { ConRetrato } from '~/ui/lista/ConRetrato';
import { Pesos } from '~/ui/Pesos';
import { Steps } from '~/ui/Steps';
import { Asked } from '~/ui/useAnswer';
import { useDicho } from '~/ui/useDicho';
import { db } from '~db/shared.server';
import { FiltroProveedor } from '~/routes/cierre/reportes/FiltroProveedor';
import { Piezas, PrecioProveedor, Queda } from '~/routes/compras/productos/Precio';
import { fotoActions } from '~/routes/compras/productos/actions';
import { accionesOfList } from '~/routes/operacion/lotes/lotes';
import { FORMULARIOS, Paso } from './Paso';
import { Varios, VARIOS_AUSENTE } from './Varios';
import { YaPublicado } from './YaPublicado';
import '../../compras/productos/producto.css';
import './publicador.css';

export const meta: MetaFunction = () => [{ title: 'Publicador ML' }];

/** Returns the marketplace of the address; the screen's own where the address names none. */
const marketOf = (searchParams: URLSearchParams): Market =>
  PUBLICADORES.find((market) => market === searchParams.get('mercado')) ?? MARKET;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const { searchParams } = new URL(request.url);
  const ahora = new Date().toISOString();
  const market = marketOf(searchParams);
  const mercados = PUBLICADORES;
  const ver = searchParams.get('ver');
  const lote = searchParams.get('lote');
  if (ver === null && lote !== null) {
    const varios = await openVarios(lote, usuario.id, searchParams);
    return { market, mercados, lista: null, vista: null, varios, acciones: [], catalogos: [], ahora, ausente: false };
  }
  if (ver !== null) {
    const pedido = { paso: searchParams.get('paso'), q: searchParams.get('buscar'), nodo: searchParams.get('nodo') };
    const vista = await readVista(db(), market, ver, pedido);
    return {
      ...{
        market,
        mercados,
        lista: null,
        vista: vista && toWire(vista),
        varios: null,
        acciones: [],
        catalogos: [],
        ahora,
      },
      ausente: !vista,
    };
  }
  const [lista, catalogos] = await Promise.all([
    openList(db(), SIN_PUBLICACION[market], request, usuario),
    listCatalogos(db()),
  ]);
  const acciones = accionesOfList(SIN_PUBLICACION[market].lista, usuario);
  return { market, mercados, lista, vista: null, varios: null, acciones, catalogos, ahora, ausente: false };
}

/** Reads a prepared batch that puts products on sale, which its person has not started. */
async function readPreparado(id: string, usuarioId: string) {
  const lote = await readPreparedBatch(db(), ACCIONES, id, usuarioId);
  const market = lote && lote.pedidoEn === null ? marketOfVarios(lote.accion) : undefined;
  return market && lote ? { ...lote, market } : undefined;
}

/** Reads the step that asks what is the same for the chosen products; `vista` is null where the batch is gone or was started. */
async function openVarios(id: string, usuarioId: string, searchParams: URLSearchParams) {
  const lote = await readPreparado(id, usuarioId);
  if (!lote) return { id, consulta: '', total: 0, fuera: 0, vista: null };
  const ids = lote.filas.flatMap(({ filaId, estado }) => (estado === 'fuera' ? [] : [filaId]));
  const vista = await readVarios(db(), lote.market, ids.length > 0 ? ids : lote.filas.map(({ filaId }) => filaId), {
    q: searchParams.get('buscar'),
    nodo: searchParams.get('nodo'),
    categoriaId: searchParams.get('categoria'),
    datos: lote.datos,
  });
  return toWire({ id, consulta: lote.consulta, total: lote.filas.length, fuera: lote.fuera, vista });
}

const paso = (n: string, { search }: { search: string }) => withParams(search, { paso: n, buscar: null, nodo: null });

/** Reads the product of the address with the questions of its category, as the page read them. */
async function deLaDireccion({ request }: ActionFunctionArgs) {
  const { searchParams } = new URL(request.url);
  const market = marketOf(searchParams);
  const ver = searchParams.get('ver') ?? '';
  const productoId = z.uuid().safeParse(ver).success ? ver : '00000000-0000-0000-0000-000000000000';
  const lote = searchParams.get('lote');
  const elegida = lote === null ? null : searchParams.get('categoria');
  const categoriaId = elegida ?? (await readBorrador(db(), market, productoId)).categoriaId;
  const formulario = categoriaId === null ? null : await formularioGuardado(db(), market, categoriaId);
  return { market, productoId, formulario, lote, elegida };
}

type Abierto = Awaited<ReturnType<typeof deLaDireccion>>;

export const action = defineActions(deLaDireccion, {
  ...fotoActions(),
  categoria: {
    schema: CategoriaElegida,
    right: 'publicaciones.publicar',
    async run(db, form, usuario, at) {
      const { completo } = await chooseCategoria(db, at.opened.productoId, form, usuario, at.opened.market);
      return outcome({ to: paso(completo ? '3' : '2', at) });
    },
  },
  caracteristicas: {
    schema: ({ formulario }: Abierto) => respuestasForm(formulario?.campos ?? []),
    marcas: ['version'],
    right: 'publicaciones.publicar',
    async run(db, form, usuario, at) {
      const { market, productoId, formulario } = at.opened;
      if (!formulario) return outcome({ to: paso('1', at) });
      const { completo } = await saveRespuestas(db, productoId, formulario, form, usuario, market);
      return outcome({ to: paso(completo ? (at.ir ?? '3') : '2', at) });
    },
  },
  /** The category of the products of a batch. */
  categoriaComun: {
    schema: CategoriaComun,
    right: 'publicaciones.publicar',
    run: (_, { categoriaId }, __, { search }) =>
      Promise.resolve(outcome({ to: withParams(search, { categoria: categoriaId, nodo: null, buscar: null }) })),
  },
  /** The answers that the products of a batch share: the batch is prepared anew with them, and asks. */
  comunes: {
    schema: ({ formulario }: Abierto) => comunesForm(formulario?.campos ?? []),
    marcas: [],
    right: 'publicaciones.publicar',
    async run(db, form, usuario, { opened }) {
      const lote = await readPreparado(opened.lote ?? '', usuario.id);
      if (!lote || opened.elegida === null) throw new NotAllowed(VARIOS_AUSENTE.titulo, VARIOS_AUSENTE.texto);
      requireAccion(usuario, lote.lista, lote.accion);
      const accion = ACCIONES[lote.accion]!;
      const datos = await accion.pide!.complete!(db, {
        categoriaId: opened.elegida,
        respuestas: respuestasOfForm(form),
      });
      const { lista, consulta } = lote;
      const filas = lote.filas.map(({ filaId }) => filaId);
      const id = await db
        .transaction()
        .execute((trx) => prepareBatch(trx, accion, { lista, consulta, filas, usuarioId: usuario.id, datos }));
      return outcome({ to: `/${usuario.rol}/lote?lote=${id}` });
    },
  },
  oferta: {
    schema: OfertaForm,
    right: 'publicaciones.publicar',
    run: (db, form, usuario, { opened }) => saveOferta(db, opened.productoId, form, usuario, opened.market),
    to: (_, at) => paso(at.ir ?? '4', at),
  },
  publicar: {
    schema: Publicar,
    right: 'publicaciones.publicar',
    confirm: { titulo: 'Publicar', texto: '¿Está seguro que desea publicar el producto?' },
    hechos: (db, _, __, { opened }) => hechosOfPublicar(db, opened.productoId, opened.market),
    async run(db, { version }, usuario, at) {
      const { market, productoId } = at.opened;
      const { problemas } = await publish(db, productoId, version, usuario, market);
      return problemas.length > 0
        ? outcome({ to: paso(pasoOfRechazo(problemas), at) })
        : outcome({ to: paso('4', at), aviso: enEspera(market) });
    },
  },
});

type Lista = NonNullable<ReturnType<typeof useLoaderData<typeof loader>>['lista']>;
type Row = Lista['ventana']['filas'][number];

const COLUMNS: Column<Row, Lista['totales']>[] = [
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
  { header: 'Proveedor', tarjeta: 'numero', width: 116, cell: ({ proveedorLabel }) => proveedorLabel },
  {
    header: 'Borrador',
    tarjeta: 'estatus',
    width: 130,
    cell: ({ borradorEn, problemas }) =>
      borradorEn === null ? null : (
        <DosLineas debajo={<Edad valor={borradorEn} />}>
          <Estatus tono={problemas > 0 ? 'mal' : 'aviso'}>{problemas > 0 ? 'Con rechazos' : 'Sin publicar'}</Estatus>
        </DosLineas>
      ),
  },
  {
    header: 'Costo',
    className: 'costo',
    width: 140,
    align: 'right',
    cell: (producto) => (
      <DosLineas debajo={<Edad valor={producto.precioEn} vieja={producto.caducada} />}>
        <PrecioProveedor {...producto} />
      </DosLineas>
    ),
  },
  {
    header: 'Precio',
    tarjeta: 'monto',
    width: 118,
    align: 'right',
    cell: ({ precios }) =>
      precios ? (
        <DosLineas debajo={<Queda {...precios} />}>
          <Pesos valor={precios.precio} />
        </DosLineas>
      ) : (
        '—'
      ),
  },
  {
    header: 'Stock',
    tarjeta: 'fecha',
    className: 'stock',
    sort: 'existencia',
    width: 124,
    align: 'right',
    cell: (producto) => <Piezas {...producto} />,
  },
  {
    header: 'Vendidas',
    sort: 'vendidas',
    width: 96,
    align: 'right',
    hideUnder: 'sm',
    cell: ({ piezasVendidas }) => (piezasVendidas === 0 ? <span className="cero">0</span> : piezasVendidas),
  },
];

export default function PublicadorML() {
  const { lista, vista, varios, catalogos, ahora, ausente } = useLoaderData<typeof loader>();
  return (
    <AhoraProvider ahora={ahora}>
      {vista && <Publicacion />}
      {varios && <Varios {...varios} />}
      {ausente && (
        <Panel tono="aviso" titulo={PRODUCTO_AUSENTE.titulo}>
          {PRODUCTO_AUSENTE.texto} <Link to="?">Volver a la lista</Link>
        </Panel>
      )}
      {lista && <PorPublicar lista={lista} catalogos={catalogos} />}
    </AhoraProvider>
  );
}

type Catalogos = ReturnType<typeof useLoaderData<typeof loader>>['catalogos'];

function PorPublicar({ lista, catalogos }: { lista: Lista; catalogos: Catalogos }) {
  const { search } = useLocation();
  const { market, mercados, acciones } = useLoaderData<typeof loader>();
  const area = useArea();
  return (
    <>
      <PageHeader
        titulo="Publicador ML"
        nota={`Lo que los proveedores venden y todavía no está en ${MERCADOS[market].label}.`}
      >
        <nav className="publicador-mercados" aria-label="Mercado">
          {mercados.map((uno) => (
            <Link
              key={uno}
              className="boton"
              to={withParams(search, { mercado: uno === mercados[0] ? null : uno, pagina: null })}
              aria-current={uno === market ? 'true' : undefined}
            >
              {MERCADOS[uno].label}
            </Link>
          ))}
        </nav>
      </PageHeader>
      <DataTable
        lista={lista}
        columns={COLUMNS}
        rowKey={(producto) => producto.id}
        nombra={(producto) => nombreCorto(producto.nombre)}
        lines={2}
        label="Productos sin publicación"
        placeholder="Nombre, modelo, marca, clave o GTIN"
        area={area}
        acciones={acciones}
        opens
        de={({ todos }) => todos}
        vacia={{ nada: 'Todo lo que los proveedores venden está publicado, o sus catálogos no han llegado.' }}
      >
        <Form method="get" className="rango" preventScrollReset>
          <HiddenParams search={search} without={['proveedor', 'pagina', 'ver']} />
          <FiltroProveedor valor={lista.filtro.proveedor} proveedores={catalogos} />
          <Boton tono="acento" type="submit">
            Buscar
          </Boton>
        </Form>
      </DataTable>
    </>
  );
}

function Publicacion() {
  const { vista, market } = useLoaderData<typeof loader>();
  const { label } = MERCADOS[market];
  const { search } = useLocation();
  const asked = useDicho()?.confirmar !== undefined;
  if (!vista) return null;
  const { producto } = vista;
  const href = (n: string) => withParams(search, { paso: n, buscar: null, nodo: null });
  return (
    <>
      <PageHeader
        titulo={`Publicar en ${label}`}
        nota={[producto.proveedorLabel, producto.marca, producto.modelo, vista.sku].filter(Boolean).join(' · ')}
      >
        <Link
          className="boton"
          to={withParams(search, { ver: null, paso: null, buscar: null, nodo: null })}
          preventScrollReset
        >
          Volver a la lista
        </Link>
      </PageHeader>
      <p className="publicador-producto" title={producto.nombre ?? undefined}>
        {nombreCorto(producto.nombre, NOMBRE_EN.publicador)}
      </p>
      <YaPublicado market={market} publicaciones={vista.publicaciones} enMarcha={vista.enMarcha} />
      {vista.falla && (
        <Panel tono="mal" titulo={`${label} no contesta`}>
          {vista.falla} <Link to={search}>Reintentar</Link>
        </Panel>
      )}
      <Steps
        pasos={vista.pasos.map(({ abierto, ...one }) => ({ ...one, href: abierto ? href(one.paso) : undefined }))}
        formulario={FORMULARIOS[vista.paso]}
        sinEnter={vista.paso === '4'}
      />
      <Asked cancelar={href(vista.paso)} />
      {!asked && <Paso vista={vista} />}
    </>
  );
}
