import { z } from 'zod';
import { NotAllowed, Stale } from '~/core/errors';
import type { Money } from '~/core/money';
import { record } from '~/domain/bitacora.server';
import { defineEffect } from '~/domain/effects/definition';
import { acceptEffect, isDoneSoon } from '~/domain/effects/effects.server';
import { lockLiving } from '~/domain/effects/subjects.server';
import type { AccionDeReclamo } from '~/domain/mercados/atencion';
import type { MercadolibreWriter } from '~/integrations/mercadolibre/write.server';
import type { Db, Trx } from '~db/client.server';
import { accionDe, PIDE, puedeHacer, RESOLUCIONES, TITULO_RECLAMO } from './reclamo';
import type { EscribirEnReclamo, ResolverReclamo } from './reclamoForm';

const Acciones = z.array(z.object({ accion: z.string(), obligatoria: z.boolean(), vence: z.string().nullable() }));
const Mensajes = z.array(z.object({ clave: z.string() }).loose()).catch([]);
const Ofertas = z.array(z.object({ monto: z.string(), porcentaje: z.number() })).catch([]);

const llano = (texto: string) => texto.normalize('NFC').replace(/\s+/g, ' ').trim();

/** A message of a claim. It has no name of ours there: a new one of ours with the same text is it. */
export const escribirEnReclamo = defineEffect({
  type: 'reclamo.mensaje',
  label: 'Mensaje de un reclamo',
  connection: 'mercadolibre',
  request: z.object({
    reclamoId: z.string(),
    marketId: z.string(),
    para: z.enum(['complainant', 'mediator']),
    texto: z.string(),
    /** Those that stood there when it was written. */
    antes: z.array(z.string()),
  }),
  evidence: z.object({}),
  byHand: { says: 'done', evidence: {} },
  key: ({ reclamoId, para }) => `${reclamoId}:${para}`,
  subjects: ({ reclamoId }) => [['reclamo', reclamoId]],
  summary: ({ marketId, texto }) => ({ que: `Reclamo ${marketId}: «${texto.slice(0, 120)}»` }),
  unclear: 'find',
  async send({ request: { marketId, para, texto }, clients }) {
    await clients.ml().sendClaimMessage(marketId, { para, texto, adjuntos: [] });
    return {};
  },
  async find({ request: { marketId, texto, antes }, clients }, known) {
    if (known) return known;
    const mensajes = await clients.ml().claimMessages(marketId);
    const nuestro = mensajes.some(
      ({ sender_role, message, hash }) =>
        sender_role === 'respondent' && llano(message ?? '') === llano(texto) && !(hash && antes.includes(hash)),
    );
    return nuestro ? {} : 'absent';
  },
  // Nothing there tells a second one from the first.
  mayRepeat: () => Promise.resolve('Mercado Libre no muestra el mensaje. Míralo allá antes de mandarlo otra vez.'),
  confirm: async (_call, evidence) => evidence,
  async settle(trx, { request: { reclamoId, para }, usuarioId }) {
    await record(trx, { usuarioId, entidad: 'reclamo', entidadId: reclamoId, accion: 'mensaje', datos: { para } });
  },
});

const Resolver = z.object({
  reclamoId: z.string(),
  marketId: z.string(),
  resolucion: z.enum(RESOLUCIONES),
  porcentaje: z.number().nullable(),
});

/** It is being done, or was: the claim ended, what was asked for is listed, or it can no longer be asked for. */
async function seHizo(ml: MercadolibreWriter, { marketId, resolucion }: z.output<typeof Resolver>): Promise<boolean> {
  const claim = await ml.claim(marketId);
  if (!claim) return false;
  const palabras = resolucion === 'allow-return' ? /return/ : resolucion === 'refund' ? /^refund/ : /partial/;
  const pedidas = await ml.expectedResolutions(marketId);
  if (
    pedidas.some(
      ({ player_role, expected_resolution, status }) =>
        player_role === 'respondent' && palabras.test(expected_resolution ?? '') && status !== 'rejected',
    )
  )
    return true;
  const reason = claim.resolution?.reason ?? '';
  return claim.status === 'closed' && (resolucion === 'partial-refund' ? /partial/ : /refund|return/).test(reason);
}

