import { sql } from 'kysely';
import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { saveKeys } from '~/platform/connections/keys.server';
import { syscom } from '~/domain/compras/directorio/internal/syscom.server';
import { tvc } from '~/domain/compras/directorio/internal/tvc.server';
import type { Rol, Usuario } from '~/core/usuario';
import type { askProveedores } from '~/domain/compras/catalogo/buscador.server';
import { bringCatalogo } from '~/domain/compras/catalogo/lecturas.server';
import { addFotos } from '~/domain/compras/catalogo/fotos.server';
import { recountProductos } from '~/domain/compras/catalogo/listProductos.server';
import { nombreCorto, palabrasOf, skuOf } from '~/domain/compras/catalogo/producto';
import { makeRetratos } from '~/domain/compras/catalogo/retratos.server';
import { search } from '~/platform/search/search.server';
import { BUSCADORES } from '~/domain/operacion/searchCatalog.server';
import { action, loader } from '~/routes/compras/productos/lista';
import { loader as vivo } from '~/routes/files/buscadorVivo';
import { loader as ficha } from '~/routes/files/fichas';
import { action as buscadorAction, loader as buscador } from '~/routes/compras/buscador/buscador';
import { loader as bienvenida } from '~/routes/inicio/bienvenida';
import type { productoOf } from '~/routes/compras/productos/record';
import { trazo } from '~/routes/compras/productos/trazo';
import { jpegOf } from '../sandbox/imagenes/dibujo';
import { LLAVES } from '../sandbox/tvc';
import { seedCatalogo } from '../support/builders/catalogo';
import { buildOrden } from '../support/builders/ordenes';
import { buildPersona } from '../support/builders/ventas';
import { ownerDatabase, testDatabase } from '../support/db';
import { startTestSandbox } from '../support/sandbox';

const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 }, proveedores: { productos: 60 } });
const { db } = testDatabase();
const people = new Map<Rol, Usuario>();
/** P100 of the builder: sold, with stock and a price. */
let vendido: { id: string; version: number };

beforeAll(async () => {
  for (const rol of ['sa', 'user', 'aux'] as const) people.set(rol, await buildPersona(db, rol));
  await seedCatalogo(ownerDatabase().db, 1_000);
});
beforeEach(async () => {
  vendido = await deClave('P100');
});

const deClave = (idProveedor: string) =>
  db.selectFrom('producto').select(['id', 'version']).where('idProveedor', '=', idProveedor).executeTakeFirstOrThrow();

function args(rol: Rol, path: string, body?: Record<string, string>, params: Record<string, string> = {}) {
  const request = new Request(
    `http://trastienda.test/${rol}/${path}`,
    body ? { method: 'POST', body: new URLSearchParams(body) } : {},
  );
  const context = { usuario: people.get(rol), ip: '127.0.0.1' } as unknown as AppLoadContext;
  return { request, params, context } as ActionFunctionArgs;
}
const lista = async (query = '', rol: Rol = 'aux') => (await loader(args(rol, `productos?${query}`))).lista;
const claves = async (query: string) => (await lista(query)).ventana.filas.map(({ idProveedor }) => idProveedor);
type Abierto = Awaited<ReturnType<typeof productoOf>>;
const abierto = async (rol: Rol, id: string, search = '') =>
  (await (
    await ficha(args(rol, `fichas/productos/${id}${search}`, undefined, { lista: 'productos', id }))
  ).json()) as NonNullable<Abierto>;

