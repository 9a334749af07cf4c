import { data } from '@remix-run/node';
import { can } from '~/access/actions';
import { toWire } from '~/core/list';
import { openOrden } from '~/domain/atencion/ordenAbierta.server';
import type { Usuario } from '~/domain/cuentas/usuario';
import { afectadosDelCosto } from '~/domain/ordenes/afectados.server';
import { EFFECTS } from '~/domain/effectCatalog.server';
import { destinatariosDe } from '~/domain/proveedores/directorio';
import { readDirectorio } from '~/domain/proveedores/directorio.server';
import { db } from '~db/shared.server';
import { proveedorFacturasIn } from '../proveedores/dialogo';
import { ORDEN_AUSENTE } from '../proveedores/textos';

/** What of a sale is edited in its dialog, as the field `editar` of the address names it. */
const EDITA = ['envio', 'costo'] as const;

/** The sale that `?ver=` names, for the dialog of any screen that lists sales; null without one. One that does not exist is a 404. */
export async function ordenIn(request: Request, usuario: Usuario) {
  const search = new URL(request.url).searchParams;
  const ver = search.get('ver');
  if (!ver) return null;
  const orden = await openOrden(db(), ver, EFFECTS);
  if (!orden) throw data(ORDEN_AUSENTE, { status: 404 });
  const editar = EDITA.find((name) => name === search.get('editar')) ?? null;
  return {
    ...toWire(orden),
    editar,
    destinatarios: destinatariosDe(
      await readDirectorio(db()),
      orden.articulos.map(({ proveedor }) => proveedor),
    ),
    afectados: editar === 'costo' ? await afectadosDelCosto(db(), orden.id) : null,
    puede: { operar: can(usuario, 'ordenes.operar'), reintentar: can(usuario, 'ordenes.reintentar') },
  };
}

/** The dialogs that stand on every list of sales: the sale, and the invoices of its suppliers. */
export async function dialogosIn(request: Request, usuario: Usuario) {
  const [abierta, deProveedor] = await Promise.all([ordenIn(request, usuario), proveedorFacturasIn(request, usuario)]);
  return { abierta, deProveedor };
}

export type DialogosAbiertos = Awaited<ReturnType<typeof dialogosIn>>;
export type OrdenAbierta = NonNullable<Awaited<ReturnType<typeof ordenIn>>>;
