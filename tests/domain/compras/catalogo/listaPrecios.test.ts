import { readFileSync } from 'node:fs';
import { crc32, deflateRawSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { CFB, utils, write } from 'xlsx';
import { NotAllowed, Stale } from '~/core/errors';
import { syscom } from '~/domain/compras/directorio/internal/syscom.server';
import { tvc } from '~/domain/compras/directorio/internal/tvc.server';
import { readTabla } from '~/platform/files/readFile.server';
import {
  applyLista,
  discardLista,
  listEnEspera,
  askLista,
  receiveLista,
} from '~/domain/compras/catalogo/listaPrecios.server';
import { leerListaSyscom } from '~/integrations/proveedores/syscom/lista';
import { testDatabase } from '../../../support/db';

const { db } = testDatabase();

beforeEach(async () => {
  await db.deleteFrom('listaPrecios').execute();
  await db.deleteFrom('producto').execute();
});

const HEAD = 'producto_id\tmodelo\tprecio_descuento\tmoneda\texistencia';
const leida = (filas: string[], moneda: 'MXN' | 'USD' | null = null) => {
  const lista = leerListaSyscom(filas, moneda);
  if ('motivo' in lista) return lista.motivo;
  return [
    lista.renglones.map(({ linea, idProveedor, modelo, precio, existencia }) =>
      [linea, idProveedor ?? modelo, `${precio.importe.toFixed(3)} ${precio.moneda}`, existencia].join(' '),
    ),
    lista.ilegibles,
  ];
};

test('a line is read by the heads of its columns, wherever they begin', () => {
  expect(leida(['Syscom\t\t', '', HEAD, '201334\tDS-1\t22.105\tUSD\t500+', '', '7\tDS-2\t$1,234.50\tM.N.\t'])).toEqual([
    ['4 201334 22.105 USD 500', '6 7 1234.500 MXN '],
    [],
  ]);
  expect(leida(['Modelo\tPrecio USD', 'DS-1\t22.10'])).toEqual([['2 DS-1 22.100 USD '], []]);
  expect(leida(['Modelo\tTu precio', 'DS-1\t22.10', 'DS-2\tMXN 5'], 'USD')).toEqual([
    ['2 DS-1 22.100 USD ', '3 DS-2 5.000 MXN '],
    [],
  ]);
});

test('its price is this account’s and never that of the public, and its stock is of new pieces', () => {
  expect(leida(['id\tprecio_lista\tprecio_especial', '1\t9\t8'], 'USD')).toContain('No se encontraron las columnas');
  const filas = ['id\tprecio_lista\tprecio_descuento\ttotal_existencia\tnuevo', '1\t9\t7\t66\t61'];
  expect(leida(filas, 'USD')).toEqual([['2 1 7.000 USD 61'], []]);
});

test.each([
  ['1\tM-1\t\tUSD\t3', 'Renglón 2 (M-1): no tiene precio.'],
  ['1\tM-1\t0\tUSD\t3', 'Renglón 2 (M-1): el precio es 0.'],
  ['1\tM-1\tSOLICITAR DISTRIBUCIÓN\tUSD\t3', 'Renglón 2 (M-1): el precio «SOLICITAR DISTRIBUCIÓN» no se puede leer.'],
  ['1\tM-1\t22,10\tUSD\t3', 'Renglón 2 (M-1): el precio «22,10» no se puede leer.'],
  ['1\tM-1\t-5\tUSD\t3', 'Renglón 2 (M-1): el precio «-5» no se puede leer.'],
  ['1\tM-1\t22.10\t\t3', 'Renglón 2 (M-1): no dice su moneda.'],
  ['1\tM-1\t22.10\tEUR\t3', 'Renglón 2 (M-1): no se conoce la moneda «EUR».'],
  ['1\tM-1\tUSD 22.10\tMXN\t3', 'Renglón 2 (M-1): dice dos monedas.'],
  ['\t\t22.10\tUSD\t3', 'Renglón 2: no dice de qué producto es.'],
])('a line without a sure price is told and left out: %s', (fila, motivo) => {
  expect(leida([HEAD, fila])).toEqual([[], [motivo]]);
});

type Fila = (string | number)[];
const CABEZA: Fila = ['producto_id', 'modelo', 'titulo', 'precio_descuento', 'moneda', 'existencia'];
function libro(filas: Fila[]): Uint8Array {
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet([CABEZA, ...filas]), 'Lista');
  return new Uint8Array(write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer);
}
const csv = (filas: Fila[]) => [CABEZA, ...filas].map((fila) => fila.map((cell) => `"${cell}"`).join(';')).join('\r\n');
const archivo = (contenido: Uint8Array | string, nombre = 'lista.xlsx') => new File([contenido as BlobPart], nombre);

