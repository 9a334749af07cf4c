/** A place by its postal code. `ciudad` is empty for most rural codes; screens then show the municipio. */
export type LugarPostal = { cp: string; estado: string; municipio: string; ciudad: string; colonias: string[] };

/**
 * Result of a look-up. `desconocido`: no table has the code. `sinRespuesta`: the service did not answer. In both cases
 * the address is typed by hand.
 */
export type HallazgoPostal =
  { tipo: 'encontrado'; lugar: LugarPostal } | { tipo: 'desconocido' } | { tipo: 'sinRespuesta' };

/** Content of a form beside its postal code: the colonias to choose from, or the reason for their absence. */
export type LugarBuscado = { colonias: string[]; aviso: string | null };

export const CP_NO_VALIDO = 'Código Postal No Valido';

/**
 * Returns whether the text is a postal code of five digits. A code is text, because leading zeros belong to the code.
 */
export function isCp(text: string): boolean {
  return /^\d{5}$/.test(text);
}

/** Returns the sentence for a form whose address did not fill in by itself; null when the address filled in. */
export function avisoPostal(hallazgo: HallazgoPostal): string | null {
  switch (hallazgo.tipo) {
    case 'encontrado':
      return null;
    case 'desconocido':
      return 'No encontramos ese código postal: escribe la dirección a mano.';
    case 'sinRespuesta':
      return 'El buscador de códigos postales no responde en este momento: escribe la dirección a mano.';
  }
}
