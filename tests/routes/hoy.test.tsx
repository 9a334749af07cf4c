import { MantineProvider } from '@mantine/core';
import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router-dom/server';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeEach, expect, test, vi } from 'vitest';
import { PREFERENCIAS } from '~/core/aspecto';
import type { Rol } from '~/core/usuario';
import type { Cola, Cosa } from '~/platform/hoy/cola';
import { countCosas } from '~/platform/hoy/countCosas.server';
import { forget } from '~/platform/hoy/fresco.server';
import { primeraOf, readCartas, readCola, readCuentas, type Carta } from '~/platform/hoy/hoy.server';
import { DIA, HORA } from '~/platform/hoy/reloj';
import { findList } from '~/domain/operacion/exports/lists.server';
import { COLAS } from '~/domain/operacion/hoyCatalog.server';
import { action, loader } from '~/routes/inicio/hoy/hoy';
import { aquiOf } from '~/routes/inicio/hoy/aquiOf';
import { Atrasado, Cartas } from '~/routes/inicio/hoy/Cartas';
import { Cola as Entera } from '~/routes/inicio/hoy/Cola';
import { Cifras } from '~/routes/inicio/hoy/Cifras';
import { Fuentes } from '~/routes/inicio/hoy/Fuentes';
import { ParteSinLeer } from '~/routes/inicio/hoy/SinLeer';
import { UltimasVentas } from '~/routes/inicio/hoy/UltimasVentas';
import { colasOf, lotesOfAtrasadas } from '~/routes/inicio/hoy/pagina';
import { action as lote } from '~/routes/operacion/lotes/lote';
import { LOTES } from '~/access/lotes';
import { ACCIONES } from '~/domain/operacion/batchCatalog.server';
import { readPreparedBatch } from '~/platform/batches/prepared.server';
import { buildGuia } from '../support/builders/pedidos';
import { buildOrden, buildQuien } from '../support/builders/ordenes';
import { loader as area } from '~/routes/area/area';
import { testDatabase, withoutTables } from '../support/db';

const { db } = testDatabase();
type Quien = Awaited<ReturnType<typeof buildQuien>>;

beforeEach(async () => {
  forget();
  for (const table of ['encargo', 'articulo', 'orden', 'envio'] as const) await db.deleteFrom(table).execute();
});

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
const carta = async (usuario: Quien, clave = 'porEnviar') =>
  (await hoy(usuario)).cartas.find((una) => una.clave === clave)!;
const send = async (usuario: Quien, body: Record<string, string>) => {
  const answer = await action(args(usuario, '', body));
  return answer instanceof Response
    ? 'hecho'
    : (answer.data.error?.[''] ?? Object.values(answer.data.error ?? {})).join();
};
const deEnvio = ({ id }: { id: string }) => ({ cola: 'porEnviar', cosa: id });

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

/** A kind that no page, menu or list of names knows of. */
const VENCE: Cosa = {
  id: 'r-1',
  titulo: 'No llegó: contestar',
  detalle: '5298871203',
  a: 'proveedores?ver=r-1',
  desde: hace(2 * HORA),
  vence: new Date(Date.now() + 30_000),
};
const reclamos: Cola = {
  clave: 'reclamosDePrueba',
  titulo: 'Reclamos',
  icono: 'reclamo',
  pantallas: ['proveedores'],
  ver: 'Ver reclamos',
  plazos: { aviso: 0, mal: HORA },
  mira: (_db, mirada) => Promise.resolve(countCosas([VENCE], { aviso: 0, mal: HORA }, mirada)),
};

