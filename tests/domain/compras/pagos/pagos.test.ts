import { randomUUID } from 'node:crypto';
import type { ActionFunctionArgs } from '@remix-run/node';
import { beforeAll, describe, expect, test } from 'vitest';
import { toWire } from '~/core/list';
import type { Usuario } from '~/core/usuario';
import { noteCotizacion, readCotizacion, cotizacionesList } from '~/domain/compras/pagos/cotizaciones.server';
import { saveComprobantes, savePagos, readComprobantes } from '~/domain/compras/pagos/savePagos.server';
import { pagosList, semanasOfPagos } from '~/domain/compras/pagos/listPagos.server';
import { desdeElMesAnterior, SIN_ARCHIVO, SIN_FOLIO } from '~/domain/compras/pagos/pago';
import type { PagosDeOrden } from '~/domain/compras/pagos/forms';
import {
  addOrdenes,
  deletePago,
  readPago,
  removeOrden,
  saveMonto,
  savePago,
} from '~/domain/compras/pagos/pagos.server';
import { pedidosSinPago } from '~/domain/compras/pagos/internal/colaPagos.server';
import { createProveedorFactura } from '~/domain/compras/facturas/proveedorFacturas.server';
import { BUSCADORES } from '~/domain/operacion/searchCatalog.server';
import { search } from '~/platform/search/search.server';
import type { Trx } from '~db/client.server';
import { bodyLimitOf } from '~/http/bodyLimit.server';
import { action, loader } from '~/routes/compras/pagos/lista';
import { app1, cep, exifConLugar, jpeg, pdf } from '../../../support/builders/archivos';
import { buildOrden } from '../../../support/builders/ordenes';
import { buildPersona } from '../../../support/builders/ventas';
import { testDatabase } from '../../../support/db';

const { db } = testDatabase();
let ana: Usuario;
beforeAll(async () => {
  ana = await buildPersona(db, 'admin');
});

const file = (nombre: string, contenido: Buffer) => new File([new Uint8Array(contenido)], nombre);
const guardar = (ordenId: string, form: Partial<PagosDeOrden>) =>
  savePagos(db, { ordenId, proveedor: 'syscom', folios: [], folio: null, otras: null, archivos: [], ...form }, ana.id);
const abierta = async (ordenId: string) => (await readCotizacion(db, ordenId))!;
const folioNuevo = () => `SPEI-${randomUUID().slice(0, 8)}`;

