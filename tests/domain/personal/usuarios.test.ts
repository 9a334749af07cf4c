import { sql } from 'kysely';
import { beforeEach, expect, test, vi } from 'vitest';
import { readMostrado } from '~/core/choque';
import { NotAllowed, type Stale } from '~/core/errors';
import { isAcceptablePassword } from '~/core/password';
import { assignableRoles, type Rol, type Usuario } from '~/core/usuario';
import { InformacionGeneral, NewUsuario, PasswordPropio } from '~/domain/personal/forms';
import {
  changePassword,
  createUsuario,
  findUsuario,
  setActivo,
  updateOwnInformacion,
  updateUsuario,
  type UsuarioGuardado,
  marcasOfUsuario,
} from '~/domain/personal/usuarios.server';
import { usuariosList } from '~/domain/personal/usuariosList.server';
import { isGuessable } from '~/domain/personal/internal/adivinable.server';
import { testDatabase } from '../../support/db';
import { buildUsuarios } from '../../support/web';

const { db } = testDatabase();
const people = {} as Record<Rol, UsuarioGuardado>;

beforeEach(async () => {
  await db.deleteFrom('sesion').execute();
  // The people of the test before step aside; the audit trail keeps their rows from going.
  await db
    .updateTable('usuario')
    .set({ usuario: sql<string>`'viejo-' || id`, rol: 'aux', activo: false })
    .execute();
  const ids = await buildUsuarios(db);
  const rows = await db.selectFrom('usuario').selectAll().where('id', 'in', Object.values(ids)).execute();
  for (const row of rows) people[row.rol] = row;
});

const listUsuarios = (rol: Rol, q = '') =>
  usuariosList.window(db, usuariosList.parse(new URLSearchParams({ q, deRol: 'sa' }), { rol }), {
    indice: 0,
    total: 100,
    corte: null,
  });
const during = <T>(work: Promise<T>) =>
  work.then(
    () => 'hecho',
    (error: unknown) => (error instanceof NotAllowed ? `${error.titulo} ${error.message}` : Promise.reject(error)),
  );
const change = (actor: Usuario, target: UsuarioGuardado, changes: Partial<UsuarioGuardado>) =>
  during(db.transaction().execute((trx) => updateUsuario(trx, actor, { ...target, ...changes })));
const activate = (actor: Usuario, target: UsuarioGuardado, activo: boolean, version = target.version) =>
  during(db.transaction().execute((trx) => setActivo(trx, actor, { id: target.id, activo, version })));
const add = (actor: Usuario, rol: Rol, usuario = `nuevo-${rol}`) =>
  during(
    db.transaction().execute((trx) =>
      createUsuario(trx, actor, {
        nombre: 'Ana',
        apellidos: 'Paz',
        usuario,
        email: 'ana@ejemplo.mx',
        rol,
        password: 'Segura#12',
      }),
    ),
  );

test('admin sees everyone but sa, and to admin an sa does not exist', async () => {
  expect((await listUsuarios('sa')).map(({ rol }) => rol)).toContain('sa');
  expect((await listUsuarios('admin')).map(({ rol }) => rol)).not.toContain('sa');
  expect(await findUsuario(db, people.admin, people.sa.id)).toBeNull();
  expect(await change(people.admin, people.sa, { nombre: 'Otro' })).toBe(
    'Error de actualización. El usuario no existe.',
  );
  expect(await activate(people.admin, people.sa, false)).toBe('Error de desactivación. El usuario no existe.');
  expect(
    await during(db.transaction().execute((trx) => changePassword(trx, people.admin, people.sa.id, 'Segura#12'))),
  ).toBe('Error de actualización. El usuario no existe.');
});

test('a search finds by any of its words, accents and capitals aside', async () => {
  await change(people.sa, people.user, { nombre: 'Úrsula', apellidos: 'Núñez' });
  expect((await listUsuarios('sa', 'nunez ursula')).map(({ usuario }) => usuario)).toEqual(['user']);
  expect(await listUsuarios('sa', '%')).toEqual([]);
});

test('sa creates any role, admin only admin and user, the others none', async () => {
  expect(assignableRoles(people.sa)).toEqual(['sa', 'admin', 'user', 'aux', 'cont']);
  expect(await add(people.sa, 'sa')).toBe('hecho');
  expect(await add(people.admin, 'user')).toBe('hecho');
  for (const rol of ['sa', 'aux', 'cont'] as const)
    expect(await add(people.admin, rol, 'x')).toBe('Error al agregar. No puedes dar ese rol.');
  expect(await add(people.user, 'user', 'x')).toBe('Error al agregar. No puedes dar ese rol.');
});

