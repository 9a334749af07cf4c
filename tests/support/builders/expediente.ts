import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { saveReclamo } from '~/domain/atencion/reclamos/reclamos.server';
import { savePreguntas } from '~/domain/atencion/preguntas/preguntas.server';
import { receiveCfdis } from '~/domain/compras/facturas/cfdis.server';
import { createProveedorFactura } from '~/domain/compras/facturas/proveedorFacturas.server';
import { savePagos } from '~/domain/compras/pagos/savePagos.server';
import { storeArchivo } from '~/platform/files/archivos.server';
import type { Db } from '~db/client.server';
import type { SandboxClient } from '../sandboxClient';
import { cep } from './archivos';
import { liquidate } from './conciliacion';
import { buildFactura } from './facturas';
import { claimOrden } from './ordenes';
import { buildVentaDe, pedir } from './pedidos';
import { cfdiDeProveedor } from './proveedores';

export type ProbadaSketch = { titulo?: string; comprador?: string; folio?: string; mensaje?: string; n?: number };

/**
 * A sale with everything that proves it: settled and deposited, label and delivery, order, invoice and payment of its supplier, its factura, a factura that was
 * cancelled before, a credit note, a question and a claim. The suppliers are open and factura.com is linked.
 */
export async function buildProbada(db: Db, sandbox: SandboxClient, usuarioId: string, sketch: ProbadaSketch = {}) {
  const { titulo = 'Cámara IP', comprador = 'JUANA', folio = 'A-1001', mensaje = 'Llegó bien', n = 0 } = sketch;
  const venta = await buildVentaDe(db, sandbox, 'syscom', { n });
  const publicacionId = `MLM${randomUUID().slice(0, 8)}`;
  await sql`update orden set titulo = ${titulo}, comprador = ${comprador}, comprador_id = ${comprador}, fecha_creacion = '2026-10-12T18:00:00Z' where id = ${venta.id}`.execute(
    db,
  );
  await sql`update articulo set item_id = ${publicacionId} where orden_id = ${venta.id}`.execute(db);
  await sql`update envio set estatus = 'delivered', guia = (select numero from guia where envio_id = ${venta.envioId}) where id = ${venta.envioId}`.execute(
    db,
  );
  await sql`insert into bitacora (entidad, entidad_id, accion, datos, en) values ('envio', ${venta.envioId}, 'estado',
    '{"antes": {"estatus": "shipped"}, "despues": {"estatus": "delivered"}}', '2026-10-15T18:00:00Z')`.execute(db);
  await liquidate(db, venta.id, '1298.00');

  const pedidoId = await pedir(db, venta, 'syscom', usuarioId);
  await sql`update pedido set estado = 'enviando' where id = ${pedidoId}`.execute(db);
  await sql`update pedido set estado = 'confirmado', folio_proveedor = ${`SY-${folio}`} where id = ${pedidoId}`.execute(
    db,
  );
  const xml = cfdiDeProveedor({ folio, total: '1160.00' });
  const cfdi = await db
    .transaction()
    .execute((trx) => receiveCfdis(trx, [{ nombre: 'x.xml', contenido: Buffer.from(xml) }], usuarioId));
  await db
    .transaction()
    .execute((trx) =>
      createProveedorFactura(
        trx,
        { ordenId: venta.id, proveedor: 'syscom', folio, monto: '1160.00', cfdi: cfdi.leidos[0] },
        usuarioId,
        { rfc: true },
      ),
    );
  const clave = `MBAN${randomUUID().slice(0, 8)}`.toUpperCase();
  const pago = { folio: `P-${folio}`, otras: null, folios: [], proveedor: 'syscom' };
  const archivos = [new File([new Uint8Array(cep({ clave }))], 'cep.xml')];
  await savePagos(db, { ...pago, ordenId: venta.id, archivos }, usuarioId);

  const { numOrden } = venta;
  const cancelada = await buildFactura(db, { numOrden, estatus: 'cancelada', serie: 'FC' });
  await db
    .insertInto('facturaOrden')
    .values({ facturaId: cancelada.id, ordenId: venta.id, importe: '1298.00' })
    .execute();
  const acuseId = await storeArchivo(db, {
    nombre: 'acuse.xml',
    tipo: 'application/xml',
    contenido: Buffer.from(`<Acuse UUID="${cancelada.uuid}"/>`),
  });
  await db
    .insertInto('cancelacion')
    .values({
      facturaId: cancelada.id,
      effectId: cancelada.effectId,
      motivo: '02',
      estado: 'cancelada',
      acuseId,
      resueltaEn: new Date('2026-10-20T18:00:00Z'),
    })
    .execute();
  const factura = await buildFactura(db, { numOrden });
  await claimOrden(db, venta.id, factura);
  await sql`update factura_orden set importe = 1298 where factura_id = ${factura.id}`.execute(db);
  const nota = await buildFactura(db, { numOrden, tipo: 'notaCredito', serie: 'NC' });
  await db
    .insertInto('notaCreditoOrden')
    .values({
      facturaId: factura.id,
      ordenId: venta.id,
      effectId: nota.effectId,
      notaId: nota.id,
      importe: '98.00',
      parcial: true,
    })
    .execute();

  await savePreguntas(
    db,
    'ml',
    [
      {
        marketId: randomUUID(),
        publicacionId,
        compradorId: comprador,
        texto: `¿Sirve? ${mensaje}`,
        estatus: 'respondida',
        retenida: false,
        fecha: new Date('2026-10-11T18:00:00Z'),
        respuesta: { texto: 'Sí, sirve.', fecha: new Date('2026-10-11T19:00:00Z') },
        documento: {},
      },
    ],
    { leidaEn: new Date(), publicaciones: new Map() },
  );
  await saveReclamo(
    db,
    'ml',
    {
      marketId: randomUUID(),
      ordenMarketId: numOrden,
      recurso: 'order',
      recursoId: numOrden,
      estatus: 'cerrado',
      tipo: 'mediations',
      etapa: null,
      motivo: null,
      titulo: 'No era lo que pidió',
      problema: mensaje,
      responsable: null,
      venceEn: null,
      parcial: false,
      jugadores: [],
      acciones: [],
      resolucion: null,
      mensajes: [
        { clave: '1', de: 'comprador', para: 'vendedor', texto: mensaje, fecha: '2026-10-16T18:00:00Z', adjuntos: [] },
      ],
      devoluciones: [],
      cambios: [],
      costoDevolucion: null,
      ofertas: [],
      sinLeer: [],
      fecha: new Date('2026-10-16T18:00:00Z'),
      actualizadoEn: new Date('2026-10-16T18:00:00Z'),
      documento: {},
    },
    new Date(),
  );
  return { ...venta, factura, cancelada, nota };
}
