import { sql } from 'kysely';
import { env } from '~/core/env.server';
import { log } from '~/core/log.server';
import { retireIncompletas } from '~/domain/operacion/aplicacion/aplicaciones.server';
import { nameOrdenes } from '~/domain/ventas/ordenes/nombrarOrdenes.server';
import { record } from '~/platform/bitacora.server';
import { textsUnderWay } from '~/platform/effects/effects.server';
import { retireLoose } from '~/platform/files/archivos.server';
import { listFuentes } from '~/domain/mercados/registro.server';
import type { Db } from '~db/client.server';

/** Days that rows without further use are kept. */
const KEEP = {
  rateLimit: 2,
  esperas: 2,
  encargos: 60,
  entradasAnteriores: 30,
  dispositivos: 365,
  exports: 7,
  sueltos: 30,
  lotes: 60,
  trabajos: 1,
  syncRuns: 60,
  productoHistoria: 180,
  lecturasDeCatalogo: 60,
  pausasDeCatalogo: 180,
  drafts: 30,
  sinTimbrar: 30,
  enlaces: 90,
  respuestasDeApi: 1,
  avisosEnviados: 30,
  enviosDeBodega: 90,
  respuestasLejanas: 30,
  muestras: 8,
} as const;

const before = (days: number) => sql<Date>`now() - make_interval(days => ${days})`;

type Daily = Record<
  | 'sesiones'
  | 'entradas'
  | 'entradasAnteriores'
  | 'porProbar'
  | 'limites'
  | 'esperas'
  | 'encargos'
  | 'dispositivos'
  | 'estadosOauth'
  | 'avisos'
  | 'exportaciones'
  | 'archivos'
  | 'sincronizaciones'
  | 'borradores'
  | 'borradoresNota'
  | 'sinTimbrar'
  | 'aplicaciones'
  | 'enlaces',
  number
>;

type Retained = Record<
  | 'trabajos'
  | 'evidencia'
  | 'intentos'
  | 'bitacora'
  | 'correos'
  | 'direcciones'
  | 'guias'
  | 'compradores'
  | 'datosFiscales'
  | 'preguntas'
  | 'reclamos'
  | 'borradoresUsados',
  number
>;

export type Cleaned = Daily & Retained;

/**
 * Removes the rows that have expired, and says in the log and in the bitacora how many of each kind. Papers of the tax authority are never touched.
 * Records of effects go after their own period, through functions of the owner, since the application may only add to those tables. Sales that searches do not
 * know by their buyer yet are named last.
 */
export async function cleanExpired(db: Db): Promise<Cleaned> {
  const removed = { ...(await cleanDaily(db)), ...(await cleanRetained(db)) };
  const some = Object.fromEntries(Object.entries(removed).filter(([, n]) => n > 0));
  log.info('limpieza nocturna', some);
  if (Object.keys(some).length > 0)
    await record(db, {
      usuarioId: null,
      entidad: 'mantenimiento',
      entidadId: 'limpieza',
      accion: 'retirar',
      datos: some,
    });
  await nameOrdenes(db);
  return removed;
}