const FILAS: Fila[] = [
  [1, 'M-1', 'Cámara\n"bala"', 22.105, 'USD', 4],
  [2, 'M-2', 'Fuente', 10, 'USD', 0],
  [3, 'M-3', 'Cable', 0, 'USD', 5],
];

test('a sheet and a text say the same, in either of their alphabets', async () => {
  const hoja = await readTabla(libro(FILAS));
  expect(hoja).toEqual({
    tipo: 'leido',
    dice: [
      CABEZA.join('\t'),
      '1\tM-1\tCámara "bala"\t22.105\tUSD\t4',
      '2\tM-2\tFuente\t10\tUSD\t0',
      '3\tM-3\tCable\t0\tUSD\t5',
    ],
  });
  const texto = csv(FILAS).replace('"bala"', '""bala""');
  expect(await readTabla(Buffer.from(`\uFEFF${texto}`))).toEqual(hoja);
  expect(await readTabla(Buffer.from(texto, 'latin1'))).toEqual(hoja);
});

test('a file that is none, or has no end, ends its reading and nothing else', async () => {
  for (const bad of [Buffer.from('PK\x03\x04 nada'), Buffer.from('%PDF-1.7'), Buffer.from([0, 1, 2]), Buffer.alloc(0)])
    expect(await readTabla(bad)).toEqual({ tipo: 'ilegible' });
  expect(await readTabla(Buffer.from('a\n'.repeat(100_001)))).toEqual({ tipo: 'limite' });
});

type Contenedor = { FullPaths: string[]; FileIndex: { content: Uint8Array }[] };

/** A ZIP whose parts say of themselves how long they are. */
function zipDe(partes: { nombre: string; bytes: Buffer; dice: number }[]): Buffer {
  const [locales, centrales]: [Buffer[], Buffer[]] = [[], []];
  let at = 0;
  for (const { nombre, bytes, dice } of partes) {
    const [name, packed] = [Buffer.from(nombre), deflateRawSync(bytes)];
    // Version, flags, method, time and date, check sum, both lengths, that of the name, and no extra field.
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(8, 4);
    head.writeUInt32LE(crc32(bytes), 10);
    head.writeUInt32LE(packed.length, 14);
    head.writeUInt32LE(dice, 18);
    head.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    locales.push(Buffer.from('PK\x03\x04', 'latin1'), head, name, packed);
    centrales.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), head, place, name);
    at += 30 + name.length + packed.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(partes.length, 4);
  end.writeUInt16LE(partes.length, 6);
  end.writeUInt32LE(Buffer.concat(centrales).length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...locales, ...centrales, Buffer.from('PK\x05\x06', 'latin1'), end]);
}

