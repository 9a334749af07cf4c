/** What strangers, bad programs and hurried hands send, and how it is put on the wire as it is. */

const LONG = 100_000;

/** In a text field, a query or a part of a path. */
export const VALUES: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'a\udfffb',
  '\ufeff',
  '\u202egnp.exe',
  '\r\nSet-Cookie: a=b',
  '%',
  '%zz',
  '%00',
  '\\u0000',
  '"',
  "'; drop table orden; --",
  '<script>alert(1)</script>',
  '{{7*7}}',
  '../../../../etc/passwd',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'null',
  'undefined',
  'true',
  '[]',
  '{"a":1}',
  '{"toString":"x"}',
  '[object Object]',
  'NaN',
  'Infinity',
  '-Infinity',
  '-0',
  '-1',
  '0',
  '1.5',
  '1e3',
  '1e400',
  '0x10',
  '2147483647',
  '2147483648',
  '-2147483649',
  '9007199254740993',
  '9223372036854775808',
  '99999999999999999999999999999999999999.99',
  '0.0000000000000000000000001',
  '1,234,567,890,123.45',
  '2026-02-30',
  '2026-13-01',
  '0000-00-00',
  '9999-12-31',
  '10000-01-01',
  '-0001-01-01',
  '9999-12',
  '0000-01',
  '2026-11-22T25:61',
  '2026-11-22T10:00:00.000Z',
  '019a0000-0000-7000-8000-000000000000',
  '019A0000-0000-7000-8000-00000000000',
  'XAXX010101000',
  'ÑÑÑ991332ÑÑÑ',
  'a@b',
  'a|b|c',
  'AMS|1|ct|M',
  'e\u0301'.repeat(300),
  '😀'.repeat(1_000),
  'x'.repeat(101),
  'x'.repeat(5_000),
];

/** Longer than anything we take, each of them another fear: blanks, digits, marks, one word, many words. */
export const LONG_VALUES: readonly string[] = [
  'x'.repeat(LONG),
  ' '.repeat(LONG),
  '9'.repeat(LONG),
  ','.repeat(LONG),
  'ñ😀'.repeat(LONG / 6),
  'a '.repeat(LONG / 2),
  `a${'.'.repeat(LONG)}b`,
  `${'[0]'.repeat(LONG / 3)}`,
  `${' '.repeat(LONG)}!`,
];

/** What conform itself writes into a form. */
export const CONFORM: readonly [name: string, value: string][] = [
  ...['__intent__', '__state__'].flatMap((name) =>
    [
      '',
      'x',
      'null',
      '[]',
      '0',
      '{',
      '{}',
      '{"type":"insert"}',
      '{"type":"insert","payload":{}}',
      '{"type":"insert","payload":{"name":"articulos","index":1e9}}',
      '{"type":"insert","payload":{"name":"articulos","index":-1,"defaultValue":{"a":"\\u0000"}}}',
      '{"type":"insert","payload":{"name":"__proto__"}}',
      '{"type":"insert","payload":{"name":"articulos[0].x[9]"}}',
      '{"type":"remove","payload":{"name":"articulos","index":7}}',
      '{"type":"reorder","payload":{"name":"articulos","from":0,"to":99999999}}',
      '{"type":"update","payload":{"name":"articulos","value":[{}]}}',
      '{"type":"update","payload":{"value":{"__proto__":{"a":1}}}}',
      '{"type":"validate","payload":{"name":"__proto__"}}',
      '{"type":"reset","payload":{}}',
      '{"validated":{"a":true},"key":{"":"x"}}',
      '{"key":{"articulos":"x"},"validated":{}}',
      '['.repeat(20_000),
    ].map((value) => [name, value] as [string, string]),
  ),
];

