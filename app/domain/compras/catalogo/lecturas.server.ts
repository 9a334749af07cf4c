import { writeCount } from '~/core/count';
import { noteOutcome } from '~/platform/connections/breaker.server';
import { findCredential, listCredentials } from '~/platform/connections/credentials.server';
import type { FarSide, Seen } from '~/platform/connections/definition';
import { isPaused } from '~/platform/connections/pause.server';
import { type ConnectionKind, CONNECTIONS } from '~/platform/connections/registry.server';
import { Refused, Unavailable, UnexpectedShape } from '~/integrations/errors';
import type { Lector, Tramo } from '~/integrations/proveedores/cara';
import type { Db, Trx } from '~db/client.server';
import { enqueue } from '~db/queue/catalog.server';
import { watchFrescura } from './frescura.server';
import {
  saveTipoCambio,
  saveTramo,
  matchTipoCambio,
  type Lectura,
  releaseLectura,
  type Tipo,
  TIPOS,
  takeLectura,
  markUnlisted,
} from './internal/lecturaCatalogo.server';
import { NotAllowed } from '~/core/errors';
import type { Question } from '~/core/fieldRules';
import { record } from '~/platform/bitacora.server';
import type { EncogidoForm } from './forms';
import { refreshElecciones } from './elecciones.server';
import { checkConnection } from '~/platform/connections/list.server';

/** Wait after a supplier that does not answer and does not say when to come again. */
const ESPERA_MS = 5 * 60_000;
/** Rows, or milliseconds, that are written at once. Pages of 36 rows would cost a transaction each. */
const LOTE = { filas: 1_000, ms: 30_000 };

type Leido = 'leido' | 'espera' | 'fallo' | null;

const recorridoOf = (lector: Lector | undefined, tipo: Tipo) =>
  tipo === 'completa' ? lector?.catalogo : lector?.precios;

/** Enqueues a read of each linked catalogue that can be read whole, and one of prices and stock where those can be read alone. */
export async function enqueueCatalogos(db: Db): Promise<void> {
  const linked = new Set((await listCredentials(db)).map(({ connection }) => connection));
  for (const { kind, proveedor } of CONNECTIONS.all()) {
    if (!linked.has(kind)) continue;
    const lector = proveedor?.leer(db, 'maquina');
    for (const tipo of TIPOS)
      if (recorridoOf(lector, tipo))
        await enqueue(db, 'catalogo.leer', { proveedor: kind, ...(tipo !== 'completa' && { tipo }) });
  }
}

/**
 * Reads a catalogue, or continues where the last worker was stopped. Each stretch is kept with the place where the next one begins. A supplier that
 * does not answer, or is closed, is asked again later from that place. An answer that cannot be understood ends the read with its reason. An error of
 * ours is shown on 'Hoy' and tried again ever less often.
 */
export async function bringCatalogo(
  db: Db,
  { kind, proveedor }: FarSide,
  { tipo = 'completa', signal }: { tipo?: Tipo; signal?: AbortSignal } = {},
): Promise<Leido> {
  const lector = proveedor?.leer(db, 'maquina');
  const recorrido = recorridoOf(lector, tipo);
  if (!lector || !recorrido || !CONNECTIONS.isKind(kind)) return null;
  if ((await findCredential(db, kind))?.status !== 'linked' || (await isPaused(db, kind))) return null;
  const lectura = await takeLectura(db, kind, tipo);
  if (!lectura) return null;
  let sinCambio: unknown;
  try {
    // The rate comes before the prices that need it. Prices without it are still right.
    sinCambio = await readDeLado(db, kind, lector);
    if (!(await writeTramos(db, lectura, recorrido.call(lector, lectura.sigue), signal))) return null;
  } catch (error) {
    return await leave(db, { kind, lectura, signal }, error);
  }
  await matchTipoCambio(db, kind);
  await watchFrescura(db, kind);
  await noteOutcome(db, kind, 'read', sinCambio);
  if (tipo === 'completa') await enqueue(db, 'costos.ver', {});
  return 'leido';
}

/**
 * Reads stretches and writes them in batches; the next stretch is asked for while a batch is written. Returns false when another worker has taken
 * over the read.
 */
