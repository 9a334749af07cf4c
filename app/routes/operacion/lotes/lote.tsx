import { data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { Form, useLoaderData, useLocation } from '@remix-run/react';
import { useEffect, useRef, type ReactNode } from 'react';
import { mayReadList } from '~/access/lists';
import { EXCEL, requireAccion } from '~/access/lotes';
import { colasOf } from '~/access/hoy.server';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { writeCount } from '~/core/count';
import { NotAllowed } from '~/core/errors';
import { rowOf, tableOf } from '~/core/table';
import { toWire, withParams } from '~/core/list';
import type { Usuario } from '~/core/usuario';
import { listPlantillas } from '~/domain/atencion/preguntas/plantillas.server';
import { DecirRespuesta, RespuestaAVarias } from '~/domain/atencion/preguntas/preguntaForm';
import { CambioDePrecios, COMO_CAMBIA, DecirPrecio } from '~/domain/publicaciones/publicaciones/forms';
import { pdfYXml } from '~/domain/facturacion/emision/lotesDeFacturas.server';
import { findList } from '~/domain/operacion/exports/lists.server';
import { EFFECTS } from '~/domain/operacion/effectCatalog.server';
import { requestExport } from '~/platform/lists/exportRuns.server';
import { ACCIONES } from '~/domain/operacion/batchCatalog.server';
import { COLAS } from '~/domain/operacion/hoyCatalog.server';
import { listAtrasadas } from '~/platform/hoy/hoy.server';
import { cuantas, MAX_BATCH } from '~/platform/batches/batch';
import { PrepareAtrasadas, PrepareBatch, PreparedBatchId } from '~/platform/batches/forms';
import {
  beginBatch,
  beginChosen,
  isOpen,
  prepareBatch,
  readBatchWithRemedies,
  readPreparedBatch,
  startBatch,
  stopBatch,
  type Accion,
  type EstadoDeFila,
} from '~/platform/batches/prepared.server';
import { defineActions, outcome } from '~/http/actions.server';
import { CODIGOS_QR } from '~/domain/compras/stock/pieza';
import { BatchProgress, isUnderWay } from '~/ui/BatchProgress';
import { EmptyState, PageHeader, Panel } from '~/ui/Blocks';
import { Confirm } from '~/ui/Confirm';
import { Estatus, type Tono } from '~/ui/Estatus';
import { focusOn, isFocusFree } from '~/ui/foco';
import { formatPesos } from '~/ui/Pesos';
import { TablaCaja } from '~/ui/TablaCaja';
import { RespuestaDeLote } from '~/routes/atencion/preguntas/RespuestaDeLote';
import { PrecioDeLote } from '~/routes/publicaciones/publicaciones/PrecioDeLote';
import { EtiquetasForm } from '~/routes/compras/stock/Imprimir';
import { Asked, Hidden, Refusal, useAsked } from '~/ui/useAnswer';
import type { Db } from '~db/client.server';
import { db } from '~db/shared.server';

export const meta: MetaFunction = () => [{ title: TITULO }];

const TITULO = 'Varios a la vez';
const AUSENTE = {
  titulo: 'Lo que elegiste ya no está aquí',
  texto: 'Elige otra vez en su lista.',
};

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const id = new URL(request.url).searchParams.get('lote');
  // Where a list's choice is refused there is none yet.
  if (id === null) return { lote: null };
  const lote = await readBatchWithRemedies(db(), ACCIONES, id, usuario.id);
  if (!lote || !mayReadList(usuario, lote.lista)) throw data(AUSENTE, { status: 404 });
  const { datos, ...visto } = lote;
  const accion = accionOf(lote.accion);
  const { boton, nombres, hecho, fallo, corrige = null, pregunta, pide, inverso } = accion;
  const preguntaAqui = lote.pedidoEn ? undefined : rowOf(AQUI, lote.accion);
  return {
    lote: toWire({
      ...visto,
      falta: isOpen(accion, lote),
      aqui: preguntaAqui ? await preguntaAqui(datos) : null,
      aparte: pide?.aparte ?? null,
      inverso: inverso ? accionOf(inverso).boton : null,
      rotulos: { boton, nombres, hecho, fallo },
      corrige,
      dicho: datos === null ? null : (pide?.dicho?.(datos) ?? null),
      pregunta: pregunta?.(lote.avance.total, lote.suma, datos) ?? null,
      archivo: lote.accion === pdfYXml.accion && lote.pedidoEn !== null,
      etiquetas: lote.accion === CODIGOS_QR && lote.pedidoEn !== null,
    }),
  };
}

