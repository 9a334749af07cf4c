import { expect, test } from 'vitest';
import { syscom } from '~/domain/compras/directorio/internal/syscom.server';
import { accesoFijo } from '~/integrations/proveedores/acceso';
import { createSyscomWriter } from '~/integrations/proveedores/syscom/write.server';
import { primero, proveedorContract } from './suite';

const { far, lector } = await proveedorContract(syscom, {
  llaves: { idUsuario: 'cli_demo_0001', secret: 'sec_demo_0001' },
  malas: { idUsuario: 'cli_demo_0001', secret: 'otro' },
  sinPrecio: { sinDistribucion: 'sinDistribucion', cero: 'cero', proyecto: 'proyecto' },
  opciones: { metodoPago: 'transferencia', fletera: 'estafeta' },
  // It takes orders in the other encoding alone, or writes the country the other way.
  niega: ['cuerpo:soloJson', 'cuerpo:soloPartes', 'pais:MÉX'],
  mudo: ['rechazo:html'],
  real: () => createSyscomWriter({ baseUrl: 'https://developers.syscom.mx', acceso: accesoFijo('') }),
  factura: 60,
  leido: [1, '52644b2265c9'],
  renueva: true,
});

test.each(['sinAcento', 'conAcento'])(
  'its leaves are walked from any of them on, their key written %s',
  async (subcategorias) => {
    await far.post('/interruptores', { subcategorias });
    const page = await primero((await lector()).catalogo!(null));
    expect([page.crudos.length > 0, page.sigue]).toEqual([true, '22/201/2011:2']);
    const [last] = [await primero((await lector()).catalogo!('65811/222/2223:1'))];
    expect(last.sigue).toBe('65811/223:1');
    // One that is gone meanwhile: the next one that is left.
    expect((await primero((await lector()).catalogo!('65811/222/2299:7'))).sigue).toBeNull();
  },
);