/** The same field told in another shape. */
export const SHAPES: readonly ((name: string, value: string) => [string, string][])[] = [
  (name, value) => [
    [name, value],
    [name, value],
  ],
  (name, value) => Array.from({ length: 500 }, () => [name, value]),
  (name, value) => [[`${name}[]`, value]],
  (name, value) => [[`${name}[0]`, value]],
  (name, value) => [[`${name}[0].x`, value]],
  (name, value) => [[`${name}.x`, value]],
  (name, value) => [
    [name, value],
    [`${name}.x`, value],
    [`${name}[0]`, value],
  ],
  (name, value) => [[`${name}[99999999]`, value]],
  (name, value) => [[`${name}[-1]`, value]],
  (name, value) => [[`${name}[__proto__]`, value]],
  (name, value) => [[`${name}.__proto__.x`, value]],
  (name, value) => [[`__proto__.${name}`, value]],
  (name, value) => [[`constructor.prototype.${name}`, value]],
  (name, value) => [[`${name}${'[0]'.repeat(60)}`, value]],
  (name, value) => [[`${name}\0`, value]],
  (name, value) => [['', value]],
  () => [],
];

/** Percent-encoded as it is: a lone surrogate keeps its three bytes, which URLSearchParams would mend. */
export function encode(text: string): string {
  return text.replace(/[\ud800-\udbff][\udc00-\udfff]|[^\w.~-]/g, (sign) =>
    [...bytesOf(sign)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  );
}

function bytesOf(sign: string): Uint8Array {
  const code = sign.charCodeAt(0);
  return sign.length === 1 && code >= 0xd800 && code <= 0xdfff
    ? Uint8Array.of(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63))
    : Buffer.from(sign);
}

export const urlencoded = (fields: readonly (readonly [string, string])[]) =>
  fields.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');

export type Part = readonly [name: string, value: string | { archivo: string; tipo: string; contenido: string }];

/** A multipart body with what a browser would never put in its names. */
export function multipart(parts: readonly Part[], boundary = '----entradas'): string {
  const text = parts
    .map(([name, value]) =>
      typeof value === 'string'
        ? `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
        : `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${value.archivo}"\r\nContent-Type: ${value.tipo}\r\n\r\n${value.contenido}\r\n`,
    )
    .join('');
  return `${text}--${boundary}--\r\n`;
}

const part = (head: string, value = 'x') => `--x\r\n${head}\r\n\r\n${value}\r\n`;
const named = (name: string) => part(`Content-Disposition: form-data; name="${name}"`);

/** Multipart bodies, bounded by `x`, that end too early, say one thing twice, or have no names that a form could have. */
const TORN: readonly string[] = [
  '--x',
  '--y\r\n\r\n--y--\r\n',
  '--x\r\nContent-Disposition: form-data; name="intent',
  '--x\r\nContent-Disposition: form-data; name=intent\r\n\r\nx\r\n--x--\r\n',
  `${part('Content-Disposition')}--x--\r\n`,
  `${part('sin dos puntos')}--x--\r\n`,
  `${part('Content-Disposition: form-data; name="intent"; name="otro"')}--x--\r\n`,
  `${part('Content-Disposition: form-data; name="a"; filename*=utf-8%zz')}--x--\r\n`,
  `${part('Content-Disposition: attachment; filename="a"')}--x--\r\n`,
  `${part('Content-Disposition: form-data; name="intent"\r\nContent-Transfer-Encoding: base64', '%%%')}--x--\r\n`,
  `${named('intent')}${named('intent')}${named('confirmado')}${named('confirmado')}--x--\r\n`,
  `${named('__proto__')}${named('constructor')}${named('toString')}--x--\r\n`,
  `${named('a\0')}${named('')}${named('a\r\nb')}--x--\r\n`,
  `${named('a').repeat(3_000)}--x--\r\n`,
];

/** JSON that is none, or that says what no object of ours holds. */
export const JSONS: readonly string[] = [
  '',
  '{',
  'null',
  '[]',
  '[[]]',
  '1',
  '"x"',
  'NaN',
  '\0',
  '{"__proto__":{"a":1}}',
  '{"constructor":{"prototype":{"a":1}}}',
  '{"toString":1,"valueOf":null,"hasOwnProperty":"x"}',
  '{"a":1,"a":2}',
  '{"a":"\\u0000\\ud800"}',
  `{"a":${'['.repeat(50_000)}`,
  `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`,
  `[${'1,'.repeat(50_000)}1]`,
];

