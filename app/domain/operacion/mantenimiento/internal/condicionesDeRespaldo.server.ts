import { sql } from 'kysely';
import { env } from '~/core/env.server';
import type { Condicion } from './condicion';

/* Backups: the archive, the bucket, the nightly restore, and a database that came back from one. */

/** The archive of the WAL fails, and a backup is worth what its archive holds. */
export const archivoDeWal: Condicion = {
  clave: 'archivoWal',
  async mira(db) {
    const { rows } = await sql<{ falla: boolean }>`
      select current_setting('archive_mode') <> 'off' and coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as falla
      from pg_stat_archiver`.execute(db);
    return rows[0]?.falla
      ? {
          nivel: 'grave',
          texto: 'El respaldo continuo no se está guardando.',
          remedio: `Revisa el espacio y los permisos de la carpeta de respaldos${env().RESPALDOS ? ` (${env().RESPALDOS})` : ''}.`,
        }
      : null;
  },
};

/** Minutes that archived WAL, and a backup, may take to the bucket. */
const TRASLADO_MINUTES = { wal: 10, base: 12 * 60 };
/** A look at the folder each minute that did not happen for so long happens no more. */
const LOOKED_MINUTES = 60;

/** A backup or archived WAL does not reach the bucket: with this machine it would be lost. */
export const respaldoEnBucket: Condicion = {
  clave: 'respaldoEnBucket',
  async mira(db) {
    const { rows } = await sql<{
      que: 'wal' | 'base';
      esperando: number | null;
      callado: number;
      falla: string | null;
    }>`
      select que, extract(epoch from now() - pendiente_desde)::float8 / 60 as esperando,
        extract(epoch from now() - mirado_en)::float8 / 60 as callado, falla from respaldo_traslado order by que desc`.execute(
      db,
    );
    if (!env().RESPALDOS_S3) return null;
    // The job that looks runs where this one does, and later after a start.
    if (
      process.uptime() > LOOKED_MINUTES * 60 &&
      (rows.length < 2 || rows.some(({ callado }) => callado > LOOKED_MINUTES))
    )
      throw new Error('nadie ha comparado la carpeta de respaldos con el bucket');
    const late = rows.find(({ que, esperando }) => esperando !== null && esperando > TRASLADO_MINUTES[que]);
    if (!late) return null;
    const minutes = Math.floor(late.esperando!);
    return {
      nivel: 'grave',
      texto:
        late.que === 'wal'
          ? `Lo respaldado en los últimos ${minutes} minutos no está en el bucket.`
          : `Un respaldo espera hace ${Math.floor(minutes / 60)} horas para llegar al bucket.`,
      remedio: `${late.falla ? `${late.falla}. ` : ''}Revisa la red, el bucket y sus llaves (RESPALDOS_S3); mientras tanto todo queda en la carpeta.`,
    };
  },
};

/** Hours after which the last nightly restore tells nothing any more. */
const PROBADO_HOURS = 50;

/** The newest backup of the bucket could not be restored last night, or nobody tried. */
export const respaldoProbado: Condicion = {
  clave: 'respaldoProbado',
  async mira(db) {
    const { rows } = await sql<{ bien: boolean | null; dice: string | null; vieja: boolean }>`
      select p.bien, p.dice, coalesce(p.en, d.desde) < now() - make_interval(hours => ${PROBADO_HOURS}) as vieja
      from (select min(desde) as desde from respaldo_traslado) d
        left join lateral (select bien, dice, en from respaldo_prueba order by id desc limit 1) p on true`.execute(db);
    const [last] = rows;
    if (!env().RESPALDOS_S3 || !last) return null;
    if (last.bien === false)
      return {
        nivel: 'grave',
        texto: 'El respaldo del bucket no se pudo restaurar en la prueba de anoche.',
        remedio: `${last.dice}. Corrígelo y haz otro respaldo con npm run respaldar; la prueba se repite cada noche.`,
      };
    return last.vieja
      ? {
          nivel: 'grave',
          texto: `Hace más de ${PROBADO_HOURS} horas que no se prueba el respaldo del bucket.`,
          remedio: 'Busca «respaldo.probar» en el registro del worker: ahí está por qué no termina.',
        }
      : null;
  },
};

/** Most mistakes that are named; the command prints all. */
const MOST_INEXPLICADAS = 5;

/**
 * The database came back from a backup, and people have not resumed everything yet. The text says what was learnt of the far sides since, and what to
 * look at first.
 */
export const restaurada: Condicion = {
  clave: 'restauracion',
  async mira(db) {
    const last = await db.selectFrom('restauracion').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst();
    if (!last) return null;
    const pausadas = await db
      .selectFrom('connection')
      .select('kind')
      .where('pausedAt', '>=', last.restauradaEn)
      .execute();
    if (pausadas.length === 0) return null;
    const [adoptadas, canceladas, inexplicadas] = [last.adoptadas, last.canceladas, last.inexplicadas] as string[][];
    const more = inexplicadas!.length - MOST_INEXPLICADAS;
    return {
      nivel: 'grave',
      texto: 'El sistema volvió de un respaldo y sus conexiones están en pausa.',
      remedio: [
        last.conciliadaEn
          ? `Se adoptaron ${adoptadas!.length} CFDI y ${canceladas!.length} ${canceladas!.length === 1 ? 'cancelación' : 'cancelaciones'} que el PAC tenía.`
          : 'Falta conciliar con el PAC: ejecuta npm run restaurar -- --conciliar.',
        inexplicadas!.length > 0
          ? `Revisa ${inexplicadas!.length} sin explicación: ${inexplicadas!.slice(0, MOST_INEXPLICADAS).join('; ')}${more > 0 ? `; y ${more} más, que dice npm run restaurar -- --conciliar` : ''}.`
          : '',
        'Cuando todo cuadre, un Super Usuario activa cada integración en Empresas.',
      ]
        .filter(Boolean)
        .join(' '),
      pantalla: 'empresas',
    };
  },
};
