import { expect, test } from 'vitest';
import { isCommonPassword } from '~/core/commonPassword';
import { isEmail, isEmailOfDosACuatro } from '~/core/email';
import { enMiles, parseImporte, unmaskMonto } from '~/core/importe';
import { isNombre } from '~/core/nombre';
import { isRfc, normalizeRfc } from '~/core/rfc';
import { storedTelefono, parseTelefono } from '~/core/telefono';
import { withoutUnstorable } from '~/core/text';
import { normalizeRazonSocial, tipoOfSociedad } from '~/domain/facturacion/cfdi/nombreFiscal';
import { createSheet } from '~/platform/lists/xlsx.server';
import { modelosEn, referenciasEn } from '~/domain/compras/facturas/internal/distribute';
import { folioOf } from '~/integrations/facturacom/answers';
import { messageOf } from '~/integrations/facturacom/envelope';
import { isAccount, isClear, saysExists } from '~/integrations/facturacom/refusal';

/** What strangers and far sides write is read in time that grows as its length does: 100 kB of the worst takes no longer than a page. */
const LARGO = 100_000;
const MAX_MS = 400;

const UNITS = [
  ...' \t,.-_09$<>\'"=@&(/#|aAñ\u00a0😀',
  'a.',
  'a@',
  'a ',
  ' ,',
  '<a',
  '<script>',
  'x ',
  'ext 1 ',
  'ya ',
  'ya timbra',
  'el campo ',
  'el cliente no ',
  'fecha ',
  'timbres ',
  '1,234',
  '1,',
  'S A DE C V ',
  'DE ',
  'AMS|1|',
];
const READERS: Record<string, (text: string) => unknown> = {
  isEmail,
  isEmailDeDosACuatro: isEmailOfDosACuatro,
  leerImporte: parseImporte,
  unmaskMonto,
  enMiles,
  isNombre,
  leerTelefono: parseTelefono,
  withoutUnstorable,
  folioOf,
  messageOf,
  saysExists,
  referenciasEn,
  normalizarRazonSocial: normalizeRazonSocial,
  rfc: (text) => isRfc(normalizeRfc(text)),
  password: (text) => isCommonPassword(text, [text.slice(0, 40)]),
  sociedad: (text) => tipoOfSociedad('AAA010101AAA', text),
  modelos: (text) => modelosEn({ clave: text, descripcion: text }),
  hoja: (text) => createSheet({ hoja: text, columnas: [] }),
  rechazo: (message) => {
    const no = {
      kind: 'error' as const,
      status: 400,
      body: {},
      message,
      detail: message,
      code: undefined,
      keys: false,
      fields: false,
    };
    return [isClear(no), isAccount(no)];
  },
};

test.each(Object.entries(READERS))('%s reads 100 kB of anything in bounded time', async (_, read) => {
  for (const unit of UNITS) {
    for (const end of ['', '!']) {
      const text = unit.repeat(Math.ceil(LARGO / unit.length)) + end;
      // Of the process, not of the clock: the cores are shared.
      const began = process.cpuUsage();
      await read(text);
      const { user, system } = process.cpuUsage(began);
      const ms = (user + system) / 1_000;
      expect(ms, `${JSON.stringify(unit)} × ${LARGO}`).toBeLessThan(MAX_MS);
    }
  }
});

test('what is read in one pass is what was read before', () => {
  expect(['', '1', '12', '123', '1234', '123456', '1234567'].map(enMiles)).toEqual([
    '',
    '1',
    '12',
    '123',
    '1,234',
    '123,456',
    '1,234,567',
  ]);
  expect(['F 160', 'F-160', 'F160', '160', 'F -- 160', 'F1234567890', 'F', ''].map(folioOf)).toEqual([
    { serie: 'F', folio: 160 },
    { serie: 'F', folio: 160 },
    { serie: 'F', folio: 160 },
    { serie: '', folio: 160 },
    { serie: 'F', folio: 160 },
    { serie: 'F1', folio: 234_567_890 },
    { serie: 'F', folio: null },
    { serie: '', folio: null },
  ]);
  const telefono = (text: string) => {
    const leido = parseTelefono(text);
    return leido && storedTelefono(leido);
  };
  expect(['55 1234 5678 ext. 12', '5512345678x9', '(55)1234-5678 #7', 'x', '5512345678 ext'].map(telefono)).toEqual([
    '5512345678 ext. 12',
    '5512345678 ext. 9',
    '5512345678 ext. 7',
    null,
    null,
  ]);
  expect(tipoOfSociedad('AAA010101AAA', 'LA TIENDA S. A. P. I. B. DE C. V. S O F O M E N R')).toEqual({
    tipo: 'S. A. P. I. B. DE C. V. S O F O M E N R',
    nombre: 'LA TIENDA',
  });
});