test('a kind that was only registered has its card, its place in the menu, its owner and its delay, for who may open its screen', async () => {
  const [sa, user] = [await buildQuien(db, 'sa'), await buildQuien(db, 'user')];
  const todas = [...COLAS, reclamos];
  const cartas = await readCartas(db, colasOf(sa, todas), sa);
  expect(cartas.at(-1)).toMatchObject({ titulo: 'Reclamos', total: 1, pantalla: 'proveedores' });
  expect((await readCuentas(db, colasOf(sa, todas), sa)).get('proveedores')).toEqual({
    cuenta: 1,
    tarde: false,
    dice: 'Reclamos',
    clave: 'reclamosDePrueba',
    lista: 'proveedores',
  });
  const page = await render(<Cartas cartas={cartas} area="/sa" yo={sa.id} />);
  expect(page).toContain('No llegó: contestar');
  expect(page).toContain('/sa/proveedores?ver=r-1');
  expect(page).toContain('cosa=reclamosDePrueba%3Ar-1');
  expect(colasOf(user, todas).map(({ cola }) => cola.clave)).not.toContain('reclamosDePrueba');
});

test('the number of a screen in the menu is that of one queue and of its view, and never the sum of several', async () => {
  const sa = await buildQuien(db, 'sa');
  const nadie: Cola = {
    ...reclamos,
    clave: 'nadie',
    mira: (_db, mirada) => reclamos.mira(_db, { ...mirada, solo: '-' }),
  };
  const otros: Cola = { ...reclamos, clave: 'otros', titulo: 'Otros', vistas: { proveedores: '?vista=otros' } };
  const cuenta = async (...colas: Cola[]) => (await readCuentas(db, colasOf(sa, colas), sa)).get('proveedores');
  expect(await cuenta(otros, reclamos)).toMatchObject({ cuenta: 1, dice: 'Otros', lista: 'proveedores?vista=otros' });
  forget();
  expect(await cuenta(nadie, otros)).toMatchObject({ cuenta: 1, clave: 'otros' });
  forget();
  expect(await cuenta(nadie)).toMatchObject({ cuenta: 0 });
  forget();
  // Its list has other things too, and counts others.
  expect(await cuenta({ ...otros, ver: '', cuenta: ['paquete', 'paquetes'] })).toMatchObject({
    dice: 'paquete: Otros',
    lista: null,
  });
});

const AQUI = ['porEnviar', 'preguntas', 'porConfirmar', 'devolucionesPorRecibir', 'listasParaFacturar'];

test.each<[Rol, string[]]>([
  ['sa', AQUI],
  ['admin', AQUI],
  ['user', AQUI],
  ['aux', []],
  ['cont', []],
])('%s sees to %j in their cards, by the forms of their own screens', async (rol, claves) => {
  const quien = await buildQuien(db, rol);
  const { aqui, formularios } = await hoy(quien);
  expect(aqui).toEqual(claves);
  expect(Object.keys(formularios)).toEqual(
    claves.length > 0 ? ['responder', 'detenerRespuesta', 'confirmarPedido', 'crear', 'facturar'] : [],
  );
});

test('no queue is seen to in its card by a role that may open it and not act', () => {
  const todas = COLAS.map(({ clave }) => clave);
  expect(aquiOf({ rol: 'cont' }, todas)).toEqual({ aqui: [], formularios: {} });
  expect(aquiOf({ rol: 'sa' }, todas).formularios).toMatchObject({
    confirmarPedido: { asks: true },
    responder: { fields: { texto: {} } },
  });
});

test('a parcel stands open in its card only where its label is here to be printed', async () => {
  const sa = await buildQuien(db, 'sa');
  const sinGuia = await buildOrden(db, { fechaCreacion: hace(5 * HORA), envio: { estatus: 'ready_to_ship' } });
  const conGuia = await buildOrden(db, { fechaCreacion: hace(4 * HORA), envio: { estatus: 'ready_to_ship' } });
  await buildGuia(db, conGuia.envioId!);
  const { lineas } = await carta(sa);
  expect(lineas.map(({ id, aqui }) => [id, aqui])).toEqual([
    [sinGuia.id, false],
    [conGuia.id, undefined],
  ]);
  const html = await render(<Cartas cartas={[await carta(sa)]} area="/sa" yo={sa.id} aqui={['porEnviar']} />);
  expect(html.split('<li class="abierta">')[1]).toContain(conGuia.id);
  await db.deleteFrom('guia').execute();
});

