import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Usuario } from '~/core/usuario';
import { readMostrado } from '~/core/choque';
import { Stale } from '~/core/errors';
import { addDays, civilDay } from '~/core/time';
import { EFFECTS } from '~/domain/operacion/effectCatalog.server';
import { readCronologia } from '~/domain/ventas/ordenes/cronologia.server';
import { readOrden } from '~/domain/ventas/ordenes/detalleOrden.server';
import { MAX_CONCEPTOS } from '~/domain/compras/facturas/internal/cfdiRecibido';
import {
  applyReparto,
  discardCfdi,
  listCfdisPendientes,
  readCfdisPropuestos,
  receiveCfdis,
} from '~/domain/compras/facturas/cfdis.server';
import { MAX_ARCHIVOS, MAX_XML, type Recibidos } from '~/platform/files/xmlSubidos.server';
import {
  askFactura,
  createProveedorFactura,
  deleteProveedorFactura,
  readFacturasOfOrden,
  updateProveedorFactura,
  YA_EXISTE,
} from '~/domain/compras/facturas/proveedorFacturas.server';
import type { CfdiPropuesto } from '~/domain/compras/facturas/cfdis.server';
import { listProveedores, saveProveedor } from '~/domain/compras/directorio/proveedores.server';
import type { Trx } from '~db/client.server';
import {
  buildOrdenDe,
  cfdiDeProveedor,
  linkNuestroRfc,
  NUESTRO_RFC,
  type CfdiSketch,
} from '../../../support/builders/proveedores';
import { buildPersona } from '../../../support/builders/ventas';
import { openTestDatabase, ownerDatabase, testDatabase } from '../../../support/db';

const { db } = testDatabase();
let ana: Usuario;
beforeAll(async () => {
  ana = await buildPersona(db);
  await linkNuestroRfc(db);
});

const tx = <T>(run: (trx: Trx) => Promise<T>) => db.transaction().execute(run);
const agregar = (ordenId: string, folio: string, monto = '10.00', cfdi?: string) =>
  tx((trx) => createProveedorFactura(trx, { ordenId, proveedor: 'syscom', folio, monto, cfdi }, ana.id));
const recibir = (...xml: (string | Buffer)[]) =>
  tx((trx) =>
    receiveCfdis(
      trx,
      xml.map((contenido, at) => ({ nombre: `${at}.xml`, contenido: Buffer.from(contenido) })),
      ana.id,
    ),
  );
const subir = async (sketch: CfdiSketch) => {
  const {
    leidos: [id],
  } = await recibir(cfdiDeProveedor(sketch));
  return (await readCfdisPropuestos(db, [id!]))[0]!;
};

test('another name for a supplier is written into all of its invoices, though it takes longer than a page may ask for', async () => {
  const { db: owner } = ownerDatabase();
  const { id } = await buildOrdenDe(db, [{ modelo: 'R1' }]);
  await agregar(id, 'R-1');
  await sql`create function tarda() returns trigger language plpgsql as $$ begin perform pg_sleep(0.6); return null; end $$`.execute(
    owner,
  );
  await sql`create trigger tarda after update on proveedor_factura for each statement execute function tarda()`.execute(
    owner,
  );
  const syscom = (await listProveedores(db)).find(({ value }) => value === 'syscom')!;
  const guardar = (label: string, version: number) =>
    openTestDatabase(undefined, { statementTimeoutMs: 300 })
      .db.transaction()
      .execute((trx) => saveProveedor(trx, { ...syscom, reglaFactura: 'guion', label, version }, ana.id));
  await guardar('Syscom del Norte', syscom.version);
  const { busqueda } = await db
    .selectFrom('proveedorFactura')
    .select('busqueda')
    .where('folio', '=', 'R-1')
    .executeTakeFirstOrThrow();
  expect(busqueda).toContain('syscom del norte');
  await sql`drop trigger tarda on proveedor_factura`.execute(owner);
  await guardar(syscom.label, syscom.version + 1);
});

