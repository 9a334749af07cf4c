import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { findCp } from '~/platform/direccion/codigosPostales.server';
import { loadSepomex } from '~/platform/direccion/sepomex.server';
import { seedCodigosPostales } from '../../../bin/seed/codigosPostales';
import { testDatabase } from '../../support/db';

const { db } = testDatabase();
const folder = mkdtempSync(join(tmpdir(), 'sepomex-'));
afterAll(() => rmSync(folder, { recursive: true }));

const NOTICE =
  'El Catálogo Nacional de Códigos Postales, es elaborado por Correos de México y se proporciona en forma gratuita para uso particular';
const HEADER =
  'd_codigo|d_asenta|d_tipo_asenta|D_mnpio|d_estado|d_ciudad|d_CP|c_estado|c_oficina|c_CP|c_tipo_asenta|c_mnpio|id_asenta_cpcons|d_zona|c_cve_ciudad';
const row = (
  cp: string,
  asentamiento: string,
  { tipo = 'Colonia', municipio = 'Álvaro Obregón', estado = 'Ciudad de México', ciudad = 'Ciudad de México' } = {},
) => `${cp}|${asentamiento}|${tipo}|${municipio}|${estado}|${ciudad}|${cp}|09|${cp}||09|010|0001|Urbano|01`;

let files = 0;
/** A file as Correos de México gives it: Latin-1, Windows line ends. */
function fileOf(lines: string[], encoding: BufferEncoding = 'latin1') {
  const path = join(folder, `${++files}.txt`);
  writeFileSync(path, Buffer.from(`${lines.join('\r\n')}\r\n`, encoding));
  return path;
}
const count = async () =>
  Number(
    (
      await db
        .selectFrom('codigoPostal')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  );

const FIRST = [
  NOTICE,
  HEADER,
  row('01000', 'San Ángel'),
  row('01010', 'Los Alpes'),
  row('01020', 'Guadalupe Inn'),
  row('98613', 'El Bordo de Buenavista', { tipo: 'Ejido', municipio: 'Guadalupe', estado: 'Zacatecas', ciudad: '' }),
];

test('the official file takes the place of the demo set', async () => {
  await seedCodigosPostales(db);
  const demo = await count();
  expect(demo).toBeGreaterThan(40);
  await expect(loadSepomex(db, fileOf(FIRST))).rejects.toThrow('repite la orden con --menor');
  expect(await count()).toBe(demo);
  expect(await loadSepomex(db, fileOf(FIRST), { menor: true })).toEqual({
    asentamientos: 4,
    codigos: 4,
    nuevos: 4,
    cambiados: 0,
    retirados: demo,
  });
  expect(await findCp(db, '01000', null)).toMatchObject({
    lugar: { colonias: ['San Ángel'], municipio: 'Álvaro Obregón' },
  });
  expect(await findCp(db, '98613', null)).toMatchObject({
    lugar: { ciudad: '', municipio: 'Guadalupe', estado: 'Zacatecas' },
  });
  await seedCodigosPostales(db);
  expect(await count()).toBe(4);
});

test('a second run of the same file changes nothing', async () => {
  expect(await loadSepomex(db, fileOf(FIRST))).toMatchObject({
    asentamientos: 4,
    nuevos: 0,
    cambiados: 0,
    retirados: 0,
  });
});

test('a newer file adds, corrects and takes away', async () => {
  const newer = [
    ...FIRST.slice(0, 3),
    row('01010', 'Los Alpes', { municipio: 'Benito Juárez' }),
    row('01020', 'Guadalupe Inn'),
    row('01030', 'Axotla', { tipo: 'Pueblo' }),
  ];
  expect(await loadSepomex(db, fileOf(newer))).toMatchObject({ nuevos: 1, cambiados: 1, retirados: 1 });
});

test('a settlement listed twice is one, and its city the one that is told', async () => {
  const dos = [NOTICE, HEADER, row('02000', 'Centro', { ciudad: '' }), row('02000', 'Centro')];
  await loadSepomex(db, fileOf(dos), { menor: true });
  expect(await findCp(db, '02000', null)).toMatchObject({
    lugar: { colonias: ['Centro'], ciudad: 'Ciudad de México' },
  });
});

test.each<[string, string[], BufferEncoding, RegExp]>([
  ['another header', [NOTICE, 'cp\tasentamiento\ttipo'], 'latin1', /línea 2, se esperaba el encabezado/],
  ['nothing at all', [''], 'latin1', /línea 2, se esperaba el encabezado/],
  ['only the header', [NOTICE, HEADER], 'latin1', /línea 3, el archivo no trae ningún asentamiento/],
  [
    'a line cut short',
    [NOTICE, HEADER, row('01000', 'San Ángel'), '01010|Los Al'],
    'latin1',
    /línea 4, trae 2 columnas y son 15/,
  ],
  [
    'a code that is none',
    [NOTICE, HEADER, row('1000', 'San Ángel')],
    'latin1',
    /línea 3, «1000» no es un código postal/,
  ],
  ['a settlement without a name', [NOTICE, HEADER, row('01000', '')], 'latin1', /línea 3, falta el asentamiento/],
  ['a file saved as UTF-8', [NOTICE, HEADER, row('01000', 'San Ángel')], 'utf8', /línea 3, los acentos están en UTF-8/],
])('%s is refused with its line, and the table stays', async (_, lines, encoding, message) => {
  const before = await count();
  await expect(loadSepomex(db, fileOf(lines, encoding))).rejects.toThrow(message);
  expect(await count()).toBe(before);
});

test('tens of thousands of rows take seconds', { timeout: 60_000 }, async () => {
  const many = Array.from({ length: 50_000 }, (_, n) => row(String(10_000 + (n % 30_000)), `Colonia número ${n}`));
  const path = fileOf([NOTICE, HEADER, ...many]);
  const begun = performance.now();
  expect(await loadSepomex(db, path)).toMatchObject({ asentamientos: 50_000, codigos: 30_000 });
  expect(performance.now() - begun).toBeLessThan(20_000);
});

test('15: a file far smaller than what stands asks before it retires anything', async () => {
  const corto = fileURLToPath(new URL('../../casos/15-sepomex-corto.txt', import.meta.url));
  const before = await count();
  await expect(loadSepomex(db, corto)).rejects.toThrow('El archivo trae 3 códigos postales y hay 30000');
  // Its brothers: a state alone, and one row less than half. A half is taken.
  const some = (cuantos: number) =>
    fileOf([NOTICE, HEADER, ...Array.from({ length: cuantos }, (_, n) => row(String(10_000 + n), 'Centro'))]);
  for (const cuantos of [1_500, 14_999]) await expect(loadSepomex(db, some(cuantos))).rejects.toThrow('--menor');
  expect(await count()).toBe(before);
  expect(await loadSepomex(db, some(15_000))).toMatchObject({ codigos: 15_000 });
});
