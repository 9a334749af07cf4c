import { MantineProvider } from '@mantine/core';
import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router-dom/server';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { addDays, civilDay, instantOf } from '~/core/time';
import { takeFlash } from '~/http/flash.server';
import { forget } from '~/platform/hoy/fresco.server';
import { readCuentas } from '~/platform/hoy/hoy.server';
import { DIA, HORA } from '~/platform/hoy/reloj';
import { ACCIONES } from '~/domain/operacion/batchCatalog.server';
import { prepareBatch, readPreparedBatch, runBatch, startBatch } from '~/platform/batches/prepared.server';
import { action, loader } from '~/routes/inicio/hoy/hoy';
import { Atrasado, Cartas } from '~/routes/inicio/hoy/Cartas';
import { Cola as Entera } from '~/routes/inicio/hoy/Cola';
import { EncargoDialog } from '~/routes/inicio/hoy/EncargoDialog';
import { colasOf, lotesOfAtrasadas } from '~/routes/inicio/hoy/pagina';
import { action as lote } from '~/routes/operacion/lotes/lote';
import { buildOrden, buildQuien } from '../support/builders/ordenes';
import { buildPiezas } from '../support/builders/stock';
import { testDatabase } from '../support/db';

const { db } = testDatabase();
type Quien = Awaited<ReturnType<typeof buildQuien>>;

const hace = (ms: number) => new Date(Date.now() - ms);

function args(usuario: Quien, path = '', body?: Record<string, string>): ActionFunctionArgs {
  const request = new Request(
    `http://trastienda.test/${usuario.rol}/hoy${path}`,
    body && { method: 'POST', body: new URLSearchParams(body) },
  );
  return { request, params: {}, context: { usuario } as unknown as AppLoadContext };
}
async function hoy(usuario: Quien, path = '') {
  forget();
  return loader(args(usuario, path));
}
const carta = async (usuario: Quien, clave: string) => (await hoy(usuario)).cartas.find((una) => una.clave === clave)!;

async function render(element: React.ReactElement, search = '') {
  const { query, dataRoutes } = createStaticHandler([{ path: '*', element }]);
  const context = await query(new Request(`http://trastienda.test/sa${search}`));
  if (context instanceof Response) throw new Error('a page was expected');
  return renderToStaticMarkup(
    <MantineProvider>
      <StaticRouterProvider router={createStaticRouter(dataRoutes, context)} context={context} hydrate={false} />
    </MantineProvider>,
  );
}

/** Presses an act of 'Atrasado', and returns what the batch shows before the yes. */
async function pressAtrasado(usuario: Quien, cola: string, hacer: string) {
  forget();
  const answer = (await lote(args(usuario, '', { intent: 'prepararAtrasadas', cola, hacer }))) as Response;
  const id = new URL(answer.headers.get('location')!, 'http://trastienda.test').searchParams.get('lote')!;
  return (await readPreparedBatch(db, ACCIONES, id, usuario.id))!;
}
/** Says yes to a prepared batch, and returns what became of each row. */
async function runLote({ id, accion }: { id: string; accion: string }, usuario: Quien) {
  await db.transaction().execute((trx) => startBatch(trx, ACCIONES[accion]!, id, usuario.id));
  await runBatch(db, ACCIONES, id);
  const { filas } = (await readPreparedBatch(db, ACCIONES, id, usuario.id))!;
  return Object.fromEntries(filas.map(({ filaId, estado, motivo }) => [filaId, motivo ?? estado]));
}

const VUELVE = { clase: 'devuelta', envio: { estatus: 'delivered' } } as const;

