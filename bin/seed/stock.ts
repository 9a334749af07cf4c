/** Stock and payments of the demo: a newcomer sees returns, labels, a quotation and a payment at work. */
import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { sql } from 'kysely';
import PDFDocument from 'pdfkit';
import { Money } from '~/core/money';
import { civilDay } from '~/core/time';
import { noteCotizacion } from '~/domain/compras/pagos/cotizaciones.server';
import { savePagos } from '~/domain/compras/pagos/savePagos.server';
import { createEtiquetas, bindEtiqueta } from '~/domain/compras/stock/etiquetas.server';
import { changeEstado, createDevolucion, piezasOfAlta, receiveFactura } from '~/domain/compras/stock/piezas.server';
import { DevolucionForm } from '~/domain/compras/stock/forms';
import type { EstadoDeStock } from '~/domain/compras/stock/pieza';
import type { Db } from '../../db/client.server';

/** Returns of sales that were delivered, with the later state of each piece. */
const VUELTAS: {
  cantidad: number;
  observaciones: string;
  va: EstadoDeStock | null;
  conFactura?: true;
}[] = [
  { cantidad: 2, observaciones: 'Caja abierta, falta el eliminador.', va: null, conFactura: true },
  { cantidad: 3, observaciones: 'Sin abrir: el comprador se arrepintió.', va: 'disponible' },
  { cantidad: 1, observaciones: 'No enciende. Folio de garantía en trámite.', va: 'enGarantia' },
  { cantidad: 1, observaciones: 'Carcasa rota en el camino.', va: 'danado' },
];

/** Seeds stock and payments once: a database with pieces stays as it is. */
export async function seedStock(db: Db): Promise<void> {
  const ya = await db.selectFrom('stockAlta').select('id').limit(1).executeTakeFirst();
  const ventas = await listVentas(db);
  const entregadas = ventas.filter(({ estatus }) => estatus === 'entregado' || estatus === 'devuelto');
  const vueltas = VUELTAS.flatMap((vuelta) => {
    // What the marketplace says was returned comes first; a sale gives back no more than it sold.
    const at = entregadas.findIndex(({ cantidad }) => cantidad >= vuelta.cantidad);
    return at < 0 ? [] : [{ ...vuelta, venta: entregadas.splice(at, 1)[0]! }];
  });
  const personaOf = (usuario: string) =>
    db.selectFrom('usuario').select('id').where('usuario', '=', usuario).executeTakeFirst();
  const [quien, quienPaga] = [await personaOf('user'), await personaOf('admin')];
  if (ya || !quien || !quienPaga || vueltas.length < VUELTAS.length || ventas.length < 3) return;
  const proveedores = new Set((await db.selectFrom('proveedor').select('value').execute()).map(({ value }) => value));
  const proveedorOf = (proveedor: string | null) => {
    const suyo = proveedor?.toLowerCase() ?? '';
    return proveedores.has(suyo) ? suyo : 'syscom';
  };

  for (const { va, conFactura, cantidad, venta, ...dicho } of vueltas) {
    const { id, nombre, proveedor, precio } = venta;
    const clave = randomUUID();
    const form = DevolucionForm.parse({
      ...dicho,
      clave,
      orden: id,
      descripcion: nombre?.slice(0, 300),
      cantidad: String(cantidad),
      // A listing asks for its cost and a half.
      costo: precio.times(2).dividedBy(3).toFixed(2),
      proveedor: proveedorOf(proveedor),
      ...(conFactura && { folioFactura: 'S-44108', factura: await facturaOf('S-44108') }),
    });
    const devolucion = await receiveFactura(form);
    await db.transaction().execute(async (trx) => {
      await createDevolucion(trx, devolucion, quien.id);
      if (va === null) return;
      for (const { id } of await piezasOfAlta(trx, clave))
        await changeEstado(trx, { id, version: 1, estado: va }, quien.id);
    });
  }
  await db.transaction().execute(async (trx) => {
    const [etiqueta] = await createEtiquetas(trx, { clave: randomUUID(), cuantas: 24 }, quien.id);
    const { folio } = await trx
      .selectFrom('stockInterno')
      .select('folio')
      .orderBy('numero')
      .limit(1)
      .executeTakeFirstOrThrow();
    await bindEtiqueta(trx, { codigo: etiqueta!.codigo, folio }, quien.id);
  });

  const [cotizada, pagada, otra] = ventas.filter(({ clase }) => clase === 'normal');
  if (!cotizada || !pagada || !otra) return;
  await db
    .transaction()
    .execute((trx) => noteCotizacion(trx, { ordenId: cotizada.id, folio: 'COT-88213', version: 0 }, quienPaga.id));
  const clave = 'MBAN01002611200045';
  await savePagos(
    db,
    {
      ordenId: pagada.id,
      proveedor: proveedorOf(pagada.proveedor),
      folios: [],
      folio: clave,
      otras: otra.numOrden,
      archivos: [new File([cepOf(clave)], 'CEP.xml', { type: 'application/xml' })],
    },
    quienPaga.id,
  );
}

/** Returns the first line of each sale that was paid, the latest sale first; what came back stands before the others. */
const listVentas = (db: Db) =>
  db
    .selectFrom('orden')
    .innerJoin('articulo', 'articulo.ordenId', 'orden.id')
    .select(['orden.id', 'orden.numOrden', 'orden.estatus', 'orden.clase', 'articulo.nombre', 'articulo.proveedor'])
    .select(['articulo.cantidad', 'articulo.precioUnitario as precio'])
    .where('orden.clase', 'in', ['normal', 'devuelta'])
    .where('articulo.posicion', '=', 0)
    .where('articulo.precioUnitario', '>', Money.of('1'))
    .orderBy(sql`orden.clase = 'devuelta'`, 'desc')
    .orderBy('orden.fechaCreacion', 'desc')
    .orderBy('orden.id')
    .limit(400)
    .execute();

/** Returns the CEP of a transfer, as Banxico writes such receipts. */
export const cepOf = (clave: string) => `<?xml version="1.0" encoding="UTF-8"?>
<SPEI_Tercero FechaOperacion="${civilDay(new Date())}" Hora="13:43:20" ClaveSPEI="40012" claveRastreo="${clave}"><Beneficiario BancoReceptor="BANORTE" Nombre="PROVEEDOR DE DEMOSTRACION" Concepto="PAGO" IVA="0.00" MontoPago="4862.50"/><Ordenante BancoEmisor="BBVA MEXICO" Nombre="TRASTIENDA"/></SPEI_Tercero>`;

async function facturaOf(folio: string): Promise<File> {
  const doc = new PDFDocument({ size: 'LETTER', margin: 56, info: { Title: `Factura ${folio}` } });
  doc.fontSize(18).text(`Factura ${folio}`).moveDown();
  doc.fontSize(11).text('Factura de un proveedor de demostración. No es un comprobante fiscal.');
  doc.end();
  return new File([new Uint8Array(await buffer(doc))], `${folio}.pdf`, { type: 'application/pdf' });
}
