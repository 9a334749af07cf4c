import { z } from 'zod';
import { NotAllowed, Stale } from '~/core/errors';
import type { Market } from '~/core/market';
import type { Money } from '~/core/money';
import { withoutUnstorable } from '~/core/text';
import { record } from '~/platform/bitacora.server';
import { defineEffect } from '~/platform/effects/definition';
import { acceptEffect, isDoneSoon } from '~/platform/effects/effects.server';
import { lockLiving } from '~/platform/effects/subjects.server';
import { storeArchivo } from '~/platform/files/archivos.server';
import { formatoOf } from '~/platform/files/readFile.server';
import type { AccionDeReclamo, ReclamoLeido } from '~/domain/mercados/atencion';
import { detail } from '~/domain/mercados/detail';
import type { Acto, MensajeEnReclamo, ResolucionDeReclamo } from '~/domain/mercados/efectos';
import { fuenteOf, perMarket } from '~/domain/mercados/registro.server';
import { transact, type Db, type Trx } from '~db/client.server';
import { accionDe, PIDE, mayDo, pideEvidencia, RESOLUCIONES, TITULO_RECLAMO } from './reclamo';
import type { EscribirEnReclamo, ResolverReclamo } from './reclamoForm';
import { saveReclamo } from './reclamos.server';

const Acciones = z.array(z.object({ accion: z.string(), obligatoria: z.boolean(), vence: z.string().nullable() }));
const Mensajes = z.array(z.object({ clave: z.string() }).loose()).catch([]);
const Ofertas = z.array(z.object({ monto: z.string(), porcentaje: z.number() })).catch([]);

const Devoluciones = z.array(z.object({ id: z.string().nullable() })).catch([]);

/** Somebody waits at a page. */
const WAITS_MS = 4_000;

type Ahora = { market: Market; leido: ReclamoLeido; leidoEn: Date } | null;

/** The claim after one of our calls: what may be done about it changed with it. Null where it cannot be read now; its notice brings it. */
async function readNow(db: Db, { reclamoId }: { reclamoId: string }): Promise<Ahora> {
  const leidoEn = new Date();
  const { market, marketId } = await db
    .selectFrom('reclamo')
    .select(['market', 'marketId'])
    .where('id', '=', reclamoId)
    .executeTakeFirstOrThrow();
  const { atencion } = fuenteOf(market).open(db, { timeoutMs: WAITS_MS });
  const leido = await detail(async () => (await atencion?.readReclamo(marketId)) ?? null, 'reclamo', []);
  return leido && { market, leido, leidoEn };
}

const saveNow = async (trx: Trx, ahora: Ahora) => {
  if (ahora) await saveReclamo(trx, ahora.market, ahora.leido, ahora.leidoEn);
};

const Adjunto = z.object({ id: z.string(), nombre: z.string(), tipo: z.string() });

const Mensaje = z.object({
  reclamoId: z.string(),
  marketId: z.string(),
  para: z.enum(['complainant', 'mediator']),
  texto: z.string(),
  archivos: z.array(Adjunto).default([]),
  /** The messages that stood there when this one was written. */
  antes: z.array(z.string()),
});
type Mensaje = z.output<typeof Mensaje>;

/** Writes a message in a claim, with its evidence, and reads the claim again. */
const defineMensaje = (acto: Acto<MensajeEnReclamo, unknown>) =>
  defineEffect<Mensaje, unknown, Ahora>({
    ...acto,
    request: Mensaje,
    key: ({ reclamoId, para }) => `${reclamoId}:${para}`,
    subjects: ({ reclamoId }) => [['reclamo', reclamoId]],
    summary: ({ marketId, texto }) => ({ que: `Reclamo ${marketId}: «${texto.slice(0, 120)}»` }),
    confirm: ({ db, request }) => readNow(db, request),
    async settle(trx, { request: { reclamoId, para, archivos }, usuarioId }, ahora) {
      await saveNow(trx, ahora);
      await record(trx, {
        usuarioId,
        entidad: 'reclamo',
        entidadId: reclamoId,
        accion: 'mensaje',
        datos: { para, ...(archivos.length > 0 && { archivos: archivos.map(({ nombre }) => nombre) }) },
      });
    },
  });

/** The effects that write in a claim, by marketplace. */
export const mensajesDeReclamo = perMarket(({ escribirEnReclamo }) => escribirEnReclamo, defineMensaje);

const Resolver = z.object({
  reclamoId: z.string(),
  marketId: z.string(),
  resolucion: z.enum(RESOLUCIONES),
  porcentaje: z.number().nullable(),
  /** The returned piece that is reviewed; null for other resolutions. */
  devolucionId: z.string().nullable().default(null),
  objecion: z
    .object({ motivo: z.string(), texto: z.string(), archivos: z.array(Adjunto) })
    .nullable()
    .default(null),
});
type Resolver = z.output<typeof Resolver>;