test('admin may edit a contador and keep the role, but not give it to another', async () => {
  expect(await change(people.admin, people.cont, { nombre: 'Carmen' })).toBe('hecho');
  expect(await change(people.admin, people.user, { rol: 'cont' })).toBe(
    'Error de actualización. No puedes dar ese rol.',
  );
  expect(await change(people.admin, people.user, { rol: 'sa' })).toBe('Error de actualización. No puedes dar ese rol.');
});

test('nobody changes their own role or deactivates themselves', async () => {
  expect(await change(people.admin, people.admin, { rol: 'user' })).toBe(
    'Error de actualización. Nadie puede cambiar su propio rol.',
  );
  expect(await activate(people.admin, people.admin, false)).toBe(
    'Error de desactivación. Nadie puede desactivarse a sí mismo.',
  );
  await db
    .transaction()
    .execute((trx) => updateOwnInformacion(trx, people.user, { ...people.user, nombre: 'Otra', version: 1 }));
  expect(await findUsuario(db, people.user, people.user.id)).toMatchObject({ nombre: 'Otra', rol: 'user', version: 2 });
});

test('the last active sa stays, also when two take each other out at the same moment', async () => {
  await add(people.sa, 'sa', 'sa2');
  const other = (await listUsuarios('sa', 'sa2'))[0]!;
  const answers = await Promise.all([activate(people.sa, other, false), activate(other, people.sa, false)]);
  expect(answers.sort()).toEqual([
    'Error de desactivación. Es el último Super Usuario activo: nombra a otro antes.',
    'hecho',
  ]);
  const left = await db.selectFrom('usuario').select('id').where('rol', '=', 'sa').where('activo', '=', true).execute();
  expect(left).toHaveLength(1);
});

test('a row that changed since it was read is not overwritten', async () => {
  expect(await change(people.sa, people.user, { nombre: 'Primera' })).toBe('hecho');
  expect(await change(people.sa, people.user, { nombre: 'Segunda' })).toBe(
    'Error de actualización. Otra persona modificó este registro. Nombre: aquí «Segunda», ahora «Primera». Revísalo y vuelve a presionar el botón.',
  );
  expect(await activate(people.sa, people.user, false)).toContain('Primera');
  expect((await findUsuario(db, people.sa, people.user.id))?.nombre).toBe('Primera');
});

test('a password is changed for who the screen showed, and both are told when that moved', async () => {
  const antes = (await findUsuario(db, people.sa, people.user.id))!;
  const visto = { version: antes.version, mostrado: readMostrado(marcasOfUsuario(antes).mostrado) };
  expect(await change(people.sa, antes, { nombre: 'Renombrada' })).toBe('hecho');
  const cambiar = (como: typeof visto) =>
    db.transaction().execute((trx) => changePassword(trx, people.sa, people.user.id, 'Montaña#42', como));
  const refused = (await cambiar(visto).catch((error: unknown) => error)) as Stale;
  expect(refused.choque.cambios).toEqual([{ campo: 'Nombre', mio: antes.nombre, suyo: 'Renombrada' }]);
  const { version, mostrado } = refused.choque.marcas as { version: number; mostrado: string };
  await cambiar({ version, mostrado: readMostrado(mostrado) });
  // Only the password moved since.
  await expect(cambiar({ version, mostrado: readMostrado(mostrado) })).rejects.toThrow(
    'Contraseña: aquí «la de antes»',
  );
});

test('two users cannot share a name, whatever its capitals', async () => {
  expect(await add(people.sa, 'user', 'ADMIN')).toBe(
    'Error al agregar. Ya existe un usuario con ese nombre de usuario.',
  );
  expect(await change(people.sa, people.user, { usuario: 'Admin' })).toBe(
    'Error de actualización. Ya existe un usuario con ese nombre de usuario.',
  );
});

test.each(['Trastienda#1', 'Contraseña#1', 'Admin#2026', 'Qwerty#123'])(
  'the password %s is refused where users are added and where passwords change',
  async (password) => {
    const facil = /^Error .+\. Esta contraseña es fácil de adivinar\./;
    const nuevo = {
      nombre: 'A',
      apellidos: 'B',
      usuario: 'Admin',
      email: 'a@ejemplo.mx',
      rol: 'user',
      password,
    } as const;
    expect(await during(db.transaction().execute((trx) => createUsuario(trx, people.sa, nuevo)))).toMatch(facil);
    expect(
      await during(db.transaction().execute((trx) => changePassword(trx, people.sa, people.admin.id, password))),
    ).toMatch(facil);
  },
);

