import { sql } from 'kysely';
import { z } from 'zod';
import { env } from '~/core/env.server';
import { defineEffect, each, type EffectCall, StillWorking } from '~/platform/effects/definition';
import { Refused } from '~/integrations/errors';
import type { Db, Trx } from '~db/client.server';
import { settleCambio, Cambio, DETENIDO, giveBackCambio, Dicho, show, SUPERADO } from './internal/cambio.server';

const TIPO = 'amz.archivo';
const CONEXION = 'amazon';
/** What was worked on shows after some minutes. What has not shown for an hour is told again. */
const SE_ESPERA_MS = 3_600_000;
/** Clocks of two machines. */
const HOLGURA_MS = 120_000;

const Pedido = z.object({ cambios: z.array(Cambio).min(1) });
type Pedido = z.output<typeof Pedido>;

const Recibo = z.object({
  feedId: z.string(),
  /** When it was asked for. */ en: z.string(),
  estado: z.enum(['haciendose', 'enCola', 'hecho', 'cancelado', 'fatal']),
  /** Errors that each listing had before; null where nobody knows. */
  antes: z.record(z.string(), z.array(z.string())).nullable(),
  /** Why a message was not taken, by its listing; what names none is about the whole. */
  noes: z.record(z.string(), z.string()),
  general: z.string().nullable(),
});
type Recibo = z.output<typeof Recibo>;

const SIN_TERMINAR: Partial<Record<Recibo['estado'], string>> = {
  cancelado: 'Amazon canceló el archivo de cambios.',
  fatal: 'Amazon no terminó el archivo de cambios.',
};
const NO_SE_VIO = 'Amazon lo recibió y en una hora no lo mostró.';

/**
 * Tells price and stock of many listings in one file. A line of `publicacion_pendiente` is in its hands while it names this effect, and each leaves them as soon as it is known:
 * one that shows late keeps no other back. That the file is done says nothing of a listing: what it shows does.
 */
export const cambiarArchivoAmz = defineEffect({
  type: TIPO,
  label: 'Archivo de cambios de publicaciones en Amazon',
  connection: CONEXION,
  request: Pedido,
  evidence: Recibo,
  key: ({ cambios }) => `${cambios[0]!.publicacionId}:${cambios[0]!.secuencia}`,
  subjects: ({ cambios }) =>
    each(
      'publicacion',
      cambios.map(({ publicacionId }) => publicacionId),
    ),
  summary: ({ cambios }) => ({ que: `${cambios.length} publicaciones` }),
  unclear: 'find',
  async ready({ id, request, db }) {
    const detenido = await releaseSuperseded(db, id);
    if ((await abiertas(db, id, request)).length === 0) throw new Refused(SUPERADO);
    if (detenido) throw new Refused(DETENIDO);
  },
  async send({ id, request, clients, db }) {
    const { publicaciones } = clients.amz();
    const { mensajes, huellas, fuera } = await publicaciones.mensajesDe(await abiertas(db, id, request));
    const porClave = new Map(request.cambios.map((cambio) => [cambio.clave, cambio]));
    for (const { clave, razon } of fuera)
      await db.transaction().execute((trx) => giveBackCambio(trx, { id, request: porClave.get(clave)! }, razon));
    if (mensajes.length === 0) throw new Refused('Ninguna de sus publicaciones se puede cambiar.');
    const documento = await publicaciones.subirArchivo(mensajes);
    const feedId = await publicaciones.pedirArchivo(documento);
    return { feedId, en: new Date().toISOString(), estado: 'enCola' as const, antes: huellas, noes: {}, general: null };
  },
  async find(call, known) {
    const { publicaciones } = call.clients.amz();
    const recibo = known ?? (await suArchivo(call));
    if (recibo === 'absent' || recibo.estado === 'hecho' || recibo.estado in SIN_TERMINAR) return recibo;
    const { estado, resultado } = await publicaciones.archivo(recibo.feedId);
    if (estado === 'enCola' && (await isDetenido(call.db, call.request)))
      await publicaciones.cancelarArchivo(recibo.feedId);
    const noes = resultado === null ? [] : await publicaciones.noesDeArchivo(resultado);
    return { ...recibo, estado, ...noesPorClave(noes) };
  },
  async confirm({ id, request, clients, db }, recibo) {
    const { en, estado, antes, noes, general } = recibo;
    if (estado === 'enCola' || estado === 'haciendose')
      throw new StillWorking('Amazon trabaja en el archivo de cambios');
    const lineas = await abiertas(db, id, request);
    const mostradas = await clients.amz().publicaciones.mostradas(lineas.map(({ clave }) => clave));
    const seAgoto = Date.now() - Date.parse(en) > SE_ESPERA_MS * env().EFFECT_PACE;
    const nuestro = estado === 'cancelado' && (await isDetenido(db, request)) ? DETENIDO : null;
    const fin = nuestro ?? general ?? SIN_TERMINAR[estado] ?? (seAgoto ? NO_SE_VIO : null);
    const faltan = await db.transaction().execute(async (trx) => {
      let faltan = 0;
      for (const cambio of await takeOpen(trx, id, lineas)) {
        const hay = mostradas.get(cambio.clave);
        const dicho = hay && Dicho.parse({ ...hay, subestatus: [] });
        const esta = dicho !== undefined && show(dicho, cambio);
        const suyos = antes?.[cambio.clave];
        const no = noes[cambio.clave] ?? (suyos || !esta ? hay?.erroresDe(cambio, suyos) : null);
        if (no) await giveBackCambio(trx, { id, request: cambio }, no);
        else if (esta) await settleCambio(trx, { id, request: cambio, usuarioId: null }, dicho);
        else if (fin) await giveBackCambio(trx, { id, request: cambio }, fin);
        else faltan++;
      }
      return faltan;
    });
    if (faltan > 0) throw new StillWorking(`Amazon todavía no muestra ${faltan} de sus cambios`);
  },
  async settle() {
    // Each line was written when it was known.
  },
  async release(trx, { id, request }, razon) {
    for (const cambio of await takeOpen(trx, id, request.cambios))
      await giveBackCambio(trx, { id, request: cambio }, razon);
  },
});

