import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import { beforeEach, expect, test } from 'vitest';
import { parseKeyring, sealedWith } from '~/core/seal.server';
import { keyring } from '~/platform/connections/credentials.server';
import { findDispositivo, rememberDispositivo } from '~/domain/personal/dispositivos.server';
import { authenticate, findEntrada, passCodigo, passRecuperacion, startEntrada } from '~/domain/personal/signIn.server';
import { findPorProbar, keepPorProbar, requirePassword, takePorProbar } from '~/domain/personal/prueba.server';
import {
  confirmSegundoFactor,
  dropOwnSegundoFactor,
  dropSegundoFactor,
  readNuevo,
  readSegundoFactor,
  renewCodigos,
  resealSegundoFactor,
  startSegundoFactor,
  takeCodigo,
  takeRecuperacion,
} from '~/domain/personal/segundoFactor.server';
import { openSession, readSession } from '~/domain/personal/sesiones.server';
import type { Rol, Usuario } from '~/core/usuario';
import { changePassword } from '~/domain/personal/usuarios.server';
import type { Trx } from '~db/client.server';
import { testDatabase } from '../../support/db';
import { buildUsuarios, PASSWORD } from '../../support/web';

const { db } = testDatabase();
let ids: Record<Rol, string>;

beforeEach(async () => {
  for (const table of ['espera', 'rateLimit'] as const) await db.deleteFrom(table).execute();
  await db
    .updateTable('usuario')
    .set({ usuario: sql<string>`'viejo-' || id`, rol: 'aux', activo: false })
    .execute();
  ids = await buildUsuarios(db);
});

const who = (rol: Rol) => ({ id: ids[rol], usuario: rol, rol }) as Usuario;
const within = <T>(run: (trx: Trx) => Promise<T>) => db.transaction().execute(run);
/** What the telephone shows, `steps` of thirty seconds from now. */
const codeOf = (secreto: string, steps = 0) =>
  TOTP.generate({ secret: Secret.fromBase32(secreto), timestamp: Date.now() + steps * 30_000 });

/** A second factor in use: its secret, its recovery codes and the session it was made in. Its step is given back. */
async function activated(rol: Rol) {
  const token = await within((trx) => openSession(trx, { id: ids[rol] }, true));
  await within((trx) => startSegundoFactor(trx, who(rol)));
  const { secreto } = (await readNuevo(db, who(rol)))!;
  const codigos = await within((trx) => confirmSegundoFactor(trx, who(rol), token, codeOf(secreto)));
  await db.updateTable('segundoFactor').set({ ultimoPaso: 0 }).where('usuarioId', '=', ids[rol]).execute();
  return { secreto, codigos, token };
}
const enters = (usuario: string, { ip = '10.0.0.1', password = PASSWORD, dispositivo = null as string | null } = {}) =>
  authenticate(db, { usuario, password, ip, dispositivo });
async function entradaOf(rol: Rol) {
  const found = await findEntrada(db, await startEntrada(db, await enters(rol), true));
  return found!;
}
const AQUI = { ip: '10.0.0.1', dispositivo: null };
const said = (asked: Promise<unknown>) =>
  asked.then(
    () => 'bien',
    (error: Error) => error.message,
  );

test('it counts from its first code on, and ends every other session and known browser of that person', async () => {
  const [own, other] = await within(async (trx) => [
    await openSession(trx, { id: ids.sa }, true),
    await openSession(trx, { id: ids.sa }, true),
  ]);
  const known = await within((trx) => rememberDispositivo(trx, ids.sa, null));
  await within((trx) => startSegundoFactor(trx, who('sa')));
  const { secreto, uri } = (await readNuevo(db, who('sa')))!;
  expect(uri).toContain(`otpauth://totp/Trastienda:sa?issuer=Trastienda&secret=${secreto}`);
  expect((await enters('sa')).faltaCodigo).toBe(false);
  await expect(within((trx) => confirmSegundoFactor(trx, who('sa'), own, '000000'))).rejects.toMatchObject({
    campo: 'codigo',
  });

  const codigos = await within((trx) => confirmSegundoFactor(trx, who('sa'), own, codeOf(secreto)));
  expect(new Set(codigos).size).toBe(10);
  expect((await enters('sa')).faltaCodigo).toBe(true);
  expect((await readSession(db, own))?.segundoFactorEn).toBeInstanceOf(Date);
  expect(await readSession(db, other)).toBeNull();
  expect(await findDispositivo(db, known, 'sa')).toBeUndefined();
  expect(await readNuevo(db, who('sa'))).toBeNull();
});

