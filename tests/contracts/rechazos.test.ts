import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { renderToStaticMarkup } from 'react-dom/server';
import { createElement } from 'react';
import { expect, test } from 'vitest';
import { explainRechazo, findFila, type FilaDeRechazo } from '~/core/rechazo';
import { CONNECTIONS } from '~/platform/connections/registry.server';
import { Rechazado } from '~/ui/Rechazado';

/** What the impostors can answer: each refusal has its row in the catalogue of its far side, or is listed here as one that is shown in its own words. */
type Lado = {
  /** Patterns whose first group is a code, or a sentence, with which the impostor refuses. */
  refuses: readonly RegExp[];
  /** Shown in their own words: a person can do nothing about them but tell us, or wait. */
  suyas?: readonly string[];
};

const LADOS: Readonly<Record<string, Lado>> = {
  syscom: {
    refuses: [/\bno\(['`]([^'`]+)['`]\)/g, /invalid\(('[^']+', '[^']+')\)/g, /error: '([^']+)', error_description/g],
  },
  ct: { refuses: [/\b(?:no|error)\('(\d{4})'/g] },
  cva: {
    refuses: [
      /\bno\(['`]([^'`]+)['`]\)/g,
      /written\([^;{]*\{ (?:message|error): '([^']+)'/g,
      /const message = '([^']+)'/g,
    ],
    suyas: ['Not Found'],
  },
  tvc: { refuses: [/\bno\([^;{}]*?'([A-Z][^']+)'\)/g] },
  ts: { refuses: [/sobre\(false, '([^']+)'/g] },
  mercadolibre: {
    refuses: [/refuse\(\s*\d{3},\s*'([^']+)'/g, /refuse\('(\w+)',/g, /FORBIDDEN = '([^']+)'/g],
    suyas: [
      'argument_not_valid',
      'bad_request',
      'method_not_allowed',
      'empty_order_id',
      'invalid_order_id',
      'invalid_offset',
      'invalid_param',
      'invalid_params',
      'invalid_query',
      'invalid_scroll_id',
      'invalid_status',
      'local_rate_limited',
      // A review that does not exist yet.
      'not_found_error',
    ],
  },
  amazon: {
    refuses: [/\b(?:no|refuse)\(\s*\d{3},\s*'([^']+)'/g],
    suyas: [
      '400',
      '404',
      'BAD_REQUEST',
      'Invalid Input',
      'InvalidInput',
      'UnsupportedMediaType',
      'EmptyBatchRequest',
      'InvalidParameterValue',
      'MissingAuthenticationToken',
      'TooManyEntriesInBatchRequest',
      'UnsupportedOperation',
      'rate_limit_exceeded',
    ],
  },
  facturacom: {
    refuses: [
      /^ {2}'?(CFDI\d{5}|\d{3})'?:/gm,
      /(?:ownRefusal|statusRefusal)\(\s*['`]([^'`]+)['`]/g,
      /sentencesRefusal\(\[['`]([^'`]+)['`]/g,
    ],
    suyas: ['Esta sandbox solo timbra en MXN'],
  },
};

const SANDBOX = fileURLToPath(new URL('../sandbox/', import.meta.url));

/** The refusals of an impostor. A three-digit code of the PAC begins its sentence. */
function refusalsOf(kind: string, { refuses }: Lado): string[] {
  const files = readdirSync(`${SANDBOX}${kind}`).filter((name) => name.endsWith('.ts'));
  const found = files.flatMap((file) => {
    const source = readFileSync(`${SANDBOX}${kind}/${file}`, 'utf8');
    return refuses.flatMap((pattern) => [...source.matchAll(pattern)].map(([, said]) => said!));
  });
  return [...new Set(found)].map((said) => (/^\d{3}$/.test(said) && kind === 'facturacom' ? `${said} - ` : said));
}

const withoutRow = (filas: readonly FilaDeRechazo[], said: readonly string[], suyas: readonly string[] = []) =>
  said.filter((one) => findFila(filas, one) === undefined && !suyas.includes(one));

test.each(Object.keys(LADOS))(
  'every refusal of the impostor of %s has its row, or is known to be shown raw',
  (kind) => {
    const lado = LADOS[kind]!;
    const { rechazos = [] } = CONNECTIONS.of(kind);
    const said = refusalsOf(kind, lado);
    expect(said.length).toBeGreaterThan(1);
    expect(withoutRow(rechazos, said, lado.suyas)).toEqual([]);
    // A row that is written later leaves this list.
    expect((lado.suyas ?? []).filter((one) => !said.includes(one) || findFila(rechazos, one))).toEqual([]);
    // A refusal that nobody wrote a row for is found out.
    expect(withoutRow(rechazos, [...said, 'codigo_que_nadie_conoce'], lado.suyas)).toEqual(['codigo_que_nadie_conoce']);
    for (const { remedio } of rechazos) expect(remedio).toMatch(/\.$/);
  },
);

test('a code is found whole, in the words or in the answer, and never inside another one', () => {
  const filas = [{ de: '4008', campo: 'Existencia', remedio: 'Elige otro almacén.' }];
  const explained = (palabras: string, respuesta?: string) =>
    explainRechazo({ label: 'CT', rechazos: filas }, { palabras, respuesta }).remedio;
  expect(explained('CT: Inventario insuficiente', '{"errorCode":"4008"}')).toBe('Elige otro almacén.');
  expect(explained('CT: error 4008.')).toBe('Elige otro almacén.');
  for (const otro of ['40081', '14008', '4008-A', '4008.5', 'x4008']) expect(explained(otro)).toBeNull();
});

test('a refusal is drawn with field, words and remedy, and its answer folded', () => {
  const rechazo = explainRechazo(CONNECTIONS.of('mercadolibre'), {
    palabras: 'Mercado Libre dijo que no (400 item.price.not_modifiable, PUT items)',
    respuesta: '{"error":"item.price.not_modifiable"}',
  });
  const html = renderToStaticMarkup(createElement(Rechazado, { rechazo }));
  for (const parte of ['Precio', 'Sus palabras (Mercado Libre)', 'PUT items', 'Quita la regla allá'])
    expect(html).toContain(parte);
  expect(html).toMatch(/<details class="plegable"><summary>La respuesta tal cual<\/summary><pre[^>]*>.*not_modifiable/);
  // Without a row their words stand alone.
  const solo = explainRechazo({ label: 'X' }, { palabras: 'Nadie sabe qué es' });
  const dicho = renderToStaticMarkup(createElement(Rechazado, { rechazo: solo }));
  expect(dicho).toContain('Nadie sabe qué es');
  expect(dicho).not.toMatch(/Qué hacer|<details/);
});
