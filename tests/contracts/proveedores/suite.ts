import { hash } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Money } from '~/core/money';
import type { FarSide, Keys } from '~/platform/connections/definition';
import { openCredential } from '~/platform/connections/credentials.server';
import { saveKeys } from '~/platform/connections/keys.server';
import {
  OPERACIONES,
  type Escrituras,
  type Guia,
  type Item,
  type Lector,
  type Miradas,
  type NuevoPedido,
  type SinPrecio,
  type Tramo,
} from '~/integrations/proveedores/cara';
import { LECTURA } from '~/integrations/proveedores/leer';
import { readCrudos } from '~/integrations/proveedores/paginas';
import { Refused, Unavailable, Uncertain } from '~/integrations/errors';
import { testDatabase } from '../../support/db';
import { startTestSandbox } from '../../support/sandbox';

/** What the impostor says of a piece: the truth that is read back. */
export type Ejemplo = {
  id: string;
  precio: string | null;
  moneda: 'MXN' | 'USD' | null;
  existencia: number | null;
  texto: string;
};
type Pedido = { folio: string; referencia: string };

export type Hechos = {
  /** Its keys at the impostor, and a set it does not know. */
  llaves: Keys;
  malas: Keys;
  /** Examples without a price, and why it has none; of `normal` there is always one. */
  sinPrecio: Readonly<Record<string, SinPrecio>>;
  /** Unconfirmed facts under which an order, a confirmation or a label is clearly refused: people see why, and nothing was done. */
  niega?: readonly string[];
  /** Unconfirmed facts under which what becomes of an order is not told in words we know. */
  calla?: readonly string[];
  /** Unconfirmed facts under which an order or a label stays unclear. */
  incierto?: readonly string[];
  opciones: Readonly<Record<string, string>>;
  almacen?: string;
  /** Facts under which a no cannot be told from a lost answer. */
  mudo?: readonly string[];
  /** Its writing half, at the address of the real one. */
  real?: () => Partial<Escrituras>;
  /** A print of all that is made of its catalogue in this way of reading (`LECTURA`). Whoever changes one changes the other. */
  leido: readonly [lectura: number, huella: string];
  /** Seconds until an order is invoiced there. */
  factura?: number;
  /** Whether what was ordered is found by our reference. */
  seBusca?: true;
  /** Whether a token is asked for with the keys, and may be asked for again. */
  renueva: boolean;
};

export const GUIA: Guia = { numero: '43210987654', paqueteria: 'estafeta', archivo: Buffer.from('%PDF-1.4 guía') };

const ENVIO = {
  nombre: 'Cliente Marketplace',
  calle: 'GUIA DE CLIENTE',
  numero: '1',
  interior: '',
  colonia: 'Centro',
  ciudad: 'Chihuahua',
  estado: 'CHIH',
  cp: '31000',
  telefono: '6141234567',
};

/** The first of what comes, and nothing more of it. */
export async function primero<T>(from: AsyncIterable<T>): Promise<T> {
  for await (const one of from) return one;
  throw new Error('nothing came');
}

/** Without the moments in it, which follow the clock. */
function huellaDe(items: readonly Item[]): string {
  const told = items
    .toSorted((a, b) => (a.idProveedor < b.idProveedor ? -1 : 1))
    .map(({ raw: _, existencia: { leidaEn: __, ...existencia }, ...item }) => ({ ...item, existencia }));
  // The sandbox serves the pictures itself, at a port of the day.
  const text = JSON.stringify(told)
    .replace(/"\d{4}-\d{2}-\d{2}T[^"]*"/g, '""')
    .replace(/http:\/\/127\.0\.0\.1:\d{1,5}\/imagenes\/([a-z0-9.]{1,60})/g, (_, host: string) =>
      host === 'ctonline.mx' ? `http://${host}` : `https://${host}`,
    );
  return hash('sha1', text).slice(0, 12);
}

/** A stretch, read. */
export function leidosDe({ crudos, itemOf, ilegibles, rastros }: Tramo) {
  const read = readCrudos(crudos, itemOf);
  return { items: read.items, ilegibles: [...ilegibles, ...read.ilegibles], rastros: [...rastros, ...read.rastros] };
}

