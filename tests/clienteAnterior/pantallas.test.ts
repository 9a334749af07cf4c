/** The old client plays whole screens, each call in its turn: what one call answers is put back by the next. */
import { beforeAll, expect, test } from 'vitest';
import { civilDay, monthRange } from '~/core/time';
import { ask, avisoOf, type Answered } from '../support/api';
import { cep } from '../support/builders/archivos';
import { buildOrden as buildDelMes } from '../support/builders/mes';
import { buildOrden } from '../support/builders/ordenes';
import { unPdf } from '../support/builders/stock';
import { buildVenta } from '../support/builders/ventas';
import { runUntilSettled, withWorker } from '../support/jobs';
import { openPac } from '../support/pac';
import { PASSWORD } from '../support/web';
import type { Mundo } from './llamadas';
import { buildMundo } from './mundo';
import { wholeQuotas } from '../support/cuotas';

process.env.API_POR_MINUTO = '100000';
// Pictures of suppliers cannot be reached from a test: the marketplace is left to fetch them.
process.env.IMAGENES_DE = 'syscom.mx.invalid';
const { db, sandbox } = await openPac({ publicoGeneral: true, options: { mercadolibre: { orders: 0 } } });
let mundo: Mundo;
let token: string;

type Fila = { _id: string } & Record<string, unknown>;
type Hecho = { error: boolean; message: string };
type Entrada = { token: string; rol: string };
type Orden = Fila & {
  marketId: string;
  pagos: string[];
  productos: { nombre: string; sku: string; cantidad: number; precioUnitario: number }[];
  datos: { payments: { operation_type: string; status: string; transaction_amount: number }[] };
  envio: Record<string, unknown> | null;
  facturaCliente: { folio: string } | null;
  proveedorFacturas: Fila[];
  proveedorPagos: Fila[];
};
type Pagina = { docs: Fila[]; totalDocs: number };

/** The body of an answer that the old client shows: 200 without the flag. Anything else is its 'Uuups!' or its red dialog. */
function shown<T>({ status, text, body }: Omit<Answered, 'headers'>, call: string): T {
  expect([status, (body as Partial<Hecho> | null)?.error ?? false], `${call}: ${text.slice(0, 400)}`).toEqual([
    200,
    false,
  ]);
  return body;
}

const entrar = async (user: string, password: string) =>
  call<Entrada>('POST', '/api/usuario/login', { user, password }, null);

async function call<T>(method: string, address: string, body?: unknown, como: string | null = token): Promise<T> {
  return shown<T>(await ask(method, address, { body, ...(como !== null && { token: como }) }), `${method} ${address}`);
}

/** Asks the same again until its far side has done it, as a person does who reads that it is under way. */
async function insist<T extends object>(method: string, address: string, body?: unknown): Promise<T> {
  for (let tries = 1; ; tries++) {
    const said = await withWorker(() => ask(method, address, { token, body }));
    const { message = '' } = said.body as Partial<Hecho>;
    if (tries > 20 || !/en proceso|en camino|todavía no confirma|Se están timbrando/.test(message))
      return shown<T>(said, `${method} ${address}`);
    await runUntilSettled();
  }
}

/** The words of a refusal that belongs to the story. */
async function refusal(method: string, address: string, body?: unknown, como: string | null = token): Promise<string> {
  const aviso = avisoOf(await ask(method, address, { body, ...(como !== null && { token: como }) }));
  expect(aviso, `${method} ${address}`).toMatch(/\w{3}/);
  return aviso!;
}

const json = (query: object) => encodeURIComponent(JSON.stringify(query));
const form = (fields: Record<string, string | File | Blob>) => {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
};
const ids = (filas: readonly Fila[]) => filas.map(({ _id }) => _id);

/** The range of the screens, in which all sales are but those of the month that is closed. */
let rango: string;

beforeAll(async () => {
  ({ mundo } = await buildMundo(db, sandbox));
  rango = `${mundo.desde}/${mundo.hasta}`;
  ({ token } = await entrar('sa', PASSWORD));
}, 60_000);
wholeQuotas(db);

/** A taxpayer the PAC knows of and our records do not. */
const NUEVO = { rfc: 'LOGM790203R55', nombre: 'MARTHA LOPEZ GUERRERO', cp: '03100', regimenes: ['612'] };