test('a secret that waited a quarter of an hour is none any more', async () => {
  await within((trx) => startSegundoFactor(trx, who('sa')));
  const { secreto } = (await readNuevo(db, who('sa')))!;
  await db
    .updateTable('segundoFactor')
    .set({ nuevoEn: sql<Date>`now() - interval '16 minutes'` })
    .where('usuarioId', '=', ids.sa)
    .execute();
  expect(await readNuevo(db, who('sa'))).toBeNull();
  await expect(within((trx) => confirmSegundoFactor(trx, who('sa'), 'x', codeOf(secreto)))).rejects.toThrow('venció');
});

test('secret and recovery codes are nowhere in the database as they are', async () => {
  const { secreto, codigos } = await activated('sa');
  const { rows } = await sql<{ all: string }>`select (select string_agg(s::text, ' ') from segundo_factor s)
    || (select string_agg(c::text, ' ') from codigo_recuperacion c) || (select string_agg(b::text, ' ') from bitacora b) as all`.execute(
    db,
  );
  for (const text of [secreto, ...codigos, ...[secreto, ...codigos].map((one) => Buffer.from(one).toString('hex'))])
    expect(rows[0]!.all).not.toContain(text);
});

test('a session that did not show it opens nothing once there is one', async () => {
  await activated('admin');
  const token = await within((trx) => openSession(trx, { id: ids.admin }, true));
  expect(await readSession(db, token)).toBeNull();
  const shown = await within((trx) => openSession(trx, { id: ids.admin }, true, 'ahora'));
  expect((await readSession(db, shown))?.usuario.rol).toBe('admin');
});

test('a code of now, a step before or after it opens once, and no older one after it', async () => {
  const { secreto } = await activated('sa');
  expect(await takeCodigo(db, ids.sa, codeOf(secreto, 3))).toBe(false);
  expect(await takeCodigo(db, ids.sa, codeOf(secreto, -3))).toBe(false);
  expect(await takeCodigo(db, ids.sa, codeOf(secreto))).toBe(true);
  expect(await takeCodigo(db, ids.sa, codeOf(secreto))).toBe(false);
  expect(await takeCodigo(db, ids.sa, codeOf(secreto, -1))).toBe(false);
  expect(await takeCodigo(db, ids.sa, codeOf(secreto, 1))).toBe(true);
});

test('the same code sent twice at once opens one time', async () => {
  const { secreto } = await activated('sa');
  const codigo = codeOf(secreto);
  const taken = await Promise.all(Array.from({ length: 6 }, () => takeCodigo(db, ids.sa, codigo)));
  expect(taken.filter(Boolean)).toHaveLength(1);
});

test('a recovery code opens once, of its owner alone, and says how many are left', async () => {
  const { codigos } = await activated('sa');
  await activated('admin');
  expect(await takeRecuperacion(db, ids.admin, codigos[0]!)).toBeNull();
  expect(await takeRecuperacion(db, ids.sa, codigos[0]!)).toBe(9);
  expect(await takeRecuperacion(db, ids.sa, codigos[0]!)).toBeNull();
  const nuevos = await within((trx) => renewCodigos(trx, who('sa')));
  expect(await takeRecuperacion(db, ids.sa, codigos[1]!)).toBeNull();
  expect(await takeRecuperacion(db, ids.sa, nuevos[1]!)).toBe(9);
});