/** What the page asks for all rows before the yes, by act, with what was said. */
const AQUI = tableOf({
  'pregunta.responder': async (datos: unknown) => ({
    clase: 'respuesta' as const,
    texto: datos === null ? null : RespuestaAVarias.parse(datos).texto,
    plantillas: await listPlantillas(db()),
  }),
  'publicacion.cambiarPrecio': async (datos: unknown) => ({
    clase: 'precio' as const,
    dicho: datos === null ? null : CambioDePrecios.parse(datos),
    comos: Object.entries(COMO_CAMBIA).map(([value, label]) => ({ value, label })),
  }),
});

function accionOf(nombre: string): Accion {
  const accion = Object.hasOwn(ACCIONES, nombre) ? ACCIONES[nombre] : undefined;
  if (!accion) throw new Error(`no hay una acción ${nombre}`);
  return accion;
}

/** Returns a lote of this person, where the person may still run its action. */
async function requireLote(db: Db, id: string, usuario: Usuario) {
  const lote = await readPreparedBatch(db, ACCIONES, id, usuario.id);
  if (!lote) throw new NotAllowed(AUSENTE.titulo, AUSENTE.texto);
  requireAccion(usuario, lote.lista, lote.accion);
  return lote;
}

/** Prepares the same rows with what the act asks for. A prepared lote never changes, so each thing said has its own. */
async function sayForAll(db: Db, id: string, datos: object, usuario: Usuario) {
  const lote = await requireLote(db, id, usuario);
  const filas = lote.filas.map(({ filaId }) => filaId);
  const accion = accionOf(lote.accion);
  const nuevo = await db
    .transaction()
    .execute((trx) => prepareBatch(trx, accion, { ...lote, filas, usuarioId: usuario.id, datos }));
  return outcome({ to: `/${usuario.rol}/lote?lote=${nuevo}` });
}

/** Returns the address of a prepared batch: its page, or the screen that asks what is the same for all of its rows, as long as some row qualifies. */
async function placeOf(db: Db, area: string, id: string, usuario: Usuario): Promise<string> {
  const lote = await readPreparedBatch(db, ACCIONES, id, usuario.id);
  const aparte = lote && lote.datos === null && lote.avance.total > 0 ? accionOf(lote.accion).pide?.aparte : undefined;
  return aparte
    ? `${area}/${aparte.pantalla}${withParams(lote!.consulta, { lote: id, ver: null })}`
    : `${area}/lote?lote=${id}`;
}

