import { beforeAll, expect, test } from 'vitest';
import { proposeDireccion } from '~/domain/ventas/envios/propuesta.server';
import { testDatabase } from '../../../support/db';

const { db } = testDatabase();

beforeAll(async () => {
  const lugar = {
    cp: '06700',
    municipio: 'Cuauhtémoc',
    estado: 'Ciudad de México',
    ciudad: 'Ciudad de México',
    tipo: 'Colonia',
    origen: 'demo' as const,
  };
  await db
    .insertInto('codigoPostal')
    .values([
      { ...lugar, asentamiento: 'Roma Norte' },
      { ...lugar, asentamiento: 'Roma Sur' },
    ])
    .execute();
});

const leida = (calle: string | null, referencia: string | null, conocidas: object = {}) => ({
  calle,
  referencia,
  numeroE: null,
  numeroI: null,
  colonia: null,
  cp: '06700',
  ...conocidas,
});

test('an address that came in lines is proposed with the neighbourhoods of its postal code', async () => {
  expect(await proposeDireccion(db, leida('Orizaba 142 302', 'ROMA NORTE, Portón negro'))).toEqual({
    partes: { calle: 'Orizaba', numeroE: '142', numeroI: '302', colonia: 'Roma Norte', referencia: 'Portón negro' },
    cambios: [
      { campo: 'Calle', valor: 'Orizaba' },
      { campo: 'Número exterior', valor: '142' },
      { campo: 'Número interior', valor: '302' },
      { campo: 'Colonia', valor: 'Roma Norte' },
      { campo: 'Referencia', valor: 'Portón negro' },
    ],
  });
});

test('what is known of it stays as it is, and a part without a guess is not made up', async () => {
  const conNumero = leida('Orizaba', 'Roma Sur', { numeroE: '142' });
  expect((await proposeDireccion(db, conNumero))!.partes).toEqual({
    calle: 'Orizaba',
    numeroE: '142',
    numeroI: null,
    colonia: 'Roma Sur',
    referencia: null,
  });
  const conColonia = leida('Orizaba 142 302', null, { colonia: 'Otra' });
  expect((await proposeDireccion(db, conColonia))!.partes).toMatchObject({ numeroE: '142', colonia: 'Otra' });
  expect((await proposeDireccion(db, leida('Orizaba 142 302', null)))!.partes.colonia).toBeNull();
});

test('nothing is proposed where nothing lacks, or nothing can be guessed', async () => {
  expect(await proposeDireccion(db, leida('Orizaba', null, { numeroE: '142', colonia: 'Roma Sur' }))).toBeNull();
  expect(await proposeDireccion(db, leida('Domicilio conocido', null))).toBeNull();
  expect(await proposeDireccion(db, leida(null, null))).toBeNull();
});
