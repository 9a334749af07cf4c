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
