import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node';
import { beforeEach, expect, test } from 'vitest';
import { sql } from 'kysely';
import { authenticate } from '~/domain/personal/signIn.server';
import type { Rol, Usuario } from '~/core/usuario';
import { action as usuarios } from '~/routes/personal/usuarios/lista';
import { action as perfil } from '~/routes/personal/cuenta/datosUsuario';
import { testDatabase } from '../support/db';
import { PROBADA } from '../support/sesion';
import { buildUsuarios, PASSWORD } from '../support/web';

const { db } = testDatabase();
const NUEVA = 'Lluvia&Cobre73';
let ids: Record<Rol, string>;

beforeEach(async () => {
  await db.deleteFrom('espera').execute();
  await db
    .updateTable('usuario')
    .set({ usuario: sql<string>`'viejo-' || id`, rol: 'aux', activo: false })
    .execute();
  ids = await buildUsuarios(db);
});

type Screen = typeof perfil;

async function send(screen: Screen, fields: Record<string, string>) {
  const usuario = { id: ids.sa, rol: 'sa', usuario: 'sa' } as Usuario;
  const body = new URLSearchParams({
    intent: 'password',
    password: NUEVA,
    confirmar: NUEVA,
    confirmado: '1',
    version: '1',
    ...fields,
  });
  const args: ActionFunctionArgs = {
    request: new Request('http://trastienda.test/sa/x', { method: 'POST', body }),
    params: {},
    context: { ip: '10.0.0.1', requestId: 'r', usuario, sesion: PROBADA } as unknown as AppLoadContext,
  };
  const answer = await screen(args);
  return 'init' in answer ? { status: answer.init?.status, error: answer.data.error } : { status: answer.status };
}
const enters = (usuario: string, password: string) =>
  authenticate(db, { usuario, password, ip: '10.0.0.2' }).then(
    () => true,
    () => false,
  );

test.each([
  ['profile', perfil, () => ({})],
  ['screen of users', usuarios, () => ({ id: ids.sa })],
])('in the %s one changes the own password by knowing the current one', async (_where, screen, about) => {
  const falta = await send(screen, about());
  expect(falta).toEqual({ status: 422, error: { passwordActual: ['Este dato es requerido'] } });
  expect(await send(screen, { ...about(), passwordActual: 'Otra#12345' })).toEqual({
    status: 422,
    error: { passwordActual: ['La contraseña actual no es correcta.'] },
  });
  expect(await enters('sa', PASSWORD)).toBe(true);
  expect(await send(screen, { ...about(), passwordActual: PASSWORD })).toEqual({ status: 302 });
  expect(await enters('sa', NUEVA)).toBe(true);
});

test('another’s password is changed without it', async () => {
  expect(await send(usuarios, { id: ids.user })).toEqual({ status: 302 });
  expect(await enters('user', NUEVA)).toBe(true);
});

test('whoever finds a computer left open guesses five times, and the bitacora tells', async () => {
  const tries = [];
  for (let at = 0; at < 6; at += 1) tries.push((await send(perfil, { passwordActual: `Otra#1234${at}` })).status);
  expect(tries).toEqual([422, 422, 422, 422, 422, 429]);
  expect((await send(perfil, { passwordActual: PASSWORD })).status).toBe(429);
  const told = await db
    .selectFrom('bitacora')
    .select(['usuarioId', 'datos'])
    .where('entidadId', '=', ids.sa)
    .where('accion', '=', 'rechazar')
    .execute();
  expect(told).toHaveLength(5);
  expect(told[0]).toMatchObject({
    usuarioId: ids.sa,
    datos: { motivo: 'contraseña actual', direccion: '10.0.0.1' },
  });
});