/** Ends a claim with money, and reads the claim again. */
const defineResolucion = (acto: Acto<ResolucionDeReclamo, unknown>) =>
  defineEffect<Resolver, unknown, Ahora>({
    ...acto,
    request: Resolver,
    key: ({ reclamoId }) => reclamoId,
    subjects: ({ reclamoId }) => [['reclamo', reclamoId]],
    summary: ({ marketId, resolucion }) => ({ que: `Reclamo ${marketId}: ${accionDe(PIDE[resolucion][0]!)}` }),
    confirm: ({ db, request }) => readNow(db, request),
    async settle(trx, { request: { reclamoId, resolucion, porcentaje }, usuarioId }, ahora) {
      await saveNow(trx, ahora);
      await record(trx, {
        usuarioId,
        entidad: 'reclamo',
        entidadId: reclamoId,
        accion: resolucion,
        datos: { porcentaje },
      });
    },
  });

/** The effects that end a claim, by marketplace. */
export const resoluciones = perMarket(({ resolverReclamo }) => resolverReclamo, defineResolucion);

async function lock(trx: Trx, id: string, version: number) {
  const row = await trx
    .selectFrom('reclamo')
    .select(['id', 'market', 'marketId', 'estatus', 'acciones', 'mensajes', 'ofertas', 'devoluciones', 'version'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw new NotAllowed(TITULO_RECLAMO, 'El reclamo ya no existe.');
  if (row.version !== version) throw new Stale(undefined, { titulo: TITULO_RECLAMO });
  return { ...row, acciones: Acciones.parse(row.acciones) };
}

function requireAccion(acciones: readonly AccionDeReclamo[], ...cuales: readonly string[]) {
  if (!mayDo(acciones, ...cuales))
    throw new NotAllowed(TITULO_RECLAMO, `Mercado Libre ya no ofrece «${accionDe(cuales[0]!)}» en este reclamo.`);
}

const EXTENSION = { pdf: /\.pdf$/i, png: /\.png$/i, jpg: /\.jpe?g$/i } as const;
const TIPO = { pdf: 'application/pdf', png: 'image/png', jpg: 'image/jpeg' } as const;

/** Keeps the files of a message under the type that their bytes show, whatever their names say. Throws NotAllowed for a file of another type. */
async function saveEvidencia(trx: Trx, files: readonly File[]): Promise<z.output<typeof Adjunto>[]> {
  const kept = [];
  for (const file of files) {
    const contenido = Buffer.from(await file.arrayBuffer());
    const formato = formatoOf(contenido);
    if (!formato)
      throw new NotAllowed(TITULO_RECLAMO, 'Mercado Libre toma fotos JPG o PNG y archivos PDF.', { campo: 'archivos' });
    const como = formato === 'pdf' ? 'pdf' : contenido[0] === 0x89 ? 'png' : 'jpg';
    const dicho = withoutUnstorable(file.name).slice(-100) || 'evidencia';
    const nombre = EXTENSION[como].test(dicho) ? dicho : `${dicho}.${como}`;
    const archivo = { nombre, tipo: TIPO[como] };
    kept.push({ id: await storeArchivo(trx, { ...archivo, contenido }), ...archivo });
  }
  return kept;
}

/**
 * Accepts a message in a claim. Returns the id of its effect. Throws Stale when the claim moved since the screen showed it, and NotAllowed when the
 * marketplace does not offer the action, a file is of another type, or another message is on its way.
 */
export async function acceptMensaje(trx: Trx, form: EscribirEnReclamo, usuarioId: string): Promise<string> {
  const { id, market, marketId, acciones, mensajes } = await lock(trx, form.reclamo, form.version);
  if (form.archivos.length > 0) requireAccion(acciones, 'send_attachments');
  requireAccion(acciones, form.para === 'complainant' ? 'send_message_to_complainant' : 'send_message_to_mediator');
  const antes = Mensajes.parse(mensajes).map(({ clave }) => clave);
  const { id: effectId, created } = await acceptEffect(trx, mensajesDeReclamo.require(market), {
    request: {
      reclamoId: id,
      marketId,
      para: form.para,
      texto: form.texto,
      archivos: await saveEvidencia(trx, form.archivos),
      antes,
    },
    usuarioId,
  });
  if (!created) throw new NotAllowed(TITULO_RECLAMO, 'Otro mensaje va en camino. Espera a que salga.');
  return effectId;
}

/** Returns the id of the return of a claim. Throws NotAllowed when the claim has none or several. */
function unaDevolucion(devoluciones: unknown): string {
  const ids = Devoluciones.parse(devoluciones).flatMap(({ id }) => id ?? []);
  if (ids.length !== 1)
    throw new NotAllowed(TITULO_RECLAMO, 'No se sabe cuál devolución se revisa. Revísala en la tienda.');
  return ids[0]!;
}

/** Returns the objection of a form. Throws NotAllowed at the field that is missing: the reason, the words, or the evidence that the reason asks for. */
async function objecionOf(trx: Trx, { motivo, texto, archivos }: ResolverReclamo) {
  if (!motivo) throw new NotAllowed(TITULO_RECLAMO, 'Elige qué tiene de malo.', { campo: 'motivo' });
  if (!texto) throw new NotAllowed(TITULO_RECLAMO, 'Escribe qué tiene de malo.', { campo: 'texto' });
  if (pideEvidencia(motivo) && archivos.length === 0)
    throw new NotAllowed(TITULO_RECLAMO, 'Mercado Libre pide fotos o un PDF para ese motivo.', { campo: 'archivos' });
  return { motivo, texto, archivos: await saveEvidencia(trx, archivos) };
}

/**
 * Accepts the end of a claim. Returns the id of its effect. Throws Stale when the claim moved since the screen showed it, and NotAllowed when the
 * marketplace does not offer the action or the part, or another end is on its way.
 */
export async function acceptResolucion(trx: Trx, form: ResolverReclamo, usuarioId: string): Promise<string> {
  const { id, market, marketId, acciones, ofertas, devoluciones } = await lock(trx, form.reclamo, form.version);
  requireAccion(acciones, ...PIDE[form.resolucion]);
  const devolucionId = form.resolucion.startsWith('return-review') ? unaDevolucion(devoluciones) : null;
  const objecion = form.resolucion === 'return-review-fail' ? await objecionOf(trx, form) : null;
  const parte = form.resolucion === 'partial-refund';
  if (parte && !Ofertas.parse(ofertas).some(({ porcentaje }) => porcentaje === form.porcentaje))
    throw new NotAllowed(TITULO_RECLAMO, 'Elige una de las partes que Mercado Libre ofrece.', { campo: 'porcentaje' });
  if (await lockLiving(trx, ['reclamo', id], resoluciones.require(market)))
    throw new NotAllowed(TITULO_RECLAMO, 'Otra resolución va en camino.');
  const { id: effectId } = await acceptEffect(trx, resoluciones.require(market), {
    request: {
      reclamoId: id,
      marketId,
      resolucion: form.resolucion,
      porcentaje: parte ? form.porcentaje! : null,
      devolucionId,
      objecion,
    },
    usuarioId,
  });
  return effectId;
}

/**
 * Writes in a claim for a person who waits. Returns whether the message is there by now. Throws as `acceptMensaje`, and NotAllowed with the words of a
 * marketplace that said no.
 */
export async function writeInReclamo(db: Db, form: EscribirEnReclamo, usuarioId: string): Promise<boolean> {
  const id = await transact(db, (trx) => acceptMensaje(trx, form, usuarioId));
  return isDoneSoon(db, id, TITULO_RECLAMO);
}

/**
 * Ends a claim for a person who waits. Returns whether it is done by now. Throws as `acceptResolucion`, and NotAllowed with the words of a
 * marketplace that said no.
 */
export async function resolveReclamo(db: Db, form: ResolverReclamo, usuarioId: string): Promise<boolean> {
  const id = await transact(db, (trx) => acceptResolucion(trx, form, usuarioId));
  return isDoneSoon(db, id, TITULO_RECLAMO);
}

/** Returns the amounts for the question before a claim is ended, in pesos: the payment of the order, the chosen part, and the cost of the return. Null without the claim. */
export async function pesosOf(
  db: Db,
  { reclamo: id, resolucion, porcentaje }: Pick<ResolverReclamo, 'reclamo' | 'resolucion' | 'porcentaje'>,
): Promise<{
  marketId: string;
  pagado: Money | null;
  monto: string | null;
  costoDevolucion: Money | null;
} | null> {
  const row = await db
    .selectFrom('reclamo')
    .leftJoin('orden', (on) =>
      on.onRef('orden.market', '=', 'reclamo.market').onRef('orden.marketId', '=', 'reclamo.ordenMarketId'),
    )
    .select(['reclamo.marketId', 'reclamo.ofertas', 'reclamo.costoDevolucion', 'orden.pagado'])
    .where('reclamo.id', '=', id)
    .executeTakeFirst();
  if (!row) return null;
  const monto =
    resolucion === 'partial-refund'
      ? (Ofertas.parse(row.ofertas).find((oferta) => oferta.porcentaje === porcentaje)?.monto ?? null)
      : null;
  return { marketId: row.marketId, pagado: row.pagado, monto, costoDevolucion: row.costoDevolucion };
}