/** What ends a claim with money. An unclear one is looked for in the claim; nobody sends it twice but a person who looked. */
export const resolverReclamo = defineEffect({
  type: 'reclamo.resolver',
  label: 'Resolución de un reclamo',
  connection: 'mercadolibre',
  request: Resolver,
  evidence: z.object({}),
  byHand: { says: 'done', evidence: {} },
  key: ({ reclamoId }) => reclamoId,
  subjects: ({ reclamoId }) => [['reclamo', reclamoId]],
  summary: ({ marketId, resolucion }) => ({ que: `Reclamo ${marketId}: ${accionDe(PIDE[resolucion][0]!)}` }),
  unclear: 'find',
  async send({ request, clients }) {
    await clients.ml().resolveClaim(request.marketId, request.resolucion, request.porcentaje);
    return {};
  },
  find: async ({ request, clients }, known) => known ?? ((await seHizo(clients.ml(), request)) ? {} : 'absent'),
  mayRepeat: () =>
    Promise.resolve('Mercado Libre no muestra que se haya hecho. Revisa el reclamo allá antes de enviarlo otra vez.'),
  confirm: async (_call, evidence) => evidence,
  async settle(trx, { request: { reclamoId, resolucion, porcentaje }, usuarioId }) {
    await record(trx, {
      usuarioId,
      entidad: 'reclamo',
      entidadId: reclamoId,
      accion: resolucion,
      datos: { porcentaje },
    });
  },
});

async function lock(trx: Trx, id: string, version: number) {
  const row = await trx
    .selectFrom('reclamo')
    .select(['id', 'marketId', 'estatus', 'acciones', 'mensajes', 'ofertas', 'version'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw new NotAllowed(TITULO_RECLAMO, 'El reclamo ya no existe.');
  if (row.version !== version) throw new Stale(undefined, { titulo: TITULO_RECLAMO });
  return { ...row, acciones: Acciones.parse(row.acciones) };
}

function requireAccion(acciones: readonly AccionDeReclamo[], ...cuales: readonly string[]) {
  if (!puedeHacer(acciones, ...cuales))
    throw new NotAllowed(TITULO_RECLAMO, `Mercado Libre ya no ofrece «${accionDe(cuales[0]!)}» en este reclamo.`);
}

export async function acceptMensaje(trx: Trx, form: EscribirEnReclamo, usuarioId: string): Promise<string> {
  const { id, marketId, acciones, mensajes } = await lock(trx, form.reclamo, form.version);
  requireAccion(acciones, form.para === 'complainant' ? 'send_message_to_complainant' : 'send_message_to_mediator');
  const antes = Mensajes.parse(mensajes).map(({ clave }) => clave);
  const { id: effectId, created } = await acceptEffect(trx, escribirEnReclamo, {
    request: { reclamoId: id, marketId, para: form.para, texto: form.texto, antes },
    usuarioId,
  });
  if (!created) throw new NotAllowed(TITULO_RECLAMO, 'Otro mensaje va en camino. Espera a que salga.');
  return effectId;
}

export async function acceptResolucion(trx: Trx, form: ResolverReclamo, usuarioId: string): Promise<string> {
  const { id, marketId, acciones, ofertas } = await lock(trx, form.reclamo, form.version);
  requireAccion(acciones, ...PIDE[form.resolucion]);
  const parte = form.resolucion === 'partial-refund';
  if (parte && !Ofertas.parse(ofertas).some(({ porcentaje }) => porcentaje === form.porcentaje))
    throw new NotAllowed(TITULO_RECLAMO, 'Elige una de las partes que Mercado Libre ofrece.', { campo: 'porcentaje' });
  if (await lockLiving(trx, ['reclamo', id], resolverReclamo))
    throw new NotAllowed(TITULO_RECLAMO, 'Otra resolución va en camino.');
  const { id: effectId } = await acceptEffect(trx, resolverReclamo, {
    request: { reclamoId: id, marketId, resolucion: form.resolucion, porcentaje: parte ? form.porcentaje! : null },
    usuarioId,
  });
  return effectId;
}

/** Whether it is done by now, for who waits at a page. */
export async function escribir(db: Db, form: EscribirEnReclamo, usuarioId: string): Promise<boolean> {
  const id = await db.transaction().execute((trx) => acceptMensaje(trx, form, usuarioId));
  return isDoneSoon(db, id, TITULO_RECLAMO);
}

export async function resolver(db: Db, form: ResolverReclamo, usuarioId: string): Promise<boolean> {
  const id = await db.transaction().execute((trx) => acceptResolucion(trx, form, usuarioId));
  return isDoneSoon(db, id, TITULO_RECLAMO);
}

/** What the question says in pesos: all that was paid for the order, and the part that was chosen. */
export async function pesosDe(
  db: Db,
  { reclamo: id, resolucion, porcentaje }: ResolverReclamo,
): Promise<{ marketId: string; pagado: Money | null; monto: string | null } | null> {
  const row = await db
    .selectFrom('reclamo')
    .leftJoin('orden', (on) =>
      on.onRef('orden.market', '=', 'reclamo.market').onRef('orden.marketId', '=', 'reclamo.ordenMarketId'),
    )
    .select(['reclamo.marketId', 'reclamo.ofertas', 'orden.pagado'])
    .where('reclamo.id', '=', id)
    .executeTakeFirst();
  if (!row) return null;
  const monto =
    resolucion === 'partial-refund'
      ? (Ofertas.parse(row.ofertas).find((oferta) => oferta.porcentaje === porcentaje)?.monto ?? null)
      : null;
  return { marketId: row.marketId, pagado: row.pagado, monto };
}
