import { sql } from 'kysely';
import { z } from 'zod';
import { type Market, MARKET_LABEL } from '~/core/market';
import { defineEffect, each, StillWorking } from '~/platform/effects/definition';
import type { ActoDeArchivo, ActoDeCambio, LineaDeArchivo, PublicacionDicha } from '~/domain/mercados/efectos';
import { perMarket } from '~/domain/mercados/registro.server';
import { Refused } from '~/integrations/errors';
import type { Db, Trx } from '~db/client.server';
import { enqueue } from '~db/queue/catalog.server';
import {
  Cambio,
  DETENIDO,
  giveBackCambio,
  isOurs,
  requireVigente,
  settleCambio,
  subjectsOf,
  SUPERADO,
} from './cambio.server';

/** The change of one listing. A second change waits until the first ends, so that an old value never lands on a new one. */
const defineCambio = (acto: ActoDeCambio, market: Market) =>
  defineEffect<Cambio, unknown, PublicacionDicha>({
    ...acto,
    request: Cambio,
    key: ({ publicacionId }) => publicacionId,
    subjects: subjectsOf,
    summary: ({ clave }) => ({ que: clave }),
    ready: ({ id, request, db }) => requireVigente(db, id, request),
    settle: (trx, effect, dicha) => settleCambio(trx, effect, dicha),
    async release(trx, effect, razon) {
      await giveBackCambio(trx, effect, razon);
      if (acto.relee && !isOurs(razon)) await enqueue(trx, 'publicaciones.sync', { market, modo: 'movidas' });
    },
  });

/** The effects that change one listing, by marketplace. */
export const cambios = perMarket(({ cambiar }) => cambiar, defineCambio);

const Pedido = z.object({ cambios: z.array(Cambio).min(1) });
type Pedido = z.output<typeof Pedido>;

/**
 * The change of many listings in one file. A line of `publicacion_pendiente` is in the hands of the effect that it names. Each line leaves those
 * hands as soon as its end is known: a listing that shows late keeps no other back.
 */
const defineArchivo = (acto: ActoDeArchivo, market: Market) =>
  defineEffect({
    type: acto.type,
    label: acto.label,
    connection: acto.connection,
    evidence: acto.evidence,
    request: Pedido,
    key: ({ cambios: lineas }) => `${lineas[0]!.publicacionId}:${lineas[0]!.secuencia}`,
    subjects: ({ cambios: lineas }) =>
      each(
        'publicacion',
        lineas.map(({ publicacionId }) => publicacionId),
      ),
    summary: ({ cambios: lineas }) => ({ que: `${lineas.length} publicaciones` }),
    unclear: 'find',
    async ready({ id, request, db }) {
      const detenido = await releaseSuperseded(db, id);
      if ((await readOpen(db, id, request)).length === 0) throw new Refused(SUPERADO);
      if (detenido) throw new Refused(DETENIDO);
    },
    async send(call) {
      const { id, request, db } = call;
      const porClave = new Map(request.cambios.map((cambio) => [cambio.clave, cambio]));
      return await acto.send(call, {
        lineas: await readOpen(db, id, request),
        omit: (clave, razon) =>
          db.transaction().execute((trx) => giveBackCambio(trx, { id, request: porClave.get(clave)! }, razon)),
      });
    },
    find: ({ request, ...call }, known) =>
      acto.find({ ...call, request }, known, {
        others: () => readOthers(call.db, call.id, acto),
        isStopped: () => isStopped(call.db, request),
      }),
    async confirm(call, evidence) {
      const { id, request, db } = call;
      const lineas = await readOpen(db, id, request);
      const endOf = await acto.confirm(call, evidence, {
        lineas,
        porqueDetenido: async () => ((await isStopped(db, request)) ? DETENIDO : null),
      });
      const faltan = await db.transaction().execute((trx) => settleLines(trx, id, lineas, endOf));
      if (faltan > 0) throw new StillWorking(`${MARKET_LABEL[market]} todavía no muestra ${faltan} de sus cambios`);
    },
    async settle() {
      // Each line was written when its end was known.
    },
    async release(trx, { id, request }, razon) {
      for (const cambio of await lockOpen(trx, id, request.cambios))
        await giveBackCambio(trx, { id, request: cambio }, razon);
    },
  });

