import { sql } from 'kysely';
import { REQUERIDO } from '~/core/fields';
import { NotAllowed } from '~/core/errors';
import { seal, unseal } from '~/core/seal.server';
import { keyring } from '~/platform/connections/credentials.server';
import type { Db } from '~db/client.server';
import { lookAt, recordFailure, takeOwnTry } from '~/domain/personal/internal/intentos.server';
import { verifyPassword } from '~/domain/personal/internal/passwordHash.server';
import { takeCodigo } from './segundoFactor.server';
import type { Prueba } from './forms';
import { noteProof } from './sesiones.server';
import { fingerprint, newToken } from '~/domain/personal/internal/token.server';
import type { Usuario } from '~/core/usuario';

/** How long a form waits for its proof, in seconds. */
const ESPERA_SECONDS = 900;
const CONTEXT = 'porProbar';

type Donde = { ip: string; titulo: string; campo: string };

/**
 * Checks the password of a person who is signed in, before an act that a computer left open must not be able to do. Throws `NotAllowed` for a wrong
 * one; guesses wait longer and longer, and the bitacora tells them. Called outside of any transaction: a refusal that undoes one must not undo the
 * count.
 */
export async function requirePassword(
  db: Db,
  usuario: Pick<Usuario, 'id'>,
  password: string,
  donde: Donde,
): Promise<void> {
  const found = await db.selectFrom('usuario').select('passwordHash').where('id', '=', usuario.id).executeTakeFirst();
  await prove(db, usuario, donde, {
    motivo: 'contraseña actual',
    texto: 'La contraseña actual no es correcta.',
    look: () => verifyPassword(found?.passwordHash, password),
  });
}

/**
 * Checks a password or a code, whichever was given, as `requirePassword` does, and throws like it, or when neither was given. From then on the
 * session counts as proven.
 */
export async function requirePrueba(
  db: Db,
  { usuario, token }: { usuario: Pick<Usuario, 'id'>; token: string },
  { passwordDePrueba, codigoDePrueba }: Prueba,
  ip: string,
): Promise<void> {
  const titulo = 'Error de autenticación.';
  if (codigoDePrueba !== null) {
    await prove(
      db,
      usuario,
      { ip, titulo, campo: 'codigoDePrueba' },
      {
        motivo: 'código de prueba',
        texto: 'El código no es correcto o ya se usó. Espera a que cambie y escribe el nuevo.',
        look: () => takeCodigo(db, usuario.id, codigoDePrueba),
      },
    );
  } else if (passwordDePrueba !== null) {
    await requirePassword(db, usuario, passwordDePrueba, { ip, titulo, campo: 'passwordDePrueba' });
  } else throw new NotAllowed(titulo, REQUERIDO, { campo: 'passwordDePrueba' });
  await noteProof(db, token);
}

async function prove(
  db: Db,
  usuario: Pick<Usuario, 'id'>,
  { ip, titulo, campo }: Donde,
  { motivo, texto, look }: { motivo: string; texto: string; look: () => Promise<boolean> },
): Promise<void> {
  const attempt = await takeOwnTry(db, usuario.id);
  if (!(await lookAt(attempt, look))) {
    await recordFailure(db, usuario.id, { motivo, direccion: ip, fallos: attempt.fallos }, usuario.id);
    throw new NotAllowed(titulo, texto, { campo });
  }
  await attempt.forget();
}

type Campos = [name: string, value: string][];

/**
 * Keeps a sent form until its sender has proven who they are, so that it goes on afterwards as it was. The form may hold passwords and keys: it is
 * sealed, belongs to one session and one screen, and no page carries it. A page has the returned token.
 */
export async function keepPorProbar(db: Db, sesion: string, ruta: string, campos: Campos): Promise<string> {
  const token = newToken();
  await db
    .insertInto('porProbar')
    .values({
      tokenHash: fingerprint(token),
      sesionHash: fingerprint(sesion),
      ruta,
      sellado: seal(keyring(), JSON.stringify(campos), CONTEXT),
      venceEn: sql<Date>`now() + make_interval(secs => ${ESPERA_SECONDS})`,
    })
    .execute();
  return token;
}

/** Returns the form that this session kept under this token for this screen; null when it is gone. */
export async function findPorProbar(db: Db, sesion: string, ruta: string, token: string): Promise<Campos | null> {
  const found = await db
    .selectFrom('porProbar')
    .select('sellado')
    .where('tokenHash', '=', fingerprint(token))
    .where('sesionHash', '=', fingerprint(sesion))
    .where('ruta', '=', ruta)
    .where('venceEn', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return found ? (JSON.parse(unseal(keyring(), found.sellado, CONTEXT).toString('utf8')) as Campos) : null;
}

/** Takes a kept form, so that it goes on once. Returns false when another press took it. */
export async function takePorProbar(db: Db, token: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('porProbar')
    .where('tokenHash', '=', fingerprint(token))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
