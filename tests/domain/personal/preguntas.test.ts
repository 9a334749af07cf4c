import { expect, test } from 'vitest';
import {
  askChangeEstatusDeEmpresa,
  askChangeEstatus,
  askChangePassword,
  askSaveInformacion,
  askRenewCodigos,
  askRemoveSegundoFactor,
  askRemoveSegundoFactorOf,
} from '~/domain/personal/questions';
import type { Usuario } from '~/core/usuario';

const ANA: Usuario & { sesiones: number } = {
  id: 'x',
  usuario: 'ana',
  nombre: 'Ana',
  apellidos: 'Ruiz',
  email: 'ana@tienda.mx',
  rol: 'user',
  activo: true,
  sesiones: 2,
};

test('what changes of a person is told, and whom it signs out', () => {
  const { id: _, sesiones: __, ...datos } = ANA;
  const hechos = (despues: object) => askSaveInformacion(ANA, { ...datos, ...despues }, ANA).hechos;
  expect(hechos({ nombre: ' Ana ' })).toBe('No cambia ningún dato.');
  expect(hechos({ nombre: 'Anna', email: '' })).toBe('Nombre: de Ana a Anna. Email: de ana@tienda.mx a —.');
  expect(hechos({ rol: 'admin' })).toBe('Rol: de Usuario a Administrador. Se cierran 2 sesiones.');
  // The field of one's own role is not sent.
  expect(hechos({ rol: undefined })).toBe('No cambia ningún dato.');
});

test('a password, a status and a second factor that is taken away tell how many sessions end', () => {
  expect(askChangePassword('ana', { sesiones: 1, propia: false }).hechos).toBe('Usuario ana. Se cierra 1 sesión.');
  expect(askChangePassword('ana', { sesiones: 3, propia: true }).hechos).toBe(
    'Usuario ana. Se cierran 2 sesiones en otro lugar. Esta sigue abierta.',
  );
  expect(askChangePassword('ana', { sesiones: 1, propia: true }).hechos).toBe(
    'Usuario ana. No hay otra sesión en otro lugar. Esta sigue abierta.',
  );
  expect(askChangeEstatus(ANA, false).hechos).toBe('ana · Ana Ruiz · Usuario. Se cierran 2 sesiones.');
  expect(askChangeEstatus({ ...ANA, sesiones: 0 }, false).hechos).toBe(
    'ana · Ana Ruiz · Usuario. No hay sesiones abiertas.',
  );
  expect(askChangeEstatus(ANA, true).hechos).toContain('Vuelve a entrar con su contraseña de antes.');
  expect(askRemoveSegundoFactorOf(ANA)).toMatchObject({
    hechos: expect.stringContaining('2 sesiones'),
    destruye: true,
  });
});

test('recovery codes that stop working are counted', () => {
  const estado = { confirmadoEn: '2026-11-03T18:00:00Z', quedan: 7 };
  expect(askRenewCodigos(estado).hechos).toBe('Se hacen 10 códigos. 7 códigos sin usar dejan de servir.');
  expect(askRemoveSegundoFactor(estado)).toMatchObject({
    hechos: 'Activa desde el 03/11/2026. 7 códigos sin usar dejan de servir.',
    destruye: true,
  });
});

test('of a company that is an integration, how much waits for it', () => {
  const empresa = { nombre: 'CVA', activo: true, conexion: null, enEspera: 0 };
  expect(askChangeEstatusDeEmpresa(empresa).hechos).toBe('Estatus: de Activa a Inactiva.');
  expect(askChangeEstatusDeEmpresa({ ...empresa, conexion: 'facturacom', enEspera: 3 }).hechos).toBe(
    'Estatus: de Activa a Inactiva. 3 solicitudes en espera.',
  );
});
