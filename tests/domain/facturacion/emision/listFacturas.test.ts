import { beforeAll, describe, expect, test } from 'vitest';
import type { Selectable } from 'kysely';
import type { Factura } from '~db/types';
import { currentMonth, WINDOW } from '~/core/list';
import { Money } from '~/core/money';
import { dayRange } from '~/core/time';
import { facturasList } from '~/domain/facturacion/emision/listFacturas.server';
import { countList, openList, readWindow } from '~/platform/lists/list.server';
import { buildFactura, seedFacturas } from '../../../support/builders/facturas';
import { ownerDatabase, testDatabase } from '../../../support/db';

const { db } = testDatabase();
const OCTUBRE = 'desde=2026-10-01&hasta=2026-10-31';
let usuario: { id: string };

beforeAll(async () => {
  usuario = await db
    .insertInto('usuario')
    .values({
      usuario: 'lista',
      nombre: 'Ana',
      apellidos: 'Ríos',
      email: 'ana@ejemplo.mx',
      rol: 'admin',
      passwordHash: '-',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { from, to } = dayRange('2026-10-01', '2026-10-31');
  await seedFacturas(ownerDatabase().db, { count: 1_234, from, to });
  await seedFacturas(ownerDatabase().db, { count: 40, from: dayRange('2026-09-01').from, to: from });
  await buildFactura(db, { tipo: 'notaCredito', serie: 'NC', fechaTimbrado: new Date('2026-10-10T18:00:00Z') });
});

const parse = (query: string) => facturasList.parse(new URLSearchParams(query));
const open = (query: string) =>
  openList(db, facturasList, new Request(`http://trastienda.test/sa/facturasClientes?${query}`), usuario);

/** Every window of a list, as scrolling would read them. */
async function scrollAll(query: string) {
  const first = await open(query);
  const { corte } = first;
  const total = first.totales!.registros;
  const rows = [...first.ventana.filas];
  for (let indice = 1; indice * WINDOW < total; indice++) {
    rows.push(...(await readWindow(db, facturasList, new URLSearchParams(query), { indice, total, corte })).filas);
  }
  return { first, rows };
}

/** The same list, read whole and filtered the slow way. */
async function slowly(keep: (factura: Selectable<Factura>) => boolean) {
  const all = await db.selectFrom('factura').selectAll().execute();
  return all.filter(keep);
}
const { from, to } = dayRange('2026-10-01', '2026-10-31');
const inOctober = (factura: Selectable<Factura>) =>
  factura.tipo !== 'notaCredito' && factura.fechaTimbrado >= from && factura.fechaTimbrado < to;

describe('windows', () => {
  test('a row born after the list was opened is neither in its first window nor in its totals', async () => {
    const query = 'desde=2026-12-01&hasta=2026-12-31&orden=fecha';
    const { id } = await buildFactura(db, { folio: 900_001, fechaTimbrado: new Date('2026-12-10T18:00:00Z') });
    expect(await open(query)).toMatchObject({ totales: { registros: 1 }, ventana: { filas: [{ id }] } });
    // Ids grow with time: this one is of a moment that has not come.
    await buildFactura(db, {
      id: 'ffffffff-ffff-7fff-bfff-ffffffffffff',
      folio: 900_002,
      fechaTimbrado: new Date('2026-12-09T18:00:00Z'),
    });
    expect(await open(query)).toMatchObject({ totales: { registros: 1 }, ventana: { filas: [{ id }] } });
  });

  for (const orden of [
    '-fecha',
    'fecha',
    'folio',
    '-folio',
    'orden',
    'rfc',
    '-razonSocial',
    'razonSocial',
    'cancelada',
    '-cancelada',
    'total',
    '-total',
  ]) {
    test(`sorted by ${orden} show every factura of the range once, in order, ties included`, async () => {
      const { first, rows } = await scrollAll(`${OCTUBRE}&orden=${orden}`);
      expect(first.ventana.filas).toHaveLength(WINDOW);
      expect(rows).toHaveLength(1_234);
      expect(new Set(rows.map((row) => row.id)).size).toBe(1_234);
      const streamed = await db.transaction().execute(async (trx) => {
        const ids = [];
        for await (const row of facturasList.stream(trx, parse(`${OCTUBRE}&orden=${orden}`))) ids.push(row.id);
        return ids;
      });
      expect(rows.map((row) => row.id)).toEqual(streamed);
    });
  }

  test('a factura stamped after the list was opened does not shift its later windows', async () => {
    const first = await open(OCTUBRE);
    const at = { indice: 3, total: first.totales!.registros, corte: first.corte };
    const before = await readWindow(db, facturasList, new URLSearchParams(OCTUBRE), at);
    const late = await buildFactura(db, { serie: 'T', fechaTimbrado: new Date('2026-10-31T20:00:00Z') });
    const after = await readWindow(db, facturasList, new URLSearchParams(OCTUBRE), at);
    const reopened = await open(OCTUBRE);
    await db.deleteFrom('facturaConcepto').where('facturaId', '=', late.id).execute();
    await db.deleteFrom('factura').where('id', '=', late.id).execute();
    expect(after).toEqual(before);
    expect(reopened.totales!.registros).toBe(first.totales!.registros + 1);
  });

  test('of a search come alone where a page stands already, and its totals are asked for beside them, for the same rows', async () => {
    const query = `${OCTUBRE}&q=a`;
    const whole = await open(query);
    const alone = await openList(
      db,
      facturasList,
      new Request(`http://trastienda.test/sa/facturasClientes?${query}`, { headers: { 'sec-fetch-dest': 'empty' } }),
      usuario,
    );
    expect(alone.totales).toBeNull();
    expect(alone.ventana).toEqual(whole.ventana);
    const late = await buildFactura(db, {
      serie: 'T',
      razonSocial: 'ANA',
      fechaTimbrado: new Date('2026-10-31T20:00:00Z'),
    });
    expect((await countList(db, facturasList, new URLSearchParams(query), alone.corte)).totales).toEqual(whole.totales);
    await db.deleteFrom('facturaConcepto').where('facturaId', '=', late.id).execute();
    await db.deleteFrom('factura').where('id', '=', late.id).execute();
  });

  test('of fewer rows than one window come with their totals', async () => {
    const few = await openList(
      db,
      facturasList,
      new Request(`http://trastienda.test/sa/facturasClientes?${OCTUBRE}&q=zzqqxx`, {
        headers: { 'sec-fetch-dest': 'empty' },
      }),
      usuario,
    );
    expect(few).toMatchObject({ ventana: { filas: [] }, totales: { registros: 0, canceladas: 0 } });
  });

  test('a page beyond the last is the last, and one that is no number is the first', async () => {
    expect((await open(`${OCTUBRE}&pagina=999`)).ventana).toMatchObject({ indice: 24, filas: { length: 34 } });
    expect((await open(`${OCTUBRE}&pagina=x`)).ventana.indice).toBe(0);
    expect((await open(`${OCTUBRE}&pagina=-3`)).ventana.indice).toBe(0);
  });

  test('a window past the end is empty', async () => {
    expect(
      await readWindow(db, facturasList, new URLSearchParams(OCTUBRE), { indice: 500, total: 1_234, corte: null }),
    ).toEqual({ indice: 500, filas: [] });
  });
});

describe('totals', () => {
  test('are those of the whole range, without cancelled amounts, to the cent', async () => {
    const { totales } = await open(OCTUBRE);
    const expected = await slowly(inOctober);
    const alive = expected.filter((factura) => factura.estatus !== 'cancelada');
    expect(totales!.registros).toBe(expected.length);
    expect(totales!.canceladas).toBe(expected.length - alive.length);
    expect(totales!.total).toBe(String(Money.sum(alive.map((factura) => factura.total))));
  });

  test('of an empty range are zero', async () => {
    const page = await open('desde=2020-01-01&hasta=2020-01-31');
    expect(page).toMatchObject({
      ventana: { indice: 0, filas: [] },
      totales: { registros: 0, total: '0.00', canceladas: 0 },
    });
  });
});

describe('search', () => {
  test('a folio typed whole is that document, in whatever range; one that is none is words', async () => {
    for (const range of [OCTUBRE, 'desde=2025-01-01&hasta=2025-01-31']) {
      const { first, rows } = await scrollAll(`${range}&q=f-12`);
      expect(rows.map(({ folio }) => folio)).toEqual(['F-12']);
      expect(first.alcance).toBe('Busqué "f-12" en todas las fechas.');
    }
    expect((await scrollAll(`${OCTUBRE}&q=F-999999`)).first).toMatchObject({
      alcance: expect.stringMatching(/^Busqué "F-999999" del /),
      totales: { registros: 0 },
    });
  });

  for (const [q, words] of [
    ['garcia', ['garcia']],
    ['GARCÍA', ['garcia']],
    ['peña', ['pena']],
    ['nuñez cruz', ['nunez', 'cruz']],
    ['cruz nuñez', ['nunez', 'cruz']],
    ['f-12 garcia', ['f-12', 'garcia']],
    ['2000001', ['2000001']],
    ['a', ['a']],
    ['zzqq', ['zzqq']],
  ] as const) {
    test(`«${q}» finds what holds its words, accents and case aside`, async () => {
      const { first, rows } = await scrollAll(`${OCTUBRE}&q=${encodeURIComponent(q)}`);
      const expected = await slowly(
        (factura) => inOctober(factura) && words.every((word) => factura.busqueda?.includes(word)),
      );
      expect(rows.map((row) => row.id).sort()).toEqual(expected.map((factura) => factura.id).sort());
      expect(first.totales!.registros).toBe(expected.length);
    });
  }

  test('takes % and _ and \\ for what they are', async () => {
    const odd = await buildFactura(db, {
      serie: 'R',
      razonSocial: 'CIEN% SEGURO_SA\\CV',
      fechaTimbrado: new Date('2026-08-10T18:00:00Z'),
    });
    const agosto = 'desde=2026-08-01&hasta=2026-08-31';
    await buildFactura(db, {
      serie: 'R',
      razonSocial: 'CIENTO SEGUROS',
      fechaTimbrado: new Date('2026-08-11T18:00:00Z'),
    });
    for (const q of ['cien%', 'seguro_s', 'a\\c']) {
      expect((await open(`${agosto}&q=${encodeURIComponent(q)}`)).ventana.filas.map((row) => row.id)).toEqual([odd.id]);
    }
    expect((await open(`${agosto}&q=${encodeURIComponent('%')}`)).totales!.registros).toBe(1);
  });

  test('finds the few among the many in any sort, the last window included', async () => {
    const { rows } = await scrollAll(`${OCTUBRE}&q=garcia&orden=-total`);
    const totals = rows.map((row) => Number(row.total));
    expect(totals).toEqual([...totals].sort((a, b) => b - a));
  });
});

describe('filter', () => {
  test('falls back to the current month, newest first, whatever the address says', () => {
    const month = currentMonth();
    for (const query of ['', 'desde=ayer&hasta=2026-02-31', 'orden=;drop', 'desde=2026-10-05&hasta=2026-10-01']) {
      expect(parse(query)).toEqual({ q: '', orden: '-fecha', ...month, rango: 'esteMes' });
    }
    expect(parse('q=%20%20hola%20&desde=2026-10-05&hasta=2026-10-05')).toMatchObject({
      q: 'hola',
      desde: '2026-10-05',
      hasta: '2026-10-05',
    });
  });

  test('counts days in the business zone', async () => {
    const edge = await buildFactura(db, { serie: 'Z', fechaTimbrado: new Date('2026-08-01T05:59:59Z') });
    expect((await open('desde=2026-07-31&hasta=2026-07-31')).ventana.filas.map((row) => row.id)).toContain(edge.id);
    expect((await open('desde=2026-08-01&hasta=2026-08-01')).ventana.filas.map((row) => row.id)).not.toContain(edge.id);
  });
});
