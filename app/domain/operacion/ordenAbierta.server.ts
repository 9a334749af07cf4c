import type { EffectCatalog } from '~/platform/effects/definition';
import { reclamosDeVenta } from '~/domain/atencion/reclamos/reclamosDeVenta.server';
import { pideFacturaDesde } from '~/domain/facturacion/emision/porFacturar.server';
import { listEnlaces } from '~/domain/facturacion/enlaces/enlaces.server';
import { readCronologia } from '~/domain/ventas/ordenes/cronologia.server';
import { readOrden } from '~/domain/ventas/ordenes/detalleOrden.server';
import { pedidosOfOrden } from '~/domain/compras/pedidos/readPedidos.server';
import { readFacturasOfOrden } from '~/domain/compras/facturas/proveedorFacturas.server';
import { esperasOf } from './internal/esperas.server';
import type { Db } from '~db/client.server';

/** Returns a sale with everything that happened to it, as the person who attends the sale sees it; undefined when no sale has that id. */
export async function openOrden(db: Db, id: string, catalog: EffectCatalog) {
  const orden = await readOrden(db, id);
  if (!orden) return undefined;
  const [cronologia, deProveedor, enlacesEnvio, pedidos, reclamos, pideFactura] = await Promise.all([
    readCronologia(db, orden, catalog),
    readFacturasOfOrden(db, orden.id),
    orden.envioPropio ? listEnlaces(db, orden.numOrden, 'datosEnvio') : [],
    pedidosOfOrden(db, orden),
    reclamosDeVenta(db, orden),
    pideFacturaDesde(db, orden),
  ]);
  return {
    ...orden,
    cronologia,
    enlacesEnvio,
    ...pedidos,
    proveedorFacturas: deProveedor?.facturas ?? [],
    esperas: esperasOf({ ...orden, ...pedidos, reclamos, pideFactura }, new Date()),
  };
}
