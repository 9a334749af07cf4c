import { randomUUID } from 'node:crypto';
import { data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { TextInput } from '@mantine/core';
import { Form, Link, useLoaderData, useLocation } from '@remix-run/react';
import { type ReactNode } from 'react';
import { z } from 'zod';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { readQ, toWire, withParams, type Wire } from '~/core/list';
import { ventaUrl } from '~/domain/ventas/ordenes/orden';
import { NOMBRE_EN, nombreCorto } from '~/domain/compras/catalogo/producto';
import { listProveedorOptions } from '~/domain/compras/directorio/proveedores.server';
import { findArticulos, findPorRecibir, readOfQue, type DeQue } from '~/domain/compras/stock/devoluciones.server';
import { ESTADO_LABEL, ESTADO_TONO, ERROR_PROVEEDOR, nombreOfPieza, PIEZA_AUSENTE } from '~/domain/compras/stock/pieza';
import { listIniciales } from '~/domain/compras/stock/readPiezas.server';
import { createDevolucion, piezasOfAlta, receiveFactura } from '~/domain/compras/stock/piezas.server';
import { DevolucionForm } from '~/domain/compras/stock/forms';
import { defineActions } from '~/http/actions.server';
import { Boton } from '~/ui/Boton';
import { Dato, Datos } from '~/ui/Datos';
import { EmptyState, PageHeader } from '~/ui/Blocks';
import { Dialog } from '~/ui/Dialog';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { definePanel, usePanel } from '~/ui/ficha/panel';
import { RecorridoProvider } from '~/ui/ficha/recorrido';
import { useRecorridoCorto } from '~/ui/ficha/useRecorridoCorto';
import { ConRetrato } from '~/ui/lista/ConRetrato';
import { Pesos } from '~/ui/Pesos';
import { TablaCaja } from '~/ui/TablaCaja';
import { Asked } from '~/ui/useAnswer';
import { db } from '~db/shared.server';
import { openRecord } from '~/routes/area/openRecord';
import { stockActions } from './actions';
import { CrearForm } from './CrearForm';
import { Imprimir, IMPRIMIR, ImprimirDialog } from './Imprimir';
import { piezaOf } from './record';
import './stock.css';

type PorRecibirDe = Wire<Awaited<ReturnType<typeof findPorRecibir>>>;

const AUSENTE = {
  titulo: 'No se encontro un producto',
  texto: 'El enlace nombra una orden o un producto que no está aquí.',
};

export { shouldRevalidate } from '~/ui/ficha/soloFicha';

// Each screen that shows this panel defines it. A module that two screens share would be bundled into the file of the panel, which then loads at once.
const PANEL = definePanel('PiezaFicha', {
  load: async () => (await import('./PiezaFicha')).PiezaFicha,
  que: 'Devolución',
  ausente: PIEZA_AUSENTE,
  edita: true,
});

export const meta: MetaFunction = () => [{ title: 'Devoluciones' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const search = new URL(request.url).searchParams;
  const q = readQ(search.get('q') ?? '');
  const creados = z.uuid().safeParse(search.get('creados')).data;
  const porElegir = q === '' && !search.has('orden') && !search.has('producto');
  const [deQue, articulos, porRecibir, estados, proveedores, nuevas, abierta] = await Promise.all([
    readOfQue(db(), search),
    q === '' ? [] : findArticulos(db(), q),
    porElegir || creados ? findPorRecibir(db(), usuario) : null,
    listIniciales(db()),
    listProveedorOptions(db()),
    creados ? piezasOfAlta(db(), creados) : [],
    openRecord(request, usuario, piezaOf),
  ]);
  if (!deQue && (search.has('orden') || search.has('producto'))) throw data(AUSENTE, { status: 404 });
  return {
    deQue: deQue ? toWire(deQue) : null,
    q,
    articulos,
    porRecibir: toWire(porElegir ? porRecibir : null),
    // The sale that was received is done, or goes on with 'Aceptar'.
    siguiente: creados ? (porRecibir?.ventas.find(({ numero }) => numero !== deQue?.articulo?.numOrden) ?? null) : null,
    estados,
    proveedores,
    creados: creados && nuevas.length > 0 ? { clave: creados, piezas: nuevas } : null,
    clave: randomUUID(),
    abierta,
    corte: new Date().toISOString(),
  };
}

export const action = defineActions({
  ...stockActions(),
  crear: {
    schema: DevolucionForm,
    right: 'stock.operar',
    async run(db, form, usuario) {
      const devolucion = await receiveFactura(form);
      await db.transaction().execute((trx) => createDevolucion(trx, devolucion, usuario.id));
    },
    to: ({ clave }, { search }) => withParams(search, { creados: clave }),
    aviso: 'Registro creado',
  },
});

/** The screen that receives the returns of a sale or a product: the article, the pieces of it that we hold, and those that arrive now. */
export default function Devoluciones() {
  const { deQue, creados, siguiente, abierta, corte } = useLoaderData<typeof loader>();
  const { search } = useLocation();
  const area = useArea();
  const ver = new URLSearchParams(search).get('ver');
  const recorrido = useRecorridoCorto(deQue?.piezas.map(({ id }) => id) ?? [], ver, search);
  const ficha = usePanel(PANEL, { lista: { lista: 'stockInterno', corte }, area, inicial: abierta });
  return (
    <>
      <PageHeader
        titulo="Devoluciones"
        nota={deQue && (deQue.articulo ? `Orden ${deQue.articulo.numOrden}` : deQue.producto?.proveedorLabel)}
      />
      <Asked cancelar={search || '?'} />
      <div className="catalogo">
        {deQue ? <DeUno key={creados?.clave ?? 'nueva'} deQue={deQue} /> : <Elegir area={area} />}
        {ficha && <RecorridoProvider value={recorrido}>{ficha}</RecorridoProvider>}
      </div>
      {creados && <Creados {...creados} siguiente={siguiente && { ...siguiente, a: `${area}/${siguiente.a}` }} />}
      <ImprimirDialog area={area} />
    </>
  );
}

/** The choice of the article, by the number of its sale. */
function Elegir({ area }: { area: string }) {
  const { q, articulos, porRecibir } = useLoaderData<typeof loader>();
  return (
    <div className="apilado">
      <Form method="get" className="rango">
        <TextInput name="q" label="No. Orden" defaultValue={q} autoComplete="off" inputMode="numeric" />
        <Boton tono="acento" type="submit">
          Buscar
        </Boton>
      </Form>
      {q !== '' && articulos.length === 0 && <EmptyState />}
      {articulos.length > 0 && (
        <ul className="por-elegir">
          {articulos.map(({ ordenId, posicion, nombre, cantidad, numOrden, alLado }) => (
            <li key={`${ordenId}-${posicion}`}>
              <Link to={`${area}/devoluciones?orden=${ordenId}&articulo=${posicion}`}>
                <ConRetrato lado={alLado}>
                  <strong>{nombreCorto(nombre)}</strong>{' '}
                  <span className="nota">{`${cantidad} de la orden ${numOrden}`}</span>
                </ConRetrato>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {porRecibir && <PorRecibir porRecibir={porRecibir} area={area} />}
    </div>
  );
}

/** Sales that ended after their parcel left, and claims whose return is under way. A person looks at the parcel and confirms. */
function PorRecibir({ porRecibir: { total, ventas }, area }: { porRecibir: PorRecibirDe; area: string }) {
  return (
    <section className="apilado">
      <h2>Por recibir{total > 0 && ` (${total})`}</h2>
      {total === 0 && <p className="nota">Nada viene de regreso. Aquí aparece solo lo que se cancela o se reclama.</p>}
      {total > ventas.length && <p className="nota">{`Las ${ventas.length} que más tiempo llevan.`}</p>}
      {ventas.length > 0 && (
        <ul className="por-elegir">
          {ventas.map(({ numero, titulo, porque, a, desde, alLado }) => (
            <li key={numero}>
              <Link to={`${area}/${a}`}>
                <ConRetrato lado={alLado}>
                  <strong>{nombreCorto(titulo)}</strong>{' '}
                  <span className="nota">
                    {numero} · {porque} · <Fecha valor={desde} hora={false} />
                  </span>
                </ConRetrato>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function DeUno({ deQue }: { deQue: Wire<DeQue> }) {
  const { clave, estados, proveedores } = useLoaderData<typeof loader>();
  return (
    <div className="apilado">
      <h2>{nombreCorto(deQue.producto?.nombre ?? deQue.articulo?.nombre ?? null)}</h2>
      {deQue.articulo && (
        <details className="plegable">
          <summary>Expandir información general</summary>
          <General deQue={deQue} />
        </details>
      )}
      <details className="plegable" open>
        <summary>Expandir stock interno</summary>
        <Piezas piezas={deQue.piezas} />
      </details>
      <CrearForm deQue={deQue} nueva={clave} estados={estados} proveedores={proveedores} />
    </div>
  );
}

function General({ deQue: { articulo, producto } }: { deQue: Wire<DeQue> }) {
  const datos: [string, ReactNode][] = [
    ['Nombre', producto?.nombre ?? articulo?.nombre],
    ['Proveedor', producto?.proveedorLabel ?? articulo?.proveedorLabel ?? ERROR_PROVEEDOR],
    ['Marca', producto?.marca],
    ['Modelo', producto?.modelo ?? articulo?.modelo],
    ['Id Proveedor', producto?.idProveedor],
    ['Stock', producto?.existencia],
    ['Link Proveedor', producto?.link && <Fuera href={producto.link}>Ver en {producto.proveedorLabel}</Fuera>],
    ['Costo del envio', producto?.costoEnvio && <Pesos valor={producto.costoEnvio} />],
    ['Productos máximos por envio', producto?.productoMaximo],
    ['Precio de lista', producto?.precioLista && <Pesos valor={producto.precioLista} />],
    ['Link Tienda', articulo && <Fuera href={ventaUrl(articulo.market, articulo.numOrden)}>{articulo.numOrden}</Fuera>],
  ];
  return (
    <Datos>
      {datos.map(([etiqueta, valor]) => (
        <Dato key={etiqueta} de={etiqueta}>
          {valor}
        </Dato>
      ))}
    </Datos>
  );
}

const Fuera = ({ href, children }: { href: string; children: ReactNode }) => (
  <a href={href} target="_blank" rel="noopener noreferrer">
    {children}
  </a>
);

function Piezas({ piezas }: { piezas: Wire<DeQue>['piezas'] }) {
  const { search } = useLocation();
  if (piezas.length === 0) return <EmptyState />;
  return (
    <TablaCaja nombre="Piezas">
      <table className="tabla tablero">
        <thead>
          <tr>
            <th>Nombre</th>
            <th>Folio</th>
            <th>No. Orden</th>
            <th className="pesos">Costo</th>
            <th>Estatus</th>
            <th>Folio Factura</th>
            <th>Proveedor</th>
            <th>Administración</th>
          </tr>
        </thead>
        <tbody>
          {piezas.map((pieza) => (
            <tr key={pieza.id}>
              <td title={nombreOfPieza(pieza)}>{nombreCorto(nombreOfPieza(pieza), NOMBRE_EN.stock)}</td>
              <td className="folio titular">{pieza.folio}</td>
              <td data-campo="No. Orden">{pieza.numOrden ?? '—'}</td>
              <td className="pesos" data-campo="Costo">
                <Pesos valor={pieza.costo} />
              </td>
              <td>
                <Estatus tono={ESTADO_TONO[pieza.estado]}>{ESTADO_LABEL[pieza.estado]}</Estatus>
              </td>
              <td data-campo="Folio Factura">{pieza.facturaFolio ?? '—'}</td>
              <td data-campo="Proveedor">{pieza.proveedorLabel ?? ERROR_PROVEEDOR}</td>
              <td>
                <div className="acciones">
                  <Link
                    className="boton"
                    to={withParams(search, { ver: pieza.id })}
                    aria-label={`Editar ${pieza.folio}`}
                    preventScrollReset
                  >
                    EDITAR
                  </Link>
                  <Imprimir que={pieza.id} nombre={pieza.folio} />
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TablaCaja>
  );
}

type Creados = {
  clave: string;
  piezas: { id: string; folio: string }[];
  /** The next sale that is still to be received, with its address. */
  siguiente: { titulo: string; a: string } | null;
};

function Creados({ clave, piezas, siguiente }: Creados) {
  const { search } = useLocation();
  // The question about the labels takes the place of the form.
  if (new URLSearchParams(search).has(IMPRIMIR)) return null;
  const cerrar = withParams(search, { creados: null });
  return (
    <Dialog titulo="Se crearon los siguientes folios" cerrar={cerrar} anuncia>
      <ul className="folios-creados">
        {piezas.map(({ id, folio }) => (
          <li key={id}>{folio}</li>
        ))}
      </ul>
      <div className="botones">
        <Imprimir que={`alta:${clave}`} nombre="los folios creados" />
        {siguiente && (
          <Link className="boton" to={siguiente.a} title={siguiente.titulo}>
            Recibir la siguiente
          </Link>
        )}
        <Link className="boton" data-tono="acento" to={cerrar} preventScrollReset>
          Aceptar
        </Link>
      </div>
    </Dialog>
  );
}