test('the first thing of a card that nobody else took stands open for who may act, over the link that it is for others', async () => {
  const sa = await buildQuien(db, 'sa');
  const linea = { ...VENCE, reloj: { texto: 'vence', tono: 'mal' }, limite: 0, dueno: null, pospuesta: null } as const;
  const [carta] = (await readCartas(db, colasOf(sa, [reclamos]), sa)) as [Carta];
  const deBeto = { ...linea, id: 'r-0', titulo: 'De Beto', dueno: { id: 'beto', nombre: 'Beto' } };
  const cartas = [{ ...carta, clave: 'preguntas', total: 2, lineas: [deBeto, { ...linea }] }];
  const page = (aqui: string[]) => render(<Cartas cartas={cartas} area="/sa" yo={sa.id} aqui={aqui} marca="1" />);
  const [, abierta = ''] = (await page(['preguntas'])).split('<li class="abierta">');
  expect(abierta).toMatch(/^<a class="que" href="\/sa\/proveedores\?ver=r-1">/);
  expect(abierta.split('</li>')[0]).toContain('class="aqui solo-js"');
  expect(await page([])).not.toContain('aqui');
  expect((await page([])).match(/<li/g)).toHaveLength(2);
});

test('a clock that can still be met is told before the four that a card has room for, however many ran out', async () => {
  const sa = await buildQuien(db, 'sa');
  const vencidas = Array.from({ length: 6 }, (_, at) => ({ ...VENCE, id: `v-${at}`, vence: hace((at + 2) * HORA) }));
  const conPlazo: Cola = {
    ...reclamos,
    clase: 'plazo',
    mira: (_db, mirada) => Promise.resolve(countCosas([...vencidas, VENCE], { aviso: 0, mal: HORA }, mirada)),
  };
  const [carta] = (await readCartas(db, colasOf(sa, [conPlazo]), sa)) as [Carta];
  expect([carta.total, carta.lineas.length, carta.lineas[0]!.id]).toEqual([7, 4, VENCE.id]);
  expect(primeraOf([carta], sa, new Date())?.linea.id).toBe(VENCE.id);
});

test.each<[Rol, string[], string[]]>([
  ['sa', ['porEnviar', 'timbresPorAtender', 'cierreDeMes'], []],
  ['user', ['porEnviar', 'enlacesSinRespuesta'], ['timbresPorAtender', 'ventasSinLeer', 'cierreDeMes']],
  ['aux', [], ['porEnviar']],
  ['cont', [], ['porEnviar', 'enMarcha']],
])('%s is told of what it may see to', (rol, told, not) => {
  const claves = colasOf({ rol }).map(({ cola }) => cola.clave);
  expect(claves).toEqual(expect.arrayContaining(told));
  expect(claves.filter((clave) => not.includes(clave))).toEqual([]);
});

test('the first thing to do is the one that weighs most, of one kind the oldest, and never what somebody else took', async () => {
  const [ana, beto] = [await buildQuien(db, 'sa'), await buildQuien(db, 'admin')];
  const nueva = await buildOrden(db, { fechaCreacion: hace(HORA), titulo: 'Nueva' });
  const vieja = await buildOrden(db, { fechaCreacion: hace(90 * HORA), titulo: 'Vieja' });
  const primera = async (quien: Quien) => {
    const { cartas } = await hoy(quien);
    const solo = cartas.filter(({ clave }) => clave === 'porEnviar');
    return primeraOf(solo, quien, new Date())?.linea.id;
  };
  expect(await primera(ana)).toBe(vieja.id);
  await send(beto, { intent: 'tomar', ...deEnvio(vieja) });
  expect(await primera(ana)).toBe(nueva.id);
  expect(await primera(beto)).toBe(vieja.id);
});