test('guesses of a code count on from those of the password, and a right password between them forgets nothing', async () => {
  const { secreto } = await activated('sa');
  for (let at = 0; at < 3; at += 1) await said(enters('sa', { password: 'Otra#12345' }));
  const tries = [];
  for (let at = 0; at < 3; at += 1)
    tries.push(await said(entradaOf('sa').then((e) => passCodigo(db, e, '000000', AQUI))));
  expect(tries).toEqual([
    expect.stringContaining('El código no es correcto'),
    expect.stringContaining('El código no es correcto'),
    expect.stringContaining('Demasiados intentos'),
  ]);
  await db
    .updateTable('espera')
    .set({ abreEn: sql<Date>`now()` })
    .execute();
  await passCodigo(db, await entradaOf('sa'), codeOf(secreto), AQUI);
  expect(await db.selectFrom('espera').selectAll().execute()).toEqual([]);
  const told = await db
    .selectFrom('bitacora')
    .select('datos')
    .where('entidadId', '=', ids.sa)
    .where('accion', '=', 'rechazar')
    .execute();
  expect(told.map(({ datos }) => (datos as { motivo: string }).motivo)).toEqual([
    ...Array<string>(3).fill('contraseña'),
    'código',
    'código',
  ]);
});

test('a wrong recovery code counts like a wrong code', async () => {
  await activated('sa');
  for (let at = 0; at < 5; at += 1)
    await said(entradaOf('sa').then((e) => passRecuperacion(db, e, 'AAAABBBBCCCCDDDD', AQUI)));
  expect(await said(enters('sa'))).toContain('Demasiados intentos');
});

test('a browser that is to be remembered gives no code for thirty days, and for its person alone', async () => {
  await activated('sa');
  await activated('admin');
  const token = await within((trx) => rememberDispositivo(trx, ids.sa, null, { conCodigo: true }));
  expect(await enters('sa', { dispositivo: token })).toMatchObject({
    faltaCodigo: false,
    segundoFactorEn: expect.any(Date),
  });
  expect((await enters('admin', { dispositivo: token })).faltaCodigo).toBe(true);
  const plain = await within((trx) => rememberDispositivo(trx, ids.sa, null));
  expect((await enters('sa', { dispositivo: plain })).faltaCodigo).toBe(true);
  const next = await within((trx) => rememberDispositivo(trx, ids.sa, token));
  expect((await enters('sa', { dispositivo: next })).faltaCodigo).toBe(false);
  await db
    .updateTable('dispositivo')
    .set({ codigoEn: sql<Date>`now() - interval '31 days'` })
    .execute();
  expect((await enters('sa', { dispositivo: next })).faltaCodigo).toBe(true);
});

test('a password that waits for its code ends with a change of that person, and after ten minutes', async () => {
  await activated('sa');
  const token = await startEntrada(db, await enters('sa'), false);
  expect(await findEntrada(db, token)).toMatchObject({ usuario: 'sa', recordar: false });
  await db
    .updateTable('entrada')
    .set({ venceEn: sql<Date>`now()` })
    .execute();
  expect(await findEntrada(db, token)).toBeNull();
  const other = await startEntrada(db, await enters('sa'), false);
  await within((trx) => changePassword(trx, null, ids.sa, 'Lluvia&Cobre73'));
  expect(await findEntrada(db, other)).toBeNull();
});

test('an sa takes it away from who lost their telephone, and that is told', async () => {
  const { token } = await activated('admin');
  await expect(within((trx) => dropSegundoFactor(trx, who('admin'), ids.admin))).rejects.toThrow('Editar Datos');
  expect(await within((trx) => dropSegundoFactor(trx, who('sa'), ids.admin))).toBe(true);
  expect(await within((trx) => dropSegundoFactor(trx, who('sa'), ids.admin))).toBe(false);
  expect(await readSession(db, token)).toBeNull();
  expect((await enters('admin')).faltaCodigo).toBe(false);
  expect(await db.selectFrom('codigoRecuperacion').selectAll().where('usuarioId', '=', ids.admin).execute()).toEqual(
    [],
  );
  const told = await db
    .selectFrom('bitacora')
    .select(['accion', 'usuarioId'])
    .where('entidadId', '=', ids.admin)
    .where('accion', 'like', '%SegundoFactor')
    .orderBy('id')
    .execute();
  expect(told).toEqual([
    { accion: 'activarSegundoFactor', usuarioId: ids.admin },
    { accion: 'quitarSegundoFactor', usuarioId: ids.sa },
  ]);
});

