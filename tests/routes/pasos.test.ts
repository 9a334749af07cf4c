import type { ActionFunctionArgs, AppLoadContext, LoaderFunctionArgs } from '@remix-run/node';
import { expect, test } from 'vitest';
import { addDays, civilDay } from '~/core/time';
import { articuloVacio } from '~/domain/facturacion/cfdi/articulos';
import {
  openNotaDraft,
  readNotaDraft,
  requireNotaDraft,
  saveDatosNota,
} from '~/domain/facturacion/notaSencilla/notaDraft.server';
import { marcasOf, mostradoOf } from '~/domain/facturacion/emision/draft';
import { action as actFacturacion, loader as loadFacturacion } from '~/routes/facturacion/emision/facturacion';
import { action as actNota } from '~/routes/facturacion/notaSencilla/notaSencilla';
import { formatFecha } from '~/ui/Fecha';
import { buildEnlace, post, visit } from '../support/builders/enlaces';
import { buildBorrador, buildVenta, CLIENTES } from '../support/builders/ventas';
import { openPac } from '../support/pac';

/**
 * The last step of a stepper, left by its header where no script runs: the browser sends the form whose fields are on the page, with the step that was
 * pressed.
 */
const { db, sa } = await openPac();
const AYER = addDays(civilDay(new Date()), -1);

const args = (query: string, fields?: Record<string, string>) =>
  ({
    request: new Request(`http://trastienda.test/sa/x${query}`, {
      ...(fields && { method: 'POST', body: new URLSearchParams(fields) }),
    }),
    params: {},
    context: { ip: '::1', requestId: 'r', usuario: sa } as unknown as AppLoadContext,
  }) as unknown as ActionFunctionArgs & LoaderFunctionArgs;
const placeOf = (answer: unknown) => (answer as Response).headers.get('Location');

test('«Revisar Datos» of a sale keeps what was chosen and goes where was pressed', async () => {
  const { id } = await buildBorrador(db, await buildVenta(db), sa);
  const paso3 = `?borrador=${id}&paso=3`;
  const shown = (await loadFacturacion(args(paso3))).vista!;
  const { formaPago, fecha } = shown.revision!.revision;
  expect(formaPago).not.toBe('28');
  const fields = { intent: 'crear', ...shown.visto, version: String(shown.version), pagado: shown.revision!.pagado };

  // What it was offered is not written down: it may be another after the step it went back to.
  expect(shown.revision!.revision.usoCfdi, 'nobody told a use').toBe('');
  const same = { formaPago, fecha };
  expect(placeOf(await actFacturacion(args(paso3, { ...fields, ...same, ir: '1' })))).toBe(`?borrador=${id}&paso=1`);
  expect((await loadFacturacion(args(paso3))).vista!.version).toBe(shown.version);

  const chosen = { formaPago: '28', usoCfdi: 'G01', fecha: AYER };
  expect(placeOf(await actFacturacion(args(paso3, { ...fields, ...chosen, ir: '2' })))).toBe(`?borrador=${id}&paso=2`);
  const kept = (await loadFacturacion(args(paso3))).vista!;
  expect(kept.revision!.revision).toEqual(chosen);
  expect(kept.estado).toBeNull();

  // A window that showed something else writes over nothing.
  expect(await actFacturacion(args(paso3, { ...fields, ...same, ir: '1' }))).toMatchObject({
    init: { status: 422 },
    data: { formId: 'crear', initialValue: same },
  });
});

test('the question before the factura of one press names receiver, use, payment form, day and total', async () => {
  const venta = await buildVenta(db);
  const draft = await buildBorrador(db, venta, sa);
  const { mostrado } = marcasOf(draft.version, mostradoOf(draft));
  const revision = { formaPago: '28', usoCfdi: 'G01', fecha: AYER };
  const fields = { numOrden: venta.numOrden, version: String(draft.version), mostrado, pagado: '116.00', ...revision };
  const asked = await actFacturacion(args('', { intent: 'facturar', ...fields }));
  const hechos = (asked as { data: { confirmar: { hechos: string } } }).data.confirmar.hechos.split(' · ');
  expect(hechos).toEqual([
    `Orden ${venta.numOrden}`,
    CLIENTES[0].razonSocial,
    CLIENTES[0].rfc,
    'C.P. 06600',
    '612 - Personas Físicas con Actividades Empresariales y Profesionales',
    'Uso G01 - Adquisición de mercancías',
    'Pago 28 - Tarjeta de débito',
    formatFecha(AYER),
    '$116.00',
  ]);
});

test('a note keeps its day', async () => {
  const id = await openNotaDraft(
    db,
    [{ ...articuloVacio(), nombre: 'Cámara', precioUnitario: '10.00', importe: '10.00' }],
    sa.id,
  );
  const datos = {
    cp: '06700',
    colonia: 'Roma',
    calle: 'Durango',
    numeroExterior: '1',
    numeroInterior: '',
    ciudad: 'México',
    municipio: 'Cuauhtémoc',
    estado: 'CDMX',
    nombre: 'Ana',
    apellidos: 'Soto',
    telefono: '5512345678',
    email: 'ana@x.mx',
  };
  await saveDatosNota(db, await requireNotaDraft(db, id, sa), datos);
  const { visto } = await readNotaDraft(db, id, sa, '3');
  const sent = { intent: 'crear', ...visto, version: String(visto.version), fecha: AYER, ir: '2' };
  expect(placeOf(await actNota(args(`?borrador=${id}&paso=3`, sent)))).toBe(`?borrador=${id}&paso=2`);
  // It stays when the step before it is saved again.
  await saveDatosNota(db, await requireNotaDraft(db, id, sa), { ...datos, nombre: 'Eva' });
  expect(await readNotaDraft(db, id, sa, '3')).toMatchObject({ fecha: AYER, datos: { nombre: 'Eva' }, nota: null });
});

test('a customer’s use of the CFDI stays with their link', async () => {
  const { token } = await buildEnlace(db, await buildVenta(db));
  const { rfc, razonSocial, cp, regimen } = CLIENTES[0];
  await post(token, { rfc, razonSocial, cp, regimen, email: 'yo@correo.test' });
  expect(await post(token, { intent: 'crear', usoCfdi: 'G01', ir: '1' })).toMatchObject({
    status: 302,
    to: `/facturacion/${token}?paso=1`,
  });
  const { pagina } = await visit(token, '2');
  expect(pagina?.vista).toMatchObject({ tipo: 'paso', paso: '2', revision: { usoCfdi: 'G01' } });
});