describe('files and folios of a quotation become payments of its sale', () => {
  test('one transfer pays three sales: its file is kept once, and whoever presses twice paid once', async () => {
    const [una, otra, tercera] = [await buildOrden(db), await buildOrden(db), await buildOrden(db)];
    const folio = folioNuevo();
    const form = { folio, otras: `${otra.numOrden}, ${tercera.numOrden}`, archivos: [file('cep.xml', cep())] };
    await Promise.all([guardar(una.id, form), guardar(una.id, form)]);
    await guardar(una.id, form);
    const cotizacion = await abierta(tercera.id);
    expect(cotizacion.lasPagan).toMatchObject([{ folio, ordenes: 3, usuario: ana.usuario }]);
    expect(cotizacion.archivos).toMatchObject([{ nombre: 'cep.xml', clase: 'xml', lectura: { total: '34512.50' } }]);
    const pagos = await db.selectFrom('pago').select('id').where('folio', '=', folio).execute();
    expect(pagos).toHaveLength(1);
    const suyos = await db.selectFrom('bitacora').select('accion').where('entidadId', '=', una.id).execute();
    expect(suyos.map(({ accion }) => accion)).toEqual(['agregar pago a proveedor']);
  });

  test('the same bytes are kept once, whoever brings them under whatever name', async () => {
    const [una, otra] = [await buildOrden(db), await buildOrden(db)];
    const foto = jpeg({ antes: [app1(exifConLugar())] });
    await guardar(una.id, { folio: folioNuevo(), archivos: [file('a.jpg', foto)] });
    await guardar(otra.id, { folio: folioNuevo(), archivos: [file('IMG_0001.JPG', foto)] });
    const [primera, segunda] = [(await abierta(una.id)).archivos, (await abierta(otra.id)).archivos];
    expect(segunda).toMatchObject([{ nombre: 'IMG_0001.jpg', archivoId: primera[0]!.archivoId }]);
    const { contenido } = await db
      .selectFrom('archivo')
      .select('contenido')
      .where('id', '=', primera[0]!.archivoId)
      .executeTakeFirstOrThrow();
    expect(contenido.toString('latin1')).not.toContain('19.4326');
  });

  test('a paper brought without a quotation is read, proposed, and makes one payment of its transfer', async () => {
    const [{ numOrden, id: ordenId }, folio] = [await buildOrden(db), folioNuevo()];
    const clave = `TRF${randomUUID().slice(0, 8)}9`.toUpperCase();
    const archivos = [file('cep.xml', cep({ clave }))];
    expect(await readComprobantes(db, archivos)).toMatchObject([
      { lectura: { claveRastreo: clave, total: '34512.50' }, pagos: [] },
    ]);
    const form = { proveedor: 'syscom', folio, otras: numOrden, archivos };
    const [una, otra] = await Promise.all([1, 2].map(() => saveComprobantes(db, form, ana.id)));
    expect(una).toEqual(otra);
    const pago = (await readPago(db, una!.id))!;
    // Nothing of what the paper says holds until a person says so.
    expect(pago).toMatchObject({ folio, total: null, claveRastreo: null, ordenes: [{ id: ordenId }] });
    expect(pago.archivos).toMatchObject([{ lectura: { claveRastreo: clave } }]);
    expect(await readComprobantes(db, archivos)).toMatchObject([{ pagos: [{ id: una!.id, folio }] }]);
    await expect(saveComprobantes(db, { ...form, folio: folioNuevo() }, ana.id)).rejects.toMatchObject({
      campo: 'folio',
      message: `cep.xml es de la transferencia del pago ${folio} a Syscom: agrégalo a ese pago.`,
    });
    await expect(readComprobantes(db, [])).rejects.toThrow(SIN_ARCHIVO);
  });

  test('a sale may have several payments, and a folio that is known needs no file, however it is written', async () => {
    const [una, otra] = [await buildOrden(db), await buildOrden(db)];
    const [anticipo, resto] = [folioNuevo(), folioNuevo()];
    await guardar(una.id, { folio: anticipo, archivos: [file('a.pdf', pdf('a'))] });
    await guardar(una.id, { folio: resto, archivos: [file('b.pdf', pdf('b'))] });
    await guardar(otra.id, { folios: [resto.toLowerCase()], folio: `${anticipo.toUpperCase()}, ${anticipo}` });
    expect((await abierta(otra.id)).lasPagan.map(({ folio }) => folio)).toEqual([anticipo, resto]);
    expect((await abierta(otra.id)).archivos).toHaveLength(2);
  });

  test('a refusal says what is missing, at its field, and leaves nothing behind', async () => {
    const { id } = await buildOrden(db);
    const folio = folioNuevo();
    const archivos = [file('a.pdf', pdf(folio))];
    const no = (form: Partial<PagosDeOrden>) => expect(guardar(id, form)).rejects;
    await no({ archivos }).toMatchObject({ message: SIN_FOLIO, campo: 'folio' });
    await no({}).toMatchObject({ message: SIN_ARCHIVO, campo: 'archivos' });
    await no({ folio }).toMatchObject({ message: SIN_ARCHIVO, campo: 'archivos' });
    await no({ folio, archivos, otras: '2000000000000000' }).toMatchObject({ campo: 'otras' });
    await no({ folio, archivos, proveedor: 'nadie' }).toMatchObject({ campo: 'proveedor' });
    await no({ folio, archivos: [...archivos, file('b.pdf', Buffer.alloc(0))] }).toMatchObject({ campo: 'archivos' });
    await no({ folio: 'x'.repeat(61), archivos }).toMatchObject({ campo: 'folio' });
    expect((await abierta(id)).lasPagan).toEqual([]);
    expect(await db.selectFrom('pago').select('id').where('folio', '=', folio).execute()).toEqual([]);
  });

  test('a folio of another supplier is no payment of this one', async () => {
    const { id } = await buildOrden(db);
    const folio = folioNuevo();
    await guardar(id, { folio, archivos: [file('a.pdf', pdf())] });
    await expect(guardar(id, { folio, proveedor: 'ct' })).rejects.toMatchObject({ campo: 'proveedor' });
  });
});

