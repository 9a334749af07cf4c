/** What is known of a postal code. `ciudad` is empty for most rural codes: people read the municipio then. */
export type LugarPostal = { cp: string; estado: string; municipio: string; ciudad: string; colonias: string[] };

/** `desconocido`: nobody has that code. `sinRespuesta`: it could not be asked; either way the address is typed by hand. */
export type HallazgoPostal =
  { tipo: 'encontrado'; lugar: LugarPostal } | { tipo: 'desconocido' } | { tipo: 'sinRespuesta' };

/** What a form shows beside its postal code: the colonias to choose from, or why there are none. */
export type LugarBuscado = { colonias: string[]; aviso: string | null };

export const CP_NO_VALIDO = 'Código Postal No Valido';

/** Codes are text: the zeros in front belong to them. */
export function isCp(text: string): boolean {
  return /^\d{5}$/.test(text);
}

/** Why the rest of the address did not fill in by itself; null when it did. */
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
