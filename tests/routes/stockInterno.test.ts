import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import type { Rol, Usuario } from '~/core/usuario';
import { codeIn } from '~/domain/compras/stock/pieza';
import { identificadorOf } from '~/core/identificador';
import { loader as bodega } from '~/routes/bodega/bodega';
import { loader as leerEnBodega } from '~/routes/bodega/leer';
import { loader as buscar } from '~/routes/inicio/buscar';
import { readCodigos } from '~/platform/files/readFile.server';
import { search } from '~/platform/search/search.server';
import { BUSCADORES } from '~/domain/operacion/searchCatalog.server';
import { action as devolver, loader as devoluciones } from '~/routes/compras/stock/devoluciones';
import { action as enBlancoAction, loader as enBlanco } from '~/routes/compras/stock/etiquetas';
import { action, loader } from '~/routes/compras/stock/lista';
import { loader as loadEtiquetas } from '~/routes/files/etiquetas';
import { loader as factura } from '~/routes/files/facturaStock';
import type { piezaOf } from '~/routes/compras/stock/record';
import { loader as ficha } from '~/routes/files/fichas';
import { buildOrden } from '../support/builders/ordenes';
import { buildPiezas, buildProductoDeStock, unPdf } from '../support/builders/stock';
import { buildPersona } from '../support/builders/ventas';
import { testDatabase } from '../support/db';
import { PROBADA } from '../support/sesion';

const { db } = testDatabase();
const people = new Map<Rol, Usuario>();
let producto: { id: string; idProveedor: string; modelo: string | null };
const usuarioId = () => people.get('user')!.id;

beforeAll(async () => {
  for (const rol of ['sa', 'user', 'aux'] as const) people.set(rol, await buildPersona(db, rol));
  producto = await buildProductoDeStock(db, 'CAM-7');
});

function args(
  rol: Rol,
  path: string,
  body?: Record<string, string | File>,
  params: Record<string, string> = {},
): ActionFunctionArgs {
  const form = new FormData();
  for (const [name, value] of Object.entries(body ?? {})) form.set(name, value);
  const request = new Request(`http://trastienda.test/${rol}/${path}`, body ? { method: 'POST', body: form } : {});
  const context = { usuario: people.get(rol), sesion: PROBADA, ip: '127.0.0.1' } as unknown as AppLoadContext;
  return { request, params, context } as ActionFunctionArgs;
}
type Leida<T extends (args: ActionFunctionArgs) => unknown> = Awaited<ReturnType<T>>;
const folios = async (query: string) =>
  ((await loader(args('user', `stockInterno?${query}`))) as Leida<typeof loader>).lista.ventana.filas.map(
    ({ folio }) => folio,
  );
const abierta = async (id: string) =>
  (await (
    await ficha(args('user', `fichas/stockInterno/${id}`, undefined, { lista: 'stockInterno', id }))
  ).json()) as NonNullable<Awaited<ReturnType<typeof piezaOf>>>;

test('the return of an article of a sale is made once, with its invoice, and its folios are shown', async () => {
  const orden = await buildOrden(db, { sku: `AMS|${producto.idProveedor}|SYSCOM|${producto.modelo}` });
  const path = `devoluciones?orden=${orden.id}&articulo=0`;
  const antes = await devoluciones(args('user', path));
  expect(antes).toMatchObject({
    deQue: {
      producto: { id: producto.id, proveedorLabel: 'Syscom' },
      articulo: { numOrden: orden.numOrden },
      piezas: [],
    },
  });
  const form = {
    intent: 'crear',
    clave: antes.clave,
    orden: orden.id,
    producto: producto.id,
    descripcion: 'Cámara',
    estado: 'enRevision',
    proveedor: 'syscom',
    cantidad: '2',
    costo: '1,234.50',
    folioFactura: 'S-77',
    factura: unPdf(),
  };
  for (let vez = 0; vez < 2; vez++) {
    const answer = (await devolver(args('user', path, form))) as Response;
    expect(answer.headers.get('Location')).toContain(`creados=${antes.clave}`);
  }
  const despues = await devoluciones(args('user', `${path}&creados=${antes.clave}`));
  expect(despues.creados?.piezas).toHaveLength(2);
  expect(despues.deQue?.piezas.map(({ costo, facturaFolio }) => [costo, facturaFolio])).toEqual([
    ['1234.50', 'S-77'],
    ['1234.50', 'S-77'],
  ]);
  const pdf = await loadEtiquetas(args('user', `descargas/etiquetas?alta=${antes.clave}&papel=rollo62`));
  expect(pdf.headers.get('Content-Type')).toBe('application/pdf');
  expect((await pdf.text()).match(/\/Type \/Page\b/g)).toHaveLength(2);
});