async function writeTramos(
  db: Db,
  lectura: Lectura,
  tramos: AsyncIterable<Tramo>,
  signal?: AbortSignal,
): Promise<boolean> {
  let lote: Tramo | null = null;
  let since = performance.now();
  const flush = async () => {
    if (!lote) return true;
    const whole = lote;
    lote = null;
    since = performance.now();
    if (!(await saveTramo(db, lectura, whole))) return false;
    lectura.sigue = whole.sigue;
    lectura.tramos += 1;
    return true;
  };
  let last = lectura.sigue;
  try {
    for await (const tramo of readAhead(tramos)) {
      if (tramo.sigue !== null && tramo.sigue === last)
        throw new UnexpectedShape('El catálogo no avanza: contestó otra vez el mismo tramo.');
      last = tramo.sigue;
      lote = lote ? joinTramos(lote, tramo) : tramo;
      const full: boolean = lote.crudos.length >= LOTE.filas || performance.now() - since >= LOTE.ms;
      if ((full || tramo.sigue === null) && !(await flush())) return false;
      signal?.throwIfAborted();
    }
  } catch (error) {
    // Rows that came before the failure are kept, unless keeping them is what failed.
    if (isOfProveedor(error)) await flush();
    throw error;
  }
  if (last !== null) throw new UnexpectedShape('El catálogo se acabó antes de su último tramo.');
  return true;
}

const joinTramos = (lote: Tramo, { crudos, itemOf, ilegibles, rastros, sigue, total }: Tramo): Tramo => ({
  crudos: [...lote.crudos, ...crudos],
  itemOf,
  ilegibles: [...lote.ilegibles, ...ilegibles],
  rastros: [...lote.rastros, ...rastros],
  sigue,
  total: total ?? lote.total,
});

/** Asks for the next value while the current one is worked on. */
async function* readAhead<T>(from: AsyncIterable<T>): AsyncIterable<T> {
  const iterator = from[Symbol.asyncIterator]();
  let next = iterator.next();
  try {
    for (;;) {
      const { value, done } = await next;
      if (done) return;
      next = iterator.next();
      // The consumer gets this error when it takes the value. Until then nobody awaits the promise.
      next.catch(() => undefined);
      yield value;
    }
  } finally {
    await next.catch(() => undefined);
    await iterator.return?.();
  }
}

const isOfProveedor = (error: unknown): error is Unavailable | Refused | UnexpectedShape =>
  error instanceof Unavailable || error instanceof Refused || error instanceof UnexpectedShape;

/** Ends or suspends a read that failed, by whose fault it was. */
async function leave(
  db: Db,
  { kind, lectura, signal }: { kind: ConnectionKind; lectura: Lectura; signal?: AbortSignal },
  error: unknown,
): Promise<Leido> {
  if (isOfProveedor(error)) {
    const espera = error instanceof Unavailable && !error.details.account;
    await releaseLectura(db, lectura, {
      error: error.message,
      falla: error instanceof UnexpectedShape ? 'forma' : 'proveedor',
      esperaMs: espera ? (error.details.retryAfterMs ?? ESPERA_MS) : null,
    });
    await noteOutcome(db, kind, 'read', error);
    return espera ? 'espera' : 'fallo';
  }
  // The worker was told to stop. The next worker goes on from here.
  if (signal?.aborted) await releaseLectura(db, lectura, { error: 'Se interrumpió', esperaMs: 0 });
  else
    await releaseLectura(db, lectura, {
      error: `No se pudo flush lo que se leyó: ${error instanceof Error ? error.message : String(error)}`,
      falla: 'nuestra',
      esperaMs: null,
    });
  throw error;
}

/**
 * Reads the supplier's own rate of exchange and its choices for an order beside its prices. Returns the failure instead of throwing it: prices are
 * right without both.
 */
async function readDeLado(db: Db, proveedor: string, lector: Lector): Promise<unknown> {
  try {
    const read = await lector.tipoCambio?.();
    if (read) await saveTipoCambio(db, proveedor, read.pesos, read.leidoEn);
    await refreshElecciones(db, proveedor, lector);
    return undefined;
  } catch (error) {
    if (!isOfProveedor(error)) throw error;
    return error;
  }
}

/** Returns the line that each supplier's card shows of its catalogue: the last read, or the one under way. */
export async function listLecturas(db: Db): Promise<ReadonlyMap<string, Seen>> {
  const rows = await db
    .selectFrom('lecturaCatalogo')
    .distinctOn('proveedor')
    .select(['proveedor', 'terminoEn', 'completa', 'vistos', 'escritos', 'ilegibles', 'error'])
    .where('tipo', '=', 'completa')
    .orderBy('proveedor')
    .orderBy('empezoEn', 'desc')
    .execute();
  return new Map<string, Seen>(
    rows.map(({ proveedor, terminoEn, completa, vistos, escritos, ilegibles, error }) => {
      const cuantos = `${writeCount(vistos)} productos, ${writeCount(escritos)} con cambios${ilegibles > 0 ? `, ${writeCount(ilegibles)} sin leer` : ''}`;
      const como =
        terminoEn === null ? 'Leyendo el catálogo' : completa ? 'Catálogo' : 'El catálogo no se leyó completo';
      const tono = error === null ? 'ok' : 'aviso';
      return [
        proveedor,
        { tono, texto: [`${como}: ${cuantos}.`, error].filter(Boolean).join(' '), en: terminoEn?.toISOString() },
      ];
    }),
  );
}

