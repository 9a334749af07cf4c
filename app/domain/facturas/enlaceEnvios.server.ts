import { sql } from 'kysely';
import { NotAllowed } from '~/core/errors';
import { isEmail } from '~/core/email';
import { civilDay } from '~/core/time';
import { acceptEffect, type EffectView } from '~/domain/effects/effects.server';
import type { Db, Trx } from '~db/client.server';
import type { EffectState } from '~db/columns';
import { createEnlace, requireVentaConEnlace, type OrigenEnlace } from './enlaces.server';
import { sealToken } from './enlaceToken.server';
import { mailEnlace } from './mailEnlace.server';
import { messageEnlace } from './messageEnlace.server';

const TITULO = 'Aviso';
const ddmmaaaa = (instant: Date) => civilDay(instant).split('-').reverse().join('/');

/** A new link of the sale, by mail, to the address staff typed. Returns its effect. */
export async function sendEnlaceByMail(db: Db, { numero, email, usuarioId }: { numero: string; email: string; usuarioId: string }): Promise<string> {
  if (!isEmail(email)) throw new NotAllowed('Error de llenado.', 'Email No Valido', { campo: 'email' });
  return db.transaction().execute(async (trx) => {
    const venta = await requireVentaConEnlace(trx, numero);
    const { id, token, venceEn } = await createEnlace(trx, { ...venta, origen: 'personal', usuarioId });
    const request = { enlaceId: id, numOrden: venta.numOrden, email, token: sealToken(id, token), vence: ddmmaaaa(venceEn) };
    return (await acceptEffect(trx, mailEnlace, { request, usuarioId })).id;
  });
}

/** A new link of the sale as a message of the marketplace: one per sale, whoever asks. Returns its effect. */
export async function sendEnlaceByMessage(db: Db, { numero, usuarioId }: { numero: string; usuarioId: string | null }): Promise<string> {
  return db.transaction().execute((trx) => acceptMessage(trx, numero, usuarioId === null ? 'automatico' : 'personal', usuarioId));
}

async function acceptMessage(trx: Trx, numero: string, origen: OrigenEnlace, usuarioId: string | null): Promise<string> {
  const venta = await requireVentaConEnlace(trx, numero);
  if (venta.market !== 'ml') throw new NotAllowed(TITULO, 'Solo las ventas de Mercado Libre reciben mensajes desde aquí.');
  // Two who ask at once wait for each other here, so the second sees the first one's message.
  const ordenes = await trx
    .selectFrom('orden').select('compradorId').where('market', '=', 'ml').where('numOrden', '=', venta.numOrden)
    .orderBy('fechaCreacion').orderBy('marketId').forUpdate().execute();
  const before = await findMessage(trx, venta.numOrden);
  if (before) {
    throw new NotAllowed(TITULO, before.state === 'done' ? 'El enlace de esta venta ya se envió por mensaje.' : 'El mensaje con el enlace de esta venta ya va en camino.');
  }
  const { id, token, venceEn } = await createEnlace(trx, { ...venta, origen, usuarioId });
  const compradorId = ordenes.find((orden) => orden.compradorId !== null)?.compradorId ?? null;
  const request = { enlaceId: id, numOrden: venta.numOrden, compradorId, token: sealToken(id, token), vence: ddmmaaaa(venceEn) };
  return (await acceptEffect(trx, messageEnlace, { request, usuarioId })).id;
}

/** The sale's message, sent or on its way; one that was refused does not count. */
async function findMessage(db: Db | Trx, numOrden: string): Promise<{ state: EffectState } | undefined> {
  return db
    .selectFrom('effect').select('state')
    .where('type', '=', messageEnlace.type).where('key', '=', `venta:ml:${numOrden}`).where('state', 'not in', ['refused', 'cancelled'])
    .executeTakeFirst();
}

export type EnvioEnlace = Pick<EffectView, 'id' | 'state' | 'reason' | 'createdAt'> & { por: 'correo' | 'mensaje' };

/** How the links of a sale were sent, newest first. */
export async function listEnvios(db: Db, numOrden: string): Promise<EnvioEnlace[]> {
  const rows = await db
    .selectFrom('effect').select(['id', 'type', 'state', 'reason', 'createdAt'])
    .where('type', 'in', [mailEnlace.type, messageEnlace.type])
    .where((eb) => eb.or([
      eb('key', '=', `venta:ml:${numOrden}`),
      eb('key', 'in', eb.selectFrom('enlace').select(sql<string>`'enlace:' || enlace.id`.as('key')).where('numOrden', '=', numOrden)),
    ]))
    .orderBy('createdAt', 'desc').limit(20).execute();
  return rows.map(({ type, ...row }) => ({ ...row, por: type === mailEnlace.type ? 'correo' as const : 'mensaje' as const }));
}
