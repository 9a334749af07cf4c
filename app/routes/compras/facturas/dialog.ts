import { data } from '@remix-run/node';
import { can } from '~/access/actions';
import { toWire } from '~/core/list';
import type { Usuario } from '~/core/usuario';
import { listProveedores } from '~/domain/compras/directorio/proveedores.server';
import { openFacturasOfOrden } from '~/domain/compras/facturas/openFacturas.server';
import { db } from '~db/shared.server';
import { ABRE, ORDEN_AUSENTE } from './textos';

/** Reads the supplier invoices of the sale that the field `param` of the address names, for their dialog; null without that field. An unknown sale is a 404. */
export async function proveedorFacturasIn(request: Request, usuario: Usuario, param: string = ABRE) {
  const search = new URL(request.url).searchParams;
  const ordenId = search.get(param);
  if (!ordenId) return null;
  const [abiertas, proveedores] = await Promise.all([
    openFacturasOfOrden(db(), ordenId, {
      cfdis: (search.get('cfdi') ?? '').split(','),
      editar: search.get('editar'),
    }),
    listProveedores(db()),
  ]);
  if (!abiertas) throw data(ORDEN_AUSENTE, { status: 404 });
  return {
    ...toWire(abiertas),
    proveedores: toWire(proveedores),
    param,
    puedeAgregar: can(usuario, 'proveedorFacturas.agregar'),
    puedeEditar: can(usuario, 'proveedorFacturas.editar'),
  };
}

export type ProveedorFacturasAbiertas = NonNullable<Awaited<ReturnType<typeof proveedorFacturasIn>>>;
