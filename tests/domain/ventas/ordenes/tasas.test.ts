/** What the law withholds of a sale goes by the day of the sale and by who sells, and a law that ended is told. */
import { beforeEach, expect, test } from 'vitest';
import { Stale } from '~/core/errors';
import { Money } from '~/core/money';
import { civilDay } from '~/core/time';
import { readReglas } from '~/domain/compras/precios/reglas.server';
import { TasaForm } from '~/domain/ventas/ordenes/tasas';
import { readTasas, savePersona, saveTasa } from '~/domain/ventas/ordenes/tasas.server';
import { openIsr } from '~/domain/mercados/amz/internal/isr.server';
import { CONDICIONES } from '~/domain/operacion/mantenimiento/internal/condicionCatalog.server';
import { postLibros } from '~/domain/ventas/libro/asentar.server';
import { buildOrden, buildQuien } from '../../../support/builders/ordenes';
import { testDatabase } from '../../../support/db';
import { runJobs } from '../../../support/jobs';

const { db } = testDatabase();
let usuarioId: string;
beforeEach(async () => {
  usuarioId = (await buildQuien(db, 'admin')).id;
  await db.deleteFrom('ajuste').where('clave', '=', 'persona').execute();
  await db.deleteFrom('tasaRetencion').where('desde', '>', '2026-01-01').execute();
});

const write = async (desde: string, hasta: string | null, iva: string, isr: string) => {
  const { huella } = await readTasas(db);
  await db.transaction().execute((trx) => saveTasa(trx, { huella, desde, hasta, iva, isr }, usuarioId));
};
const sell = async (dia: string) => {
  const fechaCreacion = new Date(`${dia}T18:00:00Z`);
  const { id } = await buildOrden(db, { market: 'amz', pagado: '1160.00', envio: null, fechaCreacion });
  await db.updateTable('orden').set({ comision: '0', retencion: null }).where('id', '=', id).execute();
  await postLibros(db, [id]);
  return id;
};
const brings = async (id: string) =>
  (await db.selectFrom('libroVenta').select('recibe').where('ordenId', '=', id).executeTakeFirstOrThrow())
    .recibe!.minus(Money.of('1160.00'))
    .toFixed(2);

test('a sale is estimated by the law of its day, and one after its end by the last there is', async () => {
  expect(
    await Promise.all(['2025-12-30', '2026-01-02', '2027-01-02'].map(async (dia) => brings(await sell(dia)))),
  ).toEqual(['0.00', '-105.00', '-105.00']);
});

test('rates that somebody writes for the next year move what they estimate, and nothing before', async () => {
  const [before, after] = [await sell('2026-12-30'), await sell('2027-01-02')];
  await write('2027-01-01', '2027-12-31', '8', '3.6');
  await runJobs();
  expect([await brings(before), await brings(after)]).toEqual(['-105.00', '-116.00']);
  await write('2027-01-01', '2027-12-31', '16', '4');
  await runJobs();
  expect(await brings(after), 'the same day written again').toBe('-200.00');
});

test('who sells chooses the rates', async () => {
  const id = await sell('2026-06-01');
  const { huella } = await readTasas(db);
  await db.transaction().execute((trx) => savePersona(trx, { huella, persona: 'sinRfc' }, usuarioId));
  await runJobs();
  expect(await brings(id)).toBe('-360.00');
  await expect(
    db.transaction().execute((trx) => savePersona(trx, { huella, persona: 'fisica' }, usuarioId)),
  ).rejects.toThrow(Stale);
});

test('the margin before a sale uses the rates of today', async () => {
  const hoy = civilDay(new Date());
  await write(hoy, null, '10', '5');
  const { tarifas } = await readReglas(db);
  expect([tarifas.ml.retencionIva.toFixed(2), tarifas.amz.retencionIsr.toFixed(2)]).toEqual(['0.10', '0.05']);
});

test('the ISR of a sale at Amazon is that of its civil day in México, and unknown after the last law', async () => {
  const of = async (instant: string) => (await openIsr(db)(new Date(instant)))?.toFixed(3) ?? null;
  expect(await of('2026-01-01T05:59:59Z')).toBe('0.000');
  expect(await of('2026-01-01T06:00:00Z')).toBe('0.025');
  expect(await of('2027-01-01T05:59:59Z')).toBe('0.025');
  expect(await of('2027-01-01T06:00:00Z'), 'a law of one year').toBeNull();
  await write('2027-01-01', '2027-12-31', '8', '3');
  expect(await of('2027-01-01T06:00:00Z')).toBe('0.030');
});

test('the end of a law is told a month before, until the next one is written', async () => {
  const fin = async (hoy: string) => (await readTasas(db, hoy)).fin;
  expect(await fin('2026-11-29')).toBeNull();
  expect(await fin('2026-11-30')).toEqual({ dia: '2026-12-31', pasado: false });
  expect(await fin('2027-01-01')).toEqual({ dia: '2026-12-31', pasado: true });

  const told = () => CONDICIONES.find(({ clave }) => clave === 'tasasPorVencer')!.mira(db);
  const hoy = civilDay(new Date());
  await write(hoy, hoy, '8', '2.5');
  expect(await told()).toMatchObject({ nivel: 'aviso', pantalla: 'tiendasConfiguracion' });
  await write(hoy, null, '8', '2.5');
  expect(await told()).toBeNull();
});

test('a law ends after it begins, and takes no more than everything', async () => {
  const { huella } = await readTasas(db);
  const form = { huella, desde: '2027-01-01', iva: '8', isr: '2.5' };
  expect(TasaForm.safeParse({ ...form, hasta: '2026-12-31' }).error?.issues[0]).toMatchObject({ path: ['hasta'] });
  expect(TasaForm.safeParse(form).success).toBe(true);
  expect(TasaForm.safeParse({ ...form, isr: '101' }).success).toBe(false);
});