export const action = defineActions({
  /** Prepares a lote from a list: the action, the rows it reaches, and the rows it leaves out. */
  preparar: {
    schema: PrepareBatch,
    run: async (db, { lista, hacer, fila, consulta, corte, todos }, usuario) => {
      requireAccion(usuario, lista, hacer);
      const list = findList(lista);
      if (!list) throw new NotAllowed('Aviso', 'Esta lista no tiene esa acción.');
      const usuarioId = usuario.id;
      const search = new URLSearchParams(consulta);
      if (hacer === EXCEL) {
        const ids = [...new Set(fila)];
        if (!todos && ids.length === 0) throw new NotAllowed('Aviso', 'No elegiste nada de la lista.');
        const cuales = todos ? { ...(corte && { corte }) } : { ids };
        await db.transaction().execute((trx) => requestExport(trx, { lista, search: consulta, usuarioId, ...cuales }));
        return outcome({ to: listaOf(`/${usuario.rol}`, { lista, consulta }) });
      }
      const filas = todos ? await list.ids(db, list.parse(search, usuario), corte ?? null, MAX_BATCH + 1) : fila;
      const id = await db
        .transaction()
        .execute((trx) => beginChosen(trx, accionOf(hacer), { lista, consulta, filas, usuarioId }));
      return outcome({ to: await placeOf(db, `/${usuario.rol}`, id, usuario) });
    },
  },
  /** As `preparar`, for what of a queue of 'Hoy' is late by weeks. */
  prepararAtrasadas: {
    schema: PrepareAtrasadas,
    run: async (db, { cola, hacer }, usuario) => {
      const abierta = colasOf(usuario, COLAS).find((una) => una.cola.clave === cola);
      const lote = abierta?.cola.lote;
      if (!lote?.hacer.includes(hacer)) throw new NotAllowed('Aviso', 'Esta lista no tiene esa acción.');
      const { lista } = lote;
      requireAccion(usuario, lista, hacer);
      // What is left over is late still, and the next press takes it.
      const cosas = await listAtrasadas(db, abierta!, usuario, accionOf(hacer).most ?? MAX_BATCH);
      const filas = lote.filasOf ? await lote.filasOf(db, cosas) : cosas;
      const consulta = abierta!.cola.vistas?.[abierta!.pantalla] ?? '';
      const id = await db
        .transaction()
        .execute((trx) => beginBatch(trx, accionOf(hacer), { lista, consulta, filas, usuarioId: usuario.id }));
      return outcome({ to: await placeOf(db, `/${usuario.rol}`, id, usuario) });
    },
  },
  correr: {
    schema: PreparedBatchId,
    confirm: async (db, { lote: id }, usuario) => {
      const lote = await readPreparedBatch(db, ACCIONES, id, usuario.id);
      return lote && !lote.pedidoEn
        ? (accionOf(lote.accion).pregunta?.(lote.avance.total, lote.suma, lote.datos) ?? null)
        : null;
    },
    run: async (db, { lote: id }, usuario) => {
      const lote = await requireLote(db, id, usuario);
      await db.transaction().execute((trx) => startBatch(trx, accionOf(lote.accion), id, usuario.id));
    },
  },
  decirRespuesta: {
    schema: DecirRespuesta,
    run: (db, { lote, ...datos }, usuario) => sayForAll(db, lote, datos, usuario),
  },
  decirPrecio: {
    schema: DecirPrecio,
    run: (db, { lote, ...datos }, usuario) => sayForAll(db, lote, datos, usuario),
  },
  detenerLote: {
    schema: PreparedBatchId,
    run: async (db, { lote: id }, usuario) => {
      const lote = await requireLote(db, id, usuario);
      const accion = accionOf(lote.accion);
      const detenidas = await db.transaction().execute((trx) => stopBatch(trx, EFFECTS, accion, id, usuario.id));
      return outcome({
        aviso:
          detenidas === 0
            ? 'Ya no había qué detener.'
            : `${detenidas === 1 ? 'Se detuvo' : 'Se detuvieron'} ${cuantas(detenidas, accion.nombres.una, accion.nombres.muchas)}.`,
      });
    },
  },
  /** What was done, taken back by the act that says so: its question comes first. */
  deshacerLote: {
    schema: PreparedBatchId,
    run: async (db, { lote: id }, usuario) => {
      const lote = await requireLote(db, id, usuario);
      const { inverso } = accionOf(lote.accion);
      if (!inverso) throw new NotAllowed('Aviso', 'Esta acción no se deshace.');
      requireAccion(usuario, lote.lista, inverso);
      const { lista, consulta } = lote;
      const filas = lote.filas.filter(({ estado }) => estado === 'hecha').map(({ filaId }) => filaId);
      const nuevo = await db
        .transaction()
        .execute((trx) => beginBatch(trx, accionOf(inverso), { lista, consulta, filas, usuarioId: usuario.id }));
      return outcome({ to: `/${usuario.rol}/lote?lote=${nuevo}` });
    },
  },
  /** The failed items again, after a new look at each. */
  reintentar: {
    schema: PreparedBatchId,
    run: async (db, { lote: id }, usuario) => {
      const lote = await requireLote(db, id, usuario);
      const accion = accionOf(lote.accion);
      // A file holds all chosen rows, including results that changed since.
      const otra = lote.filas.filter(({ estado }) => isUndone(estado) || accion.bring).map(({ filaId }) => filaId);
      const nuevo = await db
        .transaction()
        .execute((trx) => beginBatch(trx, accion, { ...lote, filas: otra, usuarioId: usuario.id }));
      return outcome({ to: `/${usuario.rol}/lote?lote=${nuevo}` });
    },
  },
});

