import { describe, expect, test } from 'vitest';
import { Money } from '~/core/money';
import { civilDay, instantOf } from '~/core/time';
import { etiquetaEn, regimenesFor, usoPropuesto, usosFor } from '~/domain/facturacion/sat/opciones';
import { REGIMENES, USOS } from '~/domain/facturacion/sat/sat';
import {
  articulosOf,
  conceptosOfArticulos,
  textoCfdi,
  type Articulo,
  type OrdenVendida,
} from '~/domain/facturacion/cfdi/articulos';
import { ArticuloForm } from '~/domain/facturacion/cfdi/forms';
import { tipoOfSociedad, normalizeRazonSocial } from '~/domain/facturacion/cfdi/nombreFiscal';
import {
  fechaOfFactura,
  precheck,
  precheckCliente,
  type ClienteFactura,
  type DatosFactura,
} from '~/domain/facturacion/cfdi/precheck';
import { explainPacCode } from '~/domain/facturacion/cfdi/explainPac';
import { NewCfdi } from '~/integrations/facturacom/nouns';

const NOW = instantOf('2026-11-20T10:15:00');
const EMISOR = { lugarExpedicion: '42501' };
const moral: ClienteFactura = {
  rfc: 'XIA190128J61',
  razonSocial: 'XENON INDUSTRIAL ARTICLES',
  cp: '76343',
  regimen: '601',
  emails: ['compras@xenon.mx'],
};
const fisica: ClienteFactura = {
  rfc: 'GODE561231GR8',
  razonSocial: 'ELISA GOMEZ DIAZ',
  cp: '06600',
  regimen: '605',
  emails: ['elisa@correo.mx'],
};

function datos(change: Partial<DatosFactura> = {}): DatosFactura {
  const { conceptos, subTotal, iva, total } = conceptosOfArticulos(articulosOf([orden()]));
  return {
    cliente: moral,
    usoCfdi: 'G03',
    formaPago: '04',
    dia: '2026-11-20',
    conceptos,
    subTotal,
    iva,
    total,
    ...change,
  };
}

function orden(change: Partial<OrdenVendida> = {}): OrdenVendida {
  return {
    id: 'o1',
    envio: null,
    envioAdicional: Money.zero,
    articulos: [
      {
        nombre: 'Cámara | 2MP',
        cantidad: 3,
        precioUnitario: Money.of('99.99'),
        importe: Money.of('299.97'),
        sku: 'AMS|1|syscom|DS-2CE',
      },
    ],
    ...change,
  };
}

const campos = (change: Partial<DatosFactura>) => precheck(datos(change), EMISOR, NOW).errores.map((one) => one.campo);
const textos = (cliente: Partial<ClienteFactura>) =>
  precheckCliente({ ...moral, ...cliente }, EMISOR).errores.map((one) => `${one.campo}: ${one.texto}`);

