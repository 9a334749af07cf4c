import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { sql } from 'kysely';
import * as xlsx from 'xlsx';
import { beforeAll, describe, expect, test } from 'vitest';
import { changeEstado, sellPieza } from '~/domain/compras/stock/piezas.server';
import { runExport } from '~/domain/operacion/exports/runExport.server';
import { EXPEDIENTE, streamExpediente, streamPrepared } from '~/domain/operacion/expediente.server';
import { createNombres, parteSegura } from '~/domain/operacion/internal/expediente/nombres';
import { exportsOf, requestExport } from '~/platform/lists/exportRuns.server';
import { streamZip, type Entrada } from '~/platform/files/zip.server';
import type { Usuario } from '~/core/usuario';
import { buildProbada } from '../../support/builders/expediente';
import { buildFactura } from '../../support/builders/facturas';
import { buildOrden, claimOrden } from '../../support/builders/ordenes';
import { openProveedores } from '../../support/builders/pedidos';
import { linkNuestroRfc } from '../../support/builders/proveedores';
import { buildPiezas } from '../../support/builders/stock';
import { buildPersona } from '../../support/builders/ventas';
import { testDatabase } from '../../support/db';
import { startTestSandbox } from '../../support/sandbox';
import { unzip, unzipBytes } from '../../support/unzip';

const sandbox = await startTestSandbox();
const { db } = testDatabase();
let quien: Usuario;
let probada: Awaited<ReturnType<typeof buildProbada>>;

beforeAll(async () => {
  quien = await buildPersona(db, 'cont');
  await openProveedores(db, sandbox, ['syscom']);
  await linkNuestroRfc(db);
  probada = await buildProbada(db, sandbox, quien.id);
}, 120_000);

const open = async (facturaId: string) => buffer((await streamExpediente(db, facturaId, quien.id))!.contenido);
const filesOf = async (facturaId: string) => unzip(await open(facturaId));

/** What the index says is missing, each thing once. */
const faltas = (indice: string) =>
  [...indice.matchAll(/<span class="(falta|fuera)">falta: (.*?)\.<\/span>/g)].map(
    ([, clase, que]) => `${clase}: ${que}`,
  );