test('what is taken has a name; what somebody took meanwhile is not taken from them unseen; what is let go is nobody’s', async () => {
  const [ana, beto] = [await buildQuien(db, 'sa'), await buildQuien(db, 'user')];
  const orden = await buildOrden(db, {});
  const dueno = async () => (await carta(ana)).lineas[0]!.dueno?.id ?? null;
  expect(await send(ana, { intent: 'tomar', ...deEnvio(orden) })).toBe('hecho');
  expect(await dueno()).toBe(ana.id);
  expect(await send(beto, { intent: 'tomar', ...deEnvio(orden) })).toBe('Ana Ríos lo tomó mientras lo veías.');
  expect(await dueno()).toBe(ana.id);
  expect(await send(beto, { intent: 'tomar', ...deEnvio(orden), de: ana.id })).toBe('hecho');
  expect(await dueno()).toBe(beto.id);
  expect(await send(ana, { intent: 'soltar', ...deEnvio(orden) })).toBe('hecho');
  expect(await dueno()).toBeNull();
});

test('a thing is given to who may see to it, and to nobody else', async () => {
  const [ana, cont] = [await buildQuien(db, 'sa'), await buildQuien(db, 'cont')];
  const orden = await buildOrden(db, {});
  const user = await buildQuien(db, 'user');
  expect(await send(ana, { intent: 'dar', ...deEnvio(orden), usuario: cont.id })).toBe(
    'Esa persona no puede atenderlo.',
  );
  const { abierta } = await hoy(ana, `?cosa=porEnviar:${orden.id}`);
  const ofrecidas = abierta!.quienes.map(({ id }) => id);
  expect(ofrecidas).toContain(user.id);
  expect(ofrecidas).not.toContain(cont.id);
  expect(await send(ana, { intent: 'dar', ...deEnvio(orden), usuario: user.id })).toBe('hecho');
  expect((await carta(user)).lineas[0]!.dueno?.id).toBe(user.id);
});

test('what is put aside leaves the card, its count and the menu; its queue says why; it comes back at its hour, or when somebody says so', async () => {
  const ana = await buildQuien(db, 'sa');
  const orden = await buildOrden(db, {});
  const pospone = { intent: 'posponer', ...deEnvio(orden), hasta: 'manana', motivo: 'El cliente pidió esperar' };
  expect(await send(ana, { ...pospone, motivo: ' ' })).toBe('Escribe por qué se pospone.');
  expect(await send(ana, { ...pospone, hasta: 'nunca' })).toBe('Elige hasta cuándo.');
  expect(await send(ana, pospone)).toBe('hecho');
  expect(await carta(ana)).toMatchObject({ total: 0, aparte: 1, lineas: [] });
  expect((await readCuentas(db, colasOf(ana), ana)).get('ordenesActivas')!.cuenta).toBe(0);
  const { entera } = await hoy(ana, '?cola=porEnviar');
  expect(entera!.lineas).toMatchObject([{ pospuesta: { motivo: 'El cliente pidió esperar', por: 'Ana Ríos' } }]);

  await db
    .updateTable('encargo')
    .set({ pospuestaHasta: hace(1_000) })
    .execute();
  expect(await carta(ana)).toMatchObject({ total: 1, aparte: 0 });
  await send(ana, pospone);
  expect(await send(ana, { intent: 'reanudar', ...deEnvio(orden) })).toBe('hecho');
  expect((await carta(ana)).total).toBe(1);
});

test('what is done leaves by itself, put aside or not', async () => {
  const ana = await buildQuien(db, 'sa');
  const [una, otra] = [await buildOrden(db, {}), await buildOrden(db, {})];
  await send(ana, { intent: 'posponer', ...deEnvio(una), hasta: 'unaHora', motivo: 'Falta empaque' });
  await send(ana, { intent: 'tomar', ...deEnvio(otra) });
  await db.updateTable('orden').set({ estatus: 'enviado' }).execute();
  expect(await carta(ana)).toMatchObject({ total: 0, aparte: 0, lineas: [] });
  expect(await send(ana, { intent: 'tomar', ...deEnvio(otra) })).toBe('Eso ya no espera a nadie: alguien lo atendió.');
});

