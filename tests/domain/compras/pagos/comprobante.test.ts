import { describe, expect, test } from 'vitest';
import { comprobanteOf, diaEscrito } from '~/domain/compras/pagos/internal/comprobante';
import { readComprobante } from '~/domain/compras/pagos/internal/readComprobante.server';
import { cep } from '../../../support/builders/archivos';

const xml = (contenido: Buffer) => readComprobante({ nombre: 'cep.xml', tipo: 'application/xml', contenido });

describe('what a paper says of its transfer', () => {
  test('a CEP in XML says all of it', async () => {
    expect(await xml(cep())).toEqual({
      fecha: '2026-11-20',
      total: '34512.50',
      claveRastreo: 'MBAN01002611200045',
      banco: 'BBVA MEXICO',
    });
    expect(await xml(Buffer.from('<?xml version="1.0"?><Otro MontoPago="5"/>'))).toBeNull();
    expect(await xml(cep({ monto: '0.00', fecha: '2026-13-45', clave: '' }))).toMatchObject({
      total: null,
      fecha: null,
      claveRastreo: null,
    });
  });

  test.each([
    [
      'names and values apart by tabs',
      [
        'Comprobante de transferencia',
        'Fecha de operación:\t20/11/2026 13:43',
        'Importe:\t$ 34,512.50 MXN',
        'Clave de rastreo:\tMBAN01002611200045',
        'Banco emisor:\tBBVA MEXICO',
      ],
      { fecha: '2026-11-20', total: '34512.50', claveRastreo: 'MBAN01002611200045', banco: 'BBVA MEXICO' },
    ],
    [
      'values under their names',
      [
        'Monto',
        '$1,250.00',
        'Fecha de aplicación',
        '5 de noviembre de 2026',
        'Clave de rastreo',
        '085901234567830961',
        'Institución emisora del pago',
        'BANORTE',
      ],
      { fecha: '2026-11-05', total: '1250.00', claveRastreo: '085901234567830961', banco: 'BANORTE' },
    ],
    [
      'IVA is not what was paid',
      ['Importe del IVA: $ 160.00', 'Clave de rastreo HSBC1234567', 'Monto transferido 1160'],
      { fecha: null, total: '1160.00', claveRastreo: 'HSBC1234567', banco: null },
    ],
    [
      'a key alone',
      ['CLAVE DE RASTREO: nu39abcdefgh12345'],
      { fecha: null, total: null, claveRastreo: 'NU39ABCDEFGH12345', banco: null },
    ],
  ])('of a PDF: %s', (_, lineas, dice) => expect(comprobanteOf(lineas)).toEqual(dice));

  test('a paper that names no transfer proposes nothing', () => {
    expect(comprobanteOf(['Factura A-1', 'Fecha: 20/11/2026', 'Importe: $100.00'])).toBeNull();
    expect(comprobanteOf([])).toBeNull();
    expect(comprobanteOf(['Clave de rastreo: la que te dio tu banco'])).toBeNull();
  });

  test.each([
    ['2026-11-20T10:00', '2026-11-20'],
    ['20-11-2026', '2026-11-20'],
    ['20/NOV/2026', '2026-11-20'],
    ['1 dic. 2026', '2026-12-01'],
    ['30/02/2026', null],
    ['ayer', null],
  ])('a day is read as banks write it: %s', (texto, dia) => expect(diaEscrito(texto)).toBe(dia));
});