test('somebody signs in, finds an order and invoices it for a new customer; asked again, the same folio is told', async () => {
  expect(await refusal('POST', '/api/usuario/login', { user: 'sa', password: 'Otra#1234' }, null)).toContain(
    'incorrectos',
  );
  const entrada = await entrar('sa', PASSWORD);
  expect(await call('POST', '/api/usuario/login/token', { token: entrada.token }, null)).toMatchObject({ rol: 'sa' });
  expect(await call('GET', `/api/checkToken/${entrada.token}`, undefined, null)).toMatchObject({
    token: entrada.token,
  });
  const yo = await call<Fila>('GET', '/api/self/usuario');
  await call('PUT', '/api/self/usuario', yo);
  expect(await call('GET', '/api/self/usuario')).toEqual(yo);

  // A cart: three pieces that cost 100.00 together, one more sale, and a shipping that was paid apart.
  const venta = await buildVenta(db, { precios: ['100.00', '116.00'] });
  const [primera] = venta.ordenIds;
  await db
    .updateTable('articulo')
    .set({ cantidad: 3, precioUnitario: '33.33' })
    .where('ordenId', '=', primera!)
    .execute();
  const adicion = { id: '1', operation_type: 'payment_addition', status: 'approved', transaction_amount: 58 };
  await db
    .updateTable('orden')
    .set({ envioAdicional: '58.00', pagadoAbs: '158.00', datos: JSON.stringify({ payments: [adicion] }) })
    .where('id', '=', primera!)
    .execute();
  const {
    nombre: razonS,
    cp,
    regimenes: [regimen],
    rfc,
  } = NUEVO;
  await sandbox.facturacom.addContribuyente(NUEVO);

  const usos = await call<{ key: string }[]>('GET', '/api/factura.com/usosCFDI');
  const regimenes = await call<{ key: string }[]>('GET', '/api/factura.com/regimenesfiscales');
  const formas = await call<{ key: string }[]>('GET', '/api/factura.com/formasPago');
  expect(regimenes.map(({ key }) => key)).toContain(regimen);
  expect(await refusal('GET', '/api/ordenes/no-es-de-nadie')).toBe('La orden no existe.');
  const ordenes = await call<Orden[]>('GET', `/api/ordenes/${venta.numOrden}`);
  const articulos = ordenes.flatMap(({ marketId, productos, datos }) => [
    ...productos.map((producto) => ({
      ...producto,
      precioSinÍva: producto.precioUnitario / 1.16,
      codigoSat: '',
      orden: marketId,
    })),
    ...datos.payments
      .filter(({ operation_type, status }) => operation_type === 'payment_addition' && status === 'approved')
      .map(({ transaction_amount: precioUnitario }) => ({
        nombre: 'Servicio de Paqueteria Nacional',
        cantidad: 1,
        precioUnitario,
        precioSinÍva: precioUnitario / 1.16,
        sku: '',
        codigoSat: '78102205',
        orden: marketId,
      })),
  ]);
  expect(articulos).toHaveLength(3);

  await refusal('GET', `/api/factura.com/datosFiscales/${rfc}`);
  const registro = { rfc, razonS, emails: ['martha@correo.test', '', ''], cp, regimen };
  // Nobody works for the PAC yet: what is not so is told in words, and asked again.
  expect(await refusal('POST', '/api/factura.com/datosFiscales', registro)).toContain('todavía no confirma');
  const guardado = await insist<Fila & Record<string, string>>('POST', '/api/factura.com/datosFiscales', registro);
  const emails = ['martha@correo.test', 'contador@correo.test', ''];
  await insist('PUT', '/api/factura.com/datosFiscales', { ...guardado, emails });
  const leido = await call<Fila & { emails: string[]; uid: string }>('GET', `/api/factura.com/datosFiscales/${rfc}`);
  const vacios = { nombre: '', apellidos: '', telefono: '', calle: '', numero_exterior: '', numero_interior: '' };
  const pedida = {
    cliente: {
      ...{ ...vacios, colonia: '', estado: '', ciudad: '', delegacion: '', pais: 'MEX' },
      ...{ rfc: leido.rfc, razons: leido.razonS, codpos: leido.cp, regimen: leido.regimen, UID: leido.uid },
      ...{ email: leido.emails[0], email2: leido.emails[1] ?? '', email3: leido.emails[2] ?? '' },
    },
    articulos,
    usoCFDI: usos.find(({ key }) => key === 'G03')!.key,
    tipoPago: formas.find(({ key }) => key === ordenes[0]!.pagos[0])!.key,
    ticket: venta.numOrden,
    expira: false,
    fechaFacturacion: new Date().toISOString(),
  };
  expect(await refusal('POST', '/api/factura.com/CFDI', pedida)).toBe(
    'La factura está en proceso. Consulta la orden en un momento.',
  );
  const { INV } = await insist<{ INV: { Serie: string; Folio: string } }>('POST', '/api/factura.com/CFDI', pedida);
  const folio = `${INV.Serie}-${INV.Folio}`;
  expect(await call('POST', '/api/factura.com/CFDI', pedida)).toMatchObject({ response: 'success', INV });
  const facturadas = await call<Orden[]>('GET', `/api/ordenes/${venta.numOrden}`);
  expect(facturadas.map(({ facturaCliente }) => facturaCliente?.folio)).toEqual([folio, folio]);
  expect(await refusal('POST', '/api/factura.com/CFDI', { ...pedida, usoCFDI: 'G01' })).toContain('ya está facturada');
  const archivos = await call<Record<'facturaPDF' | 'facturaXML', { data: number[] }>>(
    'GET',
    `/api/factura.co/descargar/factura/${facturadas[1]!._id}`,
  );
  expect(Buffer.from(archivos.facturaPDF.data).toString('latin1')).toMatch(/^%PDF/);
  // The cents that three times 33.33 leaves out are the buyer's, and stamped.
  expect(Buffer.from(archivos.facturaXML.data).toString()).toContain('Total="274.00"');
  expect(await call<Fila[]>('GET', `/api/facturas/${rango}`)).toContainEqual(
    expect.objectContaining({ folio, numOrden: venta.numOrden, cancelada: false }),
  );
  expect(await call<Fila[]>('GET', '/api/datosFiscales')).toContainEqual(
    expect.objectContaining({ rfc, uid: leido.uid }),
  );
  await call('GET', `/api/ordenes/rangoFecha/factura/${rango}`);

  // 'Nota sencilla': the place comes from the postal code.
  const { response: lugar } = await call<{ response: Record<string, string> & { asentamiento: string[] } }>(
    'GET',
    '/api/codigoPostal/06600',
  );
  const nota = await call<Hecho>('POST', '/api/factura/notaSecilla', {
    cliente: {
      ...{ ...vacios, nombre: 'Ana', apellidos: 'Pérez', telefono: '5512345678', email: 'ana@correo.test' },
      ...{ codpos: '06600', colonia: lugar.asentamiento[0], estado: lugar.estado, ciudad: lugar.ciudad },
      ...{ delegacion: lugar.municipio, rfc: '', razons: '', regimen: '', UID: '', pais: 'MEX' },
    },
    articulos,
    ticket: '',
    fechaNota: new Date(Date.now() - 9 * 86_400_000).toISOString(),
  });
  expect(nota.message).toMatch(/La nota con folio: \S+ se ha creado correctamente/);
});

