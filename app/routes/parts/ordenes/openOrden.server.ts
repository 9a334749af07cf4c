import { data } from '@remix-run/node';
import { can } from '~/access/actions';
import { toWire } from '~/core/list';
import type { Usuario } from '~/domain/cuentas/usuario';
import { EFFECTS } from '~/domain/effectCatalog.server';
import { listEnlaces } from '~/domain/enlaces/enlaces.server';
import { readCronologia } from '~/domain/ordenes/cronologia.server';
import { readOrden } from '~/domain/ordenes/detalleOrden.server';
import { readFacturasDeOrden } from '~/domain/proveedores/proveedorFacturas.server';
import { db } from '~db/shared.server';
import { openProveedorFacturas } from '../proveedores/proveedorFacturas.server';
import { ORDEN_AUSENTE } from '../proveedores/textos';

/** What the dialog of a sale shows, for any screen that lists sales: the one that `?ver=` names, or null. One that does not exist is a 404. */
export async function openOrden(request: Request, usuario: Usuario) {
  const search = new URL(request.url).searchParams;
  const ver = search.get('ver');
  if (!ver) return null;
  const orden = await readOrden(db(), ver);
  if (!orden) throw data(ORDEN_AUSENTE, { status: 404 });
  const [cronologia, deProveedor, enlacesEnvio] = await Promise.all([
    readCronologia(db(), orden, EFFECTS),
    readFacturasDeOrden(db(), orden.id),
    orden.envioPropio ? listEnlaces(db(), orden.numOrden, 'datosEnvio') : [],
  ]);
  return {
    ...toWire(orden),
    enlacesEnvio: toWire(enlacesEnvio),
    cronologia: toWire(cronologia),
    proveedorFacturas: toWire(deProveedor?.facturas ?? []),
    editar: search.get('editar') === 'envio',
    puede: { operar: can(usuario, 'ordenes.operar'), reintentar: can(usuario, 'ordenes.reintentar') },
  };
}

/** The dialogs that stand on every list of sales: the sale, and the invoices of its suppliers. */
export async function openDialogs(request: Request, usuario: Usuario) {
  const [abierta, deProveedor] = await Promise.all([
    openOrden(request, usuario),
    openProveedorFacturas(request, usuario),
  ]);
  return { abierta, deProveedor };
}

export type DialogosAbiertos = Awaited<ReturnType<typeof openDialogs>>;
export type OrdenAbierta = NonNullable<Awaited<ReturnType<typeof openOrden>>>;