async function cleanDaily(db: Db): Promise<Daily> {
  const sesiones = await db
    .deleteFrom('sesion')
    .where('venceEn', '<', sql<Date>`now()`)
    .executeTakeFirst();
  const entradas = await db
    .deleteFrom('entrada')
    .where('venceEn', '<', sql<Date>`now()`)
    .executeTakeFirst();
  const entradasAnteriores = await db
    .deleteFrom('entradaAnterior')
    .where('ultimaEn', '<', before(KEEP.entradasAnteriores))
    .executeTakeFirst();
  const porProbar = await db
    .deleteFrom('porProbar')
    .where('venceEn', '<', sql<Date>`now()`)
    .executeTakeFirst();
  const limites = await db.deleteFrom('rateLimit').where('windowStart', '<', before(KEEP.rateLimit)).executeTakeFirst();
  await db.deleteFrom('respuestaApi').where('creadaEn', '<', before(KEEP.respuestasDeApi)).execute();
  // An event goes with its deliveries, those that never arrived included: after a month nobody asks for one.
  await db.deleteFrom('ganchoEvento').where('ocurridoEn', '<', before(KEEP.avisosEnviados)).execute();
  await db.deleteFrom('respuestaLejana').where('hora', '<', before(KEEP.respuestasLejanas)).execute();
  await db.deleteFrom('muestra').where('en', '<', before(KEEP.muestras)).execute();
  // A telephone that was switched off for longer is told how its pieces stand, and asks the person.
  await db.deleteFrom('bodegaEnvio').where('en', '<', before(KEEP.enviosDeBodega)).execute();
  await db.deleteFrom('lote').where('creadoEn', '<', before(KEEP.lotes)).execute();
  const esperas = await db.deleteFrom('espera').where('ultimoEn', '<', before(KEEP.esperas)).executeTakeFirst();
  // A card that waits longer than this is taken again by whoever says so.
  const encargos = await db.deleteFrom('encargo').where('actualizadoEn', '<', before(KEEP.encargos)).executeTakeFirst();
  const dispositivos = await db
    .deleteFrom('dispositivo')
    .where('vistoEn', '<', before(KEEP.dispositivos))
    .executeTakeFirst();
  const estadosOauth = await db
    .deleteFrom('oauthState')
    .where('expiresAt', '<', sql<Date>`now()`)
    .executeTakeFirst();
  const avisos = await db
    .deleteFrom('inbox')
    .where('state', 'in', ['done', 'ignored'])
    .where('receivedAt', '<', before(env().RETENCION_AVISOS))
    .executeTakeFirst();
  const { exportaciones, archivos: deExportaciones } = await cleanExports(db);
  const archivos = deExportaciones + (await retireLoose(db, KEEP.sueltos, textsUnderWay));
  const aplicaciones = await retireIncompletas(db);
  // The last run of each source stays, however old: it says how fresh the source is.
  const sincronizaciones = await db
    .deleteFrom('syncRun as old')
    .where('old.startedAt', '<', before(KEEP.syncRuns))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('syncRun as newer')
          .select('newer.id')
          .whereRef('newer.source', '=', 'old.source')
          .whereRef('newer.kind', '=', 'old.kind')
          .whereRef('newer.startedAt', '>', 'old.startedAt'),
      ),
    )
    .executeTakeFirst();
  await db.deleteFrom('productoHistoria').where('en', '<', before(KEEP.productoHistoria)).execute();
  await db.deleteFrom('catalogoPausa').where('terminoEn', '<', before(KEEP.pausasDeCatalogo)).execute();
  await db.deleteFrom('lecturaCatalogo').where('terminoEn', '<', before(KEEP.lecturasDeCatalogo)).execute();
  const borradores = await db
    .deleteFrom('facturaDraft')
    .where('effectId', 'is', null)
    .where('actualizadoEn', '<', before(KEEP.drafts))
    .executeTakeFirst();
  const borradoresNota = await db
    .deleteFrom('notaDraft')
    .where('actualizadoEn', '<', before(KEEP.drafts))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('notaSencilla').select('notaSencilla.id').whereRef('notaSencilla.draftId', '=', 'notaDraft.id'),
        ),
      ),
    )
    .executeTakeFirst();
  const sinTimbrar = await db.deleteFrom('sinTimbrar').where('fecha', '<', before(KEEP.sinTimbrar)).executeTakeFirst();
  // Only links that ended long ago and that nothing points at: a factura points at its draft, and the draft at its link.
  const enlaces = await db
    .deleteFrom('enlace')
    .where('venceEn', '<', before(KEEP.enlaces))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('facturaDraft').select('facturaDraft.id').whereRef('facturaDraft.enlaceId', '=', 'enlace.id'),
        ),
      ),
    )
    .executeTakeFirst();
  const counted = {
    sesiones,
    entradas,
    entradasAnteriores,
    porProbar,
    limites,
    esperas,
    encargos,
    dispositivos,
    estadosOauth,
    avisos,
    sincronizaciones,
    borradores,
    borradoresNota,
    sinTimbrar,
    enlaces,
  };
  const numbers = Object.fromEntries(
    Object.entries(counted).map(([name, { numDeletedRows }]) => [name, Number(numDeletedRows)]),
  );
  return {
    ...(numbers as Omit<Cleaned, 'exportaciones' | 'archivos' | 'aplicaciones' | keyof Retained>),
    exportaciones,
    aplicaciones,
    archivos,
  };
}

/** Removes old exports, each with its file. */
async function cleanExports(db: Db) {
  return db.transaction().execute(async (trx) => {
    const old = await trx
      .deleteFrom('exportRun')
      .where('state', 'in', ['done', 'failed'])
      .where('createdAt', '<', before(KEEP.exports))
      .returning('archivoId')
      .execute();
    const files = old.flatMap(({ archivoId }) => (archivoId ? [archivoId] : []));
    if (files.length > 0) await trx.deleteFrom('archivo').where('id', 'in', files).execute();
    return { exportaciones: old.length, archivos: files.length };
  });
}

/** Returns the fields of kept documents that tell of a person, as each adapter names its own. */
const personalesOf = (que: 'venta' | 'envio') =>
  sql`case market ${sql.join(
    listFuentes().map(({ market, personales }) => sql`when ${market} then ${personales[que]}::text[]`),
    sql` `,
  )} else '{}'::text[] end`;

