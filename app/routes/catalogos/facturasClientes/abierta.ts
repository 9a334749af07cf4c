import { can } from '~/access/actions';
import { toWire } from '~/core/list';
import { readCorrecciones } from '~/domain/cancelacion/correccionesView.server';
import { readFactura } from '~/domain/cfdi/readFactura.server';
import type { Usuario } from '~/domain/cuentas/usuario';
import { askedByScript } from '~/domain/lists/list.server';
import { db } from '~db/shared.server';
import type { FacturaAbierta } from './FacturaFicha';

/** A factura as its panel shows it; null when there is none by that id. */
export async function facturaDe(
  id: string,
  _search: URLSearchParams,
  usuario: Usuario,
): Promise<FacturaAbierta | null> {
  const [factura, correcciones] = await Promise.all([readFactura(db(), id), readCorrecciones(db(), id)]);
  if (!factura) return null;
  return {
    id: factura.id,
    factura: toWire(factura),
    correcciones: correcciones ? toWire(correcciones) : null,
    puedeReenviar: can(usuario, 'facturas.reenviar'),
    puedeCorregir: can(usuario, 'facturas.cancelar'),
  };
}

/** The factura that `?ver=` names, for a page that is opened with it. A page that stands reads it beside its list. */
export async function facturaIn(request: Request, usuario: Usuario) {
  const search = new URL(request.url).searchParams;
  const ver = search.get('ver');
  if (!ver || askedByScript(request)) return null;
  return (await facturaDe(ver, search, usuario)) ?? ('ausente' as const);
}
