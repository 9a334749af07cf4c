import { beforeEach, expect, test } from 'vitest';
import { utils, write } from 'xlsx';
import { NotAllowed, Stale } from '~/core/errors';
import { syscom } from '~/domain/connections/syscom.server';
import { tvc } from '~/domain/connections/tvc.server';
import { leerTabla } from '~/domain/files/leerArchivo.server';
import {
  aplicarLista,
  descartarLista,
  listEnEspera,
  preguntarLista,
  recibirLista,
} from '~/domain/proveedores/listaPrecios.server';
import { leerListaSyscom } from '~/integrations/proveedores/syscom/lista';
import { testDatabase } from '../../support/db';

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
  const hoja = await leerTabla(libro(FILAS));
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
  expect(await leerTabla(Buffer.from(`\uFEFF${texto}`))).toEqual(hoja);
  expect(await leerTabla(Buffer.from(texto, 'latin1'))).toEqual(hoja);
});

test('a file that is none, or has no end, ends its reading and nothing else', async () => {
  for (const bad of [Buffer.from('PK\x03\x04 nada'), Buffer.from('%PDF-1.7'), Buffer.from([0, 1, 2]), Buffer.alloc(0)])
    expect(await leerTabla(bad)).toEqual({ tipo: 'ilegible' });
  expect(await leerTabla(Buffer.from('a\n'.repeat(100_001)))).toEqual({ tipo: 'limite' });
});

const recibir = (filas: Fila[]) => recibirLista(db, syscom, { archivo: archivo(libro(filas)) }, null);
const enEspera = async () => (await listEnEspera(db)).get('syscom');
const aplicar = (lista: string, huella: string) =>
  db.transaction().execute((trx) => aplicarLista(trx, { lista, huella }, null));
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
  expect((await preguntarLista(db, lista.id))!.hechos).toBe(
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
  await db.transaction().execute((trx) => descartarLista(trx, second));
  expect(await enEspera()).toBeUndefined();
});

test('what is no list of theirs is refused with why, and nothing waits', async () => {
  const sends = (contenido: Uint8Array | string, side: typeof syscom | typeof tvc = syscom) =>
    recibirLista(db, side, { archivo: archivo(contenido) }, null);
  await expect(sends('hola')).rejects.toThrow('No se encontraron las columnas');
  await expect(sends(Buffer.from('%PDF-1.7'))).rejects.toThrow('No se puede leer ese archivo');
  await expect(sends(csv([FILAS[2]!]))).rejects.toThrow(
    'No se pudo leer ningún renglón. Renglón 2 (M-3): el precio es 0.',
  );
  await expect(sends(csv(FILAS), tvc)).rejects.toThrow('no tiene lista de precios');
  await expect(sends(new Uint8Array(10 * 1_048_576 + 1))).rejects.toThrow('pesa más de 10 MB');
  expect(await enEspera()).toBeUndefined();
});
