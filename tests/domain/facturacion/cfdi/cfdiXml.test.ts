import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Money } from '~/core/money';
import { conceptosOfArticulos, articulosOf } from '~/domain/facturacion/cfdi/articulos';
import { matchesRequest } from '~/domain/facturacion/cfdi/internal/matchesRequest.server';
import { readCfdiXml } from '~/integrations/sat/cfdiXml.server';
import { UnexpectedShape } from '~/integrations/errors';
import type { NewCfdi } from '~/integrations/facturacom/nouns';

const UUID = '6F35D3B5-3651-5370-BC2C-14CDBE384CD7';
const EMISOR = 'EKU9003173C9';
const SAMPLE = 'tests/support/sat/cfdi40-ejemplo-valido.xml';

const { conceptos, subTotal, iva, total } = conceptosOfArticulos(
  articulosOf([
    {
      id: 'o1',
      envio: { id: 'e1', cobrado: Money.of('199.00') },
      envioAdicional: Money.zero,
      articulos: [
        {
          nombre: 'Cámara "bala" <2MP> & domo',
          cantidad: 3,
          precioUnitario: Money.of('99.99'),
          importe: Money.of('299.97'),
          sku: 'AMS|1|syscom|DS',
        },
        { nombre: 'Conector', cantidad: 7, precioUnitario: Money.of('14.37'), importe: Money.of('100.59'), sku: null },
      ],
    },
  ]),
);

const cfdi: NewCfdi = {
  tipo: 'factura',
  serieId: 17317,
  receptor: { uid: 'u', rfc: 'ÑA&000229J61', nombre: 'ÑANDÚ & CÍA', cp: '06600', regimen: '601' },
  usoCfdi: 'G03',
  formaPago: '04',
  fecha: '2026-11-20T10:14:00',
  conceptos,
  subTotal,
  iva,
  total,
  relacionados: { tipoRelacion: '04', uuids: [UUID] },
};

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

