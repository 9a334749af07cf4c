import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { beforeEach, expect, test } from 'vitest';
import { openEtiqueta } from '~/integrations/amazon/etiqueta.server';
import type { EnvioPorComprar } from '~/integrations/amazon/guias.server';
import { createLwa } from '~/integrations/amazon/lwa.server';
import { RITMOS, SIN_RITMO } from '~/integrations/amazon/pace';
import type { Tokens } from '~/integrations/amazon/tokens';
import { createGuiasWriter } from '~/integrations/amazon/writeGuias.server';
import type { Trace } from '~/integrations/http.server';
import { Refused, Unavailable, Uncertain, UnexpectedShape } from '~/integrations/errors';
import { APP_ID, CLIENT_ID, CLIENT_SECRET } from '../sandbox/amazon';
import { RATES } from '../sandbox/amazon/rates';
import { type AmazonFacts, consentAmazon } from '../support/amazon';
import { type GuiaFacts, REMITENTE } from '../support/guiasAmz';
import { startTestSandbox } from '../support/sandbox';

const FAST = 100_000;
const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 }, amazon: { ventas: 0, ritmo: FAST } });
const amz = sandbox.proveedor('amazon');
const renewed: number[] = [];
const tokens = await link();
const open = (trace?: Trace) =>
  createGuiasWriter({ baseUrl: `${sandbox.url}/amazon`, ritmo: SIN_RITMO, timeoutMs: 2_000, trace, tokens });
const guias = open();

async function link(): Promise<Tokens> {
  const lwa = createLwa({
    lwaUrl: `${sandbox.url}/amazon-lwa`,
    sellerUrl: `${sandbox.url}/amazon-seller`,
    appId: APP_ID,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    redirectUri: 'http://127.0.0.1:3000/activacion',
  });
  const back = await consentAmazon(lwa.consentUrl('s'));
  const permiso = await lwa.exchangeCode(back.get('spapi_oauth_code')!);
  let access = { token: permiso.accessToken, sellerId: 'x', version: 1 };
  return {
    current: () => Promise.resolve(access),
    async renew(seen) {
      renewed.push(seen.version);
      const { accessToken } = await lwa.refresh(permiso.refreshToken!);
      return (access = { ...seen, token: accessToken, version: seen.version + 1 });
    },
    reject: () => Promise.resolve(),
  };
}

const SIN_CAMBIOS = {
  guias: 'permitidas',
  paqueteriasDeGuias: 'hay',
  terminos: 'aceptados',
  datosDePersonas: 'conFicha',
  sobreDeFicha: 'sin',
  etiqueta: 'conLaCompra',
  sumaDeEtiqueta: 'delDocumento',
  limite: 'sinEncabezado',
};
beforeEach(async () => {
  await sandbox.clear('amazon');
  await amz.post('/interruptores', SIN_CAMBIOS);
  await amz.post('/ritmo', { factor: FAST });
});

async function porEnviar(): Promise<EnvioPorComprar> {
  const { id, piezas } = await amz.post<AmazonFacts>('/ventas', { escenario: 'porEnviar' });
  return {
    venta: id,
    piezas: piezas.map(({ id, cantidad }) => ({ id, cantidad })),
    remitente: REMITENTE,
    paquete: { peso: 900, largo: 30, ancho: 20, alto: 10 },
  };
}
const ESTAFETA = { servicio: 'ESTAFETA_TERRESTRE', oferta: 'oferta-ESTAFETA_TERRESTRE' };
const sold = () => amz.get<GuiaFacts[]>('/guias');
const failed = (asked: Promise<unknown>) =>
  asked.then(
    () => undefined,
    (error: unknown) => error,
  );

test('services come with carrier, price in pesos and promise; those that cannot be read are counted, not shown', async () => {
  const { servicios, ilegibles } = await guias.servicios(await porEnviar());
  expect(servicios.map(({ id, precio, moneda }) => [id, precio.toFixed(2), moneda])).toEqual([
    ['ESTAFETA_TERRESTRE', '134.00', 'MXN'],
    ['FEDEX_ECONOMICO', '159.50', 'MXN'],
    ['DHL_EXPRESS', '246.00', 'MXN'],
  ]);
  expect(ilegibles).toBe(0);
  expect(await sold()).toEqual([]);
});

test('a label is bought, read again and given back, each with a token made for it alone', async () => {
  for (const sobreDeFicha of ['sin', 'con']) {
    await amz.post('/interruptores', { sobreDeFicha });
    const comprado = await guias.compra(await porEnviar(), ESTAFETA);
    expect(guias.etiqueta(comprado)).toMatchObject({ tipo: 'application/pdf', extension: 'pdf' });
    const leido = await guias.envio(comprado.ShipmentId);
    expect(guias.etiqueta(leido).contenido.equals(guias.etiqueta(comprado).contenido)).toBe(true);
    expect(guias.estadoDe(leido)).toBe('comprada');
    expect(guias.estadoDe(await guias.cancela(comprado.ShipmentId))).toBe('reembolsoPedido');
    // A shipment that was given back has an empty label.
    const despues = await guias.envio(comprado.ShipmentId);
    expect(() => guias.etiqueta(despues)).toThrow(Unavailable);
  }
});