test('who prints in ZPL gets rolls in ZPL to keep, and sheets as PDF', async () => {
  const [pieza] = await buildPiezas(db, people.get('user')!.id, { producto: producto.id });
  const printed = async (papel: string, etiquetas: 'pdf' | 'zpl', formato = '') => {
    const path = `descargas/etiquetas?pieza=${pieza!.id}&papel=${papel}&ver=1${formato}`;
    const asked = args('user', path);
    asked.context.sesion = { ...PROBADA, preferencias: { ...PROBADA.preferencias, etiquetas } };
    const { headers } = await loadEtiquetas(asked);
    return [headers.get('Content-Type'), headers.get('Content-Disposition')!.split(';')[0]];
  };
  const [zpl, pdf] = [
    ['application/zpl; charset=utf-8', 'attachment'],
    ['application/pdf', 'inline'],
  ];
  expect(await printed('rollo50', 'zpl')).toEqual(zpl);
  expect(await printed('carta', 'zpl')).toEqual(pdf);
  expect(await printed('rollo50', 'pdf')).toEqual(pdf);
  expect(await printed('rollo50', 'zpl', '&formato=pdf')).toEqual(pdf);
  expect(await printed('rollo50', 'pdf', '&formato=zpl')).toEqual(zpl);
});

test('a form that is refused keeps what was typed and says it at its field', async () => {
  const answer = (await devolver(
    args('user', `devoluciones?producto=${producto.id}`, {
      intent: 'crear',
      clave: randomUUID(),
      producto: producto.id,
      cantidad: 'dos',
      costo: '10',
      estado: 'enRevision',
    }),
  )) as { data: { error: Record<string, string[]>; initialValue: Record<string, string> } };
  expect(answer.data.error.cantidad).toEqual(['Cantidad no valida']);
  expect(answer.data.initialValue.cantidad).toBe('dos');
});

test('an address that names nothing is a 404, and without one a sale is asked for', async () => {
  await expect(devoluciones(args('user', `devoluciones?orden=${randomUUID()}`))).rejects.toMatchObject({
    init: { status: 404 },
  });
  const orden = await buildOrden(db);
  expect(await devoluciones(args('user', `devoluciones?q=${orden.numOrden}`))).toMatchObject({
    deQue: null,
    articulos: [{ ordenId: orden.id, posicion: 0, alLado: { retrato: null } }],
  });
});

test('the list has its four filters, and finds a piece by every identifier it shows', async () => {
  const orden = await buildOrden(db);
  const [pieza] = await buildPiezas(db, usuarioId(), {
    producto: producto.id,
    orden: orden.id,
    estado: 'danado',
    proveedor: 'ct',
    folioFactura: 'CT-4451',
    factura: unPdf(),
  });
  const { folio } = pieza!;
  for (const query of [
    'estado=danado',
    'proveedor=ct',
    `q=${folio}`,
    `q=${folio.replaceAll('-', '').toLowerCase()}`,
    `q=${orden.numOrden}`,
    'q=CT-4451',
    'q=CAM-7&estado=danado',
  ])
    expect([query, await folios(query)]).toEqual([query, [folio]]);
  expect(await folios('estado=baja')).toEqual([]);
  expect(await folios('desde=2020-01-01T00:00&hasta=2020-01-31T23:59')).toEqual([]);
});