function xmlOf(asked: NewCfdi): string {
  const { receptor } = asked;
  const traslado = (base: string, tasa: string, importe: string) =>
    `<cfdi:Traslado Base="${base}" Impuesto="002" TipoFactor="Tasa" TasaOCuota="${tasa}" Importe="${importe}"/>`;
  const lines = asked.conceptos.map(
    (
      one,
    ) => `<cfdi:Concepto ClaveProdServ="${one.claveProdServ}" Cantidad="${one.cantidad}" ClaveUnidad="${one.claveUnidad}" Unidad="${one.unidad}"
    Descripcion="${escape(one.descripcion)}" ValorUnitario="${one.valorUnitario}" Importe="${one.importe}" ObjetoImp="02"><cfdi:Impuestos><cfdi:Traslados>${traslado(one.base, one.tasaIva, one.iva)}</cfdi:Traslados></cfdi:Impuestos></cfdi:Concepto>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<cfdi:Comprobante xmlns:cfdi="http://www.sat.gob.mx/cfd/4" Version="4.0" Serie="F" Folio="160" Fecha="${asked.fecha}" Sello="abcdefghSELLOCOLA" FormaPago="${asked.formaPago}" NoCertificado="30001000000500003416"
  SubTotal="${asked.subTotal}" Moneda="MXN" Total="${asked.total}" TipoDeComprobante="I" Exportacion="01" MetodoPago="PUE" LugarExpedicion="42501">
  <cfdi:CfdiRelacionados TipoRelacion="04"><cfdi:CfdiRelacionado UUID="${UUID.toLowerCase()}"/></cfdi:CfdiRelacionados>
  <cfdi:Emisor Rfc="EKU9003173C9" Nombre="ESCUELA KEMPER URGATE" RegimenFiscal="601"/>
  <cfdi:Receptor Rfc="${escape(receptor.rfc)}" Nombre="${escape(receptor.nombre)}" DomicilioFiscalReceptor="${receptor.cp}" RegimenFiscalReceptor="${receptor.regimen}" UsoCFDI="${asked.usoCfdi}"/>
  <cfdi:Conceptos>${lines.join('')}</cfdi:Conceptos>
  <cfdi:Impuestos TotalImpuestosTrasladados="${asked.iva}"><cfdi:Traslados>${traslado(asked.subTotal, '0.160000', asked.iva)}</cfdi:Traslados></cfdi:Impuestos>
  <cfdi:Complemento><tfd:TimbreFiscalDigital xmlns:tfd="http://www.sat.gob.mx/TimbreFiscalDigital" Version="1.1" UUID="${UUID.toLowerCase()}" FechaTimbrado="2026-11-20T10:15:03"
    RfcProvCertif="SLP2001015X3" SelloCFD="x" NoCertificadoSAT="30001000000500003456" SelloSAT="yyyyyyyySATCOLA8"/></cfdi:Complemento>
</cfdi:Comprobante>`;
}

describe('readCfdiXml', () => {
  test('reads what a stamped CFDI says, whatever its text carries', () => {
    const xml = readCfdiXml(Buffer.from(`\uFEFF${xmlOf(cfdi)}`));
    expect(xml).toMatchObject({
      uuid: UUID,
      serie: 'F',
      folio: '160',
      tipo: 'I',
      fecha: cfdi.fecha,
      fechaTimbrado: '2026-11-20T10:15:03',
      selloCola: 'ELLOCOLA',
      selloSatCola: 'SATCOLA8',
      receptor: { rfc: 'ÑA&000229J61', nombre: 'ÑANDÚ & CÍA', cp: '06600', regimen: '601', usoCfdi: 'G03' },
      relacionados: [{ tipoRelacion: '04', uuids: [UUID] }],
      informacionGlobal: null,
    });
    expect(xml.conceptos.map((one) => one.descripcion)).toEqual([
      'Cámara "bala" <2MP> & domo',
      'Conector',
      'Servicio de Paqueteria Nacional',
    ]);
  });

  test.runIf(exists(SAMPLE))("reads a CFDI of the SAT's test issuer", () => {
    const xml = readCfdiXml(readFileSync(SAMPLE));
    expect(xml).toMatchObject({
      uuid: UUID,
      total: '3327.01',
      noCertificadoSat: '30001000000500003456',
      serie: '',
      folio: '',
    });
    expect(xml.impuestos).toEqual({
      totalTraslados: '458.90',
      traslados: [{ base: '2868.11', impuesto: '002', tipoFactor: 'Tasa', tasa: '0.160000', importe: '458.90' }],
    });
  });

  test('what is no CFDI, or hides something, is refused', () => {
    const good = xmlOf(cfdi);
    const bad = {
      empty: '',
      json: '{"response":"error"}',
      html: '<html><body>mantenimiento</body></html>',
      half: good.slice(0, good.length / 2),
      doctype: good.replace('?>\n', '?>\n<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>\n'),
      bomb: '<!DOCTYPE l [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><l>&b;</l>',
      unknownEntity: good.replace('Conector', '&nada;'),
      cfdi33: good.replaceAll('cfd/4', 'cfd/3'),
      unstamped: good.replace(/<cfdi:Complemento>[\s\S]*<\/cfdi:Complemento>/, ''),
      withoutUuid: good.replace(/ UUID="[^"]+" FechaTimbrado/, ' FechaTimbrado'),
    };
    for (const [name, text] of Object.entries(bad))
      expect(() => readCfdiXml(Buffer.from(text)), name).toThrow(UnexpectedShape);
    expect(() => readCfdiXml(Buffer.from(good, 'latin1'))).toThrow(UnexpectedShape);
    expect(() => readCfdiXml(Buffer.alloc(17 * 1024 * 1024, 0x20))).toThrow(UnexpectedShape);
  });
});

describe('matchesRequest', () => {
  const xml = readCfdiXml(xmlOf(cfdi));

  test('our own document has no differences, however its numbers are written', () => {
    expect(matchesRequest(xml, cfdi, { uuid: UUID.toLowerCase(), emisor: EMISOR })).toEqual([]);
    const short = readCfdiXml(xmlOf(cfdi).replace('Cantidad="3"', 'Cantidad="3.000000"'));
    expect(matchesRequest(short, cfdi, { uuid: UUID, emisor: EMISOR })).toEqual([]);
  });

  test('says each thing that is not what was asked', () => {
    const names = (asked: NewCfdi, uuid = UUID, emisor = EMISOR) =>
      matchesRequest(xml, asked, { uuid, emisor }).map((one) => one.split(':')[0]);
    expect(
      names({
        ...cfdi,
        receptor: { ...cfdi.receptor, rfc: 'XIA190128J61', nombre: 'OTRO', cp: '01000', regimen: '603' },
      }),
    ).toEqual(['RFC', 'Razón Social', 'Código postal', 'Régimen']);
    expect(names({ ...cfdi, usoCfdi: 'S01', total: '599.57' })).toEqual(['Uso de CFDI', 'Total']);
    expect(names({ ...cfdi, conceptos: cfdi.conceptos.slice(1) })).toEqual(['Número de conceptos']);
    expect(
      names({ ...cfdi, conceptos: cfdi.conceptos.with(1, { ...cfdi.conceptos[1]!, importe: '1.000000' }) }),
    ).toEqual(['Concepto 2, importe']);
    expect(names(cfdi, '00000000-0000-4000-8000-000000000000')).toEqual(['UUID']);
    expect(names(cfdi, UUID, 'XIA190128J61')).toEqual(['RFC del emisor']);
    expect(names({ ...cfdi, relacionados: undefined })).toEqual(['CFDI relacionados']);
    expect(names({ ...cfdi, informacionGlobal: { periodicidad: '04', meses: '10', anio: '2026' } })).toEqual([
      'Información global',
    ]);
    expect(names({ ...cfdi, tipo: 'nota_credito', fecha: '2026-11-19T10:14:00' })).toEqual([
      'Tipo de comprobante',
      'Día',
    ]);
  });
});

function exists(path: string): boolean {
  try {
    return readFileSync(path).length > 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
