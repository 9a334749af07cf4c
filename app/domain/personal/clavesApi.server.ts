import { sql } from 'kysely';
import { NotAllowed } from '~/core/errors';
import type { Rol, Usuario } from '~/core/usuario';
import { record } from '~/platform/bitacora.server';
import type { Db, Trx } from '~db/client.server';
import { recordFailure, takeLoginTry } from './internal/intentos.server';
import { FIN_DEL_PLAZO, obligacionOf } from './internal/obligacion.server';
import { fingerprint, newToken } from './internal/token.server';
import type { NewClaveApi } from './forms';
import { DESCONOCIDO } from './sesiones.server';
import { authenticate, passCodigo, type Intento } from './signIn.server';

/** First letters of an API password, which tell it from a person's own. */
const PREFIJO_CLAVE = 'tsc_';
/** Most living API passwords of a person. */
const MAX_CLAVES = 20;
const TITULO = 'Error de autenticación.';
const HAZ_UNA = 'Entra a la aplicación y haz una contraseña de API en «Tokens de API» para este programa.';

/**
 * Makes an API password and returns its text. The text cannot be read again: the table keeps its hash. Writes a line of the audit trail. Throws
 * `NotAllowed` when the person holds twenty living ones.
 */
export async function createClaveApi(
  trx: Trx,
  usuario: Pick<Usuario, 'id'>,
  { nombreClave: nombre }: NewClaveApi,
): Promise<string> {
  await trx.selectFrom('usuario').select('id').where('id', '=', usuario.id).forUpdate().execute();
  const { cuantas } = await trx
    .selectFrom('claveApi')
    .where('usuarioId', '=', usuario.id)
    .where('revocadaEn', 'is', null)
    .select(({ fn }) => fn.countAll<number>().as('cuantas'))
    .executeTakeFirstOrThrow();
  if (cuantas >= MAX_CLAVES)
    throw new NotAllowed(
      'Error al agregar.',
      `Caben ${MAX_CLAVES} contraseñas de API por persona. Revoca una que ya no uses.`,
    );
  const clave = PREFIJO_CLAVE + newToken();
  const { id } = await trx
    .insertInto('claveApi')
    .values({ usuarioId: usuario.id, nombre, claveHash: fingerprint(clave), pista: clave.slice(-4) })
    .returning('id')
    .executeTakeFirstOrThrow();
  await tell(trx, usuario.id, id, 'crear', nombre);
  return clave;
}

/** Lists at most fifty API passwords of a person, the living ones first. */
export function listClavesApi(db: Db | Trx, usuarioId: string) {
  return db
    .selectFrom('claveApi')
    .where('usuarioId', '=', usuarioId)
    .orderBy(sql`revocada_en is null`, 'desc')
    .orderBy('id', 'desc')
    .limit(50)
    .select(['id', 'nombre', 'pista', 'creadaEn', 'usadaEn', 'revocadaEn'])
    .execute();
}

/** Ends an API password and the sessions it opened, at once. A password of another person, or one that ended already, is left as it is. */
export async function revokeClaveApi(trx: Trx, usuario: Pick<Usuario, 'id'>, id: string): Promise<void> {
  const ended = await trx
    .updateTable('claveApi')
    .set({ revocadaEn: sql<Date>`now()` })
    .where('id', '=', id)
    .where('usuarioId', '=', usuario.id)
    .where('revocadaEn', 'is', null)
    .returning('nombre')
    .executeTakeFirst();
  if (!ended) return;
  await trx.deleteFrom('sesion').where('claveApiId', '=', id).execute();
  await tell(trx, usuario.id, id, 'revocar', ended.nombre);
}

/** A person who entered by the old client's calls, and what opens the session. */
export type EntradaAnterior = Pick<Usuario, 'id' | 'rol'> & {
  version: number;
  segundoFactorEn: Date | 'ahora' | null;
  /** True for a session that opens no screen. */
  soloApi: boolean;
  claveApiId: string | null;
};

/**
 * Enters by the old client's calls: with an API password, with password and code, or with the password alone. The password alone is not enough for a
 * person who has a second factor, nor for one whose grace is over; a program that entered by it before is let in, without screens, until the grace of
 * its person ends. Throws `NotAllowed` with the next step.
 */