test('nobody has to do with a queue whose screen they may not open, nor with one that goes on by itself', async () => {
  const user = await buildQuien(db, 'user');
  for (const cola of ['timbresPorAtender', 'enMarcha', 'noExiste'])
    expect(await send(user, { intent: 'tomar', cola, cosa: 'x' }), cola).toBe(
      'El rol de este usuario no puede hacer este cambio.',
    );
  expect((await hoy(user, '?cola=timbresPorAtender')).entera).toBeNull();
  expect((await hoy(user, '?cosa=timbresPorAtender:x')).abierta).toBeNull();
  expect(await db.selectFrom('encargo').selectAll().execute()).toEqual([]);
});

test('the page reads a kind once for everybody within the same moment', async () => {
  const [ana, beto] = [await buildQuien(db, 'sa'), await buildQuien(db, 'admin')];
  let looks = 0;
  const contada: Cola = {
    ...reclamos,
    mira: (_db, mirada) => {
      looks++;
      return reclamos.mira(db, mirada);
    },
  };
  const abiertas = colasOf(ana, [contada]);
  await Promise.all([readCartas(db, abiertas, ana), readCuentas(db, abiertas, beto), readCartas(db, abiertas, beto)]);
  expect(looks).toBe(1);
});

test('a queue that cannot be read stands on its last good look and says of when, and no other queue falls with it', async () => {
  const sa = await buildQuien(db, 'sa');
  const moody = (fails: () => boolean, clave: string): Cola => ({
    ...reclamos,
    clave,
    pantallas: ['empresas'],
    mira: (_db, mirada) => (fails() ? Promise.reject(new Error('statement timeout')) : reclamos.mira(db, mirada)),
  });
  let broken = false;
  const queues = [moody(() => broken, 'aRatos'), moody(() => true, 'nunca'), reclamos];
  const read = async () => {
    forget();
    return {
      cartas: await readCartas(db, colasOf(sa, queues), sa),
      cuentas: await readCuentas(db, colasOf(sa, queues), sa),
    };
  };
  const before = await read();
  expect(before.cartas.map(({ total, sinLeer }) => [total, sinLeer])).toEqual([
    [1, null],
    [0, { desde: null }],
    [1, null],
  ]);
  broken = true;
  const { cartas, cuentas } = await read();
  expect(cartas[0]).toMatchObject({ total: 1, sinLeer: { desde: expect.any(Date) as Date } });
  expect(cartas[2]).toMatchObject({ total: 1, sinLeer: null });
  // What is not known is no number in the menu.
  expect([cuentas.get('empresas')?.cuenta, cuentas.get('proveedores')?.cuenta]).toEqual([1, 1]);
  const page = await render(<Cartas cartas={cartas} area="/sa" yo={sa.id} />);
  const [, aRatos, nunca, bien] = page.split('<section');
  expect(aRatos).toMatch(/No se pudo leer; es de las \d\d:\d\d/);
  expect(nunca).toContain('No se pudo leer<');
  expect(nunca).not.toContain('Al día');
  expect(bien).not.toContain('No se pudo leer');
  broken = false;
  // The statement may have taken all the time that it may, so the queue is left alone for a while.
  expect((await read()).cartas[0]!.sinLeer).not.toBeNull();
  vi.useFakeTimers({ now: Date.now() + 16_000, toFake: ['Date'] });
  expect((await read()).cartas[0]!.sinLeer).toBeNull();
  vi.useRealTimers();
});

