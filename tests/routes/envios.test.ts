import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node';
import { beforeAll, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { NotAllowed } from '~/core/errors';
import type { Rol } from '~/core/usuario';
import { createEnlace } from '~/domain/facturacion/enlaces/enlaces.server';
import { action as actCotizar, loader as loadCotizar } from '~/routes/ventas/envios/cotizar';
import { loader as loadEnvios } from '~/routes/ventas/envios/lista';
import { loader as loadPendientes } from '~/routes/ventas/envios/pendientes';
import { action as post, loader as visit } from '~/routes/public/datosEnvio';
import { buildOrden, buildQuien } from '../support/builders/ordenes';
import { testDatabase } from '../support/db';

const { db } = testDatabase();
const people = new Map<Rol, Awaited<ReturnType<typeof buildQuien>>>();

beforeAll(async () => {
  for (const rol of ['sa', 'user', 'cont'] as const) people.set(rol, await buildQuien(db, rol));
  await db
    .insertInto('codigoPostal')
    .values({
      cp: '06700',
      asentamiento: 'Roma Norte',
      tipo: 'Colonia',
      municipio: 'Cuauhtémoc',
      ciudad: 'Ciudad de México',
      estado: 'Ciudad de México',
      origen: 'demo',
    })
    .execute();
});

function args(rol: Rol, path: string, body?: Record<string, string>): ActionFunctionArgs {
  const request = new Request(
    `http://trastienda.test/${rol}/${path}`,
    body && { method: 'POST', body: new URLSearchParams(body) },
  );
  return { request, params: {}, context: { usuario: people.get(rol) } as unknown as AppLoadContext };
}
const publico = (token: string, body?: Record<string, string>): ActionFunctionArgs => ({
  request: new Request(
    `http://trastienda.test/datosEnvio/${token}`,
    body && { method: 'POST', body: new URLSearchParams(body) },
  ),
  params: { token },
  context: { ip: '10.0.0.1' } as unknown as AppLoadContext,
});
const DATOS = {
  intent: 'guardar',
  huella: 'nuevo',
  entrega: 'domicilio',
  nombre: 'Ana',
  apellidos: 'Ríos',
  telefono: '5512345678',
  cp: '06700',
  colonia: 'Roma Norte',
  calle: 'Orizaba',
  numeroE: '12',
  referencia: 'Puerta verde',
};

test('a shipment opens on both lists, and one that does not exist is a 404', async () => {
  const { envioId } = await buildOrden(db, {});
  for (const [load, path] of [
    [loadEnvios, 'envios'],
    [loadPendientes, 'enviosPendientes'],
  ] as const) {
    expect((await load(args('user', `${path}?ver=${envioId}`))).abierto).toMatchObject({
      id: envioId,
      nombreReceptor: 'María Demo',
    });
    await expect(load(args('user', `${path}?ver=nada`))).rejects.toMatchObject({
      data: { titulo: 'El envío no existe' },
      init: { status: 404 },
    });
  }
});

describe('Cotizar envios', () => {
  test('saves the price, then who carries it; a page that is old is told so', async () => {
    const { id } = await buildOrden(db, { envioPropio: true, envio: null });
    const { propio } = await loadCotizar(args('user', `cotizarEnvios?costo=${id}`));
    expect(propio).toMatchObject({ id, envio: null, huella: 'nuevo' });
    const form = { intent: 'ocurre', orden: id, huella: 'nuevo' };
    expect(await actCotizar(args('user', 'cotizarEnvios', form))).toMatchObject({
      data: { formId: 'ocurre', error: { costo: ['Este dato es requerido'] } },
      init: { status: 422 },
    });
    const done = (await actCotizar(
      args('user', `cotizarEnvios?costo=${id}&q=x`, { ...form, costo: '150' }),
    )) as Response;
    expect([done.status, done.headers.get('Location')]).toEqual([302, '?q=x']);
    expect(await actCotizar(args('user', 'cotizarEnvios', { ...form, costo: '160' }))).toMatchObject({
      data: {
        titulo: 'Error de actualización.',
        choque: {
          cambios: expect.arrayContaining([{ campo: 'Costo del envío', mio: '$160.00', suyo: '$150.00' }]),
          marcas: { huella: (await loadCotizar(args('user', `cotizarEnvios?costo=${id}`))).propio!.huella },
        },
      },
      init: { status: 422 },
    });
    const { propio: conEnvio } = await loadCotizar(args('user', `cotizarEnvios?paqueteria=${id}`));
    const mal = await actCotizar(
      args('user', 'cotizarEnvios', { intent: 'paqueteria', orden: id, huella: conEnvio!.huella, estatus: 'enCamino' }),
    );
    expect(mal).toMatchObject({
      data: { error: { paqueteria: ['Este dato es requerido'], guia: ['Este dato es requerido'] } },
    });
    expect(
      await actCotizar(
        args('user', 'cotizarEnvios', {
          intent: 'paqueteria',
          orden: id,
          huella: conEnvio!.huella,
          estatus: 'enCamino',
          paqueteria: 'FedEx',
          guia: '9',
        }),
      ),
    ).toBeInstanceOf(Response);
  });

  test('takes the carrier and its number with the price, whole or not at all', async () => {
    const { id } = await buildOrden(db, { envioPropio: true, envio: null });
    const form = { intent: 'ocurre', orden: id, huella: 'nuevo', costo: '150' };
    expect(await actCotizar(args('user', 'cotizarEnvios', { ...form, guia: '9' }))).toMatchObject({
      data: { error: { paqueteria: ['Este dato es requerido'] } },
    });
    await actCotizar(args('user', 'cotizarEnvios', { ...form, paqueteria: 'FedEx', guia: '9' }));
    const leer = async () => (await loadCotizar(args('user', `cotizarEnvios?costo=${id}`))).propio!;
    const { envio, huella } = await leer();
    expect(envio).toMatchObject({ costo: '150.00', paqueteria: 'FedEx', guia: '9', estatus: 'enPreparacion' });
    const otro = { intent: 'costo', orden: id, huella, costo: '160', confirmado: '1' };
    await actCotizar(args('user', 'cotizarEnvios', { ...otro, paqueteria: '', guia: '', paqueteriaUrl: '' }));
    expect((await leer()).envio).toMatchObject({ costo: '160.00', paqueteria: 'FedEx', guia: '9' });
  });

  test('looks up a postal code in the form it is asked from', async () => {
    const answer = await actCotizar(
      args('sa', 'cotizarEnvios', { intent: 'buscarCp', cp: '06700', nombreReceptor: 'Ana' }),
    );
    expect(answer).toMatchObject({
      data: {
        initialValue: { nombreReceptor: 'Ana', estado: 'Ciudad de México', colonia: 'Roma Norte' },
        resultado: { colonias: ['Roma Norte'], aviso: null },
      },
    });
  });

  test('keeps what the postal code said in a form that is refused', async () => {
    const { id } = await buildOrden(db, { envioPropio: true, envio: null });
    const form = { intent: 'ocurre', orden: id, huella: 'nuevo', costo: '150', cp: '06700' };
    expect(await actCotizar(args('user', 'cotizarEnvios', form))).toMatchObject({
      data: { error: { telefono: ['Este dato es requerido'] }, resultado: { colonias: ['Roma Norte'] } },
      init: { status: 422 },
    });
  });

  test('looks the postal code up once more before it saves', async () => {
    const { id } = await buildOrden(db, { envioPropio: true, envio: null });
    const persona = { nombreReceptor: 'Ana', apellidos: 'Ríos', telefono: '5512345678', colonia: 'Roma Norte' };
    const form = { intent: 'ocurre', orden: id, huella: 'nuevo', costo: '150', cp: '06700', ...persona };
    const done = await actCotizar(args('user', 'cotizarEnvios', { ...form, ciudad: 'Guadalajara', estado: 'Jalisco' }));
    expect(done).toBeInstanceOf(Response);
    const { propio } = await loadCotizar(args('user', `cotizarEnvios?costo=${id}`));
    expect(propio!.envio).toMatchObject({
      colonia: 'Roma Norte',
      ciudad: 'Ciudad de México',
      municipio: 'Cuauhtémoc',
      estado: 'Ciudad de México',
    });
  });

  test('is refused to who only looks', async () => {
    await expect(actCotizar(args('cont', 'cotizarEnvios', { intent: 'costo', costo: '1' }))).rejects.toThrow(
      NotAllowed,
    );
  });
});

describe('the link with which a customer says where it goes', () => {
  async function link(sketch: Parameters<typeof buildOrden>[1] = {}) {
    const orden = await buildOrden(db, { envioPropio: true, envio: null, ...sketch });
    const answer = (await actCotizar(args('user', 'cotizarEnvios', { intent: 'enlaceEnvio', orden: orden.id }))) as {
      data: { resultado?: { url: string } };
    };
    return { ...orden, answer, token: answer.data.resultado?.url.split('/').at(-1) ?? '' };
  }

  test('opens the form, fills in what the postal code says, and keeps what was told', async () => {
    const { token, numOrden, id } = await link();
    expect(await visit(publico(token))).toMatchObject({ pagina: { numOrden, motivo: null } });
    expect(await post(publico(token, { intent: 'buscarCp', nombre: 'Ana', cp: '06700' }))).toMatchObject({
      data: {
        initialValue: { nombre: 'Ana', ciudad: 'Ciudad de México', colonia: 'Roma Norte' },
        resultado: { lugar: { colonias: ['Roma Norte'] } },
      },
    });
    expect(await post(publico(token, { ...DATOS, intent: 'guardar', calle: '', telefono: '12' }))).toMatchObject({
      data: { error: { calle: ['Este dato es requerido'], telefono: ['Telefono no valido'] } },
      init: { status: 422 },
    });
    const done = (await post(publico(token, { ...DATOS, intent: 'guardar' }))) as Response;
    expect(done.headers.get('Location')).toBe(`/datosEnvio/${token}?guardado=1`);
    expect(await visit(publico(token))).toMatchObject({
      pagina: { guardado: { receptor: 'Ana Ríos', direccion: expect.stringContaining('06700') } },
    });
    const { propio } = await loadCotizar(args('user', `cotizarEnvios?costo=${id}`));
    expect(propio!.envio).toMatchObject({
      marketId: `propio-${numOrden}`,
      nombreReceptor: 'Ana Ríos',
      ciudad: 'Ciudad de México',
      municipio: 'Cuauhtémoc',
      estado: 'Ciudad de México',
      ocurre: false,
    });
  });

  test('of a branch pick-up needs no street', async () => {
    const { token } = await link();
    const { calle: _, numeroE: __, referencia: ___, ...datos } = DATOS;
    expect(await post(publico(token, { ...datos, entrega: 'ocurre' }))).toBeInstanceOf(Response);
  });

  test('shows and changes nothing once the package left', async () => {
    const { token, id } = await link();
    await post(publico(token, DATOS));
    await sql`update envio set guia = '77', paqueteria = 'DHL' from orden where orden.envio_id = envio.id and orden.id = ${id}`.execute(
      db,
    );
    expect(await visit(publico(token))).toMatchObject({
      pagina: { motivo: expect.stringContaining('ya no se pueden cambiar'), enviado: { guia: '77' } },
    });
    expect(await post(publico(token, { ...DATOS, nombre: 'Otra' }))).toMatchObject({
      data: { titulo: 'Datos del envio', error: { '': [expect.stringContaining('ya no se pueden cambiar')] } },
      init: { status: 422 },
    });
    const again = await actCotizar(args('user', 'cotizarEnvios', { intent: 'enlaceEnvio', orden: id }));
    expect(again).toMatchObject({ data: { titulo: 'Error de carga.' }, init: { status: 422 } });
  });

  test('is seen by staff with its answer, and withdrawn by who operates, after being asked', async () => {
    const { token, id } = await link();
    const seen = async () => (await loadCotizar(args('user', `cotizarEnvios?enlace=${id}`))).enlaces;
    expect(await seen()).toMatchObject([{ estado: 'vigente', usos: 0, creadoPor: 'Ana' }]);
    await post(publico(token, DATOS));
    const [answered] = await seen();
    expect(answered).toMatchObject({ estado: 'vigente', usos: 1 });
    expect((await loadCotizar(args('user', `cotizarEnvios?ver=${id}`))).abierta!.enlacesEnvio).toEqual([answered]);
    expect((await loadCotizar(args('cont', `cotizarEnvios?enlace=${id}`))).enlaces).toEqual([]);
    const revoke = { intent: 'revocarEnlace', enlace: answered!.id };
    await expect(actCotizar(args('cont', 'cotizarEnvios', { ...revoke, confirmado: '1' }))).rejects.toThrow(NotAllowed);
    expect(await actCotizar(args('user', 'cotizarEnvios', revoke))).toMatchObject({
      data: { confirmar: { titulo: 'Revocar enlace' } },
    });
    expect(await visit(publico(token))).toMatchObject({ pagina: {} });
    expect(
      (
        (await actCotizar(args('user', `cotizarEnvios?enlace=${id}`, { ...revoke, confirmado: '1' }))) as Response
      ).headers.get('Location'),
    ).toBe(`?enlace=${id}`);
    expect(await visit(publico(token))).toMatchObject({ init: { status: 404 } });
    expect(await seen()).toMatchObject([{ estado: 'revocado', usos: 1 }]);
    expect(await actCotizar(args('user', 'cotizarEnvios', { ...revoke, confirmado: '1' }))).toMatchObject({
      init: { status: 422 },
    });
  });

  test('wrong, ended, withdrawn or meant for something else: all look alike', async () => {
    const { numOrden, token } = await link();
    const other = await db
      .transaction()
      .execute((trx) => createEnlace(trx, { market: 'ml', numOrden, origen: 'automatico', usuarioId: null }));
    await sql`update enlace set vence_en = now() - interval '1 second' where num_orden = ${numOrden} and proposito = 'datosEnvio'`.execute(
      db,
    );
    for (const wrong of ['nada', other.token, token]) {
      expect(await visit(publico(wrong))).toEqual(
        expect.objectContaining({ data: { pagina: null, lugar: null }, init: { status: 404 } }),
      );
      expect(((await post(publico(wrong, DATOS))) as Response).headers.get('Location')).toBe(`/datosEnvio/${wrong}`);
    }
  });
});