describe('a book that was made to harm', () => {
  /** A book that is right but for one part; `dice` is how long that part says it is. */
  function libroCon(parte: string, contenido: Buffer, dice = contenido.length): Buffer {
    const { FullPaths, FileIndex } = CFB.read(libro(FILAS), { type: 'buffer' }) as Contenedor;
    const partes = FullPaths.flatMap((path, at) => {
      const nombre = path.replace(/^[^/]*\//, '');
      if (nombre === '' || nombre.endsWith('/') || nombre.includes('Sh33tJ5')) return [];
      const bytes = Buffer.from(FileIndex[at]!.content);
      return [nombre.endsWith(parte) ? { nombre, bytes: contenido, dice } : { nombre, bytes, dice: bytes.length }];
    });
    expect(partes.filter(({ bytes }) => bytes === contenido)).toHaveLength(1);
    return zipDe(partes);
  }
  const nada = (mb: number) => Buffer.alloc(mb * 1_048_576, 32);

  test('is read no further than it says it is, and where it lies no further than its limits', async () => {
    expect((await readTabla(libroCon('sheet1.xml', nada(0.1)))).tipo).not.toBe('limite');
    expect(await readTabla(libroCon('sheet1.xml', nada(1), 300 * 1_048_576))).toEqual({ tipo: 'limite' });
    expect(await readTabla(libroCon('sheet1.xml', nada(20), 1_000))).toEqual({ tipo: 'limite' });
  });

  test('names nothing outside of it, and repeats no entity of its own', async () => {
    const entidades = Array.from({ length: 9 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`).join('');
    const risas = `<?xml version="1.0"?><!DOCTYPE worksheet [<!ENTITY e0 "ja"><!ENTITY f SYSTEM "file:///etc/passwd">${entidades}]>
      <worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><dimension ref="A1"/><sheetData>
      <row r="1"><c r="A1" t="inlineStr"><is><t>&e9;&f;</t></is></c></row></sheetData></worksheet>`;
    const leido = await readTabla(libroCon('sheet1.xml', Buffer.from(risas)));
    expect(leido.tipo).toBe('leido');
    expect(JSON.stringify(leido)).not.toContain('root:');
    expect(JSON.stringify(leido)).not.toContain('jaja');
  });

  test('is refused to whoever sends it in words, and leaves what waited', async () => {
    await recibir(FILAS);
    const antes = await enEspera();
    const mala = new File([new Uint8Array(libroCon('sheet1.xml', nada(1), 300 * 1_048_576))], 'lista.xlsx');
    await expect(receiveLista(db, syscom, { archivo: mala }, null)).rejects.toThrow(
      'Ese archivo es demasiado largo o complicado.',
    );
    expect(await enEspera()).toEqual(antes);
  });
});

const recibir = (filas: Fila[]) => receiveLista(db, syscom, { archivo: archivo(libro(filas)) }, null);
const enEspera = async () => (await listEnEspera(db)).get('syscom');
const aplicar = (lista: string, huella: string) =>
  db.transaction().execute((trx) => applyLista(trx, { lista, huella }, null));
const precios = async () =>
  (
    await db
      .selectFrom('producto')
      .innerJoin('oferta', 'oferta.productoId', 'producto.id')
      .select(['idProveedor', 'precio', 'moneda', 'existencia'])
      .orderBy('idProveedor')
      .execute()
  ).map(({ idProveedor, precio, moneda, existencia }) =>
    [idProveedor, precio?.toFixed(3), moneda, existencia].join(' '),
  );

test('a list changes nothing until it is applied, and is applied once', async () => {
  const id = await recibir(FILAS);
  const lista = (await enEspera())!;
  expect(lista).toMatchObject({
    id,
    nombre: 'lista.xlsx',
    cuentas: { nuevo: 2, cambia: 0, saltan: 0 },
    ilegibles: 1,
    sinLeer: ['Renglón 4 (M-3): el precio es 0.'],
    muestra: [{ linea: 2, modelo: 'M-1', antes: null, despues: { importe: '22.11', moneda: 'USD' } }, { linea: 3 }],
  });
  expect(await precios()).toEqual([]);
  await aplicar(id, lista.huella);
  expect(await precios()).toEqual(['1 22.105 USD 4', '2 10.000 USD 0']);
  expect(await enEspera()).toBeUndefined();
  await expect(aplicar(id, lista.huella)).rejects.toThrow(NotAllowed);
});

test('a list of another currency or of another column is told before it is applied', async () => {
  await aplicar(await recibir(FILAS), (await enEspera())!.huella);
  await recibir([
    [1, 'M-1', 'Cámara', 420, 'MXN', 4],
    [2, 'M-2', 'Fuente', 21, 'USD', 0],
  ]);
  const lista = (await enEspera())!;
  expect(lista.cuentas).toMatchObject({ cambia: 2, nuevo: 0, saltan: 2 });
  expect((await askLista(db, lista.id))!.hechos).toBe(
    'lista.xlsx: 2 productos cambian y 0 son nuevos. 2 precios cambian de moneda, a menos de la mitad o a más del doble.',
  );
});

test('where the catalogue moved meanwhile nothing is written, and what it would do now is told', async () => {
  const id = await recibir(FILAS);
  const { huella } = (await enEspera())!;
  // Another list, applied before by somebody else.
  await db.updateTable('listaPrecios').set({ proveedor: 'tvc' }).execute();
  await aplicar(await recibir([FILAS[0]!]), (await enEspera())!.huella);
  await db.updateTable('listaPrecios').set({ proveedor: 'syscom' }).where('id', '=', id).execute();
  const late = await aplicar(id, huella).catch((error: unknown) => error);
  expect(late).toBeInstanceOf(Stale);
  expect((late as Stale).choque.cambios).toEqual([
    { campo: 'Nuevos', mio: '2', suyo: '1' },
    { campo: 'Iguales', mio: '0', suyo: '1' },
  ]);
  expect(await precios()).toEqual(['1 22.105 USD 4']);
  await aplicar(id, (late as Stale).choque.marcas.huella as string);
  expect(await precios()).toEqual(['1 22.105 USD 4', '2 10.000 USD 0']);
});

test('the list sent last is the one that waits, and one may be put aside', async () => {
  const first = await recibir(FILAS);
  const second = await recibir([FILAS[1]!]);
  expect(await enEspera()).toMatchObject({ id: second });
  await expect(aplicar(first, '')).rejects.toThrow('alguien envió otra');
  await db.transaction().execute((trx) => discardLista(trx, second));
  expect(await enEspera()).toBeUndefined();
});

test('what is no list of theirs is refused with why, and nothing waits', async () => {
  const sends = (contenido: Uint8Array | string, side: typeof syscom | typeof tvc = syscom) =>
    receiveLista(db, side, { archivo: archivo(contenido) }, null);
  await expect(sends('hola')).rejects.toThrow('No se encontraron las columnas');
  await expect(sends(Buffer.from('%PDF-1.7'))).rejects.toThrow('No se puede leer ese archivo');
  await expect(sends(csv([FILAS[2]!]))).rejects.toThrow(
    'No se pudo leer ningún renglón. Renglón 2 (M-3): el precio es 0.',
  );
  await expect(sends(csv(FILAS), tvc)).rejects.toThrow('no tiene lista de precios');
  await expect(sends(new Uint8Array(10 * 1_048_576 + 1))).rejects.toThrow('pesa más de 10 MB');
  expect(await enEspera()).toBeUndefined();
});

describe('lists as people have them', () => {
  const caso = (name: string) => new Uint8Array(readFileSync(new URL(`../../../casos/${name}`, import.meta.url)));
  /** What waits of a file: each product that would be new with its price, and the lines that were not read. */
  async function recibe(contenido: Uint8Array | string): Promise<string[]> {
    await receiveLista(db, syscom, { archivo: archivo(contenido, 'lista') }, null);
    const { renglones } = await db.selectFrom('listaPrecios').select('renglones').executeTakeFirstOrThrow();
    const leidos = renglones as unknown as { idProveedor: string; modelo: string; precio: { importe: string } }[];
    return [
      ...leidos.map(({ idProveedor, modelo, precio }) => `${idProveedor} ${modelo} ${Number(precio.importe)}`),
      ...(await enEspera())!.sinLeer,
    ];
  }
  const DOS = ['900001 MOD-A1 100.5', '900002 MOD-B2 1250'];
  const COMAS = Buffer.from(caso('10-lista-cr.csv')).toString();

  test.each<[string, Uint8Array | string, string[]]>([
    ['04: an inch that opens a cell between tabs', caso('04-lista-pulgadas.txt'), []],
    ['10: ends of line of an old Mac', caso('10-lista-cr.csv'), DOS],
    ['10b: UTF-16, as Excel saves Unicode', caso('10b-lista-utf16.txt'), DOS],
    ['10c: a cover before the list', caso('10c-lista-portada.xlsx'), ['900001 MOD-A1 100.5']],
    ['10e: a title with a comma', caso('10e-lista-titulo.csv'), DOS],
    ['17: zeros of a number format', caso('17-lista-ceros.xlsx'), ['900001 00123 100.5', '000123 MOD-B2 1250']],
    ['UTF-16 of the other order, without its mark', Buffer.from(COMAS, 'utf16le').swap16(), DOS],
    ['an inch that opens a cell between commas', COMAS.replace('Camara A1', '"Camara A1'), DOS],
    [
      'an inch and a comma: what moved its columns is told',
      COMAS.replace('Camara A1', '"Camara 24, negra'),
      [DOS[1]!, 'Renglón 2: abre comillas que no se cierran y tiene más columnas que el encabezado.'],
    ],
    ['inches at both ends of lines', COMAS.replace('Camara A1', 'Monitor 24"').replace('Grabador B2', 'TV 32"'), DOS],
    ['a cell of two lines', COMAS.replace('Camara A1', '"Camara\nA1, ""bala"""'), DOS],
    ['many titles with commas', `a,b,c\nuno, dos\n${Buffer.from(caso('10e-lista-titulo.csv')).toString()}`, DOS],
  ])('%s', async (what, contenido, lineas) => {
    const read = await recibe(contenido);
    if (what.startsWith('04')) expect([read.length, read[1]]).toEqual([7, '900002 MOD-B2 250']);
    else expect(read).toEqual(lineas);
  });

  test('a hidden sheet is no list, also where it has more lines; a code keeps the letters of its format', async () => {
    const book = utils.book_new();
    const vieja = Array.from({ length: 9 }, (_, n) => [n + 1, `V-${n}`, '', 5, 'USD', 1]);
    utils.book_append_sheet(book, utils.aoa_to_sheet([CABEZA, ...vieja]), 'Vieja');
    const hoja = utils.aoa_to_sheet([CABEZA, [7, 42, 'Cable', 10, 'USD', 3]]);
    hoja.B2 = { t: 'n', v: 42, z: '"DS-"0000' };
    utils.book_append_sheet(book, hoja, 'Lista');
    book.Workbook = { Sheets: [{ Hidden: 1 }, { Hidden: 0 }] };
    expect(await recibe(new Uint8Array(write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer))).toEqual([
      '7 DS-0042 10',
    ]);
  });

  test.each([
    [Buffer.from('%PDF-1.7'), 'es un PDF'],
    [
      Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1'),
      'es un libro de un Excel anterior (XLS), o tiene contraseña',
    ],
    [Buffer.from('<html><table><tr><td>1</td></tr></table>'), 'es una página web, aunque se llame de otro modo'],
    [Buffer.from(' \n'), 'está vacío'],
    [Buffer.from('sku,costo_lista\n1,2'), 'una del precio (precio_descuento, precio_descuentos, tu_precio'],
  ])('what is refused says what it is and what would be taken (%#)', async (contenido, motivo) => {
    await expect(recibe(contenido)).rejects.toThrow(motivo);
  });
});
