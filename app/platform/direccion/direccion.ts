import type { LugarPostal } from '~/core/codigoPostal';

/** An address in Mexico as our forms type it. Only the postal code fills in the rest, and never for good: people know better. */
export type Direccion = {
  cp: string;
  colonia: string;
  calle: string;
  numeroExterior: string;
  numeroInterior: string;
  ciudad: string;
  municipio: string;
  estado: string;
};

/** What was typed with what the postal code says. A colonia that belongs to the code stays; of a code with only one, that one. */
export function conLugar<D extends Pick<Direccion, 'colonia'>>(
  escrito: D,
  { cp, estado, municipio, ciudad, colonias }: LugarPostal,
): D & Pick<Direccion, 'cp' | 'estado' | 'municipio' | 'ciudad' | 'colonia'> {
  const colonia = colonias.includes(escrito.colonia) ? escrito.colonia : colonias.length === 1 ? colonias[0]! : '';
  return { ...escrito, cp, estado, municipio, ciudad: ciudad || municipio, colonia };
}
