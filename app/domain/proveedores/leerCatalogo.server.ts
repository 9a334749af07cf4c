import { findCredential, listCredentials } from '~/domain/connections/credentials.server';
import { noteOutcome } from '~/domain/connections/breaker.server';
import type { FarSide, Seen } from '~/domain/connections/definition';
import { isPaused } from '~/domain/connections/pause.server';
import { CONNECTIONS } from '~/domain/connections/registry.server';
import { Refused, Unavailable, UnexpectedShape } from '~/integrations/errors';
import type { Db } from '~db/client.server';
import { enqueue } from '~db/queue/catalog.server';
import { guardarTramo, soltarLectura, tomarLectura } from './lecturaCatalogo.server';

/** Where a supplier that does not answer says nothing of when to come again. */
const ESPERA_MS = 5 * 60_000;

/** Asks for a read of each catalogue that can be read whole. */
export async function enqueueCatalogos(db: Db): Promise<void> {
  const linked = new Set((await listCredentials(db)).map(({ connection }) => connection));
  for (const { kind, proveedor } of CONNECTIONS.all())
    if (linked.has(kind) && proveedor?.leer(db, 'maquina').catalogo)
      await enqueue(db, 'catalogo.leer', { proveedor: kind });
}

/**
 * Reads a whole catalogue, or goes on where the last worker was stopped. Each stretch is kept with the place where the next one begins. A supplier that does not
 * answer, or closes, is asked again later from there; an answer that cannot be understood ends the read and says why.
 */
export async function leerCatalogo(
  db: Db,
  { kind, proveedor }: FarSide,
  { signal }: { signal?: AbortSignal } = {},
): Promise<'leido' | 'espera' | 'fallo' | null> {
  const lector = proveedor?.leer(db, 'maquina');
  if (!lector?.catalogo || !CONNECTIONS.isKind(kind)) return null;
  if ((await findCredential(db, kind))?.status !== 'linked' || (await isPaused(db, kind))) return null;
  const lectura = await tomarLectura(db, kind);
  if (!lectura) return null;
  try {
    for (;;) {
      signal?.throwIfAborted();
      const tramo = await lector.catalogo(lectura.sigue);
      if (tramo.sigue !== null && tramo.sigue === lectura.sigue)
        throw new UnexpectedShape('El catálogo no avanza: contestó otra vez el mismo tramo.');
      if (!(await guardarTramo(db, lectura, tramo))) return null;
      if (tramo.sigue === null) break;
      lectura.sigue = tramo.sigue;
      lectura.tramos += 1;
    }
  } catch (error) {
    if (error instanceof Unavailable && !error.details.account) {
      await soltarLectura(db, lectura, error.message, error.details.retryAfterMs ?? ESPERA_MS);
      await noteOutcome(db, kind, 'read', error);
      return 'espera';
    }
    if (error instanceof Unavailable || error instanceof Refused || error instanceof UnexpectedShape) {
      await soltarLectura(db, lectura, error.message, null);
      await noteOutcome(db, kind, 'read', error);
      return 'fallo';
    }
    // Told to stop, or an error of ours: whoever comes next goes on from here.
    await soltarLectura(db, lectura, 'Se interrumpió', 0);
    throw error;
  }
  await noteOutcome(db, kind, 'read');
  return 'leido';
}

/** What the card of each supplier tells of its catalogue: the last read, or the one under way. */
export async function listLecturas(db: Db): Promise<ReadonlyMap<string, Seen>> {
  const rows = await db
    .selectFrom('lecturaCatalogo')
    .distinctOn('proveedor')
    .select(['proveedor', 'terminoEn', 'completa', 'vistos', 'escritos', 'ilegibles', 'error'])
    .orderBy('proveedor')
    .orderBy('empezoEn', 'desc')
    .execute();
  return new Map<string, Seen>(
    rows.map(({ proveedor, terminoEn, completa, vistos, escritos, ilegibles, error }) => {
      const cuantos = `${vistos} productos, ${escritos} con cambios${ilegibles > 0 ? `, ${ilegibles} sin leer` : ''}`;
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