/** Returns the address of the filtered list that the rows were chosen in; a second list of a screen leads to that screen. */
const listaOf = (area: string, { lista, consulta }: { lista: string; consulta: string }, ver: string | null = null) =>
  `${area}/${lista.split('.')[0]!}${withParams(consulta, { ver })}`;

/** Returns whether a row was to be done and is not, and nobody waits for it. */
const isUndone = (estado: EstadoDeFila) => estado === 'fallida' || estado === 'detenida';

const ESTADO: Record<EstadoDeFila, { texto: string; tono: Tono }> = {
  fuera: { texto: 'No califica', tono: 'neutro' },
  pendiente: { texto: 'Por hacer', tono: 'neutro' },
  camino: { texto: 'En camino', tono: 'neutro' },
  dudosa: { texto: 'Por aclarar', tono: 'aviso' },
  hecha: { texto: 'Hecha', tono: 'ok' },
  fallida: { texto: 'No se hizo', tono: 'mal' },
  detenida: { texto: 'Detenida', tono: 'neutro' },
};

type Visto = NonNullable<ReturnType<typeof useLoaderData<typeof loader>>['lote']>;

/**
 * How many rows qualify, and the act on them. `enfoca`: the person just said what the rows below show. `children` leads to where what is the same for all rows
 * is said.
 */
function Previa({ lote, enfoca, children }: { lote: Visto; enfoca: boolean; children: ReactNode }) {
  const { avance, filas, fuera, pregunta } = lote;
  const caja = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (enfoca && isFocusFree()) focusOn(caja.current);
  }, [enfoca]);
  return (
    <div ref={caja}>
      <Panel
        tono={avance.total === 0 ? 'aviso' : undefined}
        titulo={
          avance.total === 0
            ? 'Nada de lo que elegiste califica.'
            : `${avance.total === 1 ? 'Califica' : 'Califican'} ${writeCount(avance.total)} de ${writeCount(filas.length)}.`
        }
      >
        {fuera > 0 && <p>{avance.total === 0 ? 'Abajo se dice por qué.' : 'De lo demás se dice abajo por qué no.'}</p>}
        {avance.total > 0 && pregunta && !lote.falta ? (
          <Form method="post" preventScrollReset className="botones">
            <Hidden intent="correr" lote={lote.id} />
            {children}
            <Confirm {...pregunta}>
              {lote.rotulos.boton} ({writeCount(avance.total)})
            </Confirm>
          </Form>
        ) : (
          children && <div className="botones">{children}</div>
        )}
      </Panel>
    </div>
  );
}

