/**
 * `npm run usuario -- --usuario ana --rol sa --nombre Ana --apellidos López --email ana@ejemplo.mx` creates a user.
 * When the user exists, the command sets a new password instead; with `--quitar-segundo-factor` the command removes the
 * second factor, for a person who lost telephone and recovery codes. `--primera` writes the code of the page that makes the
 * first person, and nothing once somebody exists. The password comes from USUARIO_PASSWORD or from a
 * prompt, never from the command line.
 */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { directUrlOf, env } from '~/core/env.server';
import { NotAllowed } from '~/core/errors';
import { isAcceptablePassword, PASSWORD_RULE } from '~/core/password';
import { offerPrimera } from '~/domain/personal/primeraPersona.server';
import { dropSegundoFactor } from '~/domain/personal/segundoFactor.server';
import { parseRol, ROLES } from '~/core/usuario';
import { NewUsuario } from '~/domain/personal/forms';
import { changePassword, createUsuario } from '~/domain/personal/usuarios.server';
import { type Db, openDatabase } from '~db/client.server';
import { requireSettings } from './requireSettings';

const option = { type: 'string' } as const;

class Complaint extends Error {}

async function main(db: Db): Promise<string> {
  const { values } = parseArgs({
    options: {
      usuario: option,
      rol: option,
      nombre: option,
      apellidos: option,
      email: option,
      'quitar-segundo-factor': { type: 'boolean' },
      primera: { type: 'boolean' },
    },
  });
  if (values.primera) {
    const primera = await offerPrimera(db);
    if (!primera) return '';
    const { codigo, minutos } = primera;
    return `Nadie puede entrar todavía. Abre ${env().APP_URL}/login/primera y escribe este código, que dura ${minutos} minutos: ${codigo}`;
  }
  if (!values.usuario) throw new Complaint('Falta --usuario.');
  const login = values.usuario;
  const existing = await db
    .selectFrom('usuario')
    .select(['id', 'activo'])
    .where(sql<string>`lower(usuario)`, '=', login.toLowerCase())
    .executeTakeFirst();
  if (values['quitar-segundo-factor']) {
    if (!existing) throw new Complaint(`No hay un usuario ${login}.`);
    const had = await db.transaction().execute((trx) => dropSegundoFactor(trx, null, existing.id));
    return had
      ? `${login} ya no tiene verificación en dos pasos y sus sesiones terminaron.`
      : `${login} no tenía verificación en dos pasos.`;
  }
  if (existing) {
    const password = await readPassword(`Contraseña nueva de ${login}: `);
    await db.transaction().execute((trx) => changePassword(trx, null, existing.id, password));
    return `La contraseña de ${login} cambió y sus sesiones terminaron.${existing.activo ? '' : ' Está desactivado: un Super Usuario puede activarlo.'}`;
  }
  const rol = parseRol(values.rol ?? '');
  if (!rol) throw new Complaint(`Falta --rol: ${ROLES.join(', ')}.`);
  const password = await readPassword(`Contraseña de ${login}: `);
  const nuevo = NewUsuario.safeParse({
    usuario: login,
    rol,
    nombre: values.nombre ?? login,
    apellidos: values.apellidos ?? '-',
    email: values.email ?? '',
    password,
    confirmar: password,
  });
  if (!nuevo.success)
    throw new Complaint(nuevo.error.issues.map((issue) => `--${issue.path.join('.')}: ${issue.message}`).join('\n'));
  await db.transaction().execute((trx) => createUsuario(trx, null, nuevo.data));
  return `Usuario ${login} (${rol}) creado.`;
}

async function readPassword(question: string): Promise<string> {
  const password = process.env.USUARIO_PASSWORD ?? (await ask(question));
  if (!isAcceptablePassword(password)) throw new Complaint(`Esa contraseña no sirve. ${PASSWORD_RULE}`);
  return password;
}

/** Reads a line: from a terminal without an echo, from a pipe its first line. */
async function ask(question: string): Promise<string> {
  const terminal = process.stdin.isTTY === true;
  if (terminal) process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal });
  try {
    return await new Promise<string>((resolve) => {
      lines.once('line', resolve);
      lines.once('close', () => resolve(''));
    });
  } finally {
    lines.close();
    if (terminal) process.stderr.write('\n');
  }
}

const database = openDatabase(directUrlOf(requireSettings()), { max: 2, name: 'trastienda-usuario' });
try {
  const said = await main(database.db);
  if (said !== '') console.log(said);
} catch (error) {
  if (!(error instanceof Complaint) && !(error instanceof NotAllowed)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await database.close();
}