test('returns that are weeks late are put aside together for a week as not arrived, each looked at again at its turn', async () => {
  const [user, cont] = [await buildQuien(db, 'user'), await buildQuien(db, 'cont')];
  const volver = async (days: number) => {
    const orden = await buildOrden(db, { ...VUELVE, fechaCreacion: hace(60 * DIA) });
    await db
      .updateTable('orden')
      .set({ cambioEn: hace(days * DIA) })
      .where('id', '=', orden.id)
      .execute();
    return orden.id;
  };
  const [una, otra, llega] = [await volver(50), await volver(45), await volver(40)];
  const reciente = await volver(20);
  const card = await carta(user, 'devolucionesPorRecibir');
  expect(card).toMatchObject({ total: 4, atrasadas: 3 });
  expect(await render(<Atrasado cartas={[card]} lotes={lotesOfAtrasadas(user)} area="/user" />)).toContain(
    'aria-label="No ha llegado: lo atrasado de Devoluciones por recibir"',
  );
  expect(lotesOfAtrasadas(cont)).not.toHaveProperty('devolucionesPorRecibir');

  const visto = await pressAtrasado(user, 'devolucionesPorRecibir', 'devolucion.noHaLlegado');
  expect(visto.filas.map(({ filaId, estado }) => [filaId, estado]).sort()).toEqual(
    [una, otra, llega].map((id) => [id, 'pendiente']).sort(),
  );
  expect(await carta(user, 'devolucionesPorRecibir'), 'nobody said yes').toMatchObject({ total: 4, aparte: 0 });
  // One of them arrives between the question and its turn, and is not said to be missing.
  await buildPiezas(db, user.id, { orden: llega });
  expect(await runLote(visto, user)).toEqual({
    [una]: 'hecha',
    [otra]: 'hecha',
    [llega]: 'Otra persona modificó este registro. Vuelve a cargarlo.',
  });
  const despues = await carta(user, 'devolucionesPorRecibir');
  expect(despues).toMatchObject({ total: 1, atrasadas: 0, aparte: 2 });
  expect(despues.lineas.map(({ id }) => id)).toEqual([reciente]);
  const { entera } = await hoy(user, '?cola=devolucionesPorRecibir');
  const pospuestas = entera!.lineas.flatMap(({ pospuesta }) => pospuesta ?? []);
  expect(pospuestas.map(({ motivo, por }) => [motivo, por])).toEqual([
    ['No ha llegado', 'Ana Ríos'],
    ['No ha llegado', 'Ana Ríos'],
  ]);
  for (const { hasta } of pospuestas) expect(hasta.getTime() - Date.now()).toBeGreaterThan(6.9 * DIA);

  // Whoever chooses them in the list is told why not.
  const filas = [una, llega];
  const nuevo = { lista: 'ordenesCanceladas', consulta: '', filas, usuarioId: user.id };
  const id = await db.transaction().execute((trx) => prepareBatch(trx, ACCIONES['devolucion.noHaLlegado']!, nuevo));
  const motivos = (await readPreparedBatch(db, ACCIONES, id, user.id))!.filas.map(({ motivo }) => motivo);
  expect(motivos.sort()).toEqual(['No viene de regreso, o ya se recibió.', 'Ya está pospuesta.']);
});

const CLIENTE = {
  rfc: 'EKU9003173C9',
  razonSocial: 'ESCUELA KEMPER URGATE',
  cp: '42501',
  regimen: '601',
  usoCfdi: 'G03',
  uid: 'cliente-de-hoy',
  emails: ['cliente@empresa.mx'],
};

test('sales that are weeks late with their factura are asked about together, as many as the act takes, the oldest first', async () => {
  const user = await buildQuien(db, 'user');
  await db
    .insertInto('clienteFiscal')
    .values(CLIENTE)
    .onConflict((on) => on.doNothing())
    .execute();
  const pide = async (days: number) => {
    const orden = await buildOrden(db, { fechaCreacion: hace(days * DIA), estatus: 'entregado' });
    const billingInfoId = `hoy-${orden.numOrden}`;
    await db
      .insertInto('compradorFiscal')
      .values({ market: 'ml', billingInfoId, razonSocial: 'ESCUELA', rfc: CLIENTE.rfc, usoCfdi: 'G03' })
      .execute();
    await db.updateTable('orden').set({ billingInfoId, formaPago: '03' }).where('id', '=', orden.id).execute();
    return orden.id;
  };
  const [otra, una, reciente] = [await pide(25), await pide(30), await pide(2)];
  const card = await carta(user, 'listasParaFacturar');
  expect(card).toMatchObject({ total: 3, atrasadas: 2 });
  expect(await render(<Atrasado cartas={[card]} lotes={lotesOfAtrasadas(user)} area="/user" />)).toContain(
    'aria-label="Facturar: lo atrasado de Listas para facturar"',
  );
  const visto = await pressAtrasado(user, 'listasParaFacturar', 'facturar');
  expect([visto.lista, visto.pedidoEn]).toEqual(['ordenes', null]);
  expect(visto.filas.map(({ filaId, estado }) => [filaId, estado])).toEqual([
    [una, 'pendiente'],
    [otra, 'pendiente'],
  ]);
  expect(visto.filas.map(({ filaId }) => filaId)).not.toContain(reciente);

  const facturar = ACCIONES['facturar']!;
  const { most } = facturar;
  facturar.most = 1;
  try {
    const { filas } = await pressAtrasado(user, 'listasParaFacturar', 'facturar');
    expect(filas.map(({ filaId }) => filaId)).toEqual([una]);
  } finally {
    facturar.most = most!;
  }
});

/** The fields of the forms of 'No es de hoy' in a page, by what each is about. */
const pressesIn = (html: string): Record<string, string>[] =>
  [...html.matchAll(/<form method="post"[^>]*>((?:(?!<\/form>).)*?)<button[^>]*>/g)]
    .filter(([form]) => form.includes('No es de hoy'))
    .map(([, inside]) =>
      Object.fromEntries(
        [...inside!.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
      ),
    );
async function send(usuario: Quien, path: string, body: Record<string, string>) {
  const answer = await action(args(usuario, path, body));
  if (!(answer instanceof Response)) return { rechazo: JSON.stringify(answer.data.error), aviso: null, a: null };
  const Cookie = answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0]!)
    .join('; ');
  const flash = await takeFlash(new Request('http://trastienda.test/sa', { headers: { Cookie } }));
  return { rechazo: null, aviso: flash!.aviso, a: answer.headers.get('location') };
}

