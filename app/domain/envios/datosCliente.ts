import { z } from 'zod';
import type { LugarPostal } from '~/core/codigoPostal';

/** What a customer tells of where their package goes (spec 001, section 5). */
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
const REQUERIDO = 'Este dato es requerido';
const MAX = 120;

/** Words of letters and digits, one space between two. */
const PALABRAS = /^[\p{L}\p{M}\p{N}]+( [\p{L}\p{M}\p{N}]+)*$/u;
const DIRECCION = /^[\p{L}\p{M}\p{N}., ]+$/u;

/** What the marketplace knows of an address, in the letters that the form takes: nobody is told that what they did not write is wrong. */
export function enLetrasDelForm(escrito: Escrito): Escrito {
  const limpio = (texto: string, ajeno: RegExp) => texto.replace(ajeno, ' ').replace(/\s+/g, ' ').trim();
  const palabras = (texto: string) => limpio(texto, /[^\p{L}\p{M}\p{N} ]+/gu);
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

const campo = (nombre: string, pattern: RegExp, max = MAX) =>
  z
    .string({ error: REQUERIDO })
    .trim()
    .min(1, REQUERIDO)
    .max(max, `Máximo ${max} caracteres`)
    .regex(pattern, `${nombre} No Valido`);
const libre = (nombre: string, max = MAX) => campo(nombre, DIRECCION, max).optional();

/**
 * The form as it is sent. What the postal code says of city and state outranks what came in their fields, which people cannot write in then;
 * a code that nobody knows leaves them to be typed.
 */
export const datosClienteForm = (lugar: LugarPostal | null) => {
  const comunes = {
    nombre: campo('Nombre', PALABRAS),
    apellidos: campo('Apellidos', PALABRAS),
    telefono: z
      .string({ error: REQUERIDO })
      .transform((text) => text.replace(/[\s()-]/g, ''))
      .pipe(z.string().regex(/^\d{5,10}$/, 'Telefono no valido')),
    cp: z
      .string({ error: REQUERIDO })
      .trim()
      .regex(/^\d{5}$/, 'Código Postal No Valido'),
    colonia: z
      .string({ error: REQUERIDO })
      .trim()
      .min(1, REQUERIDO)
      .max(MAX)
      .refine(
        (colonia) => lugar === null || lugar.colonias.length === 0 || lugar.colonias.includes(colonia),
        'Elige una colonia de la lista',
      ),
  };
  const ciudad = lugar
    ? z
        .unknown()
        .optional()
        .transform(() => lugar.ciudad || lugar.municipio)
    : campo('Ciudad', PALABRAS);
  const estado = lugar
    ? z
        .unknown()
        .optional()
        .transform(() => lugar.estado)
    : campo('Estado', PALABRAS, 80);
  return z.discriminatedUnion(
    'entrega',
    [
      z.object({
        entrega: z.literal('domicilio'),
        ...comunes,
        ciudad,
        estado,
        calle: campo('Calle', DIRECCION),
        numeroE: campo('Número exterior', DIRECCION, 20),
        referencia: campo('Referencia', DIRECCION, 300),
        numeroI: libre('Número interior', 20),
        calleA: libre('Entre calle'),
        calleB: libre('Y calle'),
      }),
      z.object({
        entrega: z.literal('ocurre'),
        ...comunes,
        ciudad: lugar ? ciudad : ciudad.optional(),
        estado: lugar ? estado : estado.optional(),
      }),
    ],
    { error: REQUERIDO },
  );
};

export type DatosCliente = z.output<ReturnType<typeof datosClienteForm>>;