/** Removes the rows whose period is a setting (RETENCION_*). A second call finds nothing. */
async function cleanRetained(db: Db): Promise<Retained> {
  const { RETENCION_EVIDENCIA, RETENCION_INTENTOS, RETENCION_BITACORA, RETENCION_PERSONALES } = env();
  const purge = async (name: string, days: number) => {
    const { rows } = await sql<{ n: number }>`select ${sql.ref(name)}(${days}::int)::int as n`.execute(db);
    return rows[0]!.n;
  };
  const count = async (statement: ReturnType<typeof sql>) => Number((await statement.execute(db)).numAffectedRows ?? 0);
  const old = before(RETENCION_PERSONALES);
  const trabajos = await cleanJobs(db);
  const evidencia = await purge('purgar_evidencia', RETENCION_EVIDENCIA);
  const intentos =
    (await purge('purgar_cartas', RETENCION_PERSONALES)) + (await purge('purgar_intentos', RETENCION_INTENTOS));
  const bitacora = await purge('purgar_bitacora', RETENCION_BITACORA);
  // A letter holds addresses and what was written, and what was told to the PAC of a client stands in its record; nothing hangs from either once its attempts are gone, which go with them.
  const correos =
    await count(sql`delete from effect e where (e.connection = 'correo' or e.type in ('pac.client', 'pac.publicClient')) and e.settled_at < ${old}
    and not exists (select from effect_attempt a where a.effect_id = e.id)`);
  const direcciones =
    await count(sql`update envio set nombre_receptor = null, apellidos = null, telefono = null, calle = null, numero_e = null, numero_i = null,
      calle_a = null, calle_b = null, referencia = null, direccion_mercado = null, direccion_difiere = false, datos = datos - ${personalesOf('envio')}
    where fecha_creacion < ${old} and (nombre_receptor is not null or apellidos is not null or telefono is not null or calle is not null
      or direccion_mercado is not null or datos ?| ${personalesOf('envio')})`);
  // A label says who lives where. Hash, number and carrier stay in the row, and the receiver in the pedido.
  const guias = await count(sql`
    with viejas as (
        select id, archivo_id, zpl_id from guia where creada_en < ${old} and (archivo_id is not null or zpl_id is not null) for update),
      retirados as (delete from archivo where id in (select archivo_id from viejas union all select zpl_id from viejas))
    update guia set archivo_id = null, zpl_id = null from viejas where guia.id = viejas.id`);
  const compradores = await count(sql`update orden set comprador = null, datos = datos - ${personalesOf('venta')}
    where fecha_creacion < ${old} and (comprador is not null or datos ?| ${personalesOf('venta')})`);
  // Tax data that a buyer typed at the marketplace are a proposal for a factura, and of no use after it.
  const datosFiscales = await count(sql`delete from comprador_fiscal where leido_en < ${old}`);
  // The texts of questions and claims tell of their writers; our answers, and how a claim ended, stay.
  const preguntas = await count(sql`update pregunta set comprador_id = null, texto = '', datos = '{}'
    where fecha < ${old} and estatus <> 'pendiente' and (comprador_id is not null or texto <> '' or datos <> '{}')`);
  const reclamos = await count(sql`update reclamo set problema = null, jugadores = '[]', mensajes = '[]', datos = '{}'
    where estatus = 'cerrado' and fecha < ${old} and (problema is not null or jugadores <> '[]' or mensajes <> '[]' or datos <> '{}')`);
  const deFacturas = await count(sql`update factura_draft set cliente = null, revision = null
    where actualizado_en < ${old} and effect_id is not null and (cliente is not null or revision is not null)`);
  const deNotas = await count(sql`update nota_draft set datos = null
    where actualizado_en < ${old} and datos is not null and exists (select from nota_sencilla n where n.draft_id = nota_draft.id)`);
  const borradoresUsados = deFacturas + deNotas;
  return {
    trabajos,
    evidencia,
    intentos,
    bitacora,
    correos,
    direcciones,
    guias,
    compradores,
    datosFiscales,
    preguntas,
    reclamos,
    borradoresUsados,
  };
}

/** Removes the jobs without tries left, after a day in which people were told of them. The sweep of each kind finds the work again. */
async function cleanJobs(db: Db): Promise<number> {
  const { rows } = await sql<{ task: string; n: number }>`
    with gone as (delete from graphile_worker._private_jobs
      where attempts >= max_attempts and locked_at is null and updated_at < ${before(KEEP.trabajos)} returning task_id)
    select t.identifier as task, count(*)::int as n from gone join graphile_worker._private_tasks t on t.id = gone.task_id group by 1 order by 1`.execute(
    db,
  );
  for (const { task, n } of rows) log.warn('trabajos agotados, retirados', { task, trabajos: n });
  return rows.reduce((sum, { n }) => sum + n, 0);
}
