/** The CFDI de retenciones of marketplaces: both versions are read, what is not ours or not readable is told, and what another one replaced counts nowhere. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { NotAllowed } from '~/core/errors';
import type { Market } from '~/core/market';
import type { Usuario } from '~/core/usuario';
import { readLoQueVe } from '~/domain/facturacion/plataformas/loQueVe.server';
import {
  listRetenciones,
  MAX_RETENCION,
  receiveRetenciones,
  removeRetencion,
} from '~/domain/facturacion/plataformas/retenciones.server';
import { readRetencionXml } from '~/integrations/sat/retencionXml.server';
import { readArchivo } from '~/platform/files/archivos.server';
import type { Trx } from '~db/client.server';
import { retencionAnterior, retencionDePlataforma, type RetencionSketch } from '../../../support/builders/plataformas';
import { linkNuestroRfc, NUESTRO_RFC } from '../../../support/builders/proveedores';
import { buildPersona } from '../../../support/builders/ventas';
import { testDatabase } from '../../../support/db';

const { db } = testDatabase();
let ana: Usuario;
beforeAll(async () => {
  ana = await buildPersona(db);
});

const tx = <T>(run: (trx: Trx) => Promise<T>) => db.transaction().execute(run);
const recibir = (xml: (string | Buffer)[], market: Market | null = null) =>
  tx((trx) =>
    receiveRetenciones(
      trx,
      xml.map((contenido, at) => ({ nombre: `${at}.xml`, contenido: Buffer.from(contenido) })),
      { market, usuarioId: ana.id },
    ),
  );
const motivoDe = async (xml: string | Buffer, market: Market | null = null) => {
  const { leidos, rechazados } = await recibir([xml], market);
  expect(leidos).toEqual([]);
  return rechazados[0]!.motivo;
};
const leer = async (sketch: RetencionSketch) => {
  const { leidos, rechazados } = await recibir([retencionDePlataforma(sketch)]);
  expect(rechazados).toEqual([]);
  return leidos[0]!;
};
const una = async (mes: string, id: string) => (await listRetenciones(db, mes)).find((one) => one.id === id)!;

test('without the link to factura.com our RFC is unknown, and nothing is taken', async () => {
  await expect(recibir([retencionDePlataforma()])).rejects.toThrow(NotAllowed);
  await linkNuestroRfc(db);
});

test('the example of the reference is read in both versions, whatever its prefixes', () => {
  const esperado = {
    clave: '26',
    emisor: { rfc: 'AAA010101AAA' },
    receptorRfc: NUESTRO_RFC,
    totales: { operacion: '1000.00', gravado: '1000.00', exento: '0.00', retenido: '105.00' },
    retenidos: [
      { impuesto: '001', monto: '25.00' },
      { impuesto: '002', monto: '80.00' },
    ],
    plataforma: {
      numServ: '1',
      sinIva: '1000.00',
      ivaTrasladado: '160.00',
      ivaRetenido: '80.00',
      isrRetenido: '25.00',
      difIva: '80.00',
      usoPlataforma: '150.00',
      servicios: [{ tipo: '05', precioSinIva: '1000.00', iva: '160.00', comision: '150.00' }],
    },
  };
  expect(readRetencionXml(retencionDePlataforma())).toMatchObject({
    ...esperado,
    version: '2.0',
    periodo: { mesIni: '10', mesFin: '10', ejercicio: '2026' },
  });
  expect(readRetencionXml(retencionAnterior())).toMatchObject({
    ...esperado,
    version: '1.0',
    periodo: { ejercicio: '2021' },
  });
});

test('a document is kept with its XML, and a second one of the same UUID is told', async () => {
  const xml = retencionDePlataforma({ mesIni: '01', mesFin: '01', fecha: '2026-02-05T10:00:00' });
  const { leidos } = await recibir([xml]);
  const cfdi = await una('2026-01', leidos[0]!);
  expect(cfdi).toMatchObject({ market: 'ml', emisorRfc: 'AAA010101AAA', observaciones: [], sustituida: false });
  expect([cfdi.sinIva, cfdi.isrRetenido, cfdi.ivaRetenido].map(String)).toEqual(['1000.00', '25.00', '80.00']);
  const { archivoId } = await db
    .selectFrom('retencionCfdi')
    .select('archivoId')
    .where('id', '=', leidos[0]!)
    .executeTakeFirstOrThrow();
  expect((await readArchivo(db, archivoId))!.contenido.toString()).toBe(xml);
  expect(await motivoDe(xml)).toBe('Ya está aquí: es de enero de 2026, de Mercado Libre.');
});

test('version 1.0 is kept too', async () => {
  const { leidos } = await recibir([retencionAnterior()]);
  expect(await una('2021-10', leidos[0]!)).toMatchObject({ observaciones: [], market: 'ml' });
});

test('what is not ours, or no CFDI of a platform, says why', async () => {
  expect(await motivoDe(retencionDePlataforma({ receptor: 'XAXX010101000' }))).toBe(
    `Está a nombre de XAXX010101000 y no de ${NUESTRO_RFC}: no es una factura de esta empresa.`,
  );
  expect(
    await motivoDe(
      retencionDePlataforma().replace(/<r:Nacional .*?\/>/, '<r:Extranjero NumRegIdTribR="1" NomDenRazSocR="X"/>'),
    ),
  ).toBe('Está a nombre de un extranjero: no es de esta empresa.');
  expect(await motivoDe(retencionDePlataforma({ clave: '14' }))).toBe(
    'No es de plataformas tecnológicas: su clave de retención no es 26.',
  );
  expect(await motivoDe(retencionDePlataforma().replace(/<pt:Serv.*<\/pt:ServiciosPlat\w+>/s, ''))).toBe(
    'Al CFDI de retenciones le falta el complemento de plataformas tecnológicas.',
  );
  expect(await motivoDe('<x/>')).toBe('El XML no es un CFDI de retenciones.');
  expect(await motivoDe(retencionDePlataforma({ mesIni: '11', mesFin: '10' }))).toBe('Su periodo no se puede leer.');
  expect(await motivoDe(retencionDePlataforma({ mesIni: '13', mesFin: '13' }))).toBe('Su periodo no se puede leer.');
  expect(await motivoDe(retencionDePlataforma({ ejercicio: '2094' }))).toBe('Su periodo no se puede leer.');
  expect(await motivoDe(retencionDePlataforma({ fecha: '2018-01-01T00:00:00' }))).toMatch(/^Su fecha \(2018-01-01\)/);
  expect(await motivoDe(retencionDePlataforma({ isr: '-25.00' }))).toBe('Tiene importes que no se pueden leer.');
  expect(await motivoDe(retencionDePlataforma({ isr: '1e9' }))).toBe('Tiene importes que no se pueden leer.');
});

test('hostile XML reaches no file and no network', async () => {
  const entidad = `<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>${retencionDePlataforma()}`;
  expect(await motivoDe(entidad)).toBe('El XML declara un DOCTYPE o entidades.');
  expect(await motivoDe(Buffer.alloc(MAX_RETENCION + 1, 0x20))).toBe('El XML pesa más de 4 MB.');
  expect(await motivoDe(`<a>${'<b/>'.repeat(40_001)}</a>`)).toBe('El XML tiene demasiados elementos.');
  expect(await motivoDe(retencionDePlataforma().slice(0, -40))).toMatch(/^El XML está mal formado/);
  expect(await motivoDe(Buffer.from([0xff, 0xfe, 0x00]))).toBe('El XML no está en UTF-8.');
  expect(await motivoDe(retencionDePlataforma({ emisor: 'A\u0000B' }))).toMatch(/\.$/);
});

test('an unknown issuer asks for its marketplace once, and is then held to it', async () => {
  const otra = { rfc: 'BBB010101BB1', emisor: 'PLATAFORMA DE PRUEBA', mesIni: '02', mesFin: '02' };
  expect(await motivoDe(retencionDePlataforma(otra))).toBe(
    'No se sabe de qué mercado es PLATAFORMA DE PRUEBA (BBB010101BB1). Elige el mercado y vuelve a soltarlo.',
  );
  const { leidos } = await recibir([retencionDePlataforma(otra)], 'amz');
  expect((await una('2026-02', leidos[0]!)).market).toBe('amz');
  await leer(otra);
  expect(await motivoDe(retencionDePlataforma(otra), 'ml')).toBe(
    'Su emisor, BBB010101BB1, es de Amazon y no de Mercado Libre.',
  );
  for (const { id, market } of await listRetenciones(db, '2026-02'))
    if (market === 'amz') await tx((trx) => removeRetencion(trx, id, ana.id));
  // Once its documents are gone, a mistaken choice can be made anew.
  const [id] = (await recibir([retencionDePlataforma(otra)], 'ml')).leidos;
  expect((await una('2026-02', id!)).market).toBe('ml');
  await tx((trx) => removeRetencion(trx, id!, ana.id));
  await expect(tx((trx) => removeRetencion(trx, id!, ana.id))).rejects.toThrow('Otra persona ya quitó este CFDI.');
});

test('a sum that does not add up is shown and not refused', async () => {
  const id = await leer({
    mesIni: '03',
    mesFin: '04',
    exento: '1.00',
    retenido: '106.00',
    numServ: '3',
    uso: '151.00',
    trasladado: '161.00',
    servicios: [
      { precio: '900.00', iva: '144.00', comision: '150.00', fecha: '2026-04-02' },
      { precio: '90.00', iva: '16.00', fecha: '2026-05-01' },
    ],
  });
  expect((await una('2026-04', id)).observaciones).toEqual([
    'Operaciones sin IVA: $1,000.00, y sus servicios suman $990.00.',
    'Dice $1.00 exentos.',
    'Total retenido: $106.00, y sus impuestos suman $105.00.',
    'IVA trasladado: $161.00, y sus servicios suman $160.00.',
    'Uso de la plataforma: $151.00, y las comisiones suman $150.00.',
    'Dice 3 servicios y trae 2.',
    'Cubre de marzo de 2026 a abril de 2026.',
    '1 servicio tiene fecha fuera de su periodo.',
  ]);
  const [ml] = await readLoQueVe(db, '2026-04');
  expect(String(ml!.suyo!.otroMes)).toBe('106.00');
});

test('a replaced document is marked and counts nowhere, whichever comes first', async () => {
  const [primero, segundo] = [randomUUID().toUpperCase(), randomUUID()];
  const mayo = { mesIni: '05', mesFin: '05' };
  const nuevo = await leer({ ...mayo, uuid: segundo, sustituye: primero, isr: '30.00', retenido: '110.00' });
  const viejo = await leer({ ...mayo, uuid: primero });
  expect((await una('2026-05', viejo)).sustituida).toBe(true);
  expect((await una('2026-05', nuevo)).sustituida).toBe(false);
  const [ml] = await readLoQueVe(db, '2026-05');
  expect([ml!.suyo!.documentos, String(ml!.suyo!.retenido)]).toEqual([1, '110.00']);
  // Another issuer cannot take it away.
  await recibir([retencionDePlataforma({ ...mayo, rfc: 'CCC010101CC1', emisor: 'AMAZON', sustituye: segundo })]);
  expect((await una('2026-05', nuevo)).sustituida).toBe(false);
  // Two that stand of one month are added.
  await leer(mayo);
  expect((await readLoQueVe(db, '2026-05'))[0]!.suyo!.documentos).toBe(2);
});