describe('supplier invoices of a sale', () => {
  test('one folio once per sale, whatever its case; the same folio may cover another sale', async () => {
    const [una, otra] = [await buildOrdenDe(db, [{ modelo: 'A1' }]), await buildOrdenDe(db, [{ modelo: 'A1' }])];
    await agregar(una.id, 'FA/1');
    await agregar(otra.id, 'FA/1');
    await expect(agregar(una.id, 'fa/1')).rejects.toThrow(YA_EXISTE);
    expect((await readFacturasOfOrden(db, una.id))?.facturas).toMatchObject([
      { folio: 'FA/1', proveedorLabel: 'Syscom', nombre: ana.nombre },
    ]);
  });

  test('two people adding the same folio at once: one of them is told', async () => {
    const { id } = await buildOrdenDe(db, [{ modelo: 'A2' }]);
    const answers = await Promise.allSettled([agregar(id, 'F9'), agregar(id, 'F9')]);
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('a stale edit or delete is refused, and the story of the sale says who did what to which folio and amount, the invoice gone or not', async () => {
    const { id: ordenId } = await buildOrdenDe(db, [{ modelo: 'A3' }]);
    const { id } = await agregar(ordenId, 'F1', '1010.00');
    const edit = (version: number, monto: string) =>
      tx((trx) => updateProveedorFactura(trx, { id, version, proveedor: 'tvc', folio: 'F2', monto }, ana.id));
    await edit(1, '20.00');
    await expect(edit(1, '30.00')).rejects.toMatchObject({
      choque: { cambios: [{ campo: 'Monto', mio: '30.00', suyo: '20.00' }], marcas: { version: 2 } },
    });
    await expect(tx((trx) => deleteProveedorFactura(trx, { id, version: 1 }, ana.id))).rejects.toThrow(
      'F2, tvc, $20.00',
    );
    await tx((trx) => deleteProveedorFactura(trx, { id, version: 2 }, ana.id));
    expect((await readFacturasOfOrden(db, ordenId))?.facturas).toEqual([]);
    const lines = (await readCronologia(db, (await readOrden(db, ordenId))!, EFFECTS)).filter(({ titulo }) =>
      titulo.includes('factura de proveedor'),
    );
    expect(
      lines.map(({ titulo, detalle, quien, monto, en }) => [titulo, detalle, String(monto), quien, en instanceof Date]),
    ).toEqual([
      ['Se eliminó una factura de proveedor', 'Folio F2 · TVC', '20.00', 'Quien Factura', true],
      [
        'Se editó una factura de proveedor',
        'Folio F2 · TVC · Antes: folio F1, Syscom, $1,010.00',
        '20.00',
        'Quien Factura',
        true,
      ],
      ['Se agregó una factura de proveedor', 'Folio F1 · Syscom', '1010.00', 'Quien Factura', true],
    ]);
  });

  test('a sale or a supplier that does not exist is told', async () => {
    await expect(agregar(randomUUID(), 'F1')).rejects.toThrow('La orden no existe.');
    const { id } = await buildOrdenDe(db, [{ modelo: 'A4' }]);
    await expect(
      tx((trx) => createProveedorFactura(trx, { ordenId: id, proveedor: 'nadie', folio: 'F', monto: '1' }, ana.id)),
    ).rejects.toThrow('El proveedor no existe.');
  });
});

describe("a supplier's CFDI", () => {
  test('knows its supplier by RFC, its folio and its sale by model', async () => {
    const syscom = (await listProveedores(db)).find(({ value }) => value === 'syscom')!;
    await tx((trx) => saveProveedor(trx, { ...syscom, reglaFactura: 'guion', rfc: 'SSC840823JT3' }, ana.id));
    const orden = await buildOrdenDe(db, [{ modelo: 'DS-2CD1' }]);
    await buildOrdenDe(db, [{ modelo: 'DS-2CD1', proveedor: 'TVC' }]);
    const cfdi = await subir({
      serie: 'FA',
      folio: '77',
      total: '116.00',
      conceptos: [{ clave: 'DS-2CD1', descripcion: 'Cámara bala', importe: '100.00', iva: '16.00' }],
    });
    expect(cfdi).toMatchObject({
      proveedor: 'syscom',
      folio: 'FA77',
      restante: '116.00',
      propuesta: {
        filas: [{ ordenId: orden.id, numero: orden.numOrden, monto: '116.00', motivos: ['modelo'] }],
        sinOrden: [],
      },
    });
  });

  test('is divided over sales named by number, shipment and guide, all or nothing', async () => {
    const [a, b, c] = [
      await buildOrdenDe(db, [{ modelo: 'Q1' }]),
      await buildOrdenDe(db, [{ modelo: 'Q2' }], { envio: '43900000001' }),
      await buildOrdenDe(db, [{ modelo: 'Q3' }], { envio: '43900000002', guia: 'GUIA12345678' }),
    ];
    const cfdi = await subir({
      total: '600.00',
      conceptos: [
        { descripcion: `Pedido ${a.numOrden}`, importe: '100.00' },
        { descripcion: 'Envío 43900000001', importe: '200.00' },
        { descripcion: 'guía GUIA12345678', importe: '300.00' },
      ],
    });
    expect(cfdi.propuesta.filas.map(({ ordenId, monto }) => [ordenId, monto])).toEqual([
      [a.id, '100.00'],
      [b.id, '200.00'],
      [c.id, '300.00'],
    ]);
    const filas = cfdi.propuesta.filas.map(({ numero, monto }) => ({ orden: numero, monto }));
    const apply = (rows: typeof filas) =>
      tx((trx) =>
        applyReparto(
          trx,
          { cfdi: cfdi.id, huella: cfdi.visto.huella, mostrado, proveedor: 'syscom', folio: 'Z1', filas: rows },
          ana.id,
        ),
      );
    const mostrado = readMostrado(cfdi.visto.mostrado);
    await expect(apply([...filas, { orden: '999', monto: '1' }])).rejects.toThrow('No existe la orden 999.');
    await expect(apply(filas.map((fila) => ({ ...fila, monto: '300.00' })))).rejects.toThrow(
      'solo quedan $0.00 por repartir',
    );
    expect(await apply(filas)).toBe(3);
    // A page that still shows all of it to be divided decides nothing more.
    await expect(apply(filas)).rejects.toMatchObject({
      choque: {
        cambios: [
          { campo: 'Por repartir', mio: '$600.00', suyo: '$0.00' },
          { campo: 'Ordenes', suyo: '—' },
        ],
      },
    });
    expect((await listCfdisPendientes(db)).some(({ id }) => id === cfdi.id)).toBe(false);
    await expect(agregar(a.id, 'otro', '0.00', cfdi.id)).rejects.toThrow('Ese XML ya está en la orden.');
  });

  test('an invoice of another supplier than the sale’s is asked about, by one question with whatever else is asked', async () => {
    const una = await buildOrdenDe(db, [{ modelo: 'OTRO-1', proveedor: 'TVC' }]);
    const otra = await buildOrdenDe(db, [{ modelo: 'OTRO-2', proveedor: 'CT' }]);
    const ask = (ventas: string[], proveedor: string) => askFactura(db, { ventas, proveedor });
    expect(await ask([una.id], 'tvc')).toBeNull();
    expect(await ask([una.id], 'ct')).toEqual({
      titulo: 'Factura de otro proveedor',
      texto: `La venta ${una.numOrden} se le compra a TVC. ¿Su factura es de CT?`,
      hechos: `venta ${una.numOrden} · TVC.`,
    });
    expect((await ask([una.numOrden, otra.numOrden], 'syscom'))?.texto).toBe(
      '2 ventas se le compran a otros proveedores. ¿Su factura es de Syscom?',
    );
    // What was bought elsewhere is no surprise, nor is a sale of which nobody knows its supplier.
    await tx((trx) =>
      createProveedorFactura(trx, { ordenId: una.id, proveedor: 'ct', folio: 'OTRO', monto: '100.00' }, ana.id),
    );
    expect(await ask([una.id], 'ct')).toBeNull();
    const suelta = await buildOrdenDe(db, [{ modelo: 'OTRO-3', proveedor: 'nadie' }]);
    expect(await ask([suelta.id], 'ct')).toBeNull();
    const { leidos } = await recibir(cfdiDeProveedor({ rfc: 'CVA010101AB1', folio: '77' }));
    const ambas = await askFactura(db, { ventas: [otra.id], proveedor: 'cva', cfdi: leidos[0]! });
    expect(ambas?.titulo).toBe('Factura de otro proveedor');
    expect(ambas?.texto).toMatch(/¿Su factura es de CVA\? .*¿Es el RFC de CVA\?/);
  });

  test('the same document twice is one; a supplier without RFC learns it from the first that a person says is theirs', async () => {
    const uuid = randomUUID();
    const xml = cfdiDeProveedor({ uuid, rfc: 'TVC010101AB1', folio: '5' });
    const first = await recibir(xml);
    expect(await recibir(xml, cfdiDeProveedor({ uuid: uuid.toUpperCase(), rfc: 'TVC010101AB1', folio: '5' }))).toEqual({
      leidos: [first.leidos[0], first.leidos[0]],
      rechazados: [],
      facturas: first.leidos,
      notas: [],
      complementos: [],
    });
    const { id } = await buildOrdenDe(db, [{ modelo: 'B1', proveedor: 'TVC' }]);
    const factura = { ordenId: id, proveedor: 'tvc', folio: 'A5', monto: '116.00', cfdi: first.leidos[0] };
    const tvc = async () => (await listProveedores(db)).find(({ value }) => value === 'tvc');
    await expect(tx((trx) => createProveedorFactura(trx, factura, ana.id))).rejects.toThrow(
      'Falta confirmar que TVC010101AB1 es el RFC de TVC.',
    );
    expect((await tvc())?.rfc).toBeNull();
    expect((await askFactura(db, { ...factura, ventas: [id] }))?.texto).toContain('¿Es el RFC de TVC?');
    const creada = await tx((trx) => createProveedorFactura(trx, factura, ana.id, { rfc: true }));
    expect(await askFactura(db, { ...factura, ventas: [id] })).toBeNull();
    // It is to be paid from the day of its document, not from the day that somebody wrote it down.
    const { emitida, fecha } = await db
      .selectFrom('proveedorFactura')
      .innerJoin('proveedorCfdi', 'proveedorCfdi.id', 'proveedorFactura.cfdiId')
      .select(['proveedorFactura.emitida', 'proveedorCfdi.fecha'])
      .where('proveedorFactura.id', '=', creada.id)
      .executeTakeFirstOrThrow();
    expect(emitida).toBe(civilDay(fecha));
    // From here on neither another's document is theirs, nor theirs another's, also when an invoice is corrected.
    const ajena = (await recibir(cfdiDeProveedor({ rfc: 'XYZ010101AB1', folio: '7' }))).leidos[0];
    const yes = { rfc: true };
    await expect(
      tx((trx) => createProveedorFactura(trx, { ...factura, folio: 'A7', cfdi: ajena }, ana.id, yes)),
    ).rejects.toThrow('La factura la emitió XYZ010101AB1 y el RFC de TVC es TVC010101AB1.');
    const otra = {
      ordenId: (await buildOrdenDe(db, [{ modelo: 'B2' }])).id,
      proveedor: 'cva',
      folio: 'A5',
      monto: '0.00',
    };
    await expect(
      tx((trx) => createProveedorFactura(trx, { ...otra, cfdi: first.leidos[0] }, ana.id, yes)),
    ).rejects.toThrow('La factura la emitió TVC010101AB1, que es TVC.');
    await expect(
      tx((trx) =>
        updateProveedorFactura(
          trx,
          { id: creada.id, version: 1, proveedor: 'cva', folio: 'A5', monto: '1.00' },
          ana.id,
        ),
      ),
    ).rejects.toThrow('que es TVC.');
    expect((await listProveedores(db)).find(({ value }) => value === 'tvc')?.rfc).toBe('TVC010101AB1');
    expect((await subir({ rfc: 'TVC010101AB1', folio: '6' })).proveedor).toBe('tvc');
  });

  test('whose receiver is another company is not ours; without a linked company nothing is', async () => {
    const answer = await recibir(cfdiDeProveedor({ receptor: 'XAXX010101000' }), cfdiDeProveedor());
    expect(answer).toMatchObject({
      leidos: [expect.any(String)],
      rechazados: [
        {
          nombre: '0.xml',
          motivo: expect.stringContaining(`Está a nombre de XAXX010101000 y no de ${NUESTRO_RFC}`) as string,
        },
      ],
    });
    await db.deleteFrom('credential').execute();
    await expect(recibir(cfdiDeProveedor())).rejects.toThrow('falta vincular factura.com');
    await linkNuestroRfc(db);
  });

  test('in dollars is read in pesos', async () => {
    expect(String((await subir({ moneda: 'USD', tipoCambio: '18.5000', total: '10.00' })).total)).toBe('185.00');
    expect((await recibir(cfdiDeProveedor({ moneda: 'USD' }))).rechazados).toMatchObject([
      { motivo: 'Está en USD y no dice su tipo de cambio.' },
    ]);
  });

  const caso = (name: string) => readFileSync(new URL(`../../../casos/${name}`, import.meta.url), 'utf8');
  /** The document as the proposal divides it: each line with its amount. */
  const divided = async (xml: string) => {
    const { leidos, rechazados } = await recibir(xml);
    expect(rechazados).toEqual([]);
    const [{ propuesta }] = (await readCfdisPropuestos(db, leidos)) as [CfdiPropuesto];
    return Object.fromEntries([
      ...propuesta.filas.map(({ ordenId, monto }) => [ordenId, monto]),
      ...propuesta.sinOrden.map(({ descripcion, monto }) => [descripcion, monto]),
    ]) as Record<string, string>;
  };

  test('is divided by what each line costs: its amount less its discount, with its taxes and without those withheld', async () => {
    const [uno, otro] = [
      await buildOrdenDe(db, [{ modelo: 'MOD-A1' }]),
      await buildOrdenDe(db, [{ modelo: 'MOD-B2' }]),
    ];
    const xml = caso('03-cfdi-descuento.xml');
    expect(await divided(xml)).toEqual({ [uno.id]: '580.00', [otro.id]: '1160.00' });
    // Its brothers, of lines nobody waits for: a line for nothing, taxes withheld, and a rate of its own.
    const hermano = (n: number, de: string, a: string, total: string) =>
      xml
        .replace('59D9DD44', `59D9DD4${n}`)
        .replaceAll('MOD-', 'ZZ-')
        .replace('Total="1740.00"', `Total="${total}"`)
        .replace(de, a);
    const todo = hermano(5, 'Descuento="500.00" ObjetoImp="02"', 'Descuento="1000.00" ObjetoImp="02"', '1240.00');
    expect(await divided(todo.replace('Importe="80.00"', 'Importe="0.00"'))).toEqual({
      'Camara A1': '0.00',
      'Grabador B2': '1240.00',
    });
    const retenida =
      '</cfdi:Traslados><cfdi:Retenciones><cfdi:Retencion Base="500.00" Impuesto="001" TipoFactor="Tasa" TasaOCuota="0.2" Importe="100.00"/></cfdi:Retenciones>';
    expect(await divided(hermano(6, '</cfdi:Traslados>', retenida, '1640.00'))).toEqual({
      'Camara A1': '480.00',
      'Grabador B2': '1160.00',
    });
    expect(await divided(hermano(7, 'Importe="160.00"', 'Importe="80.00"', '1660.00'))).toEqual({
      'Camara A1': '580.00',
      'Grabador B2': '1080.00',
    });
  });

  test('is read whatever wraps it, of which nothing is resolved', async () => {
    const wrapped = caso('11-cfdi-addenda-prefijo.xml');
    const files = [wrapped, caso('11c-cfdi-blancos-antes.xml')];
    const addendas = [
      '<cfdi:Addenda><![CDATA[<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>]]></cfdi:Addenda>',
      '<cfdi:Addenda>&nada; <sin:cerrar></cfdi:Addenda >',
      '<cfdi:Addenda><cfdi:Addenda xmlns:cfdi="urn:otra"/></cfdi:Addenda>',
      '<!-- <cfdi:Addenda> --><cfdi:Addenda/>',
    ];
    addendas.forEach((addenda, n) => {
      const suya = wrapped.replace(/<cfdi:Addenda>.*<\/cfdi:Addenda>/, addenda).replace('359F913D', `359F913${n}`);
      files.push(n % 2 === 0 ? suya : `\uFEFF\n\t ${suya}`);
    });
    expect((await recibir(...files)).rechazados).toEqual([]);
    const bomba = wrapped.replace('<cfdi:Comprobante', '<!DOCTYPE x [<!ENTITY a "b">]><cfdi:Comprobante');
    expect((await recibir(bomba)).rechazados[0]!.motivo).toContain('DOCTYPE');
  });

  test('discarded, it waits no more until it is uploaded again', async () => {
    const xml = cfdiDeProveedor({ folio: '900' });
    const {
      leidos: [id],
    } = await recibir(xml);
    const [{ visto }] = (await readCfdisPropuestos(db, [id!])) as [CfdiPropuesto];
    const discard = (huella: string) => tx((trx) => discardCfdi(trx, { cfdi: id!, huella, mostrado: {} }, ana.id));
    await expect(discard('la de antes')).rejects.toThrow(Stale);
    await discard(visto.huella);
    // Pressed twice it is discarded once.
    await discard(visto.huella);
    expect((await listCfdisPendientes(db)).some((cfdi) => cfdi.id === id)).toBe(false);
    expect((await recibir(xml)).leidos).toEqual([id]);
    expect((await listCfdisPendientes(db)).some((cfdi) => cfdi.id === id)).toBe(true);
  });

  test('what is no invoice, hides something or is too much is told by name, and stops no other', async () => {
    const good = cfdiDeProveedor();
    const laughs = `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol">${Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at} "${`&${at ? `l${at - 1}` : 'lol'};`.repeat(10)}">`).join('')}]><lolz>&l8;</lolz>`;
    const bad = {
      laughs,
      external: good.replace('?>', '?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>'),
      entity: good.replace('Cámara', '&e;'),
      nested: '<a>'.repeat(150_000),
      deep: '<a>'.repeat(14_000),
      half: good.slice(0, 900),
      many: `<a ${Array.from({ length: 40_000 }, (_, at) => `a${at}="1"`).join(' ')}/>`,
      attributes: `<a ${Array.from({ length: 24_000 }, (_, at) => `a${at}="1"`).join(' ')}/>`,
      carriage: cfdiDeProveedor({ tipo: 'T' }),
      amount: cfdiDeProveedor({ total: '1e9' }),
      empty: '',
      html: '<html></html>',
      old: good.replaceAll('cfd/4', 'cfd/3'),
      large: Buffer.alloc(MAX_XML + 1, 0x20),
      latin1: Buffer.from(good, 'latin1'),
      day: cfdiDeProveedor({ fecha: 'mañana' }),
      february: cfdiDeProveedor({ fecha: '2026-02-30T10:00:00' }),
      before: cfdiDeProveedor({ fecha: '2010-12-31T23:59:59' }),
      later: cfdiDeProveedor({ fecha: `${addDays(civilDay(new Date()), 4)}T00:00:00` }),
      year9999: cfdiDeProveedor({ fecha: '9999-12-31T10:00:00' }),
      uuid: cfdiDeProveedor({ uuid: 'no-es-un-uuid' }),
      rfc: cfdiDeProveedor({ rfc: 'SSC841323JT3' }),
      serie: cfdiDeProveedor({ serie: 'S'.repeat(26) }),
      folio: cfdiDeProveedor({ folio: '1'.repeat(41) }),
      clave: cfdiDeProveedor({ conceptos: [{ clave: 'C'.repeat(101), descripcion: 'x', importe: '1' }] }),
      word: cfdiDeProveedor({ conceptos: [{ descripcion: 'A1'.repeat(30_000), importe: '1' }] }),
      lines: cfdiDeProveedor({
        conceptos: Array.from({ length: MAX_CONCEPTOS + 1 }, () => ({ descripcion: 'x', importe: '1' })),
      }),
      none: cfdiDeProveedor({ conceptos: [] }),
      quantity: cfdiDeProveedor({ conceptos: [{ descripcion: 'x', importe: '1', cantidad: '0' }] }),
      rate: cfdiDeProveedor({ moneda: 'USD', tipoCambio: '0' }),
      highRate: cfdiDeProveedor({ moneda: 'USD', tipoCambio: '1000.01' }),
      inPesos: cfdiDeProveedor({ moneda: 'USD', tipoCambio: '18', total: '999999999999.99' }),
      tax: cfdiDeProveedor({ conceptos: [{ descripcion: 'x', importe: '1', iva: '1'.repeat(13) }] }),
      surrogate: cfdiDeProveedor({ folio: 'A' }).replace('Cámara', 'C&#xD800;mara'),
      nul: cfdiDeProveedor({ folio: 'A' }).replace('Cámara', 'C&#0;mara'),
    };
    const start = performance.now();
    const files = Object.entries(bad);
    const answer: Recibidos = { leidos: [], rechazados: [] };
    for (let from = 0; from < files.length; from += MAX_ARCHIVOS - 1) {
      const { leidos, rechazados } = await recibir(
        ...files.slice(from, from + MAX_ARCHIVOS - 1).map(([, file]) => file),
        good,
      );
      answer.leidos.push(...leidos);
      for (const { nombre, motivo } of rechazados)
        answer.rechazados.push({ nombre: `${from + Number.parseInt(nombre, 10)}.xml`, motivo });
    }
    expect(performance.now() - start).toBeLessThan(8_000);
    expect(new Set(answer.leidos).size).toBe(1);
    expect(answer.rechazados.map(({ nombre }) => Object.keys(bad)[Number.parseInt(nombre, 10)])).toEqual(
      Object.keys(bad),
    );
    expect(answer.rechazados.every(({ motivo }) => motivo.endsWith('.') && !motivo.includes('passwd'))).toBe(true);
  });

  test('what the database will not take of one file leaves the others kept', async () => {
    const { db: owner } = ownerDatabase();
    await sql`create function no_cabe() returns trigger language plpgsql as $$ begin if new.folio = 'AMALO' then raise exception using errcode = '22003'; end if; return new; end $$`.execute(
      owner,
    );
    await sql`create trigger no_cabe before insert on proveedor_cfdi for each row execute function no_cabe()`.execute(
      owner,
    );
    const answer = await recibir(cfdiDeProveedor(), cfdiDeProveedor({ folio: 'MALO' }), cfdiDeProveedor());
    expect(answer.leidos).toHaveLength(2);
    expect(answer.rechazados).toEqual([{ nombre: '1.xml', motivo: 'Tiene datos que no se pueden guardar.' }]);
    expect(await readCfdisPropuestos(db, answer.leidos)).toHaveLength(2);
    const { n } = await db
      .selectFrom('archivo')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('id', 'not in', (kept) => kept.selectFrom('proveedorCfdi').select('archivoId'))
      .executeTakeFirstOrThrow();
    expect(n).toBe(0);
    await sql`drop trigger no_cabe on proveedor_cfdi`.execute(owner);
  });

  test('one kept before with lines or a date that cannot be read stays on the screen beside the others', async () => {
    const [bad, old, good] = [await subir({ folio: 'L1' }), await subir({ folio: 'L2' }), await subir({ folio: 'L3' })];
    await sql`update proveedor_cfdi set conceptos = '[{"clave": "x", "descripcion": "y", "cantidad": "1e9", "bruto": "NaN"}]' where id = ${bad.id}`.execute(
      db,
    );
    await sql`update proveedor_cfdi set fecha = '9999-12-31T10:00:00Z' where id = ${old.id}`.execute(db);
    const shown = new Map((await listCfdisPendientes(db)).map((cfdi) => [cfdi.id, cfdi]));
    expect([bad, old, good].map(({ id }) => shown.get(id)?.ilegible)).toEqual([true, true, false]);
    await sql`update proveedor_cfdi set descartado_en = now() where id in (${bad.id}, ${old.id})`.execute(db);
  });

  test('a description of many sales and a document of many lines are divided in no time', async () => {
    const start = performance.now();
    const lines = Array.from({ length: MAX_CONCEPTOS }, (_, at) => ({
      descripcion: `Modelo AB${at} pedido 20000${at}`,
      importe: '1.00',
    }));
    expect((await subir({ total: '2000.00', conceptos: lines })).ilegible).toBe(false);
    expect(performance.now() - start).toBeLessThan(5_000);
  });

  test('more files than are read at once are told', async () => {
    const files = Array.from({ length: MAX_ARCHIVOS + 1 }, () => '<x/>');
    expect((await recibir(...files)).rechazados.at(-1)).toEqual({
      nombre: `${MAX_ARCHIVOS}.xml`,
      motivo: `Se leen ${MAX_ARCHIVOS} archivos a la vez.`,
    });
  });
});