/** Those of its lines that are still in its hands. */
async function abiertas(db: Db | Trx, id: string, { cambios }: Pick<Pedido, 'cambios'>): Promise<Cambio[]> {
  const rows = await db.selectFrom('publicacionPendiente').select('publicacionId').where('effectId', '=', id).execute();
  const suyas = new Set(rows.map(({ publicacionId }) => publicacionId));
  return cambios.filter(({ publicacionId }) => suyas.has(publicacionId));
}

/** The same, held until the transaction ends, in the order in which the follower holds them. */
async function takeOpen(trx: Trx, id: string, cambios: readonly Cambio[]): Promise<Cambio[]> {
  const ids = cambios.map(({ publicacionId }) => publicacionId);
  await sql`select id from publicacion where id = any(${ids}::uuid[]) order by id for update`.execute(trx);
  return abiertas(trx, id, { cambios: [...cambios] });
}

/** A line that wants something newer by now goes with a later call. Tells whether its marketplace was stopped. */
async function releaseSuperseded(db: Db, id: string): Promise<boolean> {
  await sql`update publicacion_pendiente set effect_id = null, enviada = null, no_antes = now()
    where effect_id = ${id} and secuencia is distinct from enviada`.execute(db);
  const { rows } = await sql<{ detenido: boolean }>`
    select exists (select from seguimiento s join publicacion_pendiente n on n.market = s.market where n.effect_id = ${id} and s.detenido_en is not null) as detenido`.execute(
    db,
  );
  return rows[0]!.detenido;
}

async function isDetenido(db: Db, { cambios }: Pedido): Promise<boolean> {
  const { rows } = await sql<{ detenido: boolean }>`
    select exists (select from seguimiento s join publicacion p on p.market = s.market where p.id = ${cambios[0]!.publicacionId} and s.detenido_en is not null) as detenido`.execute(
    db,
  );
  return rows[0]!.detenido;
}

/**
 * A file whose answer was lost has no name: one that was asked for since then and that nobody here knows is taken for it. Should it be another's, its end leaves these lines
 * unseen, and they are told again.
 */
async function suArchivo({ id, clients, db }: EffectCall<Pedido>): Promise<Recibo | 'absent'> {
  const { rows } = await sql<{ sentAt: Date; conocidos: string[] }>`
    select sent_at, array(select result ->> 'feedId' from effect e where e.type = ${TIPO} and e.result is not null and e.created_at > effect.created_at - interval '2 days') as conocidos
    from effect where id = ${id}`.execute(db);
  const { sentAt, conocidos } = rows[0]!;
  const desde = new Date(sentAt.getTime() - HOLGURA_MS);
  const suyo = (await clients.amz().publicaciones.archivosDesde(desde)).find((one) => !conocidos.includes(one.id));
  return suyo
    ? { feedId: suyo.id, en: new Date().toISOString(), estado: 'haciendose', antes: null, noes: {}, general: null }
    : 'absent';
}

/** All that is said of one, in a line each. */
function noesPorClave(noes: readonly { clave: string | null; texto: string }[]): Pick<Recibo, 'noes' | 'general'> {
  const de = (una: string | null) => {
    const textos = noes.flatMap(({ clave, texto }) => (clave === una ? [texto] : []));
    return textos.length > 0 ? [...new Set(textos)].join('\n') : null;
  };
  const claves = new Set(noes.flatMap(({ clave }) => clave ?? []));
  return { noes: Object.fromEntries([...claves].map((clave) => [clave, de(clave) ?? ''])), general: de(null) };
}
