import { can } from '~/access/actions';
import { toWire } from '~/core/list';
import { readCorrecciones } from '~/domain/facturacion/cancelacion/correcciones.server';
import { readNegados } from '~/domain/operacion/negados.server';
import { readFactura } from '~/domain/facturacion/cfdi/factura.server';
import type { Usuario } from '~/core/usuario';
import { db } from '~db/shared.server';
import type { FacturaAbierta } from './FacturaFicha';

/** Reads a factura for its panel; null when the id is unknown. */
export async function facturaOf(
  id: string,
  _search: URLSearchParams,
  usuario: Usuario,
): Promise<FacturaAbierta | null> {
  const [factura, correcciones] = await Promise.all([readFactura(db(), id), readCorrecciones(db(), id)]);
  if (!factura) return null;
  const negados = await readNegados(db(), [
    ['factura', factura.id],
    ['sustituida', factura.id],
  ]);
  return {
    id: factura.id,
    factura: toWire(factura),
    correcciones: correcciones ? toWire(correcciones) : null,
    negados,
    puedeReenviar: can(usuario, 'facturas.reenviar'),
    puedeCorregir: can(usuario, 'facturas.cancelar'),
    conExpediente: can(usuario, 'facturas.expediente'),
  };
}