describe('what the PAC would refuse is said before, with field and remedy', () => {
  test('a sound factura passes', () => {
    expect(precheck(datos(), EMISOR, NOW)).toEqual({ errores: [], advertencias: [] });
    expect(campos({ cliente: fisica, usoCfdi: 'D01' })).toEqual([]);
  });

  test('RFC: form and date that exists', () => {
    for (const rfc of ['', 'XIA190128J6', 'XIA190231J61', 'XIA19O128J61', 'xia190128j61'])
      expect(textos({ rfc })).toContain('rfc: RFC No Valido');
    expect(textos({ rfc: 'ÑA&000229J61' })).toEqual([]);
  });

  test('the check digit only warns', () => {
    const { errores, advertencias } = precheckCliente(
      { ...moral, rfc: 'MCI7306249Y1', razonSocial: 'MUNICIPIO DE CUAUTITLAN IZCALLI', regimen: '603' },
      EMISOR,
    );
    expect(errores).toEqual([]);
    expect(advertencias.map((one) => one.campo)).toEqual(['rfc']);
  });

  test('regime against person, use against person and regime', () => {
    expect(textos({ regimen: '605' })[0]).toMatch(/regimen: El RFC es de una persona moral/);
    expect(textos({ regimen: '999' })[0]).toMatch(/no existe en el catálogo/);
    expect(textos({ regimen: '' })[0]).toMatch(/Elige el régimen/);
    expect(campos({ cliente: fisica, usoCfdi: 'G03' })).toEqual(['usoCfdi']);
    expect(campos({ usoCfdi: 'D01' })).toEqual(['usoCfdi']);
    expect(campos({ usoCfdi: 'CP01' })).toEqual(['usoCfdi']);
    expect(campos({ usoCfdi: 'P01' })).toEqual(['usoCfdi']);
    expect(campos({ usoCfdi: '' })).toEqual(['usoCfdi']);
  });

  test("generic RFC: regime 616, use S01, CP of issue and the buyer's own name", () => {
    const generico = { ...moral, rfc: 'XAXX010101000', razonSocial: 'JUAN PEREZ', regimen: '616', cp: '42501' };
    expect(campos({ cliente: generico, usoCfdi: 'S01' })).toEqual([]);
    expect(campos({ cliente: { ...generico, cp: '06600' }, usoCfdi: 'S01' })).toEqual(['cp']);
    expect(campos({ cliente: { ...generico, regimen: '601' }, usoCfdi: 'G03' })).toEqual(['regimen', 'usoCfdi']);
    expect(campos({ cliente: { ...generico, razonSocial: 'PÚBLICO EN GENERAL' }, usoCfdi: 'S01' })).toEqual([
      'razonSocial',
    ]);
    expect(textos({ razonSocial: 'PUBLICO EN GENERAL' })[0]).toMatch(/no es el nombre de ese RFC/);
  });

  test('postal code, e-mails, payment form', () => {
    for (const cp of ['', '7634', '763430', '7634O']) expect(textos({ cp })).toEqual(['cp: Código Postal No Valido']);
    expect(textos({ emails: [] })[0]).toMatch(/Escribe el correo/);
    expect(textos({ emails: ['a@b.mx', 'nope@'] })).toEqual(['email2: Email No Valido']);
    expect(campos({ formaPago: '99' })).toEqual(['formaPago']);
    expect(campos({ formaPago: '07' })).toEqual(['formaPago']);
  });

  test('concepts and sums', () => {
    expect(campos({ conceptos: [] })).toContain('articulos');
    const [concepto] = datos().conceptos;
    expect(campos({ conceptos: [{ ...concepto!, claveProdServ: '123' }] })).toEqual(['articulos[0].codigoSat']);
    expect(campos({ total: '299.98' })).toEqual(['articulos']);
  });
});

describe('fecha de facturación', () => {
  test('today or two days back, never the future, in the zone of the business', () => {
    for (const dia of ['2026-11-20', '2026-11-19', '2026-11-18']) expect(campos({ dia })).toEqual([]);
    for (const dia of ['2026-11-17', '2026-11-21', '2026-02-30', 'ayer']) expect(campos({ dia })).toEqual(['fecha']);
  });

  test('late at night Mexico is still in today while UTC is already tomorrow', () => {
    const night = new Date('2026-11-21T04:30:00Z');
    expect(civilDay(night)).toBe('2026-11-20');
    expect(precheck(datos({ dia: '2026-11-21' }), EMISOR, night).errores.map((one) => one.campo)).toEqual(['fecha']);
    expect(fechaOfFactura('2026-11-20', night)).toBe('2026-11-20T22:29:00');
  });

  test('a past day takes the time of day of now, a minute early, without leaving the day', () => {
    expect(fechaOfFactura('2026-11-18', NOW)).toBe('2026-11-18T10:14:00');
    expect(fechaOfFactura('2026-11-20', instantOf('2026-11-20T00:00:20'))).toBe('2026-11-20T00:00:00');
  });
});

describe('razón social', () => {
  test('is normalized without touching what the SAT keeps', () => {
    expect(normalizeRazonSocial('  peñafiel  |  &  cía "norte" ')).toBe('PEÑAFIEL & CÍA "NORTE"');
    expect(textos({ razonSocial: 'Xenon Industrial  Articles' })[0]).toMatch(/mayúsculas/);
  });

  test('the kind of company is noticed in legal persons, as a warning with the name that would pass', () => {
    const names = [
      'SA DE CV',
      'S.A. DE C.V.',
      'S. A. DE C. V.',
      'S DE RL DE CV',
      'S. DE R.L. MI'.replace(' MI', ' DE M.I.'),
      'SAPI DE CV',
      'S.A.B. DE C.V.',
      'SAS',
      'SC',
      'A.C.',
      'SC DE RL DE CV',
      'SPR DE RL',
      'SA DE CV SOFOM ENR',
      'S.N.C.',
      'IAP',
    ];
    for (const tipo of names)
      expect([tipo, tipoOfSociedad(moral.rfc, `GRUPO ABC, ${tipo}`)?.nombre]).toEqual([tipo, 'GRUPO ABC']);
    for (const name of ['XENON INDUSTRIAL ARTICLES', 'SERVICIOS DE CALIDAD', 'CASA DE CAMBIO', 'SA'])
      expect(tipoOfSociedad(moral.rfc, name)).toBeNull();
    expect(tipoOfSociedad(fisica.rfc, 'MARIA SC')).toBeNull();
    const { errores, advertencias } = precheckCliente(
      { ...moral, razonSocial: 'XENON INDUSTRIAL ARTICLES SA DE CV' },
      EMISOR,
    );
    expect([errores, advertencias[0]?.propuesta]).toEqual([[], 'XENON INDUSTRIAL ARTICLES']);
  });
});