test('a new telephone takes over with its first code; until then the old one serves', async () => {
  const { secreto, token } = await activated('sa');
  await within((trx) => startSegundoFactor(trx, who('sa')));
  expect(await takeCodigo(db, ids.sa, codeOf(secreto))).toBe(true);
  const { secreto: nuevo } = (await readNuevo(db, who('sa')))!;
  await within((trx) => confirmSegundoFactor(trx, who('sa'), token, codeOf(nuevo)));
  expect(await takeCodigo(db, ids.sa, codeOf(secreto, 1))).toBe(false);
  expect(await takeCodigo(db, ids.sa, codeOf(nuevo, 1))).toBe(true);
});

test('the secrets are sealed anew with the first key of the ring', async () => {
  const { secreto } = await activated('sa');
  const old = keyring();
  const text = `nueva:${Buffer.alloc(32, 7).toString('base64')},${[...old.keys].map(([id, key]) => `${id}:${key.toString('base64')}`).join(',')}`;
  const both = parseKeyring(text);
  const alive = Number(
    (
      await db
        .selectFrom('segundoFactor')
        .select(sql<number>`count(*)::int`.as('n'))
        .where('sellado', 'is not', null)
        .executeTakeFirstOrThrow()
    ).n,
  );
  expect([await resealSegundoFactor(db, both), await resealSegundoFactor(db, both)]).toEqual([alive, 0]);
  const { sellado } = await db
    .selectFrom('segundoFactor')
    .select('sellado')
    .where('usuarioId', '=', ids.sa)
    .executeTakeFirstOrThrow();
  expect(sealedWith(sellado!)).toBe('nueva');
  expect(await resealSegundoFactor(db, { ...both, current: old.current })).toBe(alive);
  expect(await takeCodigo(db, ids.sa, codeOf(secreto))).toBe(true);
});

test('what waits for a proof is sealed, belongs to one session and screen, and goes on once', async () => {
  const [own, other] = await within(async (trx) => [
    await openSession(trx, { id: ids.user }, true),
    await openSession(trx, { id: ids.user }, true),
  ]);
  const token = await keepPorProbar(db, own, '/sa/usuarios', [['password', 'Lluvia&Cobre73']]);
  const { sellado } = await db.selectFrom('porProbar').select('sellado').executeTakeFirstOrThrow();
  expect(sellado.toString('utf8')).not.toContain('Lluvia');
  expect(await findPorProbar(db, other, '/sa/usuarios', token)).toBeNull();
  expect(await findPorProbar(db, own, '/sa/tokens', token)).toBeNull();
  expect(await findPorProbar(db, own, '/sa/usuarios', token)).toEqual([['password', 'Lluvia&Cobre73']]);
  expect(await Promise.all([takePorProbar(db, token), takePorProbar(db, token)]).then((took) => took.sort())).toEqual([
    false,
    true,
  ]);
});

test('whoever has none proves it with the password; a wrong one counts with those of the profile', async () => {
  const at = { ip: '10.0.0.1', titulo: 'x', campo: 'passwordDePrueba' };
  for (let one = 0; one < 5; one += 1) await said(requirePassword(db, who('user'), 'Otra#12345', at));
  expect(await said(requirePassword(db, who('user'), PASSWORD, at))).toContain('Demasiados intentos');
});

test('who never had one has nothing to read, to drop or to renew', async () => {
  expect(await readSegundoFactor(db, who('user'))).toEqual({ confirmadoEn: null, quedan: 0, obligado: false });
  await within((trx) => dropOwnSegundoFactor(trx, who('user')));
  await expect(within((trx) => renewCodigos(trx, who('user')))).rejects.toThrow('No tienes');
});