/** What a field of JSON may hold in place of what is asked. */
export const JSON_VALUES: readonly unknown[] = [
  ...[null, true, 0, -1, 1.5, 1e308, 2_147_483_648, 9_007_199_254_740_993],
  ...[[], {}, [[]], [null], ['x', 'x'], { toString: 'x' }, { $gt: '' }, { __proto__: null, length: -1 }],
  ...['', '\0', '__proto__', 'constructor', 'toString', "'; drop table orden; --", '2026-02-30', 'x'.repeat(5_000)],
];

/** Methods that HTTP knows, or somebody's program. */
export const METHODS: readonly string[] = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'PROPFIND',
  'LOCK',
  'PURGE',
];

/** Bodies that are not what they say they are, with their Content-Type. */
export const BODIES: readonly [type: string | undefined, body: string][] = [
  [undefined, 'intent=x'],
  ['', 'intent=x'],
  ['text/plain', 'intent=x'],
  ['application/json', '{"intent":"x"}'],
  ['application/json', '{'],
  ['application/x-www-form-urlencoded', ''],
  ['application/x-www-form-urlencoded', '%'],
  ['application/x-www-form-urlencoded', '%zz=%zz&&&=&=='],
  ['application/x-www-form-urlencoded', 'intent=%ff%fe'],
  ['application/x-www-form-urlencoded; charset=utf-16', 'intent=x'],
  ['application/x-www-form-urlencoded', 'intent'],
  ['application/x-www-form-urlencoded', 'intent=__proto__'],
  ['application/x-www-form-urlencoded', 'intent=constructor&intent=toString'],
  ['application/x-www-form-urlencoded', `${'a=1&'.repeat(20_000)}intent=x`],
  ['application/x-www-form-urlencoded', `${'a[0]'.repeat(20_000)}=1`],
  ['multipart/form-data', '--x\r\n'],
  ['multipart/form-data; boundary=', '--\r\n'],
  ['multipart/form-data; boundary=x', ''],
  ['multipart/form-data; boundary=x', '--x--'],
  ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data\r\n\r\na\r\n--x--\r\n'],
  ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="intent"\r\n\r\nx'],
  ['multipart/form-data; boundary=x', `--x\r\n${'A: b\r\n'.repeat(10_000)}\r\n--x--\r\n`],
  [
    'multipart/form-data; boundary=x',
    '--x\r\nContent-Disposition: form-data; name="intent"; filename="a.xml"\r\n\r\n<a/>\r\n--x--\r\n',
  ],
  ['multipart/form-data; boundary="x', '--x\r\n\r\n--x--'],
  ['multipart/mixed; boundary=x', '--x--'],
  ...TORN.map((body): [string, string] => ['multipart/form-data; boundary=x', body]),
  // Longer than what a socket takes at once, and shorter than any limit.
  ['text/plain', 'x'.repeat(200_000)],
  ['application/x-www-form-urlencoded', `intent=__proto__&x=${'y'.repeat(200_000)}`],
  ['multipart/form-data; boundary=x', `--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n${'y'.repeat(200_000)}`],
];

/** Query strings of nobody's page. */
export const QUERIES: readonly string[] = [
  '?',
  '?&&=&',
  '?%',
  '?%zz=%zz',
  '?=x',
  '?index',
  '?index=&index=',
  '?_data=root',
  '?_data=routes%2Fx',
  '?_routes=',
  '?_routes=root,public,nadie',
  '?_routes=__proto__',
  '?__proto__=1',
  '?__proto__[x]=1',
  '?constructor=1&toString=2&hasOwnProperty=3',
  '?q=toString&ver=constructor&orden=__proto__&cuales=toString&lista=constructor',
  `?${'a=1&'.repeat(3_000)}`,
  `?q=${'%00'.repeat(2_000)}`,
  '?q=%ed%a0%80',
  '?q=a&q=b&q[]=c&q[x]=d',
];

