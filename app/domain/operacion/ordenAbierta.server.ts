import type { EffectCatalog } from '~/platform/effects/definition';
import { esperanReclamos } from '~/domain/atencion/reclamos/esperanReclamos.server';
import { esperaFactura } from '~/domain/facturacion/emision/porFacturar.server';
import { listEnlaces } from '~/domain/facturacion/enlaces/enlaces.server';
import { esperaSalida } from '~/domain/ventas/ordenes/esperaSalida';
import { readCronologia } from '~/domain/ventas/ordenes/cronologia.server';
import { readOrden } from '~/domain/ventas/ordenes/detalleOrden.server';
import { pedidosOfOrden } from '~/domain/compras/pedidos/readPedidos.server';
import { readFacturasOfOrden } from '~/domain/compras/facturas/proveedorFacturas.server';
import type { Db } from '~db/client.server';

/** Returns a sale with everything that happened to it, as the person who attends the sale sees it; undefined when no sale has that id. */
export async function openOrden(db: Db, id: string, catalog: EffectCatalog) {
  const orden = await readOrden(db, id);
  if (!orden) return undefined;
  const [cronologia, deProveedor, enlacesEnvio, pedidos, reclamos, factura] = await Promise.all([
    readCronologia(db, orden, catalog),
    readFacturasOfOrden(db, orden.id),
    orden.envioPropio ? listEnlaces(db, orden.numOrden, 'datosEnvio') : [],
    pedidosOfOrden(db, orden),
    esperanReclamos(db, orden),
    esperaFactura(db, orden),
  ]);
  return {
    ...orden,
    cronologia,
    enlacesEnvio,
    ...pedidos,
    proveedorFacturas: deProveedor?.facturas ?? [],
    /** What waits for us, in the order of what is lost: a day that passes, money, the buyer. */
    esperas: [...reclamos, ...pedidos.esperas, ...esperaSalida(orden, new Date()), ...factura],
  };
}