/** The effects that change many listings in one file, by marketplace. */
export const archivos = perMarket(({ cambiarMuchas }) => cambiarMuchas, defineArchivo);

/** Writes the end of each line, and returns how many have none yet. */
async function settleLines(
  trx: Trx,
  id: string,
  lineas: readonly Cambio[],
  endOf: (linea: Cambio) => LineaDeArchivo,
): Promise<number> {
  let faltan = 0;
  for (const cambio of await lockOpen(trx, id, lineas)) {
    const end = endOf(cambio);
    if ('no' in end) await giveBackCambio(trx, { id, request: cambio }, end.no);
    else if ('dicha' in end) await settleCambio(trx, { id, request: cambio, usuarioId: null }, end.dicha);
    else faltan++;
  }
  return faltan;
}

/** Returns the lines that are still in the hands of the effect. */
async function readOpen(db: Db | Trx, id: string, { cambios: lineas }: Pick<Pedido, 'cambios'>): Promise<Cambio[]> {
  const rows = await db.selectFrom('publicacionPendiente').select('publicacionId').where('effectId', '=', id).execute();
  const suyas = new Set(rows.map(({ publicacionId }) => publicacionId));
  return lineas.filter(({ publicacionId }) => suyas.has(publicacionId));
}

/** Returns the same lines, held until the transaction ends, in the order in which the follower holds them. */
async function lockOpen(trx: Trx, id: string, lineas: readonly Cambio[]): Promise<Cambio[]> {
  const ids = lineas.map(({ publicacionId }) => publicacionId);
  await sql`select id from publicacion where id = any(${ids}::uuid[]) order by id for update`.execute(trx);
  return readOpen(trx, id, { cambios: [...lineas] });
}

/** Takes out the lines that want something newer by now, which go with a later call. Returns whether their marketplace was stopped. */
async function releaseSuperseded(db: Db, id: string): Promise<boolean> {
  await sql`update publicacion_pendiente set effect_id = null, enviada = null, no_antes = now()
    where effect_id = ${id} and secuencia is distinct from enviada`.execute(db);
  const { rows } = await sql<{ detenido: boolean }>`
    select exists (
      select from seguimiento s join publicacion_pendiente n on n.market = s.market
      where n.effect_id = ${id} and s.detenido_en is not null) as detenido`.execute(db);
  return rows[0]!.detenido;
}

async function isStopped(db: Db, { cambios: lineas }: Pedido): Promise<boolean> {
  const { rows } = await sql<{ detenido: boolean }>`
    select exists (
      select from seguimiento s join publicacion p on p.market = s.market
      where p.id = ${lineas[0]!.publicacionId} and s.detenido_en is not null) as detenido`.execute(db);
  return rows[0]!.detenido;
}

/** Returns when this file was sent, and the answers to the files of the last two days, by which a file of somebody else is told. */
async function readOthers<Ev>(
  db: Db,
  id: string,
  { type, evidence }: Pick<ActoDeArchivo<Ev>, 'type' | 'evidence'>,
): Promise<{ sentAt: Date; answers: Ev[] }> {
  const { rows } = await sql<{ sentAt: Date; answers: unknown[] }>`
    select sent_at, coalesce((
      select jsonb_agg(e.result) from effect e
      where e.type = ${type} and e.result is not null and e.created_at > effect.created_at - interval '2 days'
    ), '[]') as answers
    from effect where id = ${id}`.execute(db);
  const { sentAt, answers } = rows[0]!;
  return { sentAt, answers: answers.flatMap((one) => evidence.safeParse(one).data ?? []) };
}