/** Heads of requests as no client writes them, after the line that says what is asked for. */
export const HEADS: readonly string[][] = [
  [],
  ['Host:'],
  ['Host: '],
  ['Host: a b'],
  ['Host: ['],
  ['Host: [::1'],
  ['Host: 127.0.0.1:99999'],
  ['Host: 127.0.0.1:x'],
  ['Host: malo.test'],
  ['Host: user:pass@127.0.0.1'],
  ['Host: 127.0.0.1', 'Host: malo.test'],
  ['Host: 127.0.0.1/%00'],
  ['Host: ñandú'],
  ...[
    'Cookie: sesion=%zz',
    'Cookie: sesion=',
    `Cookie: sesion=${'x'.repeat(8_000)}`,
    'Cookie: ;;;==;sesion',
    'Cookie: sesion="a\\"; sesion=b',
    'Cookie: __proto__=1; aviso=%00; flash=%7B',
    'Cookie: dispositivo=IjAi; aviso=eyJhIjoxfQ==',
    'Accept-Encoding: x;q=9, *;q=',
    'Accept-Language: %%%',
    'If-None-Match: W/',
    'If-Modified-Since: ayer',
    'Range: bytes=9-1,x-',
    'Origin: null',
    'Origin: http://[',
    'Referer: ::',
    'X-Forwarded-Host: [',
    'X-Forwarded-Proto: ftp',
    'X-Forwarded-For: %00',
    'Authorization: Bearer',
    'Authorization: Basic %%%',
    'Expect: algo',
    'Content-Type: multipart/form-data; boundary=%',
    'Upgrade: h2c',
    'Purpose: prefetch',
    'X-Remix-Redirect: /',
    `X: ${'y'.repeat(20_000)}`,
  ].map((head) => ['Host: 127.0.0.1', head]),
];

/** What is asked for, before those heads. */
export const LINES: readonly string[] = [
  'GET / HTTP/1.1',
  'GET /login HTTP/1.1',
  'GET /sa/ordenes HTTP/1.1',
  'GET /healthcheck HTTP/1.1',
  'GET /assets/x HTTP/1.1',
  'HEAD / HTTP/1.1',
  'GET /% HTTP/1.1',
  'GET /%zz.data HTTP/1.1',
  'GET /\\ HTTP/1.1',
  'GET /%5C HTTP/1.1',
  'GET /SA/mensual HTTP/1.1',
  'GET //x HTTP/1.1',
  'GET http://127.0.0.1/ HTTP/1.1',
  'GET * HTTP/1.1',
  'OPTIONS * HTTP/1.1',
  'OPTIONS /login HTTP/1.1',
  'PUT /sa/ordenes HTTP/1.1',
  'DELETE /sa/usuarios HTTP/1.1',
  'PATCH /login.data HTTP/1.1',
  'TRACE / HTTP/1.1',
  'PROPFIND / HTTP/1.1',
  'TRACE /api/proveedores HTTP/1.1',
  'TRACE /avisos/mercadolibre/x HTTP/1.1',
  'PUT /avisos/mercadolibre/x HTTP/1.1',
  'LOCK /api/v1/ordenes HTTP/1.1',
  'CONNECT 127.0.0.1:1 HTTP/1.1',
  'QUERY /login HTTP/1.1',
  'BREW /login HTTP/1.1',
  'get /login HTTP/1.1',
  'GET /login HTTP/9.9',
  'GET /login',
  'GET /__manifest?p=%2F&version=x HTTP/1.1',
  'GET /__manifest?p=%00 HTTP/1.1',
  'POST /login HTTP/1.1',
  'POST /login?_data=root HTTP/1.1',
  'POST /salir HTTP/1.1',
  `GET /${'a/'.repeat(6_000)} HTTP/1.1`,
];