test('orders of a range get their supplier invoices, and one that waited long is delivered', async () => {
  const estatus = await call<Record<string, string>>('GET', '/api/ordenes/estatus');
  const proveedores = await call<{ value: string; label: string }[]>('GET', '/api/empresa/proveedores');
  const activas = await call<{ docs: Orden[] }>(
    'GET',
    `/api/ordenesActivas?query=${json({ offsetpagelimit: true, page: 1, limit: 201, ordenar: { dateCreated: -1 }, search: { estatus: { $in: ['enPreparacion'] }, dateCreated: { $gte: mundo.desde, $lte: mundo.hasta } } })}`,
  );
  const vieja = activas.docs.find(({ dateCreated }) => Date.parse(String(dateCreated)) < Date.now() - 48 * 3_600_000)!;
  await call('POST', `/api/orden/cambioEstatus/${vieja._id}`);
  expect((await call<Orden>('GET', `/api/orden/${vieja._id}`)).estatus).toBe('entregado');
  expect(estatus.entregado).toBe('Entregado');

  // 'Llenar reporte': what has no invoice of a supplier yet.
  const sinFactura = { $and: [{ estatus: { $ne: 'cancelado' } }, { 'proveedorFacturas.0': { $exists: false } }] };
  const porLlenar = () => call<Orden[]>('GET', `/api/ordenes/rangoFecha/${rango}?query=${json(sinFactura)}`);
  const orden = (await porLlenar()).find(({ _id }) => _id === mundo.orden)!;
  const [, , proveedorDelSku] = orden.productos[0]!.sku.split('|');
  const { value: proveedor } = proveedores.find(({ value }) => value === proveedorDelSku)!;
  const escrita = { folio: 'A/77', monto: '$1,160.00', proveedor, orden: orden._id };
  const creada = await call<Fila>('POST', '/api/proveedorFactura', escrita);
  expect(await refusal('POST', '/api/proveedorFactura', escrita)).toContain(
    'Ya existe la factura con el folio indicado en la orden.',
  );
  expect(ids(await porLlenar())).not.toContain(orden._id);
  const filas = await call<Fila[]>('GET', `/api/proveedorFacturas/${rango}`);
  const fila = filas.find(({ _id }) => _id === creada._id)!;
  expect(await call('PUT', '/api/proveedorFactura', { ...fila, monto: Number(fila.monto) + 0.5 })).toMatchObject({
    ...creada,
    monto: 1160.5,
  });
  const conTodo = await call<Orden[]>(
    'GET',
    `/api/ordenes/rangoFechaV2/${rango}/${json({ estatus: { $ne: 'cancelado' } })}`,
  );
  const [suya] = conTodo.find(({ _id }) => _id === orden._id)!.proveedorFacturas;
  expect(suya).toMatchObject({ folio: 'A/77', monto: 1160.5 });
  await call('DELETE', `/api/proveedorFactura/${suya!._id}`);
  expect(ids(await porLlenar())).toContain(orden._id);
  await call('GET', `/api/syscom/factura/${orden._id}`);
  await insist('POST', `/api/envio/sendEmail/${orden._id}`);
  const canceladas = { $or: [{ estatus: 'cancelado' }, { 'datos.status': 'paid', 'datos.tags': 'unfulfilled' }] };
  await call('GET', `/api/ordenes/rangoFecha/${rango}?query=${json(canceladas)}`);
});

