import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Usuario } from '~/domain/cuentas/usuario';
import { anotarCotizacion, readCotizacion } from '~/domain/pagos/cotizaciones.server';
import { guardarPagos } from '~/domain/pagos/guardar.server';
import { cotizacionesList, desdeElMesAnterior } from '~/domain/pagos/listCotizaciones.server';
import { SIN_ARCHIVO, SIN_FOLIO } from '~/domain/pagos/pago';
import type { PagosDeOrden } from '~/domain/pagos/pagoForm';
import { app1, cep, exifConLugar, jpeg, pdf } from '../../support/builders/archivos';
import { buildOrden } from '../../support/builders/ordenes';
import { buildPersona } from '../../support/builders/ventas';
import { testDatabase } from '../../support/db';

const { db } = testDatabase();
let ana: Usuario;
beforeAll(async () => {
  ana = await buildPersona(db, 'admin');
});

const file = (nombre: string, contenido: Buffer) => new File([new Uint8Array(contenido)], nombre);
const guardar = (ordenId: string, form: Partial<PagosDeOrden>) =>
  guardarPagos(
    db,
    { ordenId, proveedor: 'syscom', folios: [], folio: null, otras: null, archivos: [], ...form },
    ana.id,
  );
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

  test('begins on the first day of the month before', () => {
    expect(desdeElMesAnterior(new Date('2027-01-15T18:00:00Z'))).toEqual({ desde: '2026-12-01', hasta: '2027-01-15' });
  });
});

describe('the folio of a quotation', () => {
  test('is typed where no order tells it, and is found by it', async () => {
    const { id } = await buildOrden(db);
    const folio = `COT-${randomUUID().slice(0, 8)}`;
    const anotar = (folio: string | null, version: number) =>
      db.transaction().execute((trx) => anotarCotizacion(trx, { ordenId: id, folio, version }, ana.id));
    await anotar(folio, 0);
    expect(await abierta(id)).toMatchObject({ cotizacion: folio, delPedido: false, escrita: { folio, version: 1 } });
    await expect(anotar('OTRA', 0)).rejects.toThrow(/Otra persona/);
    await anotar(null, 1);
    await expect(anotar('OTRA', 1)).rejects.toThrow(/Otra persona/);
    expect((await abierta(id)).cotizacion).toBeNull();
  });
});
