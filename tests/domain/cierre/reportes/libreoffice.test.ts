import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { dayRange } from '~/core/time';
import { runExport } from '~/domain/operacion/exports/runExport.server';
import { requestExport } from '~/platform/lists/exportRuns.server';
import { mensualList } from '~/domain/cierre/reportes/utilidadLists.server';
import { seedOrdenes } from '../../../support/builders/ordenes';
import { buildPersona } from '../../../support/builders/ventas';
import { ownerDatabase, testDatabase } from '../../../support/db';

const { db } = testDatabase();
const run = promisify(execFile);
/** Not every machine has it; the same file is read back by a library in the tests of exports. */
const soffice = await run('soffice', ['--version']).then(
  () => true,
  () => false,
);

const ROWS = 17_000;
const TITULOS = ['=1+1', '+52 55 1234', '-20 % en cables', '@SUM(A1:A9)'];

test.skipIf(!soffice)(
  'LibreOffice opens the month of 17,000 sales, and its columns add up to what the screen says',
  { timeout: 240_000 },
  async () => {
    await seedOrdenes(ownerDatabase().db, { count: ROWS, ...dayRange('2026-10-01', '2026-10-31') });
    await sql`update orden set retencion = round(pagado_abs * 0.0905, 2), comision = round(pagado_abs * 0.14, 2), costo_envio = round(pagado_abs * 0.01 + 49.5, 2)`.execute(
      db,
    );
    await sql`insert into proveedor_factura (orden_id, proveedor, folio, monto)
    select id, 'syscom', 'A/' || row_number() over (order by id), round(pagado_abs * 0.7, 2) from orden where abs(hashtext(num_orden)) % 3 > 0`.execute(
      db,
    );
    for (const [at, titulo] of TITULOS.entries())
      await sql`update orden set titulo = ${titulo} where id = (select id from orden order by fecha_creacion desc offset ${at} limit 1)`.execute(
        db,
      );

    const usuario = await buildPersona(db);
    const id = await db
      .transaction()
      .execute((trx) => requestExport(trx, { lista: 'mensual', search: 'mes=2026-10', usuarioId: usuario.id }));
    await runExport(db, id, { lastAttempt: true });
    const { contenido } = await db
      .selectFrom('exportRun')
      .innerJoin('archivo', 'archivo.id', 'exportRun.archivoId')
      .select('archivo.contenido')
      .where('exportRun.id', '=', id)
      .executeTakeFirstOrThrow();

    const rows = await throughLibreOffice(contenido);
    const [header, ...ventas] = rows;
    expect(ventas).toHaveLength(ROWS);
    expect(ventas.slice(0, TITULOS.length).map((row) => row[header!.indexOf('Título')])).toEqual(TITULOS);
    const sum = (name: string) => ventas.reduce((total, row) => total + cents(row[header!.indexOf(name)]!), 0n);
    const totals = await mensualList.totals(db, mensualList.parse(new URLSearchParams('mes=2026-10')));
    const said = (value: string) => cents(String(value));
    expect({
      pagado: sum('Monto pagado'),
      cancelado: sum('Monto cancelado'),
      comision: sum('Comisión'),
      envio: sum('Costo envío'),
      retencion: sum('Retención'),
      factura: sum('Factura'),
      utilidad: sum('Utilidad'),
    }).toEqual({
      pagado: said(totals.pagado),
      cancelado: said(totals.cancelado),
      comision: said(totals.comision),
      envio: said(totals.costoEnvio),
      retencion: said(totals.retencion),
      factura: said(totals.facturado),
      utilidad: said(totals.utilidad),
    });
  },
);

/** As a person who opens the file and saves it as text: what each cell shows. */
async function throughLibreOffice(xlsx: Buffer): Promise<string[][]> {
  const folder = await mkdtemp(join(tmpdir(), 'trastienda-calc-'));
  try {
    await writeFile(join(folder, 'mes.xlsx'), xlsx);
    await run(
      'soffice',
      [
        `-env:UserInstallation=file://${folder}/perfil`,
        '--headless',
        '--convert-to',
        'csv:Text - txt - csv (StarCalc):9,34,76,1',
        '--outdir',
        folder,
        join(folder, 'mes.xlsx'),
      ],
      { timeout: 180_000 },
    );
    const text = await readFile(join(folder, 'mes.csv'), 'utf8');
    return text
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => line.split('\t').map((cell) => cell.replace(/^"(.*)"$/, '$1')));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** '$1,234.50', '-12.3' or nothing, exactly. */
function cents(text: string): bigint {
  const clean = text.replace(/[$,\s]/g, '');
  if (clean === '') return 0n;
  const [, sign, whole, decimals = ''] = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(clean)!;
  const value = BigInt(whole!) * 100n + BigInt(decimals.padEnd(2, '0'));
  return sign ? -value : value;
}
