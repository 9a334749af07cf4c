import { z } from 'zod';
import { Id, Lista, Texto, Version } from '~/core/fields';
import type { EstadoDeEntrega, TipoDeGancho } from '~db/columns';

export type { EstadoDeEntrega, TipoDeGancho };

export const TIPOS = [
  'orden.creada',
  'orden.actualizada',
  'factura.timbrada',
  'factura.cancelada',
  'pedido.actualizado',
  'pregunta.nueva',
  'reclamo.nuevo',
  'stock.movido',
] as const satisfies readonly TipoDeGancho[];

export const ENTREGA_LABEL: Record<EstadoDeEntrega, string> = {
  pendiente: 'Pendiente',
  entregada: 'Entregada',
  muerta: 'Sin entregar',
};

const MAX_URL = 500;
const URL_NO_VALIDA = 'Escribe una dirección completa, sin usuario ni contraseña.';

export const NuevoGancho = z.object({
  nombre: Texto(60, 'Escribe un nombre.'),
  url: Texto(MAX_URL, 'Escribe la dirección.').refine(isDireccion, URL_NO_VALIDA),
  tipos: Lista(z.enum(TIPOS), TIPOS.length).min(1, 'Elige al menos un aviso.'),
});
export type NuevoGancho = z.infer<typeof NuevoGancho>;

export const UnGancho = z.object({ gancho: Id, version: Version });
export const UnaEntrega = z.object({ entrega: Id });
export const SusMuertas = z.object({ gancho: Id });

/** An address of the web that tells no name and password: those would stand in a list that others read. */
function isDireccion(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hostname } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '' && hostname !== '';
}

/** How long after a try that failed the next one comes, in seconds; the last one counts for all that follow. */
const PAUSAS = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400] as const;
export const pausaTras = (intentos: number): number => PAUSAS[Math.min(intentos, PAUSAS.length) - 1]!;

/** How long a receiver that failed so often on end is left alone, in seconds: less than any of its deliveries, so that its coming back is soon noticed. */
export const descansoTras = (fallos: number): number => Math.min(5 * 2 ** Math.min(fallos - 1, 10), 300);