test('PAC codes speak of a field and a remedy; an unknown one says to read the detail', () => {
  expect(explainPacCode('CFDI40145')).toMatchObject({ campo: 'razonSocial' });
  expect(explainPacCode('CFDI40147')).toEqual(explainPacCode('CFDI40148'));
  expect(explainPacCode('CFDI40161').campo).toBe('usoCfdi');
  expect(explainPacCode('401').campo).toBe('fecha');
  expect(explainPacCode('CFDI40999').texto).toMatch(/detalle/);
  expect(explainPacCode(undefined).texto).toMatch(/detalle/);
});

describe('catálogos', () => {
  test('regimes and uses are those of the person and the regime', () => {
    expect(regimenesFor(moral.rfc).map((one) => one.id)).toEqual([
      '601',
      '603',
      '610',
      '620',
      '622',
      '623',
      '624',
      '626',
    ]);
    expect(regimenesFor(fisica.rfc).map((one) => one.id)).not.toContain('601');
    expect(usosFor(fisica.rfc, '605').map((one) => one.id)).toEqual([
      'D01',
      'D02',
      'D03',
      'D04',
      'D05',
      'D06',
      'D07',
      'D08',
      'D09',
      'D10',
      'S01',
    ]);
    expect(usosFor(fisica.rfc, '616').map((one) => one.id)).toEqual(['G02', 'S01']);
    expect(usosFor('XAXX010101000', '616').map((one) => one.id)).toEqual(['S01']);
    expect([usoPropuesto(moral.rfc, '601'), usoPropuesto(fisica.rfc, '605')]).toEqual(['G03', 'S01']);
    expect(REGIMENES.every((regimen) => USOS.find((uso) => uso.id === 'S01')!.regimenes.includes(regimen.id))).toBe(
      true,
    );
    expect(etiquetaEn(USOS, 'G03')).toBe('G03 - Gastos en general');
  });
});