describe('the expediente of a CFDI', () => {
  test('holds every paper of its sale under its number, and the index leads to each', async () => {
    const files = await filesOf(probada.factura.id);
    const { numOrden: n, factura, cancelada, nota } = probada;
    const guia = Object.keys(files).find((name) => name.includes('guía'));
    expect(Object.keys(files)).toEqual([
      guia,
      `${n}/${n} CFDI proveedor Syscom A-1001.xml`,
      `${n}/${n} pago P-A-1001 cep.xml`,
      `${n}/${n} factura FC-${cancelada.folio}.xml`,
      `${n}/${n} factura FC-${cancelada.folio}.pdf`,
      `${n}/${n} factura F-${factura.folio}.xml`,
      `${n}/${n} factura F-${factura.folio}.pdf`,
      `${n}/${n} nota de crédito NC-${nota.folio}.xml`,
      `${n}/${n} nota de crédito NC-${nota.folio}.pdf`,
      `${n}/${n} acuse de cancelación FC-${cancelada.folio}.xml`,
      `${n}/${n} venta.html`,
      'indice.html',
      'indice.xlsx',
    ]);
    expect(files[`${n}/${n} factura F-${factura.folio}.xml`]).toContain(factura.uuid);
    expect(files[`${n}/${n} acuse de cancelación FC-${cancelada.folio}.xml`]).toContain(cancelada.uuid);
    expect(files[guia!]).toContain('%PDF');
    const indice = files['indice.html']!;
    // A page has one body, and everything lies in it.
    for (const pagina of Object.entries(files).flatMap(([nombre, texto]) => (nombre.endsWith('.html') ? [texto] : [])))
      expect(pagina.match(/<\/?(?:html|head|body)\b/g)).toEqual([
        '<html',
        '<head',
        '</head',
        '<body',
        '</body',
        '</html',
      ]);
    for (const name of Object.keys(files).filter((one) => !one.startsWith('indice')))
      expect(indice, name).toContain(`href="${name.split('/').map(encodeURIComponent).join('/')}"`);
    expect(indice).toContain('1 venta completa');
    expect(indice).toContain('Entregado · según Mercado Libre · el 15/10/2026 12:00');
    // Neither is ever kept, and both are named all the same.
    expect(faltas(indice)).toEqual(['fuera: conversación de la venta']);
  });

  test('tells the sale: lines, payments, settlement, steps, order, messages', async () => {
    const { numOrden: n } = probada;
    const ficha = (await filesOf(probada.factura.id))[`${n}/${n} venta.html`]!;
    for (const dicho of [
      'JUANA',
      '$1,298.00',
      '-$70.00',
      'Depósito',
      'María Demo',
      'Folio del proveedor: SY-A-1001',
      '¿Sirve? Llegó bien',
      'Sí, sirve.',
      'No era lo que pidió',
      '<td>Comprador</td><td>Llegó bien</td>',
      '<td>Envío</td><td>Enviado</td><td>Entregado</td>',
    ])
      expect(ficha, dicho).toContain(dicho);
    expect(ficha).not.toContain('<script');
  });

  test('names what is missing of a bare sale, each with how to get it', async () => {
    const orden = await buildOrden(db);
    const factura = await buildFactura(db, { numOrden: orden.numOrden, conPdf: false });
    await claimOrden(db, orden.id, factura);
    const indice = (await filesOf(factura.id))['indice.html']!;
    expect(faltas(indice)).toEqual([
      'falta: liquidación de Mercado Libre',
      'falta: número de guía',
      'falta: prueba de entrega',
      'falta: pedido al proveedor',
      'falta: CFDI del proveedor',
      'falta: pago al proveedor',
      `falta: PDF de F-${factura.folio}`,
      'fuera: conversación de la venta',
    ]);
    expect(indice).toContain('0 ventas completas');
    expect(indice).toContain('pide el XML al proveedor y súbelo en Facturas de proveedores.');
    expect(indice).toContain(`https://www.mercadolibre.com.mx/ventas/${orden.numOrden}/detalle`);
  });

  test.each<[string, string, (ordenId: string) => Promise<unknown>]>([
    [
      'an invoice of a supplier without its XML',
      'CFDI del proveedor (factura Z-9 de Syscom)',
      (id) =>
        sql`insert into proveedor_factura (orden_id, proveedor, folio, monto) values (${id}, 'syscom', 'Z-9', 10)`.execute(
          db,
        ),
    ],
    [
      'an invoice of a supplier that nobody paid',
      'pago al proveedor ($10.00 de la factura Z-8 de Syscom)',
      (id) =>
        sql`insert into proveedor_factura (orden_id, proveedor, folio, monto) values (${id}, 'syscom', 'Z-8', 10)`.execute(
          db,
        ),
    ],
    [
      'a payment without its receipt',
      'comprobante del pago SIN-PAPEL a Syscom',
      (id) =>
        sql`with p as (insert into pago (proveedor, folio) values ('syscom', 'SIN-PAPEL') returning id) insert into pago_orden (pago_id, orden_id) select id, ${id} from p`.execute(
          db,
        ),
    ],
    [
      'a label whose file was retired',
      'archivo de la guía 777',
      (id) =>
        sql`insert into guia (envio_id, sha256, numero, paqueteria) select envio_id, '\\x01', '777', 'DHL' from orden where id = ${id}`.execute(
          db,
        ),
    ],
    [
      'a settlement that no deposit paid',
      'depósito que pagó esta venta',
      (id) =>
        sql`with r as (insert into liquidacion_reporte (market, cuenta, clave, estado, desde, hasta) values ('ml', 'c', 'r-sin', 'leido', now() - interval '1 day', now()) returning id)
          insert into movimiento (market, clave, reporte_id, posicion, orden_id, concepto, importe, fecha, detalle) select 'ml', 'm-sin', id, 1, ${id}, 'venta', 5, now(), 'x' from r`.execute(
          db,
        ),
    ],
    [
      'more charged than stayed paid',
      'nota de crédito por $1,298.00',
      async (id) => {
        await sql`update factura_orden set importe = 1298 where orden_id = ${id}`.execute(db);
        await sql`update orden set clase = 'devuelta', situacion = 'devuelta' where id = ${id}`.execute(db);
        await sql`update libro_venta set cobrado = 1298, pagado = 0 where orden_id = ${id}`.execute(db);
      },
    ],
    [
      'an order that its supplier gave no folio',
      'folio de Syscom del pedido TR-',
      (id) =>
        sql`with p as (insert into pedido (market, num_orden, proveedor, via) select market, num_orden, 'syscom', 'correo' from orden where id = ${id} returning id)
          insert into pedido_linea (pedido_id, posicion, orden_id, id_proveedor, descripcion, cantidad) select id, 0, ${id}, 'X-1', 'Cámara', 1 from p`.execute(
          db,
        ),
    ],
    [
      'a credit note that is on its way',
      'nota de crédito en trámite',
      (id) =>
        sql`insert into nota_credito_orden (factura_id, orden_id, effect_id, importe)
          select f.id, ${id}, f.effect_id, 5 from factura f join factura_orden o on o.factura_id = f.id where o.orden_id = ${id}`.execute(
          db,
        ),
    ],
    [
      'a cancellation that the SAT did not answer',
      'respuesta del SAT a la cancelación de',
      (id) =>
        sql`insert into cancelacion (factura_id, effect_id, motivo, estado)
          select f.id, f.effect_id, '02', 'enProceso' from factura f join factura_orden o on o.factura_id = f.id where o.orden_id = ${id}`.execute(
          db,
        ),
    ],
    [
      'a cancelled document without its receipt',
      'acuse de cancelación de',
      (id) =>
        sql`update factura set estatus = 'cancelada', cancelada_en = now() where id in (select factura_id from factura_orden where orden_id = ${id})`.execute(
          db,
        ),
    ],
  ])('names %s', async (_, que, make) => {
    const orden = await buildOrden(db);
    const factura = await buildFactura(db, { numOrden: orden.numOrden });
    await claimOrden(db, orden.id, factura);
    await make(orden.id);
    expect(faltas((await filesOf(factura.id))['indice.html']!).join('\n')).toContain(`falta: ${que}`);
  });

  test.each<[string, (ordenId: string) => Promise<unknown>, string[], string]>([
    [
      'from the warehouse of the marketplace no label is missing',
      (id) =>
        sql`update envio set tipo_logistico = 'fulfillment' where id = (select envio_id from orden where id = ${id})`.execute(
          db,
        ),
      ['número de guía'],
      'La venta sale del almacén de Mercado Libre.',
    ],
    [
      'that was cancelled lacks neither label, delivery nor purchase',
      (id) => sql`update orden set clase = 'cancelada', estatus = 'cancelado' where id = ${id}`.execute(db),
      ['número de guía', 'prueba de entrega', 'pedido al proveedor', 'CFDI del proveedor', 'pago al proveedor'],
      'La venta no se sostuvo',
    ],
    [
      'whose delivery was agreed with its buyer has no label',
      (id) => sql`update orden set acordada = true, envio_id = null where id = ${id}`.execute(db),
      ['número de guía', 'envío de la venta'],
      'Entrega acordada: no lleva guía.',
    ],
  ])('of a sale %s', async (_, make, sin, dice) => {
    const orden = await buildOrden(db);
    const factura = await buildFactura(db, { numOrden: orden.numOrden });
    await claimOrden(db, orden.id, factura);
    await make(orden.id);
    const indice = (await filesOf(factura.id))['indice.html']!;
    for (const que of sin) expect(faltas(indice)).not.toContain(`falta: ${que}`);
    expect(indice).toContain(dice);
  });

  test('of a sale that left from our own stock, the purchase is that of the piece', async () => {
    const orden = await buildOrden(db);
    const factura = await buildFactura(db, { numOrden: orden.numOrden });
    await claimOrden(db, orden.id, factura);
    const devuelta = await buildOrden(db, { clase: 'devuelta' });
    const [pieza] = await buildPiezas(db, quien.id, { orden: devuelta.id });
    await db.transaction().execute(async (trx) => {
      const vista = { id: pieza!.id, version: pieza!.version };
      await changeEstado(trx, { ...vista, estado: 'disponible' }, quien.id);
      const { version } = await trx
        .selectFrom('stockInterno')
        .select('version')
        .where('id', '=', pieza!.id)
        .executeTakeFirstOrThrow();
      await sellPieza(trx, { id: pieza!.id, version, venta: orden.numOrden }, quien.id);
    });
    const indice = (await filesOf(factura.id))['indice.html']!;
    expect(indice).toContain(`Salió del stock interno: pieza ${pieza!.folio}`);
    expect(faltas(indice)).toContain(`falta: factura de compra de la pieza ${pieza!.folio}`);
    for (const que of ['pedido al proveedor', 'CFDI del proveedor', 'pago al proveedor'])
      expect(faltas(indice)).not.toContain(`falta: ${que}`);
  });

  test('holds nothing of another sale, and of a stranger nothing runs', async () => {
    const hostil = '"><script>alert(1)</script><img src=x onerror=alert(2)>';
    const otra = await buildProbada(db, sandbox, quien.id, {
      titulo: hostil,
      comprador: `C${hostil}`,
      folio: '../../..\\etc/passwd',
      mensaje: `M${hostil}`,
      n: 1,
    });
    const files = await filesOf(otra.factura.id);
    for (const [name, text] of Object.entries(files)) {
      expect(name.startsWith(`${otra.numOrden}/${otra.numOrden} `) || name.startsWith('indice.')).toBe(true);
      expect(name.split('/').some((part) => part === '..' || part === '.' || part === '')).toBe(false);
      expect(name).not.toMatch(/[\\:*?"<>|]/);
      expect(text, name).not.toContain(probada.numOrden);
      if (name.endsWith('.html')) {
        expect(text).not.toMatch(/<script|<img|onerror=alert\(2\)>/);
        expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
      }
    }
    expect(Object.values(await filesOf(probada.factura.id)).join()).not.toContain(otra.numOrden);
  });

  test('tells the same in the sheet, where no text is a formula', async () => {
    const orden = await buildOrden(db, { titulo: '=HYPERLINK("http://malo.test")' });
    const factura = await buildFactura(db, { numOrden: orden.numOrden });
    await claimOrden(db, orden.id, factura);
    const { Sheets } = xlsx.read(unzipBytes(await open(factura.id))['indice.xlsx']!);
    const [fila] = xlsx.utils.sheet_to_json<Record<string, unknown>>(Sheets['Expediente']!);
    expect(fila).toMatchObject({
      'No. Orden': orden.numOrden,
      Título: '=HYPERLINK("http://malo.test")',
      Guía: 'Falta',
      'CFDI del cliente': 'Está',
      Mensajes: 'No se guarda aquí',
      Carpeta: orden.numOrden,
    });
    expect(fila!['Qué falta']).toContain('falta: CFDI del proveedor.');
    expect(Object.values(Sheets['Expediente']!).some((cell) => (cell as xlsx.CellObject).f)).toBe(false);
  });

  test('of a global has each sale, and the global once', async () => {
    const [una, otra] = [await buildOrden(db), await buildOrden(db)];
    const global = await buildFactura(db, { tipo: 'global', serie: 'G', numOrden: null });
    await claimOrden(db, una.id, global);
    await claimOrden(db, otra.id, global);
    const files = Object.keys(await filesOf(global.id));
    expect(files.filter((name) => name.endsWith('venta.html'))).toHaveLength(2);
    expect(files.filter((name) => name.startsWith('G-'))).toEqual(
      ['xml', 'pdf'].map((tipo) => `G-${global.folio} factura global/factura global G-${global.folio}.${tipo}`),
    );
  });

  test('of a document without a sale says so, and has the document', async () => {
    const factura = await buildFactura(db);
    const files = await filesOf(factura.id);
    expect(files['indice.html']).toContain('falta: la venta.');
    expect(Object.keys(files)).toHaveLength(4);
  });

  test('is told to the audit trail with who took it; of no document there is none', async () => {
    await open(probada.factura.id);
    expect(
      await db
        .selectFrom('bitacora')
        .select(['usuarioId', 'datos'])
        .where('entidad', '=', 'factura')
        .where('entidadId', '=', probada.factura.id)
        .where('accion', '=', 'descargar expediente')
        .orderBy('id', 'desc')
        .limit(1)
        .execute(),
    ).toEqual([{ usuarioId: quien.id, datos: { ventas: 1 } }]);
    expect(await streamExpediente(db, 'no-es-un-id', quien.id)).toBeUndefined();
    expect(await streamExpediente(db, '019a0000-0000-7000-8000-000000000000', quien.id)).toBeUndefined();
  });
});

describe('the expediente of a month', () => {
  const prepare = async (mes: string) => {
    const id = await db
      .transaction()
      .execute((trx) => requestExport(trx, { lista: EXPEDIENTE, search: mes, usuarioId: quien.id }));
    await runExport(db, id, { lastAttempt: true });
    return id;
  };

  test('has the sales of the month that Balance fiscal counts, and no other', async () => {
    const mes = async (fecha: string, marketStatus = 'paid', clase: 'normal' | 'cancelada' = 'normal') =>
      (await buildOrden(db, { fechaCreacion: new Date(fecha), marketStatus, clase })).numOrden;
    const suyas = [await mes('2026-03-01T07:00:00Z'), await mes('2026-04-01T05:00:00Z')];
    const otras = [
      await mes('2026-03-01T05:00:00Z'),
      await mes('2026-04-01T07:00:00Z'),
      await mes('2026-03-10T07:00:00Z', 'cancelled', 'cancelada'),
    ];
    const id = await prepare('2026-03');
    expect((await exportsOf(db, quien.id, EXPEDIENTE))[0]).toMatchObject({
      id,
      estado: 'done',
      escritos: 2,
      total: 2,
      titulo: 'Expediente marzo de 2026.zip',
    });
    const zip = (await streamPrepared(db, id, { usuarioId: quien.id, quien: quien.id }))!;
    expect(zip.nombre).toBe('Expediente marzo de 2026.zip');
    const files = unzip(await buffer(zip.contenido));
    expect(Object.keys(files).filter((name) => name.endsWith('venta.html'))).toEqual(
      suyas.map((numero) => `${numero}/${numero} venta.html`),
    );
    for (const numero of suyas) expect(files['indice.html']).toContain(numero);
    for (const numero of otras) expect(Object.values(files).join()).not.toContain(numero);
  });

  test('is kept without a copy of the files, and read again as often as it is taken, each time told to the audit trail', async () => {
    const id = await prepare('2026-10');
    const take = async () =>
      unzip(await buffer((await streamPrepared(db, id, { usuarioId: undefined, quien: quien.id }))!.contenido));
    const files = await take();
    expect(await take()).toEqual(files);
    const xml = `${probada.numOrden}/${probada.numOrden} factura F-${probada.factura.folio}.xml`;
    expect(files[xml]).toContain(probada.factura.uuid);
    const taken = await db
      .selectFrom('bitacora')
      .select('usuarioId')
      .where('entidad', '=', 'mes')
      .where('entidadId', '=', '2026-10')
      .where('accion', '=', 'descargar expediente')
      .execute();
    expect(taken).toEqual([{ usuarioId: quien.id }, { usuarioId: quien.id }]);
  });

  test('is of who asked for it; a file that was retired since is named, not pretended', async () => {
    const id = await prepare('2026-10');
    const otro = await buildPersona(db, 'admin');
    expect(await streamPrepared(db, id, { usuarioId: otro.id, quien: otro.id })).toBeUndefined();
    const [guia] = (
      await sql<{ archivoId: string }>`
        with viejas as (select id, archivo_id from guia where envio_id = ${probada.envioId} for update)
        update guia set archivo_id = null from viejas where guia.id = viejas.id returning viejas.archivo_id`.execute(db)
    ).rows;
    await db.deleteFrom('archivo').where('id', '=', guia!.archivoId).execute();
    const files = unzip(
      await buffer((await streamPrepared(db, id, { usuarioId: quien.id, quien: quien.id }))!.contenido),
    );
    expect(files['Retirados.txt']).toMatch(/guía \d+\.pdf/);
  });

  test('of what is no month fails, and says so', async () => {
    await expect(prepare('2026-13')).rejects.toThrow('no month');
    expect((await exportsOf(db, quien.id, EXPEDIENTE))[0]).toMatchObject({ estado: 'failed' });
  });
});

describe('a ZIP that is written while it is read', () => {
  test('lets go of each file that was taken', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const given: WeakRef<Buffer>[] = [];
    async function* many(): AsyncGenerator<Entrada> {
      for (let at = 0; at < 60; at++) {
        const bytes = Buffer.alloc(400_000, at);
        given.push(new WeakRef(bytes));
        yield { nombre: `${at}.zip`, bytes };
      }
    }
    let held = 0;
    for await (const _ of streamZip(db, many()))
      if (given.length === 60 && held === 0) {
        collect();
        held = given.filter((one) => one.deref() !== undefined).length;
      }
    expect(held).toBeGreaterThan(0);
    expect(held).toBeLessThan(10);
  });

  test('asks for the next file when the one before was taken, and for none once its reader left', async () => {
    let asked = 0;
    let ended = false;
    async function* many(): AsyncGenerator<Entrada> {
      try {
        for (; asked < 400; asked++) yield { nombre: `${asked}.bin.zip`, bytes: Buffer.alloc(200_000, asked % 251) };
      } finally {
        ended = true;
      }
    }
    const zip = streamZip(db, many());
    await wait(100);
    const before = asked;
    expect(before).toBeLessThan(10);
    for await (const _ of zip) {
      if (asked > before + 20) break;
      await wait(0);
    }
    await wait(50);
    expect(ended).toBe(true);
    expect(asked).toBeLessThan(60);
  });
});

describe('names in the ZIP', () => {
  test.each([
    ['../../etc/passwd', '-..-etc-passwd'],
    ['..', 'archivo'],
    ['C:\\x\\y.xml', 'C--x-y.xml'],
    ['a\u0000b\u202exml.exe', 'abxml.exe'],
    ['  . oculto . ', 'oculto'],
    ['', 'archivo'],
    ['\ud800', 'archivo'],
    ['Ñandú & Cía. S.A.', 'Ñandú & Cía. S.A'],
    [`${'x'.repeat(300)}.pdf`, `${'x'.repeat(96)}.pdf`],
  ])('%s is %s', (dicho, parte) => expect(parteSegura(dicho)).toBe(parte));

  test('are given once, whatever their capitals', () => {
    const nameOf = createNombres();
    expect([nameOf('1', 'a.xml'), nameOf('1', 'A.xml'), nameOf('1', 'a.xml'), nameOf('2', 'a.xml')]).toEqual([
      '1/a.xml',
      '1/A (2).xml',
      '1/a (3).xml',
      '2/a.xml',
    ]);
  });
});
