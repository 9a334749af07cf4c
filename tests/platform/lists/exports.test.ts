import { beforeAll, describe, expect, test } from 'vitest';
import * as xlsx from 'xlsx';
import { Money } from '~/core/money';
import { civilDateTime, dayRange } from '~/core/time';
import { LISTS } from '~/domain/operacion/exports/lists.server';
import { runExport } from '~/domain/operacion/exports/runExport.server';
import { createSheet } from '~/platform/lists/xlsx.server';
import { facturasList } from '~/domain/facturacion/emision/listFacturas.server';
import { readArchivo } from '~/platform/files/archivos.server';
import { exportsOf, requestExport } from '~/platform/lists/exportRuns.server';
import { buildFactura, seedFacturas } from '../../support/builders/facturas';
import { ownerDatabase, testDatabase } from '../../support/db';
import { runJobs, runJobsUntil } from '../../support/jobs';

const { db } = testDatabase();
let usuarioId: string;

beforeAll(async () => {
  ({ id: usuarioId } = await db
    .insertInto('usuario')
    .values({
      usuario: 'excel',
      nombre: 'Ana',
      apellidos: 'Ríos',
      email: 'ana@ejemplo.mx',
      rol: 'cont',
      passwordHash: '-',
    })
    .returning('id')
    .executeTakeFirstOrThrow());
  await seedFacturas(ownerDatabase().db, { count: 2_345, ...dayRange('2026-10-01', '2026-10-31') });
});

const request = (search: string, lista = 'facturasClientes') =>
  db.transaction().execute((trx) => requestExport(trx, { lista, search, usuarioId }));

async function exported(search: string) {
  const id = await request(search);
  await runJobs();
  const run = await db.selectFrom('exportRun').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const archivo = run.archivoId ? await readArchivo(db, run.archivoId) : undefined;
  return {
    run,
    archivo,
    sheet: archivo && xlsx.read(archivo.contenido, { cellDates: false, cellNF: true, cellFormula: true }),
  };
}

describe('the Excel of a list', () => {
  test('holds the rows of the list, in its order, to the cent, with dates as dates', async () => {
    const search = 'desde=2026-10-01&hasta=2026-10-31&orden=-total&q=garcia';
    const { run, archivo, sheet } = await exported(search);
    expect(run).toMatchObject({ state: 'done', written: run.total });
    expect(archivo).toMatchObject({ nombre: 'Facturas de clientes 2026-10-01 a 2026-10-31.xlsx' });
    expect(sheet!.SheetNames).toEqual(['Facturas']);
    const rows = xlsx.utils.sheet_to_json<unknown[]>(sheet!.Sheets['Facturas']!, { header: 1, raw: true });
    expect(rows[0]).toEqual(['Fecha de timbrado', 'Folio', 'No. Orden', 'RFC', 'Razón social', 'Cancelada', 'Total']);
    const expected = await db.transaction().execute(async (trx) => {
      const all = [];
      for await (const factura of facturasList.stream(trx, facturasList.parse(new URLSearchParams(search))))
        all.push(factura);
      return all;
    });
    expect(expected.length).toBeGreaterThan(50);
    expect(rows.slice(1).map((row) => row.slice(1))).toEqual(
      expected.map((factura) => [
        factura.folio,
        factura.numOrden,
        factura.rfc,
        factura.razonSocial,
        factura.estatus === 'cancelada' ? 'Sí' : 'No',
        Number(factura.total.toFixed(2)),
      ]),
    );
    expect(Money.sum(rows.slice(1).map((row) => Money.ofJsonNumber(row[6] as number))).toFixed(2)).toBe(
      Money.sum(expected.map((factura) => factura.total)).toFixed(2),
    );
    expect(rows.slice(1).map((_, at) => localOf(sheet!.Sheets['Facturas']![`A${at + 2}`].v as number))).toEqual(
      expected.map((factura) => civilDateTime(factura.fechaTimbrado)),
    );
    expect(sheet!.Sheets['Facturas']!['G2']).toMatchObject({ t: 'n', z: '#,##0.00' });
    expect(sheet!.Sheets['Facturas']!['A2']).toMatchObject({ t: 'n', z: 'dd/mm/yyyy\\ hh:mm' });
  });

  test('of an empty range has its header alone', async () => {
    const { run, sheet } = await exported('desde=2020-01-01&hasta=2020-01-31');
    expect(run).toMatchObject({ state: 'done', total: 0, written: 0 });
    expect(xlsx.utils.sheet_to_json(sheet!.Sheets['Facturas']!, { header: 1 })).toHaveLength(1);
  });

  test('never turns text into a formula', async () => {
    const hostile = [
      '=1+1',
      '+1+1',
      '-1+1',
      '@SUM(A1)',
      '=HYPERLINK("http://malo.invalid","ver")',
      '\t=1+1',
      "=cmd|' /C calc'!A0",
      '1234567890123456',
      '_x000D_',
      'a\u0000b\ud800',
      '<&">',
    ];
    for (const [at, razonSocial] of hostile.entries()) {
      if (!razonSocial.includes('\0'))
        await buildFactura(db, {
          serie: 'X',
          folio: at + 1,
          razonSocial,
          fechaTimbrado: new Date(`2026-08-10T18:00:${10 + at}Z`),
        });
    }
    const { archivo, sheet } = await exported('desde=2026-08-10&hasta=2026-08-10&orden=fecha');
    const cells = Object.entries(sheet!.Sheets['Facturas']!)
      .filter(([ref]) => /^E\d+$/.test(ref))
      .map(([, cell]) => cell as xlsx.CellObject);
    expect(cells.every((cell) => cell.f === undefined && cell.t === 's')).toBe(true);
    expect(cells.slice(1).map((cell) => cell.v)).toEqual(hostile.filter((text) => !text.includes('\u0000')));
    expect(archivo!.contenido.includes('<f>')).toBe(false);
  });

  test('adds up the columns in pesos below the rows, to the cent', async () => {
    const sheet = await createSheet<string | null>({
      hoja: 'Sumas',
      columnas: [
        { header: 'Texto', tipo: 'texto', valor: (text) => text },
        { header: 'Monto', tipo: 'pesos', valor: (text) => (text === null ? null : Money.of(text)) },
      ],
      sumas: true,
    });
    for (const row of ['0.10', '0.20', null, '-1.05']) await sheet.write(row);
    const { Sumas } = xlsx.read(await sheet.finish()).Sheets;
    expect([Sumas!['A6'].v, Sumas!['B6'].v, Sumas!['!autofilter']?.ref]).toEqual(['Total', -0.75, 'A1:B5']);
  });

  test('leaves out what XML cannot hold', async () => {
    const sheet = await createSheet<string>({
      hoja: "'a/b:c'",
      columnas: [{ header: 'Texto', tipo: 'texto', valor: (text) => text }],
    });
    await sheet.write('a\u0000b\ud800c');
    const book = xlsx.read(await sheet.finish());
    expect(book.SheetNames).toEqual(['a b c']);
    expect(book.Sheets['a b c']!['A2'].v).toBe('abc');
  });
});

