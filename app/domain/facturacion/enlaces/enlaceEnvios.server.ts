import { sql } from 'kysely';
import { NotAllowed } from '~/core/errors';
import { isEmailOfDosACuatro } from '~/core/email';
import { EMAIL_NO_VALIDO } from '~/core/text';
import { civilDay } from '~/core/time';
import { laVenta } from '~/domain/ventas/ordenes/laVenta';
import { acceptEffect, type EffectView } from '~/platform/effects/effects.server';
import { effectsAbout, askedAgain } from '~/platform/effects/subjects.server';
import type { Db, Trx } from '~db/client.server';
import type { EffectState, Market, OrigenEnlace } from '~db/columns';
import { readAjustesFacturacion } from '~/domain/facturacion/cfdi/ajustes.server';
import { createEnlace, requireVentaConEnlace } from './enlaces.server';
import { sealToken } from './internal/enlaceToken.server';
import { mailEnlace } from './internal/mailEnlace.server';
import { TEMPORAL } from '~/domain/mercados/efectos';
import { mensajesConEnlace, typesOfMensaje } from './internal/messageEnlace.server';
import { MERCADOS, mercadosOf } from '~/domain/mercados/mercados';

const TITULO = 'Aviso';
const ddmmaaaa = (instant: Date) => civilDay(instant).split('-').reverse().join('/');

/**
 * Makes a link of the sale and accepts its letter to the address that staff typed. Returns the id of the effect. Throws NotAllowed for a
 * bad address, and as `requireVentaConEnlace`.
 */
export async function sendEnlaceByMail(
  db: Db,
  { numero, email, usuarioId }: { numero: string; email: string; usuarioId: string },
): Promise<string> {
  if (!isEmailOfDosACuatro(email)) throw new NotAllowed('Error de llenado.', EMAIL_NO_VALIDO, { campo: 'email' });
  return db.transaction().execute(async (trx) => {
    const venta = await requireVentaConEnlace(trx, numero);
    const { id, token, venceEn } = await createEnlace(trx, { ...venta, origen: 'personal', usuarioId });
    const request = {
      enlaceId: id,
      numOrden: venta.numOrden,
      email,
      token: sealToken(id, token),
      vence: ddmmaaaa(venceEn),
    };
    return (await acceptEffect(trx, mailEnlace, { request, usuarioId })).id;
  });
}

/**
 * Makes a link of the sale and accepts its message at the marketplace. Returns the id of the effect. Throws NotAllowed when the sale has a
 * message already, and as `requireVentaConEnlace`.
 */
export async function sendEnlaceByMessage(
  db: Db,
  { numero, usuarioId }: { numero: string; usuarioId: string | null },
): Promise<string> {
  return db
    .transaction()
    .execute((trx) => acceptMessage(trx, numero, usuarioId === null ? 'automatico' : 'personal', usuarioId));
}

/** Accepts one message of bulk work, inside its transaction. Returns and throws as `sendEnlaceByMessage`. */
export const acceptEnlaceByMessage = (trx: Trx, numero: string, usuarioId: string, batchId: string | null) =>
  acceptMessage(trx, numero, 'personal', usuarioId, batchId);

async function acceptMessage(
  trx: Trx,
  numero: string,
  origen: OrigenEnlace,
  usuarioId: string | null,
  batchId: string | null = null,
): Promise<string> {
  const venta = await requireVentaConEnlace(trx, numero);
  if (!MERCADOS[venta.market].mensajes)
    throw new NotAllowed(TITULO, 'Solo las ventas de Mercado Libre reciben mensajes desde aquí.');
  // Two requests at once wait for each other here, so the second sees the message of the first.
  const ordenes = await trx
    .selectFrom('orden')
    .select('compradorId')
    .where('market', '=', venta.market)
    .where('numOrden', '=', venta.numOrden)
    .orderBy('fechaCreacion')
    .orderBy('marketId')
    .forUpdate()
    .execute();
  const before = await findMessage(trx, venta);
  if (before) {
    throw new NotAllowed(
      TITULO,
      before.state === 'done'
        ? 'El enlace de esta venta ya se envió por mensaje.'
        : 'El mensaje con el enlace de esta venta ya va en camino.',
    );
  }
  const { id, token, venceEn } = await createEnlace(trx, { ...venta, origen, usuarioId });
  const compradorId = ordenes.find((orden) => orden.compradorId !== null)?.compradorId ?? null;
  const request = {
    enlaceId: id,
    market: venta.market,
    numOrden: venta.numOrden,
    compradorId,
    token: sealToken(id, token),
    vence: ddmmaaaa(venceEn),
  };
  return (await acceptEffect(trx, mensajesConEnlace.require(venta.market), { request, usuarioId, batchId })).id;
}

/** Age in days of a sale after which no message is sent by itself, however late the setting or the sale arrived. */
const AUTOMATICO_DIAS = 3;
const AUTOMATICO_LOTE = 200;
/** Hours between tries after a refusal that may pass, and the age in days of the sale at which tries end. */
const REINTENTO_HORAS = 6;
const REINTENTO_DIAS = 10;

/**
 * 'Enviar al confirmarse el pago': accepts a message for each sale paid since the setting was turned on that nobody invoiced or wrote to,
 * and for those whose message was refused for a reason that passes. Returns how many were accepted.
 */