test('an order that we send ourselves gets its shipment, and its customer says where', async () => {
  const propias = { market: 'ml', envioPropio: true, 'datos.status': { $ne: 'cancelled' } };
  const filtro = {
    ...propias,
    estatus: { $in: ['cobroRequerido', 'enPreparacion'] },
    'envio.estatus': { $ne: 'enCamino' },
  };
  const leer = () => call<Orden[]>('GET', `/api/ordenes/rangoFecha/${rango}?query=${json(filtro)}`);
  const esta = async () => (await leer()).find(({ marketId }) => marketId === mundo.propia)!;
  const orden = await esta();
  expect(orden.envio).toBeNull();
  const { response: lugar } = await call<{ response: Record<string, string> & { asentamiento: string[] } }>(
    'GET',
    '/api/codigoPostal/06600',
  );
  const creado = await call<Fila>('POST', `/api/envio/${orden.marketId}`, {
    ...{ nombreReceptor: 'Juan', apellidos: 'Pérez Gómez', telefono: '5512345678', cp: '06600', estado: lugar.estado },
    ...{ colonia: lugar.asentamiento[0], ciudad: lugar.ciudad || lugar.municipio, calle: 'Hamburgo', numeroE: '10' },
    ...{ estatus: 'enPreparacion', costo: '120', paqueteria: { nombre: '', link: '', guia: '' } },
  });
  // The price alone: what the list says of the shipment, with the price in its two places.
  const { envio } = await esta();
  expect(await call('PUT', '/api/envio', { ...envio, costo: 150, cobrado: 150 })).toMatchObject({
    ...creado,
    costo: 150,
    cobrado: 150,
  });
  const paqueteria = { nombre: 'DHL', link: 'https://www.dhl.com/mx', guia: 'JD0147' };
  const enviado = await call<Fila>('PUT', '/api/envio', { ...creado, costo: 150, estatus: 'enCamino', paqueteria });
  expect(enviado).toMatchObject({ nombreReceptor: 'Juan', apellidos: 'Pérez Gómez', estatus: 'enCamino', paqueteria });
  expect(await call('PUT', '/api/envio', enviado)).toEqual(enviado);
  expect(await esta()).toBeUndefined();
  // One whose state is the marketplace's own word.
  const otra = await buildOrden(db, { envioPropio: true, envio: { propio: true, estatus: 'ready_to_ship' } });
  const suya = (await leer()).find(({ _id }) => _id === otra.id)!;
  expect(await call('PUT', '/api/envio', { ...suya.envio, costo: 99, cobrado: 99 })).toMatchObject({
    estatus: 'ready_to_ship',
    costo: 99,
  });
  const envios = await call<(Fila & { ordenes: Fila[] })[]>('GET', `/api/envios/${rango}`);
  expect(envios.find(({ ordenes }) => ordenes.some(({ _id }) => _id === orden._id))).toMatchObject({ paqueteria });
  const pendientes = await call<{ envios: Fila[]; proveedores: Fila[] }>('GET', `/api/envios/pendientes/${rango}`);
  expect(pendientes.envios.length).toBeGreaterThan(0);

  // The public form, with the token of its link and without a session.
  const { enlaceEnvio } = mundo;
  await call('GET', `/api/checkToken/${enlaceEnvio}`, undefined, null);
  const vacio = await call<Record<string, unknown>>('GET', `/api/envio/${enlaceEnvio}`, undefined, null);
  const { response: suyo } = await call<{ response: { estado: string; ciudad: string; asentamiento: string[] } }>(
    'GET',
    `/api/codigoPostal/06600/${enlaceEnvio}`,
    undefined,
    null,
  );
  const escrito = {
    ...{ ...vacio, nombreReceptor: 'José Ángel', apellidos: 'Núñez', telefono: '5511223344', cp: '06600' },
    ...{ colonia: suyo.asentamiento[0], ciudad: suyo.ciudad, estado: suyo.estado, calle: 'Londres 5', numeroE: '5' },
  };
  const guardar = `/api/envioP/${enlaceEnvio}`;
  expect(await refusal('POST', guardar, { ...escrito, telefono: '' }, null)).toMatch(/requerido|[Tt]el[eé]fono/);
  await call('POST', guardar, { ...escrito, referencia: 'Portón negro, junto a la tienda' }, null);
  const quedo = await call<Record<string, unknown>>('GET', `/api/envio/${enlaceEnvio}`, undefined, null);
  expect(quedo).toMatchObject({ nombreReceptor: 'José Ángel', apellidos: 'Núñez', calle: 'Londres 5', ocurre: false });
  await call('POST', guardar, quedo, null);
  // Its price is written by staff over what the list of shipments says: it stays a delivery at home.
  const suEnvio = (await call<Fila[]>('GET', `/api/envios/${rango}`)).find(
    ({ nombreReceptor }) => nombreReceptor === 'José Ángel',
  )!;
  await call('PUT', '/api/envio', { ...suEnvio, costo: 88, cobrado: 88 });
  expect(await call('GET', `/api/envio/${enlaceEnvio}`, undefined, null)).toEqual({
    ...quedo,
    huella: expect.any(String),
  });
  // What another wrote meanwhile is not written over: the page says what it showed.
  expect(await refusal('POST', guardar, { ...quedo, huella: 'otra' }, null)).toContain('cambiaron mientras');
});