test('one press puts this thing alone aside until tomorrow morning of the business, with its reason; ‘Deshacer’ brings it back', async () => {
  const user = await buildQuien(db, 'user');
  await db.updateTable('orden').set({ estatus: 'entregado' }).execute();
  await db.deleteFrom('encargo').execute();
  const [una, otra] = [
    await buildOrden(db, { fechaCreacion: hace(3 * HORA) }),
    await buildOrden(db, { fechaCreacion: hace(2 * HORA) }),
  ];
  const dia = civilDay(new Date());
  // Late in the evening it is tomorrow already where the server's clock stands.
  vi.useFakeTimers({ now: instantOf(`${dia}T23:30:00`), toFake: ['Date'] });
  try {
    const card = await carta(user, 'porEnviar');
    const presses = pressesIn(await render(<Cartas cartas={[card]} area="/user" yo={user.id} />));
    expect(presses.map(({ cosa }) => cosa)).toEqual([una.id, otra.id]);
    const puesta = await send(user, '?cola=porEnviar', presses[0]!);
    expect(puesta.aviso!.texto).toContain('Se pospuso hasta el');

    const encargos = await db.selectFrom('encargo').selectAll().execute();
    expect(encargos.map(({ cola, cosa, motivo, pospuestaHasta }) => [cola, cosa, motivo, pospuestaHasta])).toEqual([
      ['porEnviar', una.id, 'No es de hoy', instantOf(`${addDays(dia, 1)}T09:00:00`)],
    ]);
    const cuantas = async () => ({
      carta: (await carta(user, 'porEnviar')).total,
      menu: (await readCuentas(db, colasOf(user), user)).get('ordenesActivas')!.cuenta,
      cola: (await hoy(user, '?cola=porEnviar')).entera!.total,
    });
    expect(await cuantas()).toEqual({ carta: 1, menu: 1, cola: 1 });
    // Whoever looks at the whole queue finds it, marked.
    const { entera } = await hoy(user, '?cola=porEnviar');
    expect(entera!.lineas.map(({ id, pospuesta }) => [id, pospuesta?.motivo, pospuesta?.por])).toEqual([
      [otra.id, undefined, undefined],
      [una.id, 'No es de hoy', 'Ana Ríos'],
    ]);
    const pagina = await render(<Entera carta={entera!} lotes={{}} area="/user" yo={user.id} />);
    expect(pagina).toContain('No es de hoy<');
    // The noun of its card, since a sale may have several.
    expect(pagina).toContain('1</strong><span class="nota">paquete</span>');

    const { action: address, campos } = puesta.aviso!.deshacer!;
    const vuelta = await send(user, address.slice(address.indexOf('?')), {
      volver: '/user/hoy?cola=porEnviar',
      ...campos,
    });
    expect([vuelta.aviso!.texto, vuelta.a]).toEqual(['Volvió a la lista.', '/user/hoy?cola=porEnviar']);
    expect(await cuantas()).toEqual({ carta: 2, menu: 2, cola: 2 });

    await send(user, '', presses[0]!);
    vi.setSystemTime(instantOf(`${addDays(dia, 1)}T08:59:00`));
    expect((await cuantas()).carta).toBe(1);
    vi.setSystemTime(instantOf(`${addDays(dia, 1)}T09:01:00`));
    expect(await cuantas()).toEqual({ carta: 2, menu: 2, cola: 2 });
  } finally {
    vi.useRealTimers();
  }
});

test('what goes on by itself has no such press, nor what is aside; its menu has it; the right is that of putting aside', async () => {
  const [user, aux] = [await buildQuien(db, 'user'), await buildQuien(db, 'aux')];
  const orden = await buildOrden(db, { fechaCreacion: hace(HORA) });
  const card = await carta(user, 'porEnviar');
  const enLinea = async (sola: boolean) =>
    pressesIn(await render(<Cartas cartas={[{ ...card, sola }]} area="/user" yo={user.id} />)).length;
  expect([await enLinea(false), await enLinea(true)]).toEqual([card.lineas.length, 0]);
  const enMenu = async () => {
    const { abierta } = await hoy(user, `?cosa=porEnviar:${orden.id}`);
    return pressesIn(await render(<EncargoDialog {...abierta!} yo={user.id} />));
  };
  const [press] = await enMenu();
  expect(press).toMatchObject({ cosa: orden.id, hasta: 'manana', motivo: 'No es de hoy' });
  expect((await send(aux, '', press!)).rechazo).toContain('El rol de este usuario no puede hacer este cambio.');
  await send(user, '', press!);
  expect(await enMenu()).toEqual([]);
});
