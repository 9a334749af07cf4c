import { z } from 'zod';
import { can } from '~/access/actions';
import { toWire } from '~/core/list';
import type { Usuario } from '~/core/usuario';
import { readPago } from '~/domain/compras/pagos/pagos.server';
import { db } from '~db/shared.server';

/** Reads a payment for its panel; null when the id is unknown. */
export async function pagoOf(id: string, _search: URLSearchParams, usuario: Usuario) {
  const pago = z.uuid().safeParse(id).data;
  const leido = pago && (await readPago(db(), pago));
  return leido ? { ...toWire(leido), puede: can(usuario, 'pagos.operar') } : null;
}

export type PagoAbierto = NonNullable<Awaited<ReturnType<typeof pagoOf>>>;