test('the page stands while its sales, its figures and its sources cannot be read, and each part says so', async () => {
  const sa = await buildQuien(db, 'sa');
  await buildOrden(db, { fechaCreacion: hace(HORA), titulo: 'Router de antes' });
  const partes = async () => {
    const { ventas, cifras, fuentes } = await hoy(sa);
    return {
      ventas: await render(<UltimasVentas ventas={ventas} fuentes={fuentes.valor ?? []} area="/sa" />),
      cifras: await render(<Cifras cifras={cifras} ahora={new Date()} porQue={null} />),
      fuentes: await render(<ParteSinLeer titulo="Fuentes" sinLeer={fuentes.sinLeer} />),
    };
  };
  const before = await partes();
  expect(Object.values(before).join()).not.toContain('No se pudo leer');
  vi.useFakeTimers({ now: Date.now() + 1_000, toFake: ['Date'] });
  await withoutTables(['orden', 'sync_cursor'], async () => {
    const after = await partes();
    for (const parte of Object.values(after)) expect(parte).toMatch(/No se pudo leer; es de las \d\d:\d\d/);
    expect(after.ventas).toContain('Router de antes');
    expect(after.cifras).toContain('Vendido');
  });
  vi.setSystemTime(Date.now() + 16_000);
  expect(Object.values(await partes()).join()).not.toContain('No se pudo leer');
  vi.useRealTimers();
  const nunca = { valor: null, sinLeer: { desde: null } };
  expect(await render(<UltimasVentas ventas={nunca} fuentes={[]} area="/sa" />)).not.toContain('Todavía no hay ventas');
  expect(await render(<Cifras cifras={nunca} ahora={new Date()} porQue={null} />)).toContain('No se pudo leer<');
});

test('cards and frame stand while owners, what was put aside, what is linked and conditions cannot be read', async () => {
  const sa = await buildQuien(db, 'sa');
  await buildOrden(db, { fechaCreacion: hace(HORA), envio: { estatus: 'ready_to_ship' } });
  const sesion = { preferencias: PREFERENCIAS, debeActivar: false, plazoSegundoFactor: null };
  const setCookie = () => undefined;
  const totales = async () => {
    forget();
    const { condiciones } = await area({ ...args(sa), context: { usuario: sa, sesion, setCookie } as never });
    return {
      condiciones,
      cartas: (await readCartas(db, colasOf(sa), sa)).map(({ clave, total }) => [clave, total]),
    };
  };
  const before = await totales();
  expect(before.cartas).toContainEqual(['porEnviar', expect.any(Number)]);
  await withoutTables(['encargo', 'credential', 'condicion'], async () => expect(await totales()).toEqual(before));
});

/** The list of an address that names a view, where the screen has several. */
const LISTA_DE: Readonly<Record<string, string>> = {
  'por=liberar': 'conciliacion.porLiberar',
  'por=sueltos': 'conciliacion.sueltos',
  'tabla=porPagar': 'pagosProveedores.porPagar',
};

test('the link of a card opens the view that its words name, which the list of that screen has', () => {
  const conVista = COLAS.flatMap(({ clave, pantallas, vistas = {} }) =>
    Object.entries(vistas).map(([pantalla, query]) => ({ clave, pantalla, query, pantallas })),
  );
  expect(conVista.length).toBeGreaterThan(7);
  for (const { clave, pantalla, query, pantallas } of conVista) {
    expect(pantallas, clave).toContain(pantalla);
    const cual = new URLSearchParams(query).get('cuales');
    const otra = Object.keys(LISTA_DE).find((part) => query.includes(part));
    const list = findList(otra ? LISTA_DE[otra]! : pantalla)!;
    expect(list.parse(new URLSearchParams(query)), clave).toMatchObject({ cuales: cual });
  }
});

test('a card says as many as the view behind its link shows', async () => {
  const sa = await buildQuien(db, 'sa');
  await db.deleteFrom('orden').execute();
  await buildOrden(db, { fechaCreacion: hace(5 * HORA), envio: { estatus: 'ready_to_ship' } });
  await buildOrden(db, { fechaCreacion: hace(60 * DIA), envio: { estatus: 'ready_to_ship' } });
  await buildOrden(db, { fechaCreacion: hace(30 * HORA), envio: { estatus: 'handling' } });
  await buildOrden(db, { fechaCreacion: hace(5 * HORA), envio: { estatus: 'handling' } });
  forget();
  const cartas = await readCartas(db, colasOf(sa), sa);
  for (const [clave, total] of [
    ['porEnviar', 2],
    ['atoradas', 1],
  ] as const) {
    const carta = cartas.find((one) => one.clave === clave)!;
    const [pantalla, query] = carta.lista!.split('?') as [string, string];
    const list = findList(pantalla)!;
    expect([carta.total, (await list.ids(db, list.parse(new URLSearchParams(query)), null, 100)).length]).toEqual([
      total,
      total,
    ]);
  }
});

