import { z } from 'zod';
import { telefonoEscrito } from '~/core/escrito';
import { Texto } from '~/core/fields';
import { isNombre } from '~/core/nombre';
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

/** What was typed so far, finished or not. */
export const EscritoForm = z.object(
  Object.fromEntries(CAMPOS_CLIENTE.map((name) => [name, Texto(300).default('')])) as Record<
    CampoCliente,
    z.ZodDefault<ReturnType<typeof Texto>>
  >,
);

export const FALTAN = 'Faltan datos por ingresar, favor de verificar.';
const REQUERIDO = 'Este dato es requerido';
const MAX = 120;

const isDireccion = (text: string) => /^[\p{L}\p{M}\p{N}., ]+$/u.test(text);

/** What the marketplace knows of an address, in the letters that the form takes: nobody is told that what they did not write is wrong. */
export function enLetrasDelForm(escrito: Escrito): Escrito {
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

const campo = (nombre: string, isValid: (text: string) => boolean, max = MAX) =>
  z
    .string({ error: REQUERIDO })
    .trim()
    .min(1, REQUERIDO)
    .max(max, `Máximo ${max} caracteres`)
    .refine(isValid, `${nombre} No Valido`);
const libre = (nombre: string, max = MAX) => campo(nombre, isDireccion, max).optional();

/**
 * The form as it is sent. What the postal code says of city and state outranks what came in their fields, which people cannot write in then;
 * a code that nobody knows leaves them to be typed.
 */
export const datosClienteForm = (lugar: LugarPostal | null) => {
  const comunes = {
    nombre: campo('Nombre', isNombre),
    apellidos: campo('Apellidos', isNombre),
    telefono: telefonoEscrito(REQUERIDO),
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
    : campo('Ciudad', isNombre);
  const estado = lugar
    ? z
        .unknown()
        .optional()
        .transform(() => lugar.estado)
    : campo('Estado', isNombre, 80);
  return z.discriminatedUnion(
    'entrega',
    [
      z.object({
        entrega: z.literal('domicilio'),
        ...comunes,
        ciudad,
        estado,
        calle: campo('Calle', isDireccion),
        numeroE: campo('Número exterior', isDireccion, 20),
        referencia: campo('Referencia', isDireccion, 300),
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
