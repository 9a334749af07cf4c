/** Money that a marketplace has: told until a settlement brings it, and work once its day has passed. */
import { expect, test } from 'vitest';
import { porLiberarList } from '~/domain/cierre/conciliacion/listPorLiberar.server';
import { estatusDeLiberacion } from '~/domain/cierre/conciliacion/concepto';
import { liberacionesAtrasadas } from '~/domain/cierre/conciliacion/internal/colaConciliacion.server';
import { textoDeReclamo } from '~/routes/cierre/conciliacion/textoDeReclamo';
import { buildOrden } from '../../../support/builders/ordenes';
import { testDatabase } from '../../../support/db';

const { db } = testDatabase();
const DIA = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DIA);

/** A sale of 1,160.00 of which 1,000.00 arrive. */
async function venta(dias: number, liberacionEn: Date | null) {
  const { id, numOrden } = await buildOrden(db, { pagado: '1160.00', envio: null, fechaCreacion: daysAgo(dias) });
  await db
    .updateTable('orden')
    .set({ comision: '100.00', retencion: '60.00', liberacionEn })
    .where('id', '=', id)
    .execute();
  return { id, numOrden };
}
const open = async (search = '') => {
  const filtro = porLiberarList.parse(new URLSearchParams(search));
  const { filas, totales } = await porLiberarList.first(db, filtro);
  return { filas, totales: totales ?? (await porLiberarList.totals(db, filtro)) };
};
const enHoy = () =>
  liberacionesAtrasadas.mira(db, { ahora: new Date(), limite: 10, aparte: [], quien: { id: '', rol: 'sa' } });

test('what a marketplace has is told by its day; a passed one is work, with the text that asks for it', async () => {
  const [tarde, pronto, sinDia] = [
    await venta(30, daysAgo(10)),
    await venta(5, new Date(Date.now() + 3 * DIA)),
    await venta(2, null),
  ];
  expect((await open()).filas, 'no report was read: nobody can tell').toEqual([]);
  await db
    .insertInto('liquidacionReporte')
    .values({ market: 'ml', clave: 'r1', cuenta: 'c', estado: 'leido', desde: daysAgo(60), hasta: daysAgo(1) })
    .execute();
  await venta(90, daysAgo(80));
  // Released after the last day that any report told of.
  const sinReporte = await venta(20, daysAgo(0.5));
  const esperan = (await open()).filas.find(({ id }) => id === sinReporte.id)!;
  expect([esperan.atrasada, estatusDeLiberacion(esperan)]).toEqual([false, 'Espera el reporte']);
  await db.updateTable('orden').set({ liquidado: '1000.00' }).where('id', '=', sinReporte.id).execute();

  const { filas, totales } = await open();
  expect(filas.map(({ numOrden, atrasada, porLiberar }) => [numOrden, atrasada, porLiberar.toFixed(2)])).toEqual([
    [tarde.numOrden, true, '1000.00'],
    [pronto.numOrden, false, '1000.00'],
    [sinDia.numOrden, false, '1000.00'],
  ]);
  expect([totales.registros, String(totales.porLiberar)]).toEqual([3, '3000.00']);
  const atrasadas = await open('cuales=atrasadas');
  expect(atrasadas.filas.map(({ id }) => id)).toEqual([tarde.id]);
  expect(await enHoy()).toMatchObject({
    total: atrasadas.totales.registros,
    cosas: [{ titulo: `Orden ${tarde.numOrden}` }],
  });

  expect(filas.map(estatusDeLiberacion)).toEqual(['Atrasada', 'A tiempo', 'A tiempo']);
  const [fila] = filas;
  const enAlambre = {
    ...fila!,
    fecha: fila!.fecha.toISOString(),
    libera: fila!.libera!.toISOString(),
    porLiberar: '1000.00',
  };
  expect(textoDeReclamo(enAlambre)).toContain(`La venta ${tarde.numOrden} del `);
  expect(textoDeReclamo(enAlambre)).toContain(' por $1,000.00 y');
  expect(textoDeReclamo({ ...enAlambre, estimado: true })).toContain(' por unos $1,000.00 y');
  expect(textoDeReclamo({ ...enAlambre, atrasada: false })).toBeNull();
  const { a } = (await enHoy()).cosas[0]!;
  expect((await open(a.split('?')[1])).filas.map(({ id }) => id)).toEqual([tarde.id]);

  // A marketplace that has not told its commission: the amount is an estimate.
  await db.updateTable('orden').set({ comision: null }).where('id', '=', pronto.id).execute();
  expect((await open()).filas.map(({ estimado }) => estimado)).toEqual([false, true, false]);

  await db.updateTable('orden').set({ liquidado: '1000.00' }).where('id', '=', tarde.id).execute();
  expect((await open()).filas.map(({ id }) => id)).toEqual([pronto.id, sinDia.id]);
  expect(await enHoy()).toMatchObject({ total: 0 });
});