/** The contract of every supplier. It is done when this passes in each way that an unconfirmed fact may be. */
export async function proveedorContract(side: FarSide<string, string, unknown>, hechos: Hechos) {
  const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 } });
  const { db } = testDatabase();
  const far = sandbox.proveedor(side.kind);
  const { capacidades, leer } = side.proveedor!;
  const opciones = await far.get<Record<string, string[]>>('/interruptores');
  const formas = Object.entries(opciones).flatMap(([name, [, ...others]]) => others.map((one) => ({ [name]: one })));

  /** With the bucket full: what a test asks for is no more than people do. */
  const lector = async (): Promise<Lector> => {
    await db.deleteFrom('connection').execute();
    return leer(db, 'persona');
  };
  const escritor = () => side.open(db)(() => undefined) as Partial<Escrituras> & { mirar?: Partial<Miradas> };
  const pedidos = () => far.get<Pedido[]>('/pedidos');
  const ejemplos = () => far.get<Record<string, Ejemplo[]>>('/ejemplos');
  const nuevo = async (folio: string, guia: Guia | null = null): Promise<NuevoPedido> => {
    const { id, precio, moneda } = (await ejemplos()).normal![0]!;
    const linea = { idProveedor: id, cantidad: 1, precio: { importe: Money.of(precio!), moneda: moneda! } };
    return { folio, lineas: [linea], almacen: hechos.almacen ?? null, envio: ENVIO, guia, opciones: hechos.opciones };
  };
  const tried = async <T>(work: Promise<T>) =>
    await work.then(
      (value) => ({ value, error: null }),
      (error: unknown) => ({ value: null, error }),
    );

  async function fresco() {
    await sandbox.reset(side.kind);
    await db.deleteFrom('connection').execute();
    await db.deleteFrom('credential').execute();
    await saveKeys(db, side, hechos.llaves, null);
  }
  const FORMA = 'as ';
  // The tests of one form share its first day: there are a hundred of them.
  beforeEach(async ({ task }) => {
    if (!task.suite?.name.startsWith(FORMA)) await fresco();
  });

  test('what it declares to do by its API has a function, and what it does not has none', async () => {
    const functions = { ...(await lector()), ...escritor() } as Record<string, unknown>;
    for (const operacion of OPERACIONES)
      expect(typeof functions[operacion] === 'function', operacion).toBe(capacidades[operacion] === 'api');
  });

  describe.each([{}, ...formas])(`${FORMA}%j`, (forma: Record<string, string>) => {
    const named = Object.entries(forma).map((one) => one.join(':'))[0] ?? '';
    beforeAll(async () => {
      await fresco();
      await far.post('/interruptores', forma);
    });

    test('what is read is what it sells', async () => {
      for (const [clase, found] of Object.entries(await ejemplos())) {
        for (const facts of found.slice(0, named === '' ? 3 : 1)) {
          const { producto, existencia } = await lector();
          const item = await producto(facts.id);
          const read = item && [
            item.idProveedor,
            item.precio?.importe.toString() ?? null,
            item.precio?.moneda ?? null,
            item.existencia.total,
          ];
          expect(read, `${clase} ${facts.id}`).toEqual([facts.id, facts.precio, facts.moneda, facts.existencia]);
          expect(item!.sinPrecio, clase).toBe(hechos.sinPrecio[clase] ?? null);
          expect((await existencia(facts.id))!.total).toBe(facts.existencia);
        }
      }
      const { producto, existencia } = await lector();
      expect([await producto('999999999'), await existencia('999999999')]).toEqual([null, null]);
    });

    test('what is asked for by words is found, and nothing is an empty page', async () => {
      const { buscar, tipoCambio } = await lector();
      if (tipoCambio) expect((await tipoCambio()).pesos.toString()).toMatch(/^1\d\.\d\d$/);
      if (!buscar) return;
      const { id, texto } = (await ejemplos()).normal![0]!;
      const page = await buscar(texto, 1);
      expect(page.items.map((item) => item.idProveedor)).toContain(id);
      expect(page.ilegibles).toEqual([]);
      expect(await buscar('no-hay-nada-asi', 1)).toMatchObject({ items: [], total: 0 });
    });

    test.runIf(capacidades.crearPedido === 'api')('an order is made once, or clearly not at all', async () => {
      for (const guia of capacidades.enviarGuia === 'pedido' ? [null, GUIA] : [null]) {
        const before = (await pedidos()).length;
        const { value, error } = await tried(escritor().crearPedido!(await nuevo(`${before + 1}`, guia)));
        const made = (await pedidos()).slice(before);
        if (value) expect([value.folio]).toEqual(made.map(({ folio }) => folio));
        else if (hechos.incierto?.includes(named)) expect(error, named).toBeInstanceOf(Uncertain);
        else {
          expect(hechos.niega, `${named} ${String(error)}`).toContain(named);
          expect(error).toBeInstanceOf(Refused);
          expect(made).toEqual([]);
        }
      }
    });

    test.runIf(hechos.seBusca)(
      'an order is found by its reference, with its lines, and one never made is not',
      async () => {
        const { mirar } = escritor();
        const referencia = '9001';
        expect(await mirar!.pedidosDe!(referencia)).toEqual([]);
        const asked = await nuevo(referencia);
        const { value } = await tried(escritor().crearPedido!(asked));
        if (!value) return;
        await far.post('/reloj', { segundos: 120 });
        expect(await mirar!.pedidosDe!(referencia)).toMatchObject([
          { folio: value.folio, lineas: asked.lineas.map(({ idProveedor, cantidad }) => ({ idProveedor, cantidad })) },
        ]);
        expect(await mirar!.pedidosDe!('9002')).toEqual([]);
      },
    );

    test.runIf(capacidades.crearPedido === 'api')('an order that was clearly not taken says why', async () => {
      const before = await pedidos();
      await far.failNext('refuse', { message: 'Sin línea de crédito' });
      const { error } = await tried(escritor().crearPedido!(await nuevo('20')));
      expect(error).toBeInstanceOf(hechos.mudo?.includes(named) ? Uncertain : Refused);
      if (error instanceof Refused) expect(error.message).toContain('Sin línea de crédito');
      expect(await pedidos()).toEqual(before);
    });

    test.runIf(capacidades.crearPedido === 'api')('what an order came to is read', async () => {
      const { value } = await tried(escritor().crearPedido!(await nuevo('7')));
      if (!value || value.errores.length > 0) return;
      const { confirmar, enviarGuia } = escritor();
      const told = hechos.calla?.includes(named) ? null : value.estado;
      expect((await (await lector()).estatus!(value.folio))!.estado).toBe(told);
      if (confirmar) await confirmar(value.folio);
      await far.post('/reloj', { segundos: hechos.factura });
      expect((await (await lector()).estatus!(value.folio))!.estado).toBe('facturado');
      if (enviarGuia) {
        const { error } = await tried(enviarGuia(value.folio, GUIA));
        if (hechos.incierto?.includes(named)) expect(error, named).toBeInstanceOf(Uncertain);
        else if (error) expect(hechos.niega, `${named} ${String(error)}`).toContain(named);
      }
      const { factura } = await lector();
      if (!factura) return;
      const read = await factura(value.folio);
      expect(read?.folio ?? read?.uuid).toEqual(expect.any(String));
    });
  });

  /** All of it, gone on with from each place that can be gone on from. */
  async function recorrido(cual: 'catalogo' | 'precios'): Promise<Item[]> {
    const found: Item[] = [];
    let desde: string | null = null;
    do {
      // What comes in one answer is read at once; of the rest each stretch is asked for by itself.
      for await (const tramo of (await lector())[cual]!(desde)) {
        const { items, ilegibles, rastros } = leidosDe(tramo);
        found.push(...items);
        expect([ilegibles, rastros]).toEqual([[], []]);
        // By its key a row is known without being read.
        expect(tramo.crudos.map(({ clave }) => clave)).toEqual(items.map(({ idProveedor }) => idProveedor));
        desde = tramo.sigue;
        if (desde !== null && !desde.startsWith('renglón')) break;
      }
      if ('limite' in opciones) await far.post('/reloj', { segundos: 61 });
    } while (desde !== null);
    return found;
  }

  test('all it sells is read in stretches that lead to the end, each product as it is by itself', async () => {
    const found = await recorrido('catalogo');
    expect([LECTURA, huellaDe(found)], 'what is made of a row changed: raise LECTURA').toEqual(hechos.leido);
    const ids = new Set(found.map(({ idProveedor }) => idProveedor));
    expect([...ids].toSorted()).toEqual((await far.get<string[]>('/catalogo')).toSorted());
    for (const { id, precio, moneda, existencia } of Object.values(await ejemplos()).flat()) {
      const item = found.find(({ idProveedor }) => idProveedor === id)!;
      expect([
        id,
        item.precio?.importe.toString() ?? null,
        item.precio?.moneda ?? null,
        item.existencia.total,
        item.nombre !== null && item.marca !== null,
      ]).toEqual([id, precio, moneda, existencia, expect.any(Boolean)]);
    }
  });

  test.runIf(leer(db, 'persona').precios)('price and stock alone are those of the whole catalogue', async () => {
    const found = await recorrido('precios');
    for (const { id, precio, moneda, existencia } of Object.values(await ejemplos()).flat()) {
      const item = found.find(({ idProveedor }) => idProveedor === id)!;
      const read = [item.precio?.importe.toString() ?? null, item.precio?.moneda ?? null, item.existencia.total];
      expect(read, id).toEqual([precio, moneda, existencia]);
    }
    expect(new Set(found.map(({ idProveedor }) => idProveedor)).size).toBe(found.length);
  });

  test('a catalogue that is cut, in HTML or refused has no end, whatever came of it', async () => {
    for (const mode of ['half-answer', 'html', '503', 'reset']) {
      await far.failNext(mode, { route: 'GET ', times: 9 });
      const { error } = await tried(
        (async () => {
          for await (const tramo of (await lector()).catalogo!(null)) expect(tramo.sigue, mode).not.toBeNull();
        })(),
      );
      expect(error, mode).toBeInstanceOf(Unavailable);
      await sandbox.clear(side.kind);
    }
  });

  test('a read that is lost, refused for now or not understood changes nothing and may be asked again', async () => {
    const { id } = (await ejemplos()).normal![0]!;
    for (const mode of ['429', '503', 'reset', 'html', 'half-answer', '500-after-doing', 'reset-after-doing']) {
      await far.failNext(mode, { route: 'GET ', times: 9 });
      expect((await tried((await lector()).producto(id))).error, mode).toBeInstanceOf(Unavailable);
      await sandbox.clear(side.kind);
    }
    expect((await (await lector()).producto(id))?.idProveedor).toBe(id);
  });

  test.runIf(capacidades.crearPedido === 'api')(
    'an order whose answer is lost is unclear, and never sent again',
    async () => {
      for (const [index, mode] of [
        'hang-after-doing',
        'reset-after-doing',
        '500-after-doing',
        'half-answer',
        'html',
      ].entries()) {
        const before = (await pedidos()).length;
        await far.failNext(mode, { ms: 100 });
        const { error } = await tried(escritor().crearPedido!(await nuevo(`1${index}`)));
        expect(error, mode).toBeInstanceOf(Uncertain);
        expect((await pedidos()).length - before, mode).toBe(1);
      }
    },
  );

  test.runIf(capacidades.crearPedido === 'api')('an order turned away for its pace was not made', async () => {
    await far.failNext('429');
    expect((await tried(escritor().crearPedido!(await nuevo('21')))).error).toBeInstanceOf(Unavailable);
    expect(await pedidos()).toEqual([]);
  });

  test('keys it does not know are not kept, and those that stopped serving are told as a problem of the account', async () => {
    await expect(saveKeys(db, side, hechos.malas, null)).rejects.toMatchObject({
      titulo: 'Error de actualización.',
      // Which key, what they say and what to do, with their answer.
      rechazo: {
        lado: side.label,
        campo: expect.any(String),
        remedio: expect.any(String),
        respuesta: expect.any(String),
      },
    });
    expect((await openCredential(db, side.kind))!.secrets).toMatchObject(hechos.llaves);
    await far.post('/llaves', { revocadas: true });
    const { error } = await tried((await lector()).comprobar());
    expect(error).toSatisfy(
      (one) => (one instanceof Refused || one instanceof Unavailable) && one.details.account === true,
    );
  });

  test.runIf(hechos.renueva)(
    'a token that was forgotten is asked for once, by whoever of many notices first',
    async () => {
      await (await lector()).comprobar();
      const before = (await far.get<{ dados: number }>('/tokens')).dados;
      await far.post('/olvidaTokens');
      await db.deleteFrom('connection').execute();
      const readers = Array.from({ length: 4 }, () => leer(db, 'persona'));
      await Promise.all(readers.map((one) => one.comprobar()));
      expect((await far.get<{ dados: number }>('/tokens')).dados).toBe(before + 1);
    },
  );

  test('nothing is bought at a real host by an installation that was not told so', async () => {
    const real = hechos.real?.() ?? {};
    const asked = [
      real.crearPedido?.(await nuevo('30')),
      real.confirmar?.('W01-000001'),
      real.enviarGuia?.('W01-000001', GUIA),
    ].filter((one) => one !== undefined);
    expect(asked).toHaveLength(OPERACIONES.filter((operacion) => operacion in escritor()).length);
    for (const one of asked)
      expect((await tried<unknown>(one)).error).toMatchObject({ details: { code: 'produccion' } });
  });

  return { db, far, lector, escritor, nuevo, pedidos, ejemplos, tried };
}
