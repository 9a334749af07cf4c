import { renderToStaticMarkup } from 'react-dom/server';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router-dom/server';
import { beforeAll, expect, test } from 'vitest';
import { Stale } from '~/core/errors';
import { createAgente, findAgente, saveAgente } from '~/domain/compras/directorio/agentes.server';
import { NewAgente } from '~/domain/compras/directorio/forms';
import { ConRepetidas } from '~/routes/operacion/pendientes/Opciones';
import type { Pendiente } from '~/routes/operacion/pendientes/pendiente';
import { buildPersona } from '../../../support/builders/ventas';
import { testDatabase } from '../../../support/db';

const { db } = testDatabase();
let quien: string;
beforeAll(async () => {
  quien = (await buildPersona(db)).id;
});

const LUZ = { nombre: 'Luz', apellidos: 'Roa', email: 'luz@ct.test', proveedor: 'ct' };

test('a telephone is ten digits however it is written, and may be left out', () => {
  const telefonoOf = (telefono: string) => NewAgente.safeParse({ ...LUZ, telefono });
  expect(telefonoOf('55 1234-5678').data?.telefono).toBe('5512345678');
  expect(NewAgente.parse(LUZ).telefono).toBeNull();
  expect(telefonoOf('123').error?.issues.map(({ message }) => message)).toEqual(['Telefono no valido']);
});

test('who corrects a telephone that moved meanwhile is told both', async () => {
  const { id } = await db.transaction().execute((trx) => createAgente(trx, { ...LUZ, telefono: '5512345678' }, quien));
  const save = (version: number, telefono: string | null) =>
    db.transaction().execute((trx) => saveAgente(trx, { ...LUZ, telefono, id, version }, quien));
  await save(1, '5587654321');
  const late = await save(1, null).catch((error: unknown) => error);
  expect(late).toBeInstanceOf(Stale);
  expect((late as Stale).choque.cambios).toMatchObject([{ campo: 'Teléfono', suyo: '5587654321' }]);
  expect(await findAgente(db, id)).toMatchObject({ telefono: '5587654321' });
});

test('what was bought twice names whom to write to and whom to call', async () => {
  const alarma = { vigente: null, repetidas: [{ uuid: 'P-2', folio: 'P-2', respuesta: null }] };
  const page = async (agentes: { nombre: string; email: string; telefono: string | null }[]) => {
    const abierta = {
      id: 'e',
      huella: 'h',
      ref: 'T-1',
      conexion: 'CVA',
      seCancela: false,
      agentes,
    } as unknown as Pendiente;
    const element = <ConRepetidas abierta={abierta} alarma={alarma as never} />;
    const routes = [{ path: '*', element }];
    const context = await createStaticHandler(routes).query(new Request('http://trastienda.test/sa/pendientes'));
    if (context instanceof Response) throw context;
    const html = renderToStaticMarkup(
      <StaticRouterProvider router={createStaticRouter(routes, context)} context={context} hydrate={false} />,
    );
    const texts = html.split('<').map((part) => part.slice(part.indexOf('>') + 1));
    return texts.join('');
  };
  const luz = { nombre: 'Luz Roa', email: 'luz@cva.test', telefono: '5512345678' };
  expect(await page([luz])).toContain('Escribir a Luz Roa que la cancele o llama a Luz Roa al 5512345678');
  const sinNumero = await page([{ ...luz, telefono: null }]);
  expect(sinNumero).toContain('Escribir a Luz Roa que la cancele');
  expect(sinNumero).not.toContain('llama');
});