describe('the list of quotations', () => {
  const vistas = async (search: string) => {
    const filtro = cotizacionesList.parse(new URLSearchParams(search));
    const { filas } = await cotizacionesList.whole(db, filtro, null);
    return filas.map(({ id }) => id);
  };

  test('shows what is not paid, what is, or both; those that ended only when asked for', async () => {
    const titulo = `Cinta ${randomUUID()}`;
    const [libre, pagada, ida] = [
      await buildOrden(db, { titulo }),
      await buildOrden(db, { titulo }),
      await buildOrden(db, { titulo, clase: 'cancelada' }),
    ];
    const folio = folioNuevo();
    await guardar(pagada.id, { folio, archivos: [file('a.pdf', pdf())] });
    const q = `q=${encodeURIComponent(titulo)}&orden=orden`;
    expect(await vistas(q)).toEqual([libre.id]);
    expect(await vistas(`${q}&pago=pagado`)).toEqual([pagada.id]);
    expect(await vistas(`${q}&pago=todos`)).toEqual([libre.id, pagada.id]);
    expect(await vistas(`${q}&pago=todos&canceladas=1`)).toEqual([libre.id, pagada.id, ida.id]);
    expect(await vistas(`q=${folio}`)).toEqual([pagada.id]);
  });

  test('stands on «Pagos a proveedores» too, where a sale is paid', async () => {
    const { id, numOrden } = await buildOrden(db);
    const search = `?tabla=ordenes&q=${numOrden}`;
    const args = (body?: FormData) => {
      const request = new Request(
        `http://trastienda.test/admin/pagosProveedores${search}`,
        body && { method: 'POST', body },
      );
      return { request, params: {}, context: { usuario: ana } } as unknown as ActionFunctionArgs;
    };
    const filas = async () => {
      const { tabla, lista } = await loader(args());
      return [tabla, lista.ventana.filas.map((fila) => [fila.id, 'pagos' in fila && fila.pagos])];
    };
    expect(await filas()).toEqual(['ordenes', [[id, 0]]]);
    const body = new FormData();
    const dicho = { intent: 'guardarPagos', ordenId: id, proveedor: 'syscom', folio: folioNuevo() };
    for (const [name, value] of Object.entries(dicho)) body.set(name, value);
    body.set('archivos', file('cep.xml', cep()));
    expect(((await action(args(body))) as Response).headers.get('Location')).toBe(search);
    expect(await filas()).toEqual(['ordenes', [[id, 1]]]);
    expect(bodyLimitOf('/admin/pagosProveedores')).toBe(bodyLimitOf('/admin/cotizaciones'));
  });

  test('begins on the first day of the month before', () => {
    expect(desdeElMesAnterior(new Date('2027-01-15T18:00:00Z'))).toEqual({ desde: '2026-12-01', hasta: '2027-01-15' });
  });
});

describe('the folio of a quotation', () => {
  test('is typed where no order tells it, and is found by it', async () => {
    const { id } = await buildOrden(db);
    const folio = `COT-${randomUUID().slice(0, 8)}`;
    const anotar = (folio: string | null, version: number) =>
      db.transaction().execute((trx) => noteCotizacion(trx, { ordenId: id, folio, version }, ana.id));
    await anotar(folio, 0);
    expect(await abierta(id)).toMatchObject({ cotizacion: folio, delPedido: false, escrita: { folio, version: 1 } });
    await expect(anotar('OTRA', 0)).rejects.toThrow(/Otra persona/);
    await anotar(null, 1);
    await expect(anotar('OTRA', 1)).rejects.toThrow(/Otra persona/);
    expect((await abierta(id)).cotizacion).toBeNull();
  });
});

const tx = <T>(run: (trx: Trx) => Promise<T>) => db.transaction().execute(run);
const facturar = (ordenId: string, monto: string, proveedor = 'syscom') =>
  tx((trx) => createProveedorFactura(trx, { ordenId, proveedor, folio: folioNuevo(), monto }, ana.id));
const pagoDe = async (folio: string) => {
  const { id } = await db.selectFrom('pago').select('id').where('folio', '=', folio).executeTakeFirstOrThrow();
  return (await readPago(db, id))!;
};
const completar = async (folio: string, datos: { total: string; fecha?: string; claveRastreo?: string }) => {
  const { id, version } = await pagoDe(folio);
  await tx((trx) =>
    savePago(trx, { id, version, folio, fecha: null, claveRastreo: null, banco: null, ...datos }, ana.id),
  );
};
const pesos = (importe: { toString(): string } | null) => importe && String(importe);