describe('an export run', () => {
  test('asked for twice while it waits is one run; once done, another', async () => {
    const search = 'desde=2026-10-02&hasta=2026-10-02';
    const [one, two] = await Promise.all([request(search), request(search)]);
    expect(one).toBe(two);
    const isDone = async () =>
      (await db.selectFrom('exportRun').select('state').where('id', '=', one).executeTakeFirstOrThrow()).state ===
      'done';
    // One export at a time: the one before may still hold their queue.
    await runJobsUntil(isDone);
    expect(await request(search)).not.toBe(one);
    await runJobs();
  });

  test('that ended is left alone when its job comes again', async () => {
    const { run } = await exported('desde=2026-10-03&hasta=2026-10-03');
    await runExport(db, run.id, { lastAttempt: true });
    expect(await db.selectFrom('exportRun').selectAll().where('id', '=', run.id).executeTakeFirstOrThrow()).toEqual(
      run,
    );
  });

  test('that was cut begins again', async () => {
    const id = await request('desde=2026-10-04&hasta=2026-10-04');
    await db.updateTable('exportRun').set({ state: 'running', written: 40 }).where('id', '=', id).execute();
    await runExport(db, id, { lastAttempt: false });
    const run = await db.selectFrom('exportRun').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    expect(run).toMatchObject({ state: 'done', written: run.total });
  });

  test('of a list that no longer exists fails and says so', async () => {
    const id = await request('', 'deAntes');
    await expect(runExport(db, id, { lastAttempt: true })).rejects.toThrow('deAntes');
    expect(await db.selectFrom('exportRun').select(['state', 'error']).where('id', '=', id).executeTakeFirst()).toEqual(
      { state: 'failed', error: 'No se pudo generar el Excel.' },
    );
  });

  test('is seen by the one who asked for it', async () => {
    const mine = await exportsOf(db, usuarioId, 'facturasClientes');
    expect(mine[0]).toMatchObject({ lista: 'facturasClientes', estado: 'done' });
    expect(mine).toHaveLength(5);
    expect(await exportsOf(db, '00000000-0000-7000-8000-000000000000')).toEqual([]);
  });
});

test('every list is known by its own name', () => {
  for (const [name, list] of Object.entries(LISTS)) expect(list.lista).toBe(name);
});

function localOf(serial: number): string {
  return new Date(Math.round((serial - 25_569) * 86_400) * 1000).toISOString().slice(0, 19);
}