test('the token for people’s data is in no record', async () => {
  const seen: string[] = [];
  const traced = open(({ url, responseBody }) => void seen.push(url, responseBody));
  await traced.compra(await porEnviar(), ESTAFETA);
  expect(seen.join(' ')).toContain('/mfn/v0/shipments ');
  expect(seen.join(' ')).not.toContain('sprdt');
  expect(seen.join(' ')).not.toContain('/tokens/');
});

test('a token that ended is renewed before anything is bought, and what is bought is bought once', async () => {
  await amz.post('/lwa', { expireNow: true });
  const before = renewed.length;
  const envio = await porEnviar();
  await guias.compra(envio, ESTAFETA);
  expect(renewed.length).toBe(before + 1);
  expect((await sold()).filter(({ venta }) => venta === envio.venta)).toHaveLength(1);
});

test('what may have been bought is uncertain; what surely was not is told apart', async () => {
  for (const [mode, route, failure, bought] of [
    ['reset-after-doing', 'POST /mfn/v0/shipments', Uncertain, 1],
    ['500-after-doing', 'POST /mfn/v0/shipments', Uncertain, 1],
    ['half-answer', 'POST /mfn/v0/shipments', Uncertain, 1],
    ['html', 'POST /mfn/v0/shipments', UnexpectedShape, 1],
    ['429', 'POST /mfn/v0/shipments', Unavailable, 0],
    ['refuse', 'POST /mfn/v0/shipments', Refused, 0],
    ['reset-after-doing', 'POST /tokens', Unavailable, 0],
    ['500-after-doing', 'POST /tokens', Unavailable, 0],
    ['html', 'POST /tokens', Unavailable, 0],
  ] as const) {
    const envio = await porEnviar();
    await amz.failNext(mode, { route });
    expect(await failed(guias.compra(envio, ESTAFETA)), `${mode} ${route}`).toBeInstanceOf(failure);
    expect((await sold()).filter(({ venta }) => venta === envio.venta)).toHaveLength(bought);
  }
  // Asking for services changes nothing, whatever its method.
  for (const mode of ['reset-after-doing', '500-after-doing', '503']) {
    await amz.failNext(mode, { route: 'POST /mfn/v0/eligible' });
    expect(await failed(guias.servicios(await porEnviar())), mode).toBeInstanceOf(Unavailable);
  }
});

test('what the account may not do is a no, with the status it came with', async () => {
  await amz.post('/interruptores', { guias: '403' });
  expect(await failed(guias.servicios(await porEnviar()))).toMatchObject({ details: { status: 403 } });
  await amz.post('/interruptores', { ...SIN_CAMBIOS, datosDePersonas: '403' });
  const envio = await porEnviar();
  expect(await failed(guias.compra(envio, ESTAFETA))).toMatchObject({ details: { status: 403 } });
  expect((await sold()).filter(({ venta }) => venta === envio.venta)).toEqual([]);
});

test('the impostor takes no more calls than are documented, and we declare the same', async () => {
  for (const name of ['getEligibleShipmentServices', 'createShipment', 'getShipment', 'cancelShipment'] as const)
    expect(RITMOS[name]).toEqual(RATES[name]);
  expect([RATES.getEligibleShipmentServices, RATES.createShipment, RATES.getShipment].map((r) => r.perSecond)).toEqual([
    6, 2, 1,
  ]);
  const { ShipmentId } = await guias.compra(await porEnviar(), ESTAFETA);
  await amz.post('/ritmo', { factor: 1 });
  await guias.envio(ShipmentId);
  expect(await failed(guias.envio(ShipmentId))).toMatchObject({ details: { status: 429, ownPace: true } });
});

const PDF = Buffer.from('%PDF-1.4\nguia');
const label = (Contents: string | null, Checksum: string | null = null) => ({
  Label: { FileContents: { Contents, Checksum, FileType: 'application/pdf' } },
});
const packed = (bytes: Buffer) => gzipSync(bytes).toString('base64');
const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest();

test('a label is unpacked, measured and compared with its sum before it counts', () => {
  const whole = packed(PDF);
  expect(openEtiqueta(label(whole)).contenido.equals(PDF)).toBe(true);
  for (const sum of [
    md5(PDF).toString('base64'),
    md5(PDF).toString('hex'),
    md5(Buffer.from(whole, 'base64')).toString('base64'),
  ])
    expect(openEtiqueta(label(whole, sum)).contenido.equals(PDF)).toBe(true);
  const png = Buffer.concat([Buffer.from([0x89]), Buffer.from('PNG\r\n')]);
  expect(openEtiqueta(label(packed(png)))).toMatchObject({ tipo: 'image/png', extension: 'png' });
  expect(openEtiqueta(label(packed(Buffer.from('^XA^XZ'))))).toMatchObject({ tipo: 'application/zpl' });
  const bomb = packed(Buffer.concat([PDF, Buffer.alloc(40 * 1024 * 1024)]));
  const wrong = [
    label(null),
    label(''),
    { Label: null },
    label('no es base64!'),
    label(PDF.toString('base64')),
    label(whole.slice(0, -12)),
    label(whole, md5(Buffer.from('otra')).toString('base64')),
    label(packed(Buffer.from('<html>'))),
    label(bomb),
  ];
  for (const one of wrong) expect(() => openEtiqueta(one)).toThrow(Unavailable);
});
