import type { LugarPostal } from '~/core/codigoPostal';

/** An address in Mexico as our forms type it. The postal code fills in the rest, and people may change all of it: they know better. */
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

/** Returns a typed address completed by its postal code. A colonia of that code stays; a code with a single colonia gives that one. */
export function withLugar<D extends Pick<Direccion, 'colonia'>>(
  escrito: D,
  { cp, estado, municipio, ciudad, colonias }: LugarPostal,
): D & Pick<Direccion, 'cp' | 'estado' | 'municipio' | 'ciudad' | 'colonia'> {
  const colonia = colonias.includes(escrito.colonia) ? escrito.colonia : colonias.length === 1 ? colonias[0]! : '';
  return { ...escrito, cp, estado, municipio, ciudad: ciudad || municipio, colonia };
}