test('a return is made with its invoice, labelled, moved on by its QR, and edited as it was read', async () => {
  const estatus = await call<{ value: string; label: string }[]>('GET', '/api/internalStock/estatus');
  const de = (label: string) => estatus.find((one) => one.label === label)!.value;
  const producto = await call<Fila>('POST', '/api/productos/buscador', { buscar: mundo.modelo, proveedor: 'syscom' });
  const orden = await call<Orden>('GET', `/api/orden/${mundo.facturada}`);
  const nueva = {
    ...{
      producto: producto._id,
      orden: orden._id,
      cantidad: '2',
      cost: '100.5',
      amountRecovered: '',
      observations: '',
    },
    ...{ status: de('En revisión'), factura: { supplier: producto.proveedor }, folioF: 'F-70' },
  };
  const folios = await call<string[]>(
    'POST',
    '/api/internalStock',
    form({ files: unPdf('siete'), body: new Blob([JSON.stringify(nueva)], { type: 'application/json' }) }),
  );
  expect(folios).toHaveLength(2);
  const { pdf } = await call<{ pdf: { data: number[] } }>('POST', '/api/internalStock/qr', { folios });
  expect(Buffer.from(pdf.data).toString('latin1')).toMatch(/^%PDF/);

  // The page of the QR: the token goes in the address.
  const leida = await call<Fila & { folio: string }>(
    'GET',
    `/api/internalStocks/${folios[0]}/${token}`,
    undefined,
    null,
  );
  await call('GET', `/api/internalStock/estatus/${token}`, undefined, null);
  const mover = { token, status: de('Disponible'), _id: leida._id };
  await call('PUT', `/api/internalStock/estatus/${token}`, mover, null);

  const deLaOrden = async () => {
    const piezas = await call<(Fila & { factura: Fila; producto: Fila[]; orden: Fila[] })[]>(
      'GET',
      `/api/internalStocks/${orden._id}`,
    );
    return piezas.find(({ _id }) => _id === leida._id)!;
  };
  const guardar = (body: object, files?: File) =>
    call<Fila>('PUT', '/api/internalStock', form({ ...(files && { files }), body: JSON.stringify(body) }));
  const antes = await deLaOrden();
  expect(antes).toMatchObject({
    status: { label: 'Disponible' },
    orden: [{ _id: orden._id }],
    factura: { folio: 'F-70' },
  });
  const { file: _file, ...sinArchivo } = antes.factura;
  // The screen shows the label of the state and sends its value.
  const status = estatus.find(({ label }) => label === (antes.status as { label: string }).label)!.value;
  await guardar({ ...antes, status, factura: sinArchivo, observations: 'Caja abierta', amountRecovered: '40.25' });
  expect(await deLaOrden()).toEqual({ ...antes, observations: 'Caja abierta', amountRecovered: 40.25 });
  const archivo = async () =>
    (
      await call<{ factura: { file: { originalname: string; buffer: { data: number[] } } } }>(
        'GET',
        `/api/internalStocks/file/${leida._id}`,
      )
    ).factura.file;
  expect((await archivo()).originalname).toBe('siete.pdf');
  await guardar({ ...(await deLaOrden()), folioF: 'F-71' }, unPdf('ocho'));
  expect(Buffer.from((await archivo()).buffer.data).toString()).toBe('%PDF-1.4 ocho');
  await guardar({ ...(await deLaOrden()), eliminarFactura: true });
  expect(await deLaOrden()).toMatchObject({ factura: { folio: null, file: null }, orden: [{ _id: orden._id }] });
  const todas = await call<Fila[]>('GET', `/api/internalStocks/${rango}/${String(producto.proveedor)}/${status}`);
  expect(ids(todas)).toContain(leida._id);
  expect(ids(await call<Fila[]>('GET', `/api/internalStocks/${producto._id}`))).toHaveLength(1 + folios.length);
  expect(
    await refusal(
      'POST',
      '/api/internalStock',
      form({ body: JSON.stringify({ ...nueva, folioF: '' }), files: unPdf() }),
    ),
  ).toContain('No se detecto el folio de la factura');
});