/** Queues whose link opens a list that has no view of them, and why that is no other count of the same things. */
const LISTA_ENTERA: Readonly<Record<string, string>> = {
  preguntas: 'the whole list is the queue',
};

test('a card whose link opens a list opens the view of what it counts, or says of what its number is', () => {
  const sinDecir = COLAS.filter(
    ({ ver, pantallas, vistas = {}, cuenta }) =>
      ver !== '' && cuenta === undefined && pantallas.some((una) => findList(una) && !(una in vistas)),
  );
  expect(sinDecir.map(({ clave }) => clave)).toEqual(Object.keys(LISTA_ENTERA));
});

test('of pedidos, those that a person confirms and those whose folio is late are two counts and two views', async () => {
  const sa = await buildQuien(db, 'sa');
  const pedir = async (via: 'api' | 'correo', solicitadoEn?: Date) => {
    const { id: ordenId, numOrden } = await buildOrden(db, {});
    const { id } = await db
      .insertInto('pedido')
      .values({ market: 'ml', numOrden, proveedor: 'ts', via })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db
      .insertInto('pedidoLinea')
      .values({ pedidoId: id, posicion: 1, ordenId, idProveedor: 'X-1', descripcion: 'X', cantidad: 1 })
      .execute();
    if (!solicitadoEn) return;
    for (const paso of [{ estado: 'enviando' }, { estado: 'solicitado', solicitadoEn }] as const)
      await db.updateTable('pedido').set(paso).where('id', '=', id).execute();
  };
  await pedir('api');
  await pedir('correo');
  await pedir('correo', hace(3 * HORA));
  await pedir('correo', hace(30 * HORA));
  forget();
  const cartas = await readCartas(db, colasOf(sa), sa);
  for (const [clave, total] of [
    ['porConfirmar', 2],
    ['pedidosSinFolio', 1],
  ] as const) {
    const carta = cartas.find((one) => one.clave === clave)!;
    const [pantalla, query] = carta.lista!.split('?') as [string, string];
    const list = findList(pantalla)!;
    expect([carta.total, (await list.ids(db, list.parse(new URLSearchParams(query)), null, 100)).length]).toEqual([
      total,
      total,
    ]);
  }
  for (const table of ['pedidoLinea', 'pedido'] as const) await db.deleteFrom(table).execute();
});

test('what is late by weeks opens alone, the latest first, with the way to the others', async () => {
  const sa = await buildQuien(db, 'sa');
  const at = (id: string, days: number) => ({ ...VENCE, id, titulo: `Cosa ${id}`, vence: hace(days * DIA) });
  const mixta: Cola = {
    ...reclamos,
    mira: (_db, mirada) =>
      Promise.resolve(countCosas([at('a', 1), at('b', 40), at('c', 20)], { aviso: 0, mal: HORA }, mirada)),
  };
  const [abierta] = colasOf(sa, [mixta]);
  const carta = await readCola(db, abierta!, sa);
  const page = (search: string) => render(<Entera carta={carta} lotes={{}} area="/sa" yo={sa.id} />, search);
  const solas = await page('?cola=reclamosDePrueba&atrasadas=1');
  expect([...solas.matchAll(/>Cosa (.)</g)].map(([, id]) => id)).toEqual(['b', 'c']);
  expect(solas).toContain('Ver las 3');
  expect([...(await page('?cola=reclamosDePrueba')).matchAll(/>Cosa (.)</g)]).toHaveLength(3);
});

