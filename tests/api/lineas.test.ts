/** Rows of `/api/v1` as PostgreSQL writes them: the same that we would write, and as they are described. */
import { beforeAll, expect, test } from 'vitest';
import { CALLS } from '~/api/catalog.server';
import { camposOf, projectorOf } from '~/api/project';
import type { Paso } from '~/platform/lists/list.server';
import { seedAnio } from '../support/builders/anio';
import { seedAtencion } from '../support/builders/atencion';
import { seedCatalogo } from '../support/builders/catalogo';
import { seedConciliacion } from '../support/builders/conciliacion';
import { seedPublicaciones } from '../support/builders/publicaciones';
import { seedStock } from '../support/builders/stock';
import { ownerDatabase, testDatabase } from '../support/db';
import { buildUsuarios } from '../support/web';

const { db } = testDatabase();

beforeAll(async () => {
  const { db: owner } = ownerDatabase();
  await seedAnio(owner, 40);
  await seedCatalogo(owner, 300);
  await seedStock(owner, 300);
  await seedAtencion(owner, 300);
  await seedPublicaciones(owner, 300);
  await seedConciliacion(owner);
  await buildUsuarios(owner);
  const agente = { nombre: 'Luis', apellidos: 'Ríos', email: 'luis@ejemplo.mx', proveedor: 'syscom' };
  await owner.insertInto('agenteVenta').values(agente).execute();
}, 120_000);

const lists = CALLS.flatMap(({ path, fila, lista }) => (fila && lista ? [{ path, fila, lista }] : []));

/** What a row says is not all in SQL. */
const OURS = ['/api/v1/productos', '/api/v1/productos/sin-publicacion'];

/** What the year has none of: their types are looked at, and no rows. */
const NONE = [
  'pedidos/por-confirmar',
  'pedidos/ct',
  'reclamos',
  'pagos',
  'conciliacion/depositos',
  'conciliacion/porLiberar',
  'conciliacion/sueltos',
  'conciliacion/ajustes',
  'costos',
  'mes/parciales',
];

const QUERY = 'desde=2025-11-01&hasta=2026-10-31';

test.each(lists)('$path is written by PostgreSQL as we would write it, and fits', async ({ path, fila, lista }) => {
  const campos = camposOf(fila)!;
  const written = await lista.lineas(db, campos);
  expect(written === null).toBe(OURS.includes(path));
  if (!written) return;
  // The last months of the year are not closed.
  const mes = ['/api/v1/mes/ordenes', '/api/v1/mes/balance'].includes(path) ? '2026-09' : '2026-05';
  const filtro = lista.parse(new URLSearchParams(`${QUERY}&mes=${mes}`), { rol: 'sa' });
  const project = projectorOf(fila);
  const [ours, theirs] = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const ours: unknown[] = [];
      for await (const row of lista.stream(trx, filtro)) ours.push(JSON.parse(JSON.stringify(project(row))));
      const theirs: unknown[] = [];
      for await (const line of written.stream(trx, filtro)) theirs.push(JSON.parse(line));
      return [ours, theirs];
    });
  expect(theirs).toEqual(ours);
  expect([path, ours.length === 0]).toEqual([path, NONE.includes(path.replace('/api/v1/', ''))]);
  for (const row of theirs) expect(fila.strict().parse(row)).toEqual(row);
  const pages: unknown[] = [];
  let paso: Paso | null = null;
  do {
    const { filas, sigue } = await written.after(db, filtro, paso, 200);
    pages.push(...filas.map((line) => JSON.parse(line) as unknown));
    paso = sigue;
  } while (paso && pages.length < 1_000);
  expect(pages).toEqual(ours.slice(0, pages.length));
});