test('payments to suppliers leave the filter of what is unpaid, and one payment is put on a second order', async () => {
  const conFiltro = (filtro: object) =>
    call<Orden[]>(
      'GET',
      `/api/ordenes/rangoFecha/${rango}?query=${json({ estatus: { $ne: 'cancelado' }, ...filtro })}`,
    );
  const sinPago = () => conFiltro({ proveedorPagos: { $size: 0 } });
  const pagadas = () => conFiltro({ 'proveedorPagos.0': { $exists: true } });
  const [proveedor] = await call<{ value: string }[]>('GET', '/api/empresa/proveedores');
  const [una, otra] = await sinPago();
  const { orden, pago } = await call<{
    orden: Orden;
    pago: Fila & { folio: string; file: { mimetype: string; url: string } };
  }>(
    'POST',
    `/api/proveedorPagos/${encodeURIComponent('SPEI 26/7')}/${una!._id}/${proveedor!.value}`,
    form({ file: new File([new Uint8Array(cep())], 'cep.xml', { type: 'text/xml' }) }),
  );
  expect(ids(orden.proveedorPagos)).toEqual([pago._id]);
  expect(pago.folio).toBe('SPEI 26/7');
  // The second order takes a folio that is loaded already.
  const query = json({ dateCreated: { $gte: mundo.desde, $lte: mundo.hasta }, projection: { _id: 1, folio: 1 } });
  const cargados = await call<(Fila & { folio: string })[]>('GET', `/api/proveedorPagos?query=${query}`);
  const elegido = cargados.find(({ folio }) => folio.toLowerCase() === 'spei 26/7')!;
  await call('POST', '/api/ordenes/proveedorPagos', {
    proveedorPagos: [...ids(otra!.proveedorPagos), elegido._id],
    orden: otra!._id,
  });
  const { proveedorPagos } = await call<Orden>('GET', `/api/orden/${otra!._id}`);
  expect(proveedorPagos).toMatchObject([{ _id: pago._id, file: { mimetype: pago.file.mimetype } }]);
  expect((await ask('GET', pago.file.url, { token })).status).toBe(200);
  expect(ids(await pagadas()).toSorted()).toEqual([una!._id, otra!._id].toSorted());
  expect(ids(await sinPago())).not.toContain(una!._id);
});

