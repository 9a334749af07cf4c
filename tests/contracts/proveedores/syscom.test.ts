import { expect, test } from 'vitest';
import { explainRechazo } from '~/core/rechazo';
import { addDays, civilDay } from '~/core/time';
import { syscom } from '~/domain/compras/directorio/internal/syscom.server';
import { accesoFijo } from '~/integrations/proveedores/acceso';
import { createSyscomWriter } from '~/integrations/proveedores/syscom/write.server';
import { primero, proveedorContract } from './suite';

const { far, lector, escritor, nuevo, tried } = await proveedorContract(syscom, {
  llaves: { idUsuario: 'cli_demo_0001', secret: 'sec_demo_0001' },
  malas: { idUsuario: 'cli_demo_0001', secret: 'otro' },
  sinPrecio: { sinDistribucion: 'sinDistribucion', cero: 'cero', proyecto: 'proyecto' },
  opciones: { metodoPago: 'transferencia', fletera: 'estafeta' },
  // It takes orders in the other encoding alone, or writes the country the other way.
  niega: ['cuerpo:soloJson', 'cuerpo:soloPartes', 'pais:MÉX'],
  mudo: ['rechazo:html'],
  real: () => createSyscomWriter({ baseUrl: 'https://developers.syscom.mx', acceso: accesoFijo('') }),
  factura: 60,
  leido: [1, '6c0c32fa82fb'],
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

test.each(['objeto', 'lista'])(
  'its ways of payment come as %s, and one that is paid in parts says so',
  async (pagos) => {
    await far.post('/interruptores', { pagos });
    expect(await (await lector()).elecciones!()).toEqual({
      metodoPago: [
        { clave: 'transferencia', nombre: 'Transferencia electrónica' },
        { clave: 'transferencia/ppd', nombre: 'Transferencia electrónica, en parcialidades (PPD)' },
        { clave: 'credito-1/ppd', nombre: 'Crédito, en parcialidades (PPD)' },
      ],
      fletera: [
        { clave: 'estafeta', nombre: 'Estafeta' },
        { clave: 'estafeta_aereo', nombre: 'Estafeta día siguiente' },
      ],
      usoCfdi: [
        { clave: 'G01', nombre: 'Adquisición de mercancía' },
        { clave: 'G03', nombre: 'Gastos en general' },
      ],
    });
    const pedido = await nuevo('TR-000901');
    const alPlazo = { ...pedido, opciones: { ...pedido.opciones, metodoPago: 'credito-1/ppd' } };
    expect((await escritor().crearPedido!(alPlazo)).folio).toMatch(/^576-/);
    const deContado = { ...pedido, opciones: { ...pedido.opciones, metodoPago: 'credito-1' } };
    expect((await tried(escritor().crearPedido!(deContado))).error).toMatchObject({
      message: 'Syscom: Método de pago no válido',
    });
  },
);

test('what is wrong with an order is told by its fields, and not as invalid data alone', async () => {
  await far.post('/interruptores', { pais: 'MÉX' });
  const { error } = await tried(escritor().crearPedido!(await nuevo('TR-000950')));
  expect(error).toMatchObject({ message: 'Syscom: Datos inválidos. direccion: estado o país' });
  expect(explainRechazo(syscom, { palabras: (error as Error).message })).toMatchObject({
    campo: 'Estado del envío',
    remedio: expect.stringContaining('hasta cuatro letras'),
  });
});

test('its invoices are listed from a day on, each with the order it names, and their goods are read one by one', async () => {
  const reader = await lector();
  const [ejemplo] = (await far.get<{ normal: { id: string; existencia: number }[] }>('/ejemplos?n=60')).normal.filter(
    ({ existencia }) => existencia > 0,
  );
  const pedido = await nuevo('TR-001000');
  const { folio } = await escritor().crearPedido!({
    ...pedido,
    lineas: [{ ...pedido.lineas[0]!, idProveedor: ejemplo!.id, cantidad: 1 }],
  });
  await far.post('/reloj', { segundos: 600 });
  const [factura, ...otras] = (await reader.facturasDesde!(addDays(civilDay(new Date()), -366))).filter(
    (una) => una.pedido !== null && folio.startsWith(una.pedido),
  );
  expect([factura?.fecha.length, otras]).toEqual([10, []]);
  expect(await reader.lineasDeFactura!(factura!.folio)).toEqual([{ idProveedor: ejemplo!.id, cantidad: 1 }]);
  expect(await reader.facturasDesde!('2999-01-01')).toEqual([]);
  expect(await reader.lineasDeFactura!('FA26/999999')).toBeNull();
});
