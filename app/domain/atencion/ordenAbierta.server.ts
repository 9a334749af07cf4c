import type { EffectCatalog } from '~/domain/effects/definition';
import { listEnlaces } from '~/domain/enlaces/enlaces.server';
import { readCronologia } from '~/domain/ordenes/cronologia.server';
import { readOrden } from '~/domain/ordenes/detalleOrden.server';
import { pedidosDeOrden } from '~/domain/pedidos/pedidosDeOrden.server';
import { readFacturasDeOrden } from '~/domain/proveedores/proveedorFacturas.server';
import type { Db } from '~db/client.server';

/** A sale with everything that happened to it, as who attends it looks at it; undefined when there is none by that id. */
export async function openOrden(db: Db, id: string, catalog: EffectCatalog) {
  const orden = await readOrden(db, id);
  if (!orden) return undefined;
  const [cronologia, deProveedor, enlacesEnvio, pedidos] = await Promise.all([
    readCronologia(db, orden, catalog),
    readFacturasDeOrden(db, orden.id),
    orden.envioPropio ? listEnlaces(db, orden.numOrden, 'datosEnvio') : [],
    pedidosDeOrden(db, orden),
  ]);
  return { ...orden, cronologia, enlacesEnvio, ...pedidos, proveedorFacturas: deProveedor?.facturas ?? [] };
}
