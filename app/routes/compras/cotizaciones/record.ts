import { can } from '~/access/actions';
import { toWire } from '~/core/list';
import type { Usuario } from '~/core/usuario';
import { readCotizacion } from '~/domain/compras/pagos/cotizaciones.server';
import { db } from '~db/shared.server';
import { z } from 'zod';

/** The part of the panel that `?editar=` opens. */
const SUBIR = 'subir';

/** Reads the quotation of a sale for its panel; null when the sale is unknown. */
export async function cotizacionOf(id: string, search: URLSearchParams, usuario: Usuario) {
  const orden = z.uuid().safeParse(id).data;
  const cotizacion = orden && (await readCotizacion(db(), orden));
  if (!cotizacion) return null;
  const puede = can(usuario, 'pagos.operar');
  return { ...toWire(cotizacion), puede, editar: puede && search.get('editar') === SUBIR ? SUBIR : null };
}

export type CotizacionAbierta = NonNullable<Awaited<ReturnType<typeof cotizacionOf>>>;