export async function enterAnterior(
  db: Db,
  { codigo, ...intento }: Intento & { codigo: string | undefined },
): Promise<EntradaAnterior> {
  if (intento.password.startsWith(PREFIJO_CLAVE)) return enterWithClave(db, intento);
  const usuario = await authenticate(db, intento);
  const entra = { id: usuario.id, rol: usuario.rol, version: usuario.version, soloApi: false, claveApiId: null };
  if (usuario.faltaCodigo && codigo !== undefined) {
    await passCodigo(db, { ...usuario, recordar: true }, codigo, { ip: intento.ip });
    return { ...entra, segundoFactorEn: 'ahora' };
  }
  if (usuario.faltaCodigo && !(await isInGrace(db, usuario)))
    throw new NotAllowed(
      TITULO,
      `Este usuario tiene verificación en dos pasos: envía también su codigo, o usa una contraseña de API. ${HAZ_UNA}`,
    );
  if (!usuario.faltaCodigo && (await owesSegundoFactor(db, usuario)))
    throw new NotAllowed(TITULO, `Tu rol necesita la verificación en dos pasos. ${HAZ_UNA}`);
  await noteEntradaAnterior(db, usuario.id, intento.ip);
  return { ...entra, soloApi: usuario.faltaCodigo, segundoFactorEn: usuario.segundoFactorEn };
}

async function enterWithClave(db: Db, { password, ...quien }: Intento): Promise<EntradaAnterior> {
  const attempt = await takeLoginTry(db, quien);
  const found = await db
    .updateTable('claveApi')
    .from('usuario')
    .set({ usadaEn: sql<Date>`now()` })
    .whereRef('usuario.id', '=', 'claveApi.usuarioId')
    .where('claveApi.claveHash', '=', fingerprint(password))
    .where('claveApi.revocadaEn', 'is', null)
    .where(sql`lower(usuario.usuario)`, '=', quien.usuario.toLowerCase())
    .where('usuario.activo', '=', true)
    .returning(['usuario.id', 'usuario.rol', 'usuario.version', 'claveApi.id as claveApiId'])
    .executeTakeFirst();
  if (!found) {
    await recordFailure(db, undefined, { motivo: 'clave de API', direccion: quien.ip, fallos: attempt.fallos });
    throw new NotAllowed(TITULO, DESCONOCIDO);
  }
  await attempt.forget();
  return { ...found, soloApi: true, segundoFactorEn: null };
}

/** Returns whether a person made the second factor during the grace, entered by the old calls before that, and the grace still runs. */
async function isInGrace(db: Db, { id, rol }: Pick<Usuario, 'id' | 'rol'>): Promise<boolean> {
  if (obligacionOf(rol) !== 'conPlazo') return false;
  const found = await db
    .selectFrom('plazoSegundoFactor')
    .innerJoin('entradaAnterior', 'entradaAnterior.usuarioId', 'plazoSegundoFactor.usuarioId')
    .innerJoin('segundoFactor', 'segundoFactor.usuarioId', 'plazoSegundoFactor.usuarioId')
    .where('plazoSegundoFactor.usuarioId', '=', id)
    .where(FIN_DEL_PLAZO, '>', sql<Date>`now()`)
    .whereRef('segundoFactor.confirmadoEn', '>', 'plazoSegundoFactor.desde')
    .whereRef('entradaAnterior.primeraEn', '<', 'segundoFactor.confirmadoEn')
    .select('plazoSegundoFactor.usuarioId')
    .executeTakeFirst();
  return found !== undefined;
}

/** Returns whether a person without a second factor had to have one by now. */
async function owesSegundoFactor(db: Db, { id, rol }: { id: string; rol: Rol }): Promise<boolean> {
  const obligacion = obligacionOf(rol);
  if (obligacion !== 'conPlazo') return obligacion === 'ya';
  const over = await db
    .selectFrom('plazoSegundoFactor')
    .select('usuarioId')
    .where('usuarioId', '=', id)
    .where(FIN_DEL_PLAZO, '<=', sql<Date>`now()`)
    .executeTakeFirst();
  return over !== undefined;
}

/** Notes that a person's own password entered by the old calls, for 'Hoy'. */
async function noteEntradaAnterior(db: Db, usuarioId: string, direccion: string): Promise<void> {
  await db
    .insertInto('entradaAnterior')
    .values({ usuarioId, direccion })
    .onConflict((conflict) => conflict.column('usuarioId').doUpdateSet({ ultimaEn: sql<Date>`now()`, direccion }))
    .execute();
}

const tell = (trx: Trx, usuarioId: string, entidadId: string, accion: string, nombre: string) =>
  record(trx, { usuarioId, entidad: 'claveApi', entidadId, accion, datos: { nombre } });