test('a piece is corrected, moved back and shown with its invoice', async () => {
  const [pieza] = await buildPiezas(db, usuarioId(), {
    producto: producto.id,
    folioFactura: 'F',
    factura: unPdf('la-suya'),
  });
  const { id } = pieza!;
  const vista = await abierta(id);
  expect(vista.estados.map(({ value }) => value)).not.toContain('vendido');
  await action(
    args('user', `stockInterno?ver=${id}`, {
      intent: 'guardarPieza',
      id,
      version: String(vista.version),
      estado: 'disponible',
      proveedor: 'syscom',
      costo: '99.90',
      recuperado: '',
      folioFactura: 'F',
    }),
  );
  const guardada = await abierta(id);
  expect(guardada).toMatchObject({ estado: 'disponible', costo: '99.90', facturaFolio: 'F', regresaA: 'enRevision' });
  await action(
    args('user', `stockInterno?ver=${id}`, { intent: 'deshacerPieza', id, version: String(guardada.version) }),
  );
  expect(await abierta(id)).toMatchObject({ estado: 'enRevision', costo: '99.90' });
  const archivo = await factura(args('user', `descargas/facturaStock/${id}?ver=1`, undefined, { id }));
  expect(archivo.headers.get('Content-Disposition')).toMatch(/^inline; filename=/);
  expect(await archivo.text()).toContain('la-suya');
});

test('a piece that no supplier is known of changes its state without one; a final state is asked for', async () => {
  const [pieza] = await buildPiezas(db, usuarioId(), { producto: producto.id, proveedor: undefined });
  const { id } = pieza!;
  const vista = await abierta(id);
  expect(vista.proveedor).toBeNull();
  const mover = (estado: string, version: number, answers: Record<string, string> = {}) =>
    action(
      args('user', `stockInterno?ver=${id}`, {
        intent: 'moverPieza',
        id,
        version: String(version),
        estado,
        ...answers,
      }),
    );
  expect(await mover('disponible', vista.version)).toBeInstanceOf(Response);
  const movida = await abierta(id);
  expect(movida).toMatchObject({ estado: 'disponible', proveedor: null });
  expect(JSON.stringify(await mover('baja', movida.version))).toContain('¿Está seguro que desea pasar');
  expect(await abierta(id)).toMatchObject({ estado: 'disponible' });
  // All facts of a piece are saved with a supplier only.
  const todo = { intent: 'guardarPieza', id, version: String(movida.version), estado: 'enRevision', costo: '99.90' };
  expect(JSON.stringify(await action(args('user', `stockInterno?ver=${id}`, todo)))).toContain(
    'Error: Debes seleccionar un proveedor',
  );
});

test('a folio is found from the search box, whole or without its letter', async () => {
  const [pieza] = await buildPiezas(db, usuarioId(), { producto: producto.id });
  for (const texto of [pieza!.folio.toLowerCase(), pieza!.folio.slice(0, -2)])
    expect(JSON.stringify(await search(db, BUSCADORES, texto))).toContain(`stockInterno?ver=${pieza!.id}`);
});

/** What a scanner types for a text under the Latin American layout, whose keys it takes for those of the English one. */
const latam = (texto: string) => texto.replace(/[-/:]/g, (key) => ({ '-': "'", '/': '-', ':': 'Ñ' })[key]!);
const caso = (name: string) => readFileSync(new URL(`../casos/${name}`, import.meta.url), 'utf8');
const leer = async (texto: string) =>
  (await leerEnBodega(args('user', `bodega/leer?texto=${encodeURIComponent(texto)}`))).json() as Promise<object>;
/** The address that a text leads to which is typed in the warehouse without JavaScript. */
const lleva = async (texto: string) => {
  const answer = await bodega(args('user', `bodega?texto=${encodeURIComponent(texto)}`)).catch(
    (thrown: unknown) => thrown,
  );
  return (answer as Response).headers.get('Location');
};
const halla = async (texto: string) =>
  JSON.stringify(await buscar(args('user', `buscar?q=${encodeURIComponent(texto)}`)));

