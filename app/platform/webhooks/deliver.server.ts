import { sql } from 'kysely';
import { atOnce } from '~/core/atOnce';
import { createEmisor, type Emisor, type Intento } from '~/integrations/ganchos/emisor.server';
import type { Db } from '~db/client.server';
import { enqueue } from '~db/queue/catalog.server';
import { signBody } from './internal/signBody.server';
import { restAfter, pauseAfter } from './gancho';
import { openSecreto, allowsRedPrivada } from './ganchos.server';

const EN_PARALELO = 8;
const POR_VUELTA = 64;
/** How long a run sends; the rest is left to the next run, so that none outlives its lease by the answers it still waits for. */
const SLICE_MS = 20_000;
const ARRIENDO = sql<Date>`now() + interval '60 seconds'`;

type Tomado = { id: string; url: string; fallos: number; secretos: string[] };
type Pendiente = { id: string; eventoId: string; intentos: number; cuerpo: string };

/**
 * Delivers the notices that wait for one receiver, by one process at a time. The first failure ends the run: the receiver is left alone for a while,
 * and then gets one notice before the rest. So a dead receiver costs a try now and then.
 */
export async function deliver(
  db: Db,
  ganchoId: string,
  signal: AbortSignal,
  emisor: Emisor = createEmisor({ privadas: allowsRedPrivada() }),
): Promise<void> {
  const gancho = await take(db, ganchoId);
  if (!gancho) return emisor.close();
  const until = performance.now() + SLICE_MS;
  let { fallos } = gancho;
  try {
    while (performance.now() < until && !signal.aborted) {
      const pendientes = await pendientesOf(db, ganchoId, fallos > 0 ? 1 : POR_VUELTA);
      if (pendientes.length === 0) break;
      let fallaron = 0;
      await atOnce(EN_PARALELO, pendientes, async (pendiente) => {
        if (fallaron > 0 || signal.aborted || performance.now() >= until) return;
        const intento = await sendOne(db, emisor, gancho, pendiente);
        if (!intento.ok) fallaron++;
      });
      if (fallaron > 0) {
        await rest(db, ganchoId, ++fallos);
        break;
      }
      if (fallos > 0)
        await db.updateTable('gancho').set({ fallos: 0, esperaHasta: null }).where('id', '=', ganchoId).execute();
      fallos = 0;
    }
  } finally {
    emisor.close();
    await release(db, ganchoId);
  }
}

async function take(db: Db, ganchoId: string): Promise<Tomado | undefined> {
  const { rows } = await sql<{ url: string; fallos: number; secreto: Buffer; anterior: Buffer | null }>`
    update gancho set tomado_hasta = ${ARRIENDO}
    where id = ${ganchoId}
      and (tomado_hasta is null or tomado_hasta <= now())
      and (espera_hasta is null or espera_hasta <= now())
    returning url, fallos, secreto, case when anterior_hasta > now() then secreto_anterior end as anterior`.execute(db);
  const found = rows[0];
  // The receiver is left alone or in other hands; this job stood for its next try, so another one is queued.
  if (!found) return void (await putBackInQueue(db, ganchoId));
  const { url, fallos, secreto, anterior } = found;
  return {
    id: ganchoId,
    url,
    fallos,
    secretos: [secreto, ...(anterior ? [anterior] : [])].map((sealed) => openSecreto(ganchoId, sealed)),
  };
}

async function pendientesOf(db: Db, ganchoId: string, limite: number): Promise<Pendiente[]> {
  const { rows } = await sql<Pendiente>`
    select entrega.id, entrega.evento_id, entrega.intentos, evento.cuerpo
    from gancho_entrega entrega
    join gancho_evento evento on evento.id = entrega.evento_id
    where entrega.gancho_id = ${ganchoId} and entrega.estado = 'pendiente' and entrega.proximo_en <= now()
    order by entrega.proximo_en, entrega.id
    limit ${limite}`.execute(db);
  return rows;
}

async function sendOne(db: Db, emisor: Emisor, { url, secretos }: Tomado, pendiente: Pendiente): Promise<Intento> {
  const { id, eventoId, cuerpo, intentos } = pendiente;
  const intento = await emisor.send({
    url,
    body: cuerpo,
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': 'Trastienda',
      ...signBody({ id: eventoId, en: new Date(), body: cuerpo }, secretos),
    },
  });
  const { ok, status, detalle } = intento;
  const pausa = sql`make_interval(secs => ${pauseAfter(intentos + 1)})`;
  // The last try comes at the end of the day that a delivery has, not long before it.
  await sql`
    update gancho_entrega
    set intentos = intentos + 1, status = ${status}, detalle = ${detalle},
      estado = case when ${ok} then 'entregada' when vence_en <= now() then 'muerta' else 'pendiente' end,
      proximo_en = least(now() + ${pausa}, greatest(vence_en, now())),
      terminada_en = case when ${ok} or vence_en <= now() then clock_timestamp() end
    where id = ${id} and estado = 'pendiente'`.execute(db);
  return intento;
}

async function rest(db: Db, ganchoId: string, fallos: number): Promise<void> {
  await db
    .updateTable('gancho')
    .set({ fallos, esperaHasta: sql<Date>`now() + make_interval(secs => ${restAfter(fallos)})` })
    .where('id', '=', ganchoId)
    .execute();
}

/** Gives the receiver back, and queues a job for notices that came meanwhile: whoever brought them found it taken. */
async function release(db: Db, ganchoId: string): Promise<void> {
  await db.updateTable('gancho').set({ tomadoHasta: null }).where('id', '=', ganchoId).execute();
  await putBackInQueue(db, ganchoId);
}

/** Queues a job for the moment when the next delivery is due, unless another process has the receiver in hand. */
async function putBackInQueue(db: Db, ganchoId: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ ms: number | null }>`
      select (extract(epoch from greatest(min(e.proximo_en), g.espera_hasta, now()) - now()) * 1000)::float8 as ms
      from gancho g
      join gancho_entrega e on e.gancho_id = g.id and e.estado = 'pendiente'
      where g.id = ${ganchoId} and (g.tomado_hasta is null or g.tomado_hasta <= now())
      group by g.id`.execute(trx);
    const ms = rows[0]?.ms;
    if (ms != null) await enqueue(trx, 'ganchos.entregar', { ganchoId }, { waitMs: ms });
  });
}