test('what is late by weeks has the acts of its list beside it, and one press prepares all of it and nothing else', async () => {
  const [sa, cont] = [await buildQuien(db, 'sa'), await buildQuien(db, 'cont')];
  const [vieja, reciente] = [
    await buildOrden(db, { fechaCreacion: hace(30 * DIA) }),
    await buildOrden(db, { fechaCreacion: hace(3 * DIA) }),
  ];
  // The second sale of a package is told with the first, and goes along.
  const gemela = await buildOrden(db, { envio: null, fechaCreacion: hace(30 * DIA) });
  await db.updateTable('orden').set({ envioId: vieja.envioId }).where('id', '=', gemela.id).execute();
  forget();
  const linea = await render(
    <Atrasado cartas={await readCartas(db, colasOf(sa), sa)} lotes={lotesOfAtrasadas(sa)} area="/sa" />,
  );
  expect(linea).toMatch(/Por enviar hoy <span class="cuantas">1<\/span>/);
  expect(linea).toContain('aria-label="Cambiar a Entregado: lo atrasado de Por enviar hoy"');
  expect(linea).toContain('action="/sa/lote"');

  const pide = (usuario: Quien, body: Record<string, string>) =>
    lote(args(usuario, '', { intent: 'prepararAtrasadas', cola: 'porEnviar', hacer: 'entregar', ...body }));
  const answer = (await pide(sa, {})) as Response;
  const id = new URL(answer.headers.get('location')!, 'http://trastienda.test').searchParams.get('lote')!;
  const { filas, lista } = (await readPreparedBatch(db, ACCIONES, id, sa.id))!;
  expect(lista).toBe('ordenesActivas');
  expect(filas.map(({ filaId }) => filaId).sort()).toEqual([vieja.id, gemela.id].sort());
  expect(filas.map(({ filaId }) => filaId)).not.toContain(reciente.id);

  // An act of another list, and a person without the right, prepare nothing.
  for (const [quien, body] of [
    [sa, { hacer: 'retenida.aplicar' }],
    [cont, {}],
  ] as const)
    await expect(
      pide(quien, body).then((answer) => (answer instanceof Response ? answer.status : JSON.stringify(answer.data))),
    ).resolves.toContain('Esta lista no tiene esa acción.');
  expect(lotesOfAtrasadas(cont)).toEqual({});
});

test('a held price and the zeros of a supplier stand for their listings in the lote of what is late', async () => {
  const { lote: suyo } = COLAS.find(({ clave }) => clave === 'cambiosRetenidos')!;
  expect(await suyo!.filasOf!(db, ['ceros:syscom:ml:2026-11-01', `precio:${crypto.randomUUID()}:4`])).toEqual([]);
});

test('every lote of a queue names acts that its list offers', () => {
  for (const { clave, lote } of COLAS) {
    if (!lote) continue;
    expect([clave, lote.hacer.filter((hacer) => !(hacer in (LOTES[lote.lista] ?? {})))]).toEqual([clave, []]);
  }
});

test('a silent source is said once: on the card of who may see to it, and above the cards to the others', async () => {
  const fuentes = [
    { source: 'mercadolibre', label: 'Mercado Libre', state: 'rota', error: 'Sin permiso.', lastSuccess: hace(HORA) },
  ] as unknown as Awaited<ReturnType<typeof hoy>>['fuentes']['valor'] & object;
  const dicho = async (rol: Rol) => {
    const { cartas } = await hoy(await buildQuien(db, rol));
    return render(<Fuentes fuentes={fuentes} pausadas={[]} cartas={cartas} />);
  };
  expect(await dicho('sa')).not.toContain('Mercado Libre');
  expect(await dicho('user')).toContain('Mercado Libre está desconectado');
  expect(
    await render(<Fuentes fuentes={fuentes} pausadas={[{ conexion: 'mercadolibre' }]} cartas={[]} />),
  ).not.toContain('Mercado Libre');
});