test('products are edited as they were read, and one without a listing is published, changed and paused', async () => {
  const pagina = { offsetpagelimit: true, page: 1, limit: 101 };
  const productos = await call<Pagina>(
    'GET',
    `/api/productos?query=${json({ ...pagina, ordenar: { piezasVendidas: -1 } })}`,
  );
  expect(productos.totalDocs).toBe(productos.docs.length);
  const hallados = await call<Pagina>(
    'GET',
    `/api/productoFiltrado?query=${json({ ...pagina, filtro: mundo.modelo })}`,
  );
  const [producto] = hallados.docs;
  const cambio = { productoMaximo: 5, costoEnvio: 89.9, precioLista: 1299, autoOrden: !producto!.autoOrden };
  const puesto = await call<Fila>('PUT', `/api/producto/${producto!._id}`, { ...producto, ...cambio });
  expect(puesto).toMatchObject(cambio);
  expect(await call('PUT', `/api/producto/${puesto._id}`, { costoEnvio: puesto.costoEnvio })).toMatchObject(cambio);
  expect(await call('GET', `/api/producto/${puesto._id}`)).toMatchObject(cambio);

  const sinPublicar = await call<Pagina>(
    'GET',
    `/api/productos/sinPublicacion/ml?query=${json({ market: 'ml', ...pagina, limit: 100, filtro: '' })}`,
  );
  const nuevo = sinPublicar.docs.find(({ _id }) => _id === mundo.porPublicar)! as Fila & {
    gtin: string[];
    nombre: string;
  };
  type Atributo = {
    id: string;
    values: { name: string }[];
    allowed_units: { name: string }[];
    tags: { required: boolean; conditional_required: boolean };
  };
  type Categoria = { category_id: string; arbol: { padres: { id: string }[] }; atribReq: Atributo[] };
  const [sugerida] = await call<Categoria[]>('GET', `/api/apiML/categoria/predict/${encodeURIComponent(nuevo.nombre)}`);
  const raices = await call<{ id: string }[]>('GET', '/api/apiML/categorias');
  expect(raices.map(({ id }) => id)).toContain(sugerida!.arbol.padres[0]!.id);
  await call('GET', `/api/apiML/categoria/${sugerida!.category_id}`);
  const elegida = await call<Categoria>('GET', `/api/apiML/categoria/attributes/${sugerida!.category_id}`);
  const propios: Record<string, unknown> = {
    ...{
      BRAND: nuevo.marca,
      MANUFACTURER: nuevo.marca,
      MODEL: nuevo.modeloProveedor,
      PART_NUMBER: nuevo.modeloProveedor,
    },
    ...{ GTIN: nuevo.gtin[0] ?? '', EMPTY_GTIN_REASON: 'El producto no tiene código registrado' },
  };
  const llenar = (propios: Record<string, unknown>) =>
    elegida.atribReq.flatMap(({ id, values, allowed_units: [unidad], tags }) => {
      if (id in propios) return [{ id, value_name: propios[id] }];
      return tags.required ? [{ id, value_name: values[0]?.name ?? `3${unidad ? ` ${unidad.name}` : ''}` }] : [];
    });
  const publicar = `/api/apiML/producto/publicacion/${nuevo._id}`;
  const revisar = (attributes: object[]) => ({
    datosML: { category_id: elegida.category_id, attributes },
    revision: true,
  });
  expect(await refusal('POST', publicar, revisar([]))).toContain('(BRAND)');
  // A wireless one wants its standard; this one has a wire.
  expect(await refusal('POST', publicar, revisar(llenar(propios)))).toContain('(WIFI_STANDARD)');
  const { datosML } = revisar(llenar({ ...propios, IS_WIRELESS: 'No' }));
  await call('POST', publicar, { datosML, revision: true });
  await call('POST', publicar, { datosML, revision: false });
  type Caras = Fila & { publicacion: { gold_special: (Fila & { titulo: string }) | null } };
  const cara = async () =>
    (await call<Caras>('POST', '/api/productos/buscador', { buscar: nuevo.modeloProveedor, proveedor: '' })).publicacion
      .gold_special;
  await runUntilSettled();
  expect(await cara()).toMatchObject({ estatus: 'active' });
  const lista = { market: ['ml', 'amz'], ...pagina, ordenar: { dateCreated: 1 }, filtro: (await cara())!.titulo };
  const { docs } = await call<Pagina>('GET', `/api/publicacionFiltrado?query=${json(lista)}`);
  const publicada = docs.find(({ sku }) => String(sku).includes(String(nuevo.modeloProveedor)))! as Fila & {
    titulo: string;
    datos: { price: number; available_quantity: number; status: string; autoSync: boolean };
  };
  const { price, available_quantity, status, autoSync } = publicada.datos;
  const editada = { _id: publicada._id, title: publicada.titulo, price, available_quantity, status, autoSync };
  expect(await insist('PUT', '/api/publicacion', editada)).toMatchObject({ datos: publicada.datos });
  expect(await insist('PUT', '/api/publicacion', { ...editada, status: 'paused', autoSync: false })).toMatchObject({
    datos: { status: 'paused', price },
  });
  // 'Cambiar categoria' sends the whole category again.
  await insist('PUT', `/api/producto/publicacion/${nuevo._id}`, { datosML });
  await call('GET', `/api/publicaciones?query=${json({ ...lista, filtro: undefined })}`);
});

test('questions are answered, a buyer is blocked and let in again, claims are read', async () => {
  type Pregunta = Fila & {
    datos: { id: string; status: string; answer: { text: string } | null; from: { id: string } };
  };
  const porResponder = () => call<{ preguntas: Pregunta[] }[]>('GET', `/api/preguntasSinResponder/${rango}`);
  const { datos } = (await porResponder())
    .flatMap(({ preguntas }) => preguntas)
    .find((una) => una.datos.id === mundo.pregunta)!;
  const cliente = `/api/apiML/cliente/${datos.from.id}`;
  const comprador = () => withWorker(() => call<{ blocked: boolean }>('GET', cliente));
  const antes = await comprador();
  await insist('POST', `/api/apiML/cliente/bloquear/${datos.from.id}`);
  expect(await comprador()).toEqual({ ...antes, blocked: true });
  await insist('DELETE', `/api/apiML/cliente/activar/${datos.from.id}`);
  expect(await comprador()).toEqual({ ...antes, blocked: false });
  expect(await refusal('POST', '/api/responderPregunta', { question_id: datos.id, text: ' ' })).toContain('(text)');
  await withWorker(() => call('POST', '/api/responderPregunta', { question_id: datos.id, text: 'Sí, hay 4 piezas.' }));
  await runUntilSettled();
  expect((await porResponder()).flatMap(({ preguntas }) => ids(preguntas))).not.toContain(datos.id);
  const todas = await call<Pregunta[]>('GET', `/api/preguntas2/${rango}`);
  expect(todas.find((una) => una.datos.id === datos.id)!.datos).toMatchObject({
    status: 'ANSWERED',
    answer: { text: 'Sí, hay 4 piezas.' },
  });
  expect(await call('GET', `/api/reclamos/${rango}`)).toMatchObject([
    { marketId: '1', market: 'ml', recurso: 'order' },
  ]);
});