describe('a payment against the invoices it pays', () => {
  test('pays the invoices of its supplier in its sales; what is left is told, by row, in the foot and by week', async () => {
    const [una, otra] = [await buildOrden(db), await buildOrden(db)];
    await facturar(una.id, '1000.00');
    await facturar(otra.id, '450.50');
    await facturar(otra.id, '99.00', 'ct');
    const folio = folioNuevo();
    await guardar(una.id, { folio, otras: otra.numOrden, archivos: [file('a.pdf', pdf(folio))] });
    expect(pesos((await pagoDe(folio)).restante)).toBeNull();
    await completar(folio, { total: '1500.00', fecha: '2026-11-18' });
    const pago = await pagoDe(folio);
    expect([pesos(pago.aplicado), pesos(pago.restante)]).toEqual(['1450.50', '49.50']);
    const filtro = pagosList.parse(new URLSearchParams(`q=${folio}`));
    const { filas, totales } = await pagosList.whole(db, filtro, null);
    expect(filas.map(({ restante, ordenes, archivos }) => [pesos(restante), ordenes, archivos])).toEqual([
      ['49.50', 2, 1],
    ]);
    expect(toWire(totales)).toMatchObject({ total: '1500.00', aplicado: '1450.50', restante: '49.50' });
    const semanas = await semanasOfPagos(db, pagosList.parse(new URLSearchParams('proveedor=syscom')));
    expect(semanas.find(({ semana }) => semana === '2026-11-16')).toMatchObject({ label: 'Syscom', pagos: 1 });
  });

  test('two payments of one sale say how much of each is of it, and until then it is told', async () => {
    const { id } = await buildOrden(db);
    await facturar(id, '1000.00');
    const [anticipo, resto] = [folioNuevo(), folioNuevo()];
    for (const folio of [anticipo, resto]) {
      await guardar(id, { folio, archivos: [file('a.pdf', pdf(folio))] });
      await completar(folio, { total: folio === anticipo ? '600.00' : '400.00' });
    }
    expect((await pagoDe(anticipo)).ordenes).toMatchObject([{ compartida: true }]);
    const visto = await pagoDe(anticipo);
    await tx((trx) => saveMonto(trx, { id: visto.id, version: visto.version, ordenId: id, monto: '600.00' }, ana.id));
    for (const folio of [anticipo, resto]) {
      const pago = await pagoDe(folio);
      expect([pesos(pago.restante), pago.ordenes[0]!.compartida]).toEqual(['0.00', false]);
    }
  });

  test('a tracking key is of one transfer, and a payment of no sale can be deleted', async () => {
    const { id } = await buildOrden(db);
    const [uno, otro] = [folioNuevo(), folioNuevo()];
    for (const folio of [uno, otro]) await guardar(id, { folio, archivos: [file('a.pdf', pdf(folio))] });
    const claveRastreo = `CLAVE${Date.now()}`;
    await completar(uno, { total: '10.00', claveRastreo });
    await expect(completar(otro, { total: '10.00', claveRastreo: claveRastreo.toLowerCase() })).rejects.toMatchObject({
      campo: 'claveRastreo',
    });
    expect(JSON.stringify(await search(db, BUSCADORES, claveRastreo))).toContain(
      `pagosProveedores?ver=${(await pagoDe(uno)).id}`,
    );
    const visto = await pagoDe(otro);
    await expect(tx((trx) => deletePago(trx, visto, ana.id))).rejects.toThrow(/todavía es de una orden/);
    await tx((trx) => removeOrden(trx, { ...visto, ordenId: id }, ana.id));
    const sinOrden = await pagoDe(otro);
    await tx((trx) => addOrdenes(trx, { ...sinOrden, otras: '2000000000000000' }, ana.id)).catch((error: unknown) =>
      expect(String(error)).toMatch(/No existe la orden/),
    );
    await tx((trx) => deletePago(trx, sinOrden, ana.id));
    expect((await abierta(id)).lasPagan.map(({ folio }) => folio)).toEqual([uno]);
  });
});

test('what a supplier invoiced a week ago and nobody paid waits in Hoy until it is paid', async () => {
  const { id, numOrden } = await buildOrden(db);
  const ahora = new Date();
  const { id: pedidoId } = await db
    .insertInto('pedido')
    .values({ market: 'ml', numOrden, proveedor: 'syscom', via: 'correo' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('pedidoLinea')
    .values({ pedidoId, posicion: 1, ordenId: id, idProveedor: '1', descripcion: 'Cámara', cantidad: 1 })
    .execute();
  for (const estado of ['enviando', 'confirmado', 'facturado'] as const)
    await db.updateTable('pedido').set({ estado }).where('id', '=', pedidoId).execute();
  const facturadoHace = (dias: number) =>
    db
      .updateTable('pedido')
      .set({ facturaEn: new Date(ahora.getTime() - dias * 86_400_000) })
      .where('id', '=', pedidoId)
      .execute();
  const espera = async () =>
    (await pedidosSinPago.mira(db, { ahora, limite: 50, aparte: [], quien: { id: ana.id, rol: 'admin' } })).total;
  await facturadoHace(6);
  expect(await espera()).toBe(0);
  await facturadoHace(8);
  expect(await espera()).toBe(1);
  await guardar(id, { folio: folioNuevo(), archivos: [file('a.pdf', pdf())] });
  expect(await espera()).toBe(0);
});