/** The screen of a lote: first the action and the number of rows, then the result of each row. */
export default function Lote() {
  const { lote } = useLoaderData<typeof loader>();
  const { search } = useLocation();
  const area = useArea();
  const asked = useAsked();
  if (!lote)
    return (
      <>
        <PageHeader titulo={TITULO} />
        <Refusal of="preparar" />
        <Refusal of="prepararAtrasadas" />
        <EmptyState>{AUSENTE.texto}</EmptyState>
      </>
    );
  const { avance, filas, corrige, aqui, aparte, dicho } = lote;
  const pedido =
    aqui?.clase === 'respuesta' ? (
      <RespuestaDeLote key={`pide ${lote.id}`} lote={lote.id} {...aqui} />
    ) : (
      aqui && <PrecioDeLote key={`pide ${lote.id}`} lote={lote.id} {...aqui} />
    );
  const conImporte = filas.some(({ importe }) => importe !== null);
  const { boton, nombres, hecho, fallo } = lote.rotulos;
  const volver = listaOf(area, lote);
  const decirlo = aparte && (
    <a
      className="boton"
      data-tono={lote.falta ? 'acento' : undefined}
      href={`${area}/${aparte.pantalla}${withParams(lote.consulta, { lote: lote.id, ver: null })}`}
    >
      {aparte.boton}
      {!lote.falta && ' otra vez'}
    </a>
  );
  const porCorregir = ({ estado, negada }: (typeof filas)[number]) =>
    corrige !== null && estado === 'fallida' && (negada || corrige.con === 'id');
  const repetibles = filas.filter(
    (fila) => isUndone(fila.estado) && (corrige?.con === 'id' ? !fila.negada : !porCorregir(fila)),
  );
  return (
    <>
      <PageHeader
        titulo={boton}
        nota={[`Elegiste ${cuantas(filas.length, nombres.una, nombres.muchas)}.`, dicho].filter(Boolean).join(' ')}
      >
        <a className="boton" href={volver}>
          Volver a la lista
        </a>
      </PageHeader>
      <Asked cancelar={search} />
      <Refusal of="correr" />
      <Refusal of="reintentar" />
      <Refusal of="detenerLote" />
      <Refusal of="deshacerLote" />
      {lote.falta && !asked && pedido}
      {!lote.pedidoEn && !asked && (
        <Previa key={`previa ${lote.id}`} lote={lote} enfoca={aqui !== null && !lote.falta}>
          {decirlo}
        </Previa>
      )}
      {!lote.falta && !asked && pedido}
      {lote.pedidoEn && (
        <BatchProgress lote={avance} source={`${area}/avanceLote/${lote.id}`} listo={{ texto: hecho }} fallo={fallo}>
          {avance.waiting > 0 && (
            <Form method="post" preventScrollReset>
              <Hidden intent="detenerLote" lote={lote.id} />
              <button type="submit" className="boton">
                Detener lo que falta
              </button>
            </Form>
          )}
          {!isUnderWay(avance) && (
            <>
              {repetibles.length > 0 && (
                <Form method="post" preventScrollReset>
                  <Hidden intent="reintentar" lote={lote.id} />
                  <button type="submit" className="boton">
                    {repetibles.every(({ estado }) => estado === 'detenida')
                      ? 'Hacer las detenidas'
                      : 'Reintentar fallidas'}
                  </button>
                </Form>
              )}
              {lote.inverso !== null && avance.done > 0 && (
                <Form method="post" preventScrollReset>
                  <Hidden intent="deshacerLote" lote={lote.id} />
                  <button type="submit" className="boton">
                    Deshacer: {lote.inverso} ({writeCount(avance.done)})
                  </button>
                </Form>
              )}
              {lote.etiquetas && <EtiquetasForm area={area} lote={lote.id} />}
              {lote.archivo && (
                <a className="boton" data-tono="acento" href={`${area}/descargas/lote/${lote.id}`} download>
                  Descargar zip
                </a>
              )}
            </>
          )}
        </BatchProgress>
      )}
      <TablaCaja nombre="Lo elegido" conMandos>
        <table className="tabla tablero">
          <thead>
            <tr>
              <th>{nombres.clave}</th>
              <th>{nombres.titulo}</th>
              {conImporte && <th className="pesos">Importe</th>}
              <th>Estado</th>
              <th>Motivo</th>
            </tr>
          </thead>
          <tbody>
            {filas.map((fila) => {
              const { filaId, clave, titulo, importe, estado, motivo, remedio } = fila;
              return (
                <tr key={filaId}>
                  <td className="titular">
                    <a href={listaOf(area, lote, filaId)}>{clave}</a>
                  </td>
                  <td data-campo={nombres.titulo}>{titulo || '—'}</td>
                  {conImporte && (
                    <td className="pesos" data-campo={importe ? 'Importe' : undefined}>
                      {importe && formatPesos(importe)}
                    </td>
                  )}
                  <td>
                    {lote.pedidoEn || estado === 'fuera' ? (
                      <Estatus tono={ESTADO[estado].tono}>{ESTADO[estado].texto}</Estatus>
                    ) : (
                      <Estatus tono="ok">Califica</Estatus>
                    )}
                  </td>
                  <td>
                    {motivo}
                    {remedio && <div className="nota">{remedio}</div>}
                    {corrige && porCorregir(fila) && (
                      <a
                        className="boton"
                        href={`${area}/${corrige.pantalla}?${corrige.campo}=${encodeURIComponent(corrige.con === 'id' ? filaId : clave)}`}
                        aria-label={`${corrige.boton} ${clave}`}
                        style={{ marginTop: 8 }}
                      >
                        {corrige.boton}
                      </a>
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </TablaCaja>
    </>
  );
}