describe('Productos', () => {
  test('opens with the most sold first, and says how many there are of how many', async () => {
    const { ventana, totales } = await lista();
    const vendidas = ventana.filas.map(({ piezasVendidas }) => piezasVendidas);
    expect(vendidas.slice(0, 10)).toEqual([901, 801, 701, 601, 501, 401, 301, 201, 101, 1]);
    expect(totales).toEqual({ registros: 1_000, todos: 1_000 });
  });

  test.each([
    ['', 1_000],
    ['proveedor=tvc', 200],
    ['existencia=sin', 250],
    ['proveedor=syscom&existencia=con', 150],
    ['existencia=sinDato', 1],
  ])('its count beside %j is that of its rows', async (query, registros) => {
    const { totales } = await lista(query);
    expect(totales!.registros).toBe(registros);
    await recountProductos(db);
    expect((await lista(query)).totales!.registros).toBe(registros);
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from producto_cuenta`.execute(db);
    expect(rows[0]!.n).toBeLessThanOrEqual(15);
    await sql`update producto set piezas_vendidas = 1 + substr(id_proveedor, 2)::int % 997 where id_proveedor like '%00'`.execute(
      db,
    );
  });

  test('a count follows what is written, whoever writes it and without being counted again', async () => {
    const { id } = await deClave('P101');
    await db.updateTable('oferta').set({ existencia: 0 }).where('productoId', '=', id).execute();
    expect((await lista('existencia=sin')).totales!.registros).toBe(251);
    await db.updateTable('oferta').set({ existencia: 101 }).where('productoId', '=', id).execute();
    expect((await lista('existencia=sin')).totales!.registros).toBe(250);
  });

  test.each([
    ['a key', 'P123', 'P123'],
    ['words in any order, accents aside', 'hikvision CAMARA exterior 100010', 'P54'],
    ['what a shop cut short', 'Cámara bala 2 MP HIKVISION serie 100010 para ext...', 'P54'],
    ['with dots of their own', 'serie 100010 para ...', 'P50'],
    ['an older way to say anything', '%bala%100010%', 'P54'],
    ['an address', 'c%C3%A1mara%20bala%20HIK-100010', 'P54'],
    ['two names with a slash', 'HIKVISION / HIK-100010', 'P50'],
    ['a GTIN', '694126400010', 'P50'],
    ['a GTIN with its zeros', '00694126400010', 'P50'],
    ['a model with quotes around it', '"HIK-100010"', 'P50'],
    ['a sku of ours', 'AMS|66f1|ct|DAH-100011', 'P56'],
  ])('finds %s as people paste it: %s', async (_, q, clave) => {
    expect(await claves(new URLSearchParams({ q }).toString())).toContain(clave);
  });

  test('a sku means one product of one supplier', async () => {
    expect(await claves(new URLSearchParams({ q: 'AMS|x|tvc|hik-100010' }).toString())).toEqual(['P52']);
    expect(skuOf('AMS|x|tvc')).toBeNull();
  });

  test('of signs alone nothing is asked, and a name is cut at 60', () => {
    expect(palabrasOf(' ... % / ')).toBe('');
    expect(nombreCorto('x'.repeat(120))).toBe(`${'x'.repeat(59)} ...`);
    expect(nombreCorto(null)).toBe('Error de producto');
  });

  test('a price that cannot be read is told with its reason and never as 0, nor is anything sold for it', async () => {
    const [fila] = (await lista('q=P157')).ventana.filas;
    expect(fila).toMatchObject({ precio: null, moneda: null, sinPrecio: 'ilegible', precios: { ml: null, amz: null } });
    const { precios } = await abierto('aux', fila!.id);
    expect(precios.map(({ precio, porque }) => [precio, porque])).toEqual([
      [null, 'El proveedor no da un precio que se pueda leer.'],
      [null, 'El proveedor no da un precio que se pueda leer.'],
      [null, 'El proveedor no da un precio que se pueda leer.'],
    ]);
  });

  test('what sorts by stock puts what is unknown after what is none', async () => {
    const { ventana } = await lista('orden=existencia');
    expect(ventana.filas[0]!.existencia).toBeNull();
    expect((await lista('orden=-existencia')).ventana.filas[0]!.existencia).toBe(119);
  });

  test('pieces sold are those of valid sales, by the model or the key of their sku', async () => {
    const { modelo } = await db
      .selectFrom('producto')
      .select('modelo')
      .where('idProveedor', '=', 'P207')
      .executeTakeFirstOrThrow();
    const proveedor = 'tvc';
    await buildOrden(db, { sku: `AMS|x|${proveedor.toUpperCase()}|${modelo!.toLowerCase()}` });
    await buildOrden(db, { sku: `AMS|x|${proveedor}|P207` });
    await recountProductos(db);
    const [fila] = (await lista('q=P207')).ventana.filas;
    expect(fila!.piezasVendidas).toBe(2);
    const { ordenes } = await abierto('user', fila!.id);
    expect(ordenes).toHaveLength(2);
    // Nobody has asked the supplier yet: from here one is led to where it is bought.
    expect(ordenes!.map(({ porPedir }) => porPedir)).toEqual([true, true]);
  });

  test('is found from the search box of the frame', async () => {
    const grupos = await search(db, BUSCADORES, 'HIK-100010');
    const hallazgos = grupos.find(({ clase }) => clase === 'productos')!.hallazgos;
    expect(hallazgos).toHaveLength(5);
    expect(hallazgos[0]!.a).toMatch(/^productos\?ver=/);
  });
});

describe('its panel', () => {
  test('shows what is on sale of it by marketplace and kind, and reads its stores again where they are connected', async () => {
    const base = { titulo: 'Cámara', estatus: 'active', productoId: vendido.id, precio: '1298.00', stock: 4 };
    await db
      .insertInto('publicacion')
      .values([
        { ...base, market: 'ml', clave: 'MLM77', marketId: 'MLM77', tipo: 'gold_pro', autoSync: true },
        { ...base, market: 'ml', clave: 'MLM78', marketId: 'MLM78', tipo: 'gold_special' },
        { ...base, market: 'amz', clave: 'AMS|P100', marketId: 'B0CAMARA01', estatus: 'DONE' },
        { ...base, market: 'ml', clave: 'MLM79', ausencias: 2, ausenteDesde: new Date() },
      ])
      .execute();
    const { publicaciones, puede } = await abierto('aux', vendido.id);
    expect(publicaciones.map(({ marketId, tipo }) => [marketId, tipo])).toEqual([
      ['B0CAMARA01', null],
      ['MLM77', 'gold_pro'],
      ['MLM78', 'gold_special'],
    ]);
    expect(puede.tiendas).toBe(true);
    const answer = await action(args('aux', 'productos', { intent: 'tiendas', id: vendido.id }));
    expect(JSON.stringify(answer)).toContain('Mercado Libre no está conectado. Amazon no está conectado.');
  });

  test('says who has the piece nearest to where it goes, once that is told', async () => {
    expect(await abierto('aux', vendido.id)).toMatchObject({ destino: { cp: null, conocido: false } });
    await db
      .updateTable('oferta')
      .set({ almacenes: JSON.stringify([{ almacen: '7', nombre: 'Monterrey', cantidad: 5 }]) })
      .where('productoId', '=', vendido.id)
      .execute();
    const { destino, parientes } = await abierto('aux', vendido.id, '?editar=cerca&cp=64000');
    expect(destino).toEqual({ cp: '64000', conocido: true });
    expect(parientes.find(({ id }) => id === vendido.id)!.km).toBe(0);
    expect((await abierto('aux', vendido.id, '?cp=abc')).destino).toEqual({ cp: 'abc', conocido: false });
  });

  test('aux looks, and has neither the orders nor the forms', async () => {
    const producto = await abierto('aux', vendido.id, '?editar=1');
    expect(producto).toMatchObject({ ordenes: null, editar: null, puede: { editar: false, leer: true } });
    await expect(
      action(args('aux', 'productos', { intent: 'autoOrden', id: vendido.id, version: '1', autoOrden: '1' })),
    ).rejects.toMatchObject({ titulo: 'Error de autenticación.' });
  });

  test('what people say of it is kept with who said it, and goes into its price', async () => {
    const antes = await abierto('user', vendido.id);
    const answer = await action(
      args('user', `productos?ver=${vendido.id}&editar=1`, {
        intent: 'guardar',
        id: vendido.id,
        version: String(vendido.version),
        costoEnvio: '$ 1,120.5',
        productoMaximo: '4',
        precioLista: '',
        autoOrden: '0',
      }),
    );
    expect((answer as Response).headers.get('Location')).toContain(`ver=${vendido.id}`);
    const producto = await abierto('user', vendido.id);
    expect(producto).toMatchObject({
      costoEnvio: '1120.50',
      productoMaximo: 4,
      precioLista: null,
      version: vendido.version + 1,
    });
    expect(Number(producto.precios[0]!.precio) - Number(antes.precios[0]!.precio)).toBeGreaterThan(1_119);
    const dicho = await db
      .selectFrom('bitacora')
      .select(['usuarioId', 'accion'])
      .where('entidadId', '=', vendido.id)
      .executeTakeFirstOrThrow();
    expect(dicho).toEqual({ usuarioId: people.get('user')!.id, accion: 'modificar' });
  });

  test('who saves over what another saved meanwhile is told what moved', async () => {
    const answer = await action(
      args('sa', 'productos', {
        intent: 'guardar',
        id: vendido.id,
        version: String(vendido.version - 1),
        costoEnvio: '5',
        productoMaximo: '4',
        autoOrden: '0',
      }),
    );
    expect(answer).toMatchObject({
      data: { choque: { cambios: [{ campo: 'Costo del envio', mio: '5.00', suyo: '1120.50' }] } },
    });
  });

  test('the automatic order is switched after a question that names the product', async () => {
    const sent = { intent: 'autoOrden', id: vendido.id, version: String(vendido.version), autoOrden: '1' };
    const asked = await action(args('user', 'productos', sent));
    expect(asked).toMatchObject({ data: { confirmar: { texto: '¿Esta seguro que desea activar el auto orden?' } } });
    await action(args('user', 'productos', { ...sent, confirmado: '1' }));
    expect((await abierto('user', vendido.id)).autoOrden).toBe(true);
  });

  test('the same piece at five suppliers stands together until somebody parts one, and again', async () => {
    const otro = await deClave('P101');
    const par = { intent: 'par', uno: vendido.id, otro: otro.id };
    expect((await abierto('user', vendido.id)).parientes).toHaveLength(5);
    await action(args('user', 'productos', { ...par, igual: 'no', confirmado: '1' }));
    const apartado = await abierto('user', vendido.id);
    expect([apartado.parientes.length, apartado.separados.map(({ id }) => id)]).toEqual([4, [otro.id]]);
    await action(args('user', 'productos', { ...par, igual: '' }));
    expect((await abierto('user', vendido.id)).parientes).toHaveLength(5);
  });

  test('a line holds until it is read otherwise, and what could not be read is a gap', () => {
    const at = (dia: number) => new Date(Date.UTC(2026, 10, dia)).toISOString();
    const puntos = [
      { en: at(1), valor: 10 },
      { en: at(2), valor: 20 },
      { en: at(3), valor: null },
      { en: at(4), valor: 10 },
    ];
    const escala = { desde: Date.parse(at(1)), hasta: Date.parse(at(5)), menor: 10, mayor: 20 };
    expect(trazo(puntos, escala)).toBe('M0.0 66.0H110.0L110.0 6.0H220.0M330.0 66.0H440.0');
  });
});

describe('Buscador de Productos', () => {
  const buscar = async (query: Record<string, string>) =>
    buscador(args('aux', `buscador?${new URLSearchParams(query)}`));
  const preguntar = async (proveedor: string, q: string) =>
    (await (
      await vivo(args('aux', `buscadorVivo/${proveedor}?${new URLSearchParams({ q })}`, undefined, { proveedor }))
    ).json()) as Awaited<ReturnType<typeof askProveedores>>;

  test('without words nothing is asked, and a supplier that is not linked says so', async () => {
    expect(await buscar({})).toMatchObject({ q: '', hallado: null, preguntado: null });
    expect(await preguntar('tvc', 'HIK-100010')).toEqual({
      label: 'TVC',
      clase: 'falla',
      porque: 'TVC no está conectado.',
    });
    expect(await preguntar('nadie', 'HIK-100010')).toMatchObject({ clase: 'falla' });
  });

  test('our own copy answers, of all suppliers or of one', async () => {
    expect((await buscar({ q: 'HIK-100010' })).hallado!.productos).toHaveLength(5);
    const { hallado } = await buscar({ q: 'HIK-100010', proveedor: 'ct' });
    expect(hallado!.productos.map(({ proveedor }) => proveedor)).toEqual(['ct']);
    expect((await buscar({ q: 'zzqqxx' })).hallado!.productos).toEqual([]);
  });

  describe('with a supplier', () => {
    beforeAll(async () => {
      await saveKeys(db, tvc, LLAVES, null);
      await bringCatalogo(db, tvc);
    });
    beforeEach(async () => {
      await sandbox.reset('tvc');
      await db.deleteFrom('connection').execute();
    });
    const suyo = () =>
      db
        .selectFrom('producto')
        .innerJoin('oferta', 'oferta.productoId', 'producto.id')
        .select(['producto.id', 'idProveedor', 'modelo', 'precio', 'leidaEn'])
        .where('proveedor', '=', 'tvc')
        .where('idProveedor', 'not like', 'P%')
        .where('precio', 'is not', null)
        .orderBy('producto.id')
        .executeTakeFirstOrThrow();

    test('one that looks for no words reads again what our copy knows, and writes nothing', async () => {
      const { id, modelo, leidaEn } = await suyo();
      const leido = await preguntar('tvc', modelo!);
      expect(leido).toMatchObject({ clase: 'releido', items: [{ id }] });
      expect((await suyo()).leidaEn).toEqual(leidaEn);
      expect(await preguntar('tvc', 'zzqqxx')).toMatchObject({ clase: 'sinBusqueda' });
    });

    test('one whose search finds nothing reads again what our copy knows by those words', async () => {
      await saveKeys(db, syscom, { idUsuario: 'cli_demo_0001', secret: 'sec_demo_0001' }, null);
      const { normal } = await sandbox.proveedor('syscom').get<{ normal: [{ id: string }] }>('/ejemplos');
      const [{ id: idProveedor }] = normal;
      const { id } = await db
        .insertInto('producto')
        .values({ proveedor: 'syscom', idProveedor, nombre: 'Zumbador ñandú', enVenta: true, huella: '' })
        .returning('id')
        .executeTakeFirstOrThrow();
      expect(await preguntar('syscom', 'zumbador nandu')).toMatchObject({
        clase: 'releido',
        busco: true,
        items: [{ id }],
      });
      expect(await preguntar('syscom', 'zzqqxx')).toMatchObject({ clase: 'leido', items: [] });
      await db.deleteFrom('producto').where('id', '=', id).execute();
    });

    test('what is found, in our copy or just now, stands beside the picture of its product', async () => {
      const { modelo, id } = await suyo();
      const foto = new File([new Uint8Array(jpegOf(800, 600))], 'a.jpg');
      await addFotos(db, { id, fotos: [foto] }, people.get('aux')!.id);
      await db.deleteFrom('productoRetrato').execute();
      const lados = async () => {
        const { hallado, preguntado } = await buscar({ q: modelo!, proveedor: 'tvc', vivo: 'tvc' });
        const vivos = [preguntado!.respuesta, await preguntar('tvc', modelo!)];
        const todos = [hallado!.productos, ...vivos.map((vivo) => ('items' in vivo ? vivo.items : []))];
        return todos.map((filas) => filas.filter((una) => una.id === id).map(({ alLado }) => alLado));
      };
      expect(await lados()).toEqual(Array(3).fill([{ retrato: null }]));
      await makeRetratos(db, new AbortController().signal);
      expect(await lados()).toEqual(Array(3).fill([{ retrato: expect.stringMatching(/^\/fotos\//) as string }]));
    });

    test('what a supplier tells and our copy does not have stands beside no picture', async () => {
      await saveKeys(db, syscom, { idUsuario: 'cli_demo_0001', secret: 'sec_demo_0001' }, null);
      const vivo = await preguntar('syscom', 'grabador');
      const nuevos = 'items' in vivo ? vivo.items.filter(({ id }) => id === null) : [];
      expect(nuevos).not.toEqual([]);
      expect(new Set(nuevos.map(({ alLado }) => alLado.retrato))).toEqual(new Set([null]));
    });

    test('without scripts the page asks the one that its address names', async () => {
      const { modelo, id } = await suyo();
      const { preguntado } = await buscar({ q: modelo!, vivo: 'tvc' });
      expect(preguntado).toMatchObject({ proveedor: 'tvc', respuesta: { clase: 'releido', items: [{ id }] } });
    });

    test("'Actualizar producto' reads it now, and leads to it", async () => {
      const { id, idProveedor, leidaEn } = await suyo();
      const answer = await buscadorAction(
        args('aux', 'buscador?q=x', { intent: 'leer', proveedor: 'tvc', idProveedor }),
      );
      expect((answer as Response).headers.get('Location')).toBe(`?q=x&ver=${id}`);
      expect((await suyo()).leidaEn.getTime()).toBeGreaterThan(leidaEn.getTime());
    });

    test('a supplier that fails is told in its place, and the product keeps what was known', async () => {
      const { modelo, idProveedor, precio } = await suyo();
      await sandbox.proveedor('tvc').failNext('503', { times: 9 });
      expect(await preguntar('tvc', modelo!)).toMatchObject({ label: 'TVC', clase: 'falla' });
      const answer = await buscadorAction(args('aux', 'buscador', { intent: 'leer', proveedor: 'tvc', idProveedor }));
      expect(answer).toMatchObject({ data: { titulo: 'Error al actualizar: ' } });
      expect((await suyo()).precio).toEqual(precio);
    });

    test('one that the supplier does not know any more is not found', async () => {
      const answer = await buscadorAction(
        args('aux', 'buscador', { intent: 'leer', proveedor: 'tvc', idProveedor: '999999' }),
      );
      expect(answer).toMatchObject({ data: { titulo: 'No se encontro un producto' } });
    });
  });

  test("aux's home has what came last", async () => {
    const { productos } = await bienvenida(args('aux', ''));
    expect(productos).toHaveLength(8);
    expect(productos[0]!.id > productos[7]!.id).toBe(true);
  });
});
