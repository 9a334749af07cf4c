/** The month with which reports open: on the first days of a month the one before, as long as only that one has sales. */
import type { LoaderFunctionArgs } from '@remix-run/node';
import { beforeAll, expect, test } from 'vitest';
import { addDays, civilDay, instantOf, mesBefore } from '~/core/time';
import { readMesConVentas } from '~/domain/cierre/reportes/mesConVentas.server';
import { loader as grafica } from '~/routes/cierre/reportes/grafica';
import { loader as llenarReporte } from '~/routes/cierre/reportes/llenarReporte';
import { loader as mensual } from '~/routes/cierre/reportes/mensual';
import { loader as utilidadPor } from '~/routes/cierre/reportes/utilidadPor';
import { buildOrden, buildQuien } from '../support/builders/ordenes';
import { testDatabase } from '../support/db';

const { db } = testDatabase();
const MES = civilDay(new Date()).slice(0, 7);
const ANTES = mesBefore(MES);
const LOADERS = { mensual, llenarReporte, utilidadPor, grafica };
let usuario: { id: string; rol: string };
beforeAll(async () => {
  usuario = { id: (await buildQuien(db, 'sa')).id, rol: 'sa' };
});

/** Where the screen sends a person, or null when it opens as it was asked for. */
async function sentTo(pantalla: keyof typeof LOADERS, query = ''): Promise<string | null> {
  const args = {
    request: new Request(`http://trastienda.test/sa/${pantalla}${query}`),
    params: {},
    context: { usuario },
  } as unknown as LoaderFunctionArgs;
  const answer: unknown = await LOADERS[pantalla](args).catch((thrown: unknown) => thrown);
  if (answer instanceof Error) throw answer;
  return answer instanceof Response ? answer.headers.get('location') : null;
}

test('without any sale a report opens with the current month', async () => {
  expect(await readMesConVentas(db)).toBe(MES);
  expect(await sentTo('mensual')).toBeNull();
});

test('on the first days the month before is shown, unless the address says of when', async () => {
  await buildOrden(db, { fechaCreacion: instantOf(`${ANTES}-15T12:00`) });
  expect(await readMesConVentas(db)).toBe(ANTES);
  expect(await sentTo('mensual')).toBe(`?mes=${ANTES}`);
  for (const pantalla of ['llenarReporte', 'utilidadPor', 'grafica'] as const) {
    expect(await sentTo(pantalla), pantalla).toBe('?rango=mesAnterior');
    expect(await sentTo(pantalla, '?rango=esteMes'), pantalla).toBeNull();
  }
  expect(await sentTo('mensual', `?mes=${MES}`)).toBeNull();
});

test('from the first sale of the month on it is the current one', async () => {
  await buildOrden(db, { fechaCreacion: instantOf(`${MES}-01T00:05`) });
  expect(await readMesConVentas(db)).toBe(MES);
  expect(await sentTo('grafica')).toBeNull();
  // Two months without a sale are no reason to open an older one.
  expect(await readMesConVentas(db, instantOf(`${addDays(`${MES}-01`, 75)}T12:00`))).not.toBe(MES);
});