describe('artículos', () => {
  test('an orden becomes its lines, with the remembered SAT key', () => {
    expect(articulosOf([orden()], (sku) => (sku === 'AMS|1|syscom|DS-2CE' ? '46171610' : undefined))).toEqual([
      {
        ordenId: 'o1',
        nombre: 'Cámara - 2MP',
        codigoSat: '46171610',
        claveUnidad: 'H87',
        cantidad: 3,
        precioUnitario: '99.99',
        importe: '299.97',
        sku: 'AMS|1|syscom|DS-2CE',
        tasaIva: '0.160000',
      },
    ]);
  });

  test('shipping is counted once per shipment: charged, else the approved additions', () => {
    const envio = (id: string, cobrado: string | null) => ({
      id,
      cobrado: cobrado === null ? null : Money.of(cobrado),
    });
    const lines = (ordenes: OrdenVendida[]) =>
      articulosOf(ordenes)
        .filter((one) => one.codigoSat === '78102205')
        .map((one) => one.importe);
    expect(
      lines([
        orden({ envio: envio('e1', '129.00') }),
        orden({ id: 'o2', envio: envio('e1', '129.00'), envioAdicional: Money.of('50') }),
      ]),
    ).toEqual(['129.00']);
    expect(
      lines([
        orden({ envio: envio('e1', null), envioAdicional: Money.of('60') }),
        orden({ id: 'o2', envio: envio('e1', null), envioAdicional: Money.of('39.50') }),
      ]),
    ).toEqual(['99.50']);
    expect(
      lines([
        orden({ envio: envio('e1', '10.00') }),
        orden({ id: 'o2', envio: envio('e2', '0.00'), envioAdicional: Money.of('20') }),
      ]),
    ).toEqual(['10.00', '20.00']);
    expect(lines([orden({ envioAdicional: Money.of('75') })])).toEqual(['75.00']);
    expect(lines([orden({ envio: envio('e1', '0.00') })])).toEqual([]);
    expect(articulosOf([orden({ envio: envio('e1', '129.00') })]).at(-1)).toMatchObject({
      nombre: 'Servicio de Paqueteria Nacional',
      cantidad: 1,
      claveUnidad: 'E48',
    });
  });

  test('the form takes amounts as people write them and says what is wrong', () => {
    const form = {
      nombre: ' Cable\tUTP | 3 m ',
      codigoSat: '26121609',
      cantidad: '1,000',
      precioUnitario: '$1,234.50',
    };
    expect(ArticuloForm.parse(form)).toEqual({
      nombre: 'Cable UTP - 3 m',
      codigoSat: '26121609',
      claveUnidad: 'H87',
      cantidad: 1000,
      precioUnitario: '1234.50',
      importe: '1234500.00',
      tasaIva: '0.160000',
    });
    const wrong = ArticuloForm.safeParse({ nombre: '  ', codigoSat: '12', cantidad: '0', precioUnitario: '10000000' });
    expect(wrong.error?.issues.map((issue) => issue.path[0])).toEqual([
      'nombre',
      'codigoSat',
      'cantidad',
      'precioUnitario',
    ]);
    for (const cantidad of ['1.5', '-1', '100001', 'dos'])
      expect(ArticuloForm.safeParse({ ...form, cantidad }).success).toBe(false);
    for (const precioUnitario of ['0', '-5', '1.234', '1e3', ''])
      expect(ArticuloForm.safeParse({ ...form, precioUnitario }).success).toBe(false);
    expect(ArticuloForm.parse({ ...form, precioUnitario: '1,50' }).precioUnitario).toBe('1.50');
    expect(ArticuloForm.safeParse({ ...form, cantidad: '1,5' }).success).toBe(false);
  });

  test('a marketplace amount that is no whole cents per piece survives until somebody changes price or quantity', () => {
    const form = { nombre: 'x', codigoSat: '01010101', cantidad: '3', precioUnitario: '33.33', importe: '100.00' };
    expect(ArticuloForm.parse(form).importe).toBe('100.00');
    expect(ArticuloForm.parse({ ...form, cantidad: '4' }).importe).toBe('133.32');
    expect(ArticuloForm.parse({ ...form, precioUnitario: '33.34' }).importe).toBe('100.02');
  });

  test('the concepts fit the request and add up to what was paid', () => {
    const articulos: Articulo[] = articulosOf([orden({ envio: { id: 'e', cobrado: Money.of('199') } })]);
    const { conceptos, subTotal, iva, total } = conceptosOfArticulos(articulos);
    expect(conceptos[0]).toEqual({
      claveProdServ: '01010101',
      noIdentificacion: 'AMS-1-syscom-DS-2CE',
      cantidad: 3,
      claveUnidad: 'H87',
      unidad: 'Pieza',
      descripcion: 'Cámara - 2MP',
      valorUnitario: '86.198276',
      importe: '258.594828',
      base: '258.594828',
      tasaIva: '0.160000',
      iva: '41.375172',
    });
    expect(conceptos[1]).toMatchObject({ claveProdServ: '78102205', claveUnidad: 'E48', unidad: 'Unidad de servicio' });
    expect([subTotal, iva, total]).toEqual(['430.15', '68.82', '498.97']);
    const request = {
      tipo: 'factura',
      serieId: 1,
      receptor: { uid: 'u', rfc: moral.rfc, nombre: moral.razonSocial, cp: moral.cp, regimen: '601' },
      usoCfdi: 'G03',
      formaPago: '04',
      fecha: '2026-11-20T10:00:00',
      conceptos,
      subTotal,
      iva,
      total,
    };
    expect(NewCfdi.parse(request)).toEqual(request);
  });

  test("text loses what the SAT's seal cannot carry", () => {
    expect(textoCfdi(' a|b\u0000\u200B\n c\uD800 ', 100)).toBe('a-b c');
    expect(textoCfdi('ñ'.repeat(1200), 1000)).toHaveLength(1000);
    expect(textoCfdi('aaa😀', 4)).toBe('aaa');
  });
});
