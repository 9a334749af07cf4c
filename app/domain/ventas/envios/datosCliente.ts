/** The data that a customer gives about where a package goes. */
export const CAMPOS_CLIENTE = [
  'entrega',
  'nombre',
  'apellidos',
  'telefono',
  'cp',
  'colonia',
  'ciudad',
  'estado',
  'calle',
  'numeroE',
  'numeroI',
  'calleA',
  'calleB',
  'referencia',
] as const;
export type CampoCliente = (typeof CAMPOS_CLIENTE)[number];
export type Escrito = Record<CampoCliente, string>;

export const FALTAN = 'Faltan datos por ingresar, favor de verificar.';

/** Returns a text of the marketplace in the letters that the form takes, so that nobody is told that a text is wrong which they did not write. */
export function enLetrasOfForm(escrito: Escrito): Escrito {
  const limpio = (texto: string, ajeno: RegExp) => texto.replace(ajeno, ' ').replace(/\s+/g, ' ').trim();
  const palabras = (texto: string) => limpio(texto, /[^\p{L}\p{M}\p{N}.'’ -]+/gu);
  const direccion = (texto: string) => limpio(texto, /[^\p{L}\p{M}\p{N}., ]+/gu);
  const { nombre, apellidos, calle, numeroE, numeroI, calleA, calleB, referencia } = escrito;
  return {
    ...escrito,
    nombre: palabras(nombre),
    apellidos: palabras(apellidos),
    calle: direccion(calle),
    numeroE: direccion(numeroE),
    numeroI: direccion(numeroI),
    calleA: direccion(calleA),
    calleB: direccion(calleB),
    referencia: direccion(referencia),
  };
}
