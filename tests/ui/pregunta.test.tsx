import { renderToStaticMarkup } from 'react-dom/server';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router-dom/server';
import { expect, test } from 'vitest';
import type { PendingConfirmation } from '~/core/submission';
import { askRevokeEnlace } from '~/routes/facturacion/enlaces/questions';
import { removeFactura } from '~/routes/compras/facturas/textos';
import { escritoOf, askSaveCliente } from '~/routes/facturacion/receptores/questions';
import { askCancelRepetida, questionOf } from '~/routes/operacion/pendientes/questions';
import { ConfirmStep } from '~/ui/Confirm';

/** As a browser without JavaScript gets it. */
async function page(pending: PendingConfirmation): Promise<string> {
  const routes = [{ path: '*', element: <ConfirmStep pending={pending} cancelar="?" /> }];
  const context = await createStaticHandler(routes).query(new Request('http://trastienda.test/sa/x'));
  if (context instanceof Response) throw context;
  return renderToStaticMarkup(
    <StaticRouterProvider router={createStaticRouter(routes, context)} context={context} hydrate={false} />,
  );
}

test('a question as a page says what will happen, and is red where a record goes', async () => {
  const factura = {
    folio: 'A-1',
    monto: '1160',
    proveedorLabel: 'SYSCOM',
    numOrden: '2000',
    vendidaEn: '2026-11-03T18:00:00Z',
    cfdiId: 'x',
  };
  const html = await page({ ...removeFactura(factura), campos: [['intent', 'eliminarFactura']] });
  expect(html).toContain('SYSCOM · $1,160.00 · orden 2000. Cambia la ganancia de la orden 2000');
  expect(html).toContain('El XML de la factura no cambia.');
  expect(/<button[^>]*>Si</.exec(html)?.[0]).toContain('data-tono="mal"');
  // Nothing that acts takes the keyboard.
  expect(html).not.toContain('autofocus');

  const enlace = {
    numOrden: '2000',
    creadoEn: '2026-11-03T18:00:00Z',
    creadoPor: 'Ana',
    venceEn: '2026-11-10T18:00:00Z',
    usos: 1,
  };
  const revocar = await page({ ...askRevokeEnlace(enlace), campos: [] });
  expect(revocar).toContain('Orden 2000 · creado el 03/11/2026 12:00 por Ana · vence el 10/11/2026 · usado 1 vez');
  expect(/<button[^>]*>Si</.exec(revocar)?.[0]).toContain('data-tono="acento"');
});

test('a client that is corrected tells each datum before and after, and what keeps the old ones', () => {
  const cliente = {
    razonSocial: 'ESCUELA KEMPER URGATE',
    cp: '01000',
    regimen: '601',
    nombre: null,
    apellidos: null,
    telefono: null,
    colonia: 'Centro',
    calle: null,
    numeroExterior: null,
    numeroInterior: null,
    ciudad: null,
    delegacion: 'Álvaro Obregón',
    estado: 'CDMX',
    emails: ['a@x.mx'],
  };
  expect(askSaveCliente(cliente, escritoOf(cliente), null).hechos).toBe('No cambia ningún dato.');
  expect(
    askSaveCliente(
      cliente,
      { ...escritoOf(cliente), razonSocial: 'escuela kemper urgate', municipio: 'Coyoacán', email2: 'b@x.mx' },
      'Este cliente ya tiene la factura A-1: no cambia.',
    ).hechos,
  ).toBe(
    'Municipio: de Álvaro Obregón a Coyoacán. Email 2: de — a b@x.mx. Este cliente ya tiene la factura A-1: no cambia.',
  );
});

test('a decision about a call says which, and a CFDI that is too many which one stays', () => {
  const abierta = {
    que: 'Timbrar factura',
    asunto: { texto: 'Orden 2000', pantalla: null },
    rfc: 'EKU9003173C9',
    total: '1160',
    emails: null,
    alarma: {
      vigente: { uuid: 'A', folio: 'F-1' },
      repetidas: [{ uuid: 'b', folio: 'F-2', respuesta: null }],
    },
  } as unknown as Parameters<typeof askCancelRepetida>[0];
  expect(questionOf('hecho', abierta).hechos).toBe('Timbrar factura · Orden 2000 · EKU9003173C9 · $1,160.00');
  expect(askCancelRepetida(abierta, 'B').hechos).toBe(
    'Se cancela F-2 · queda F-1. Timbrar factura · Orden 2000 · EKU9003173C9 · $1,160.00',
  );
});