test('06: a scanner is a keyboard of either layout: bar, list and warehouse find a piece by address, folio or label', async () => {
  const address = /http:\S+/.exec(caso('06-escaner.txt'))![0];
  expect(caso('06-escaner.txt')).toContain(latam(address));
  const [pieza] = await buildPiezas(db, usuarioId(), { producto: producto.id });
  const { id, folio } = pieza!;
  const { codigo: etiqueta } = await db
    .insertInto('stockEtiqueta')
    .values({ piezaId: id, ligadaPor: usuarioId(), ligadaEn: new Date() })
    .returning('codigo')
    .executeTakeFirstOrThrow();
  for (const codigo of [folio, etiqueta]) {
    const suya = address.replace('DV-26-000007-W', codigo);
    for (const texto of [
      suya,
      latam(suya),
      latam(codigo),
      `${suya}?a=1`,
      latam(suya).toUpperCase(),
      codigo.toLowerCase(),
    ]) {
      expect(await leer(texto), texto).toMatchObject({ clase: 'pieza', pieza: { folio } });
      expect(await lleva(texto)).toBe(`/siqr/${codigo}`);
      expect(await halla(texto), texto).toContain(`stockInterno?ver=${id}`);
      expect([texto, await folios(`q=${encodeURIComponent(texto)}`)]).toEqual([texto, [folio]]);
    }
  }
  expect(codeIn(latam(address))).toBe('DV-26-000007-W');
  // A sale of Amazon, whose number has the same sign.
  expect(identificadorOf(latam('702-0000001-0000001'))).toEqual({ clase: 'numero', texto: '702-0000001-0000001' });
  expect(identificadorOf("D'LINK")).toBeNull();
});

test('09: a percent sign in a search is a letter', async () => {
  const textos = caso('09-bodega-porcentaje.txt').trim().split('\n').slice(1);
  expect(textos).toEqual(['100%', '50% OFF']);
  for (const texto of [...textos, '%%%', 'DV%', '%zz', '___']) {
    expect(codeIn(texto)).toBe(texto);
    expect(await leer(texto)).toEqual({ clase: 'nada' });
    expect(await lleva(texto)).toBe(`/siqr/${encodeURIComponent(texto)}`);
    expect(await halla(texto)).toContain('"grupos":[]');
    expect(await folios(`q=${encodeURIComponent(texto)}`)).toEqual([]);
  }
});

test('blank labels are made once, printed, and each is hung on a piece at the desk', async () => {
  const { clave } = await enBlanco(args('user', 'etiquetasStock'));
  const form = { intent: 'crear', clave, cuantas: '3' };
  for (let vez = 0; vez < 2; vez++) {
    const answer = (await enBlancoAction(args('user', 'etiquetasStock', form))) as Response;
    expect(answer.headers.get('Location')).toContain(`imprimir=tirada:${clave}`);
  }
  const pdf = await loadEtiquetas(args('user', `descargas/etiquetas?tirada=${clave}&papel=a4`));
  const { dice } = (await readCodigos(Buffer.from(await pdf.arrayBuffer()))) as { dice: string[] };
  expect(dice).toHaveLength(3);
  const codigo = dice[0]!.split('/').at(-1)!;
  const [pieza] = await buildPiezas(db, usuarioId(), { producto: producto.id });
  const { folio, id } = pieza!;
  await action(args('user', `stockInterno?ver=${id}`, { intent: 'ligarEtiqueta', codigo, folio }));
  expect(await abierta(id)).toMatchObject({ etiquetas: [codigo] });
  expect(await enBlanco(args('user', 'etiquetasStock'))).toMatchObject({ tiradas: [{ cuantas: 3, libres: 2 }] });
  const [otra] = await buildPiezas(db, usuarioId(), { producto: producto.id });
  const ligar = (suyo: string) =>
    enBlancoAction(args('user', 'etiquetasStock', { intent: 'ligar', codigo, folio: suyo }));
  expect(JSON.stringify(await ligar(otra!.folio))).toContain(`ya es de la pieza ${folio}`);
  expect(await ligar(folio)).toMatchObject({ status: 302 });
  await expect(enBlancoAction(args('aux', 'etiquetasStock', { ...form, clave: randomUUID() }))).rejects.toBeDefined();
});

test('the order in which states are chosen is of whoever runs the warehouse', async () => {
  const orden = async () => ((await loader(args('user', 'stockInterno'))) as Leida<typeof loader>).estados;
  const antes = await orden();
  expect(antes.slice(0, 2)).toEqual(['enRevision', 'disponible']);
  const subir = (rol: Rol, estado: string) => action(args(rol, 'stockInterno', { intent: 'adelantarEstado', estado }));
  await subir('sa', 'disponible');
  expect(await orden()).toEqual(['disponible', 'enRevision', ...antes.slice(2)]);
  await subir('sa', 'disponible');
  await subir('sa', 'enRevision');
  expect(await orden()).toEqual(antes);
  await expect(subir('user', 'baja')).rejects.toBeDefined();
});