test('every change is in the audit trail, with who and what and no secrets', async () => {
  await add(people.sa, 'user', 'auditada');
  const target = (await listUsuarios('sa', 'auditada'))[0]!;
  await change(people.sa, target, { rol: 'admin', email: 'nueva@ejemplo.mx' });
  await during(db.transaction().execute((trx) => changePassword(trx, people.sa, target.id, 'Secreta#12')));
  await activate(people.sa, target, false, 3);
  await activate(people.sa, target, true, 4);
  const trail = await db
    .selectFrom('bitacora')
    .select(['usuarioId', 'accion', 'datos'])
    .where('entidad', '=', 'usuario')
    .where('entidadId', '=', target.id)
    .orderBy('id')
    .execute();
  expect(trail.map(({ accion }) => accion)).toEqual(['crear', 'modificar', 'cambiarPassword', 'desactivar', 'activar']);
  expect(new Set(trail.map(({ usuarioId }) => usuarioId))).toEqual(new Set([people.sa.id]));
  expect(trail[1]!.datos).toEqual({ cambios: ['email', 'rol'], de: 'user', a: 'admin' });
  expect(JSON.stringify(trail)).not.toMatch(/Secreta#12|argon2/);
});

test.each([
  ['Segura#12', true],
  ['Aa1#aaaa', true],
  ['Ñandú#12x', true],
  ['Aa1#aaaaaaaaaaaa', true],
  ['Aa1#aaa', false],
  ['Aa1#aaaaaaaaaaaaa', false],
  ['segura#12', false],
  ['SEGURA#12', false],
  ['Segura##x', false],
  ['Segura123', false],
  ['Segura #12', false],
  ['', false],
])('the password %j is acceptable: %s', (password, acceptable) => {
  expect(isAcceptablePassword(password)).toBe(acceptable);
});

test.each([
  ['1qaz!QAZ', true],
  ['zaq1ZAQ!', true],
  ['vfr4BGT%nhy6', true],
  ['!QAZ2wsx', true],
  ['P@ssw0rd!23', true],
  ['iloveyou1A!', true],
  ['Xk9#mQ2v', false],
  ['Cafe&Lluvia7', false],
])(
  'a walk over keys or a leaked password is easy to guess, whatever signs it has: %s %s',
  async (password, guessable) => {
    expect(await isGuessable(password, ['Trastienda'])).toBe(guessable);
  },
);

test('a long password is read in bounded time', async () => {
  const began = performance.now();
  await isGuessable('P@55w0rd'.repeat(16), []);
  expect(performance.now() - began).toBeLessThan(1_500);
});

test('the ceiling of a password is a setting', async () => {
  vi.stubEnv('PASSWORD_MAX', '32');
  vi.resetModules();
  const { isAcceptablePassword: longer, PASSWORD_RULE } = await import('~/core/password');
  vi.unstubAllEnvs();
  expect([longer(`Aa1#${'a'.repeat(28)}`), longer(`Aa1#${'a'.repeat(29)}`)]).toEqual([true, false]);
  expect(PASSWORD_RULE).toContain('De 8 a 32 caracteres');
});

test('forms say what was agreed', () => {
  const messages = (result: { success: boolean; error?: { issues: { path: PropertyKey[]; message: string }[] } }) =>
    Object.fromEntries(result.error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? []);
  expect(
    messages(
      InformacionGeneral.safeParse({ nombre: ' ', apellidos: 'Paz', usuario: 'ana', email: 'ana@ejemplo', version: 1 }),
    ),
  ).toEqual({ nombre: 'Este dato es requerido', email: 'Email No Valido' });
  expect(
    messages(PasswordPropio.safeParse({ version: 1, passwordActual: 'x', password: 'corta', confirmar: 'corta' })),
  ).toEqual({
    password: 'La contraseña no conincide con los requisitos minimos',
  });
  expect(
    messages(
      PasswordPropio.safeParse({ version: 1, passwordActual: 'x', password: 'Segura#12', confirmar: 'Segura#13' }),
    ),
  ).toEqual({
    confirmar: 'Esta contraseña no coincide con la anterior.',
  });
  expect(
    messages(
      NewUsuario.safeParse({
        nombre: 'Ana',
        apellidos: 'Paz',
        usuario: 'ana',
        email: 'ana@ejemplo.mx',
        rol: 'user',
        password: 'Segura#12',
        confirmar: 'otra',
      }),
    ),
  ).toEqual({ confirmar: 'Este password no coincide con el anterior.' });
});