test('a user is added, corrected, given another password and sent away', async () => {
  const alta = {
    nombre: 'Eva',
    apellidos: 'Ruiz',
    user: 'eva',
    password: 'Qz7#mwPr2k',
    rol: 'user',
    email: 'eva@t.test',
  };
  expect(await refusal('POST', '/api/usuario', { ...alta, password: 'corta' })).toContain('(password)');
  await call('POST', '/api/usuario', alta);
  expect(await refusal('POST', '/api/usuario', alta)).toMatch(/\w/);
  const fila = async () => (await call<Fila[]>('GET', '/api/usuarios')).find(({ user }) => user === 'eva')!;
  expect(await call('PUT', '/api/usuario', { ...(await fila()), apellidos: 'Ruiz Soto' })).toMatchObject({
    apellidos: 'Ruiz Soto',
  });
  const suyo = await entrar('eva', alta.password);
  expect(suyo.rol).toBe('user');
  await call('GET', '/api/ordenesActivas', undefined, suyo.token);
  await call('PUT', '/api/password/user', { _id: (await fila())._id, password: 'Vt4!xbLq9d' });
  await refusal('POST', '/api/usuario/login', { user: 'eva', password: alta.password }, null);
  await entrar('eva', 'Vt4!xbLq9d');
  const despedida = await call<Fila>('PUT', '/api/usuario', { ...(await fila()), activo: false });
  expect(despedida).toEqual(await fila());
  await refusal('POST', '/api/usuario/login', { user: 'eva', password: 'Vt4!xbLq9d' }, null);
  await call('PUT', '/api/usuario', { ...despedida, activo: true });
  await entrar('eva', 'Vt4!xbLq9d');
});

test('a month is closed: its general invoice, then a note for who asked for theirs and one for what came back', async () => {
  const [year, month] = civilDay(new Date()).split('-').map(Number) as [number, number];
  const mes = civilDay(new Date(Date.UTC(year, month - 3, 15))).slice(0, 7);
  const { from, to } = monthRange(mes);
  const fecha = from.toISOString();
  const rango = `${fecha}/${new Date(to.getTime() - 1).toISOString()}`;
  const [pedida, devuelta, deEllos] = [
    await buildDelMes(db, { fecha: `${mes}-10T18:00:00Z`, precio: '100.00' }),
    await buildDelMes(db, { fecha: `${mes}-11T18:00:00Z`, envio: '58.00' }),
    await buildDelMes(db, { fecha: `${mes}-12T18:00:00Z`, meliResale: true }),
  ];
  const porFacturar = { estatus: { $ne: 'cancelado' }, facturaCliente: { $exists: false } };
  const libres = () => call<Orden[]>('GET', `/api/ordenes/rangoFecha/${rango}?query=${json(porFacturar)}`);
  const datos = await libres();
  expect(ids(datos).toSorted()).toEqual([pedida.id, devuelta.id, deEllos.id].toSorted());
  const general = { fecha, datos };
  expect(await insist('POST', '/api/factura.com/CFDI/general', general)).toMatchObject({
    message: 'La factura Se genero correctamente',
    lote: { total: 1, hechas: 1 },
  });
  expect(ids(await libres())).toEqual([deEllos.id]);

  // One customer comes late for a factura of their own; the other sale comes back.
  const registro = await call<Fila>('GET', `/api/factura.com/datosFiscales/${encodeURIComponent(mundo.rfc!)}`);
  const [orden] = await call<Orden[]>('GET', `/api/ordenes/${pedida.numOrden}`);
  await insist('POST', '/api/factura.com/CFDI', {
    cliente: {
      ...{ rfc: registro.rfc, razons: registro.razonS, codpos: registro.cp, regimen: registro.regimen },
      ...{ email: (registro.emails as string[])[0], email2: '', email3: '', UID: registro.uid },
    },
    articulos: orden!.productos.map((producto) => ({ ...producto, codigoSat: '01010101', orden: orden!._id })),
    ...{ usoCFDI: 'G03', tipoPago: orden!.pagos[0], ticket: pedida.numOrden, expira: false, fechaFacturacion: '' },
  });
  await db.updateTable('orden').set({ clase: 'devuelta' }).where('id', '=', devuelta.id).execute();
  const esperan = () =>
    call<{ ordenesDevueltas: Fila[]; refacturacion: Fila[] }>('GET', `/api/ordenes/rangoFecha/factura/${rango}`);
  const { ordenesDevueltas, refacturacion } = await esperan();
  expect(refacturacion).toMatchObject([{ numOrden: pedida.numOrden, pagado: 100 }]);
  expect(ordenesDevueltas).toMatchObject([{ _id: devuelta.id, pagado: 174 }]);
  const hechas = { message: 'Las notas de credito se generaron correctamente', lote: { hechas: 1 } };
  expect(await insist('POST', '/api/factura.com/CFDI/notasCreditoR', { fecha, datos: refacturacion })).toMatchObject(
    hechas,
  );
  expect(
    await insist('POST', '/api/factura.com/CFDI/notasCreditoC', { ordenes: ordenesDevueltas, fecha }),
  ).toMatchObject(hechas);
  expect(await esperan()).toEqual({ ordenesDevueltas: [], refacturacion: [] });
});