/** A catalogue that shrank so much that a person has to decide. */
export type Encogido = {
  id: string;
  proveedor: string;
  label: string;
  terminoEn: Date;
  vistos: number;
  porMarcar: number;
};

const sinDecidir = (db: Db | Trx) =>
  db
    .selectFrom('lecturaCatalogo')
    .innerJoin('proveedor', 'proveedor.value', 'lecturaCatalogo.proveedor')
    .select(['id', 'proveedor', 'label', 'terminoEn', 'vistos', 'porMarcar'])
    .where('porMarcar', 'is not', null)
    .where('decision', 'is', null)
    .where('terminoEn', 'is not', null)
    // A newer read says more than this one.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('lecturaCatalogo as otra')
            .select('otra.id')
            .whereRef('otra.proveedor', '=', 'lecturaCatalogo.proveedor')
            .whereRef('otra.tipo', '=', 'lecturaCatalogo.tipo')
            .whereRef('otra.terminoEn', '>', 'lecturaCatalogo.terminoEn')
            .where('otra.vistos', '>', 0),
        ),
      ),
    )
    .$narrowType<{ terminoEn: Date; porMarcar: number }>();

/** Returns the shrunken catalogues that wait for a decision, the oldest first. */
export const listEncogidos = (db: Db): Promise<Encogido[]> => sinDecidir(db).orderBy('terminoEn').execute();

/**
 * Decides about a shrunken catalogue. 'marcar': unlisted products are gone. 'dejar': they stay, as old as they are. Throws `NotAllowed` when somebody
 * decided already, or a newer read says otherwise.
 */
export async function decideEncogido(
  trx: Trx,
  { id, decision }: EncogidoForm,
  usuarioId: string,
): Promise<{ marcados: number }> {
  const [lectura] = await sinDecidir(trx).where('id', '=', id).forUpdate('lecturaCatalogo').execute();
  if (!lectura)
    throw new NotAllowed('El catálogo ya es otro.', 'Alguien ya lo decidió, o una lectura más nueva dice otra cosa.');
  const marcados = decision === 'marcar' ? await markUnlisted(trx, lectura) : 0;
  await trx
    .updateTable('lecturaCatalogo')
    .set({ decision, decidioId: usuarioId, decidioEn: new Date(), ausentes: marcados })
    .where('id', '=', id)
    .execute();
  await trx.deleteFrom('catalogoVisto').where('lecturaId', '=', id).execute();
  const { proveedor, porMarcar } = lectura;
  const datos = { proveedor, decision, porMarcar, marcados };
  await record(trx, { usuarioId, entidad: 'catalogo', entidadId: id, accion: 'decidir', datos });
  return { marcados };
}

/** Returns the question before unlisted products are marked; null when nothing would be marked. */
export async function askEncogido(db: Db, { id, decision }: EncogidoForm): Promise<Question | null> {
  const lectura = decision === 'marcar' ? await sinDecidir(db).where('id', '=', id).executeTakeFirst() : undefined;
  if (!lectura) return null;
  return {
    titulo: `Catálogo de ${lectura.label}`,
    texto: '¿Esta seguro que desea marcar como ausentes los productos que no llegaron?',
    hechos: `${lectura.porMarcar} productos dejan de venderse hasta que vuelvan a aparecer.`,
  };
}

/** Makes one harmless read at each linked supplier, so that a dead key is known before somebody needs it. Reads of people go before these. */
export async function probeProveedores(db: Db): Promise<void> {
  const linked = new Set((await listCredentials(db)).map(({ connection }) => connection));
  await Promise.all(
    CONNECTIONS.all().map(async ({ kind, proveedor }) => {
      if (!proveedor || !linked.has(kind) || !CONNECTIONS.isKind(kind) || (await isPaused(db, kind))) return;
      await checkConnection(db, kind, () => proveedor.leer(db, 'maquina').comprobar());
    }),
  );
}