export async function sendAutomaticEnlaces(db: Db): Promise<number> {
  const { enlaceAutomatico: desde } = await readAjustesFacturacion(db);
  if (!desde) return 0;
  const mensajes = sql`
    select from effect_subject s
      join effect e on e.id = s.effect_id and e.type = any(${typesOfMensaje()})
    where s.entidad = 'venta' and s.entidad_id = o.market || ':' || o.num_orden`;
  const { rows } = await sql<{ numOrden: string }>`
    select o.num_orden from orden o
    where o.market = any(${mercadosOf('mensajes')}) and o.situacion = 'pagada'
      and o.clase in ('normal', 'invalida') and not o.meli_resale
      and o.fecha_creacion > now() - make_interval(days => ${REINTENTO_DIAS})
      and coalesce(o.fecha_cierre, o.fecha_creacion) >= ${desde}
      and not exists (select from fiscal_claim c where c.orden_id = o.id)
      and not exists (${mensajes} and (
        e.state <> 'refused'
        or e.detail is distinct from ${TEMPORAL}
        or e.settled_at > now() - make_interval(hours => ${REINTENTO_HORAS})
      ))
      and (
        o.fecha_creacion > now() - make_interval(days => ${AUTOMATICO_DIAS})
        or exists (${mensajes})
      )
    group by o.num_orden order by min(o.fecha_creacion) limit ${AUTOMATICO_LOTE}`.execute(db);
  let sent = 0;
  for (const { numOrden } of rows) {
    try {
      await sendEnlaceByMessage(db, { numero: numOrden, usuarioId: null });
      sent += 1;
    } catch (error) {
      // Somebody invoiced the sale, or wrote, in between.
      if (!(error instanceof NotAllowed)) throw error;
    }
  }
  return sent;
}

/** The message of a sale that was sent or is on its way; a refused one does not count. */
async function findMessage(
  db: Db | Trx,
  { market, numOrden }: { market: Market; numOrden: string },
): Promise<{ state: EffectState } | undefined> {
  return effectsAbout(db, laVenta(market, numOrden))
    .select('state')
    .where('type', 'in', typesOfMensaje())
    .where('state', 'not in', ['refused', 'cancelled'])
    .executeTakeFirst();
}

/** A letter or message with a link, as lists show it. */
export type EnvioEnlace = Pick<EffectView, 'id' | 'state' | 'reason' | 'createdAt'> & { por: 'correo' | 'mensaje' };

/** The letters and messages with links of a sale, newest first, 20 at most. */
export async function listEnvios(db: Db, numOrden: string): Promise<EnvioEnlace[]> {
  const rows = await db
    .selectFrom('effect')
    .select(['id', 'type', 'state', 'reason', 'createdAt'])
    .where('type', 'in', [mailEnlace.type, ...typesOfMensaje()])
    .where('id', 'in', (about) =>
      about
        .selectFrom('enlace')
        .innerJoin('effectSubject', (join) =>
          join.on('effectSubject.entidad', '=', 'enlace').on('effectSubject.entidadId', '=', sql`enlace.id::text`),
        )
        .select('effectSubject.effectId')
        .where('enlace.numOrden', '=', numOrden),
    )
    .orderBy('createdAt', 'desc')
    .limit(20)
    .execute();
  return rows.map(({ type, ...row }) => ({
    ...row,
    por: type === mailEnlace.type ? ('correo' as const) : ('mensaje' as const),
  }));
}

/** A message with a link that was refused. */
export type MensajeSinSalir = {
  numOrden: string;
  fecha: Date;
  motivo: string;
  automatico: boolean;
  /** Whether the marketplace may accept the message later. */ temporal: boolean;
  effectId: string;
};

const DIAS = 30;

/**
 * The refused messages of sales whose customer has no link: nobody made another since, and nobody invoiced the sale. The last 30 days,
 * newest first, 200 at most.
 */
export async function listMensajesSinSalir(db: Db): Promise<MensajeSinSalir[]> {
  const { rows } = await sql<MensajeSinSalir>`
    select suyo.num_orden, e.settled_at as fecha, coalesce(e.reason, '') as motivo,
      e.usuario_id is null as automatico, e.detail is not distinct from ${TEMPORAL} as temporal, e.id as effect_id
    from effect e
      join effect_subject s on s.effect_id = e.id and s.entidad = 'enlace'
      join enlace suyo on suyo.id = s.entidad_id::uuid
    where e.type = any(${typesOfMensaje()}) and e.state = 'refused'
      and e.created_at > now() - make_interval(days => ${DIAS})
      and not ${askedAgain('e')}
      and not exists (
        select from enlace l
        where l.market = suyo.market and l.num_orden = suyo.num_orden and l.proposito = 'facturacion'
          and l.revocado_en is null and l.creado_en > e.created_at
      )
      and not exists (
        select from orden o join fiscal_claim c on c.orden_id = o.id
        where o.market = suyo.market and o.num_orden = suyo.num_orden and c.kind = 'individual'
      )
      and exists (
        select from orden o
        where o.market = suyo.market and o.num_orden = suyo.num_orden and o.clase in ('normal', 'invalida')
      )
    order by e.id desc limit 200`.execute(db);
  return rows;
}
