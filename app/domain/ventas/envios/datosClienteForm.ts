import { z } from 'zod';
import type { LugarPostal } from '~/core/codigoPostal';
import { telefonoEscrito } from '~/core/escrito';
import { Cp, Huella, REQUERIDO, Texto } from '~/core/fields';
import { isNombre } from '~/core/nombre';
import { CAMPOS_CLIENTE, type CampoCliente } from './datosCliente';

const MAX = 120;
const isDireccion = (text: string) => /^[\p{L}\p{M}\p{N}., ]+$/u.test(text);

/** The form as it stands, finished or not, with the state that its page showed. */
export const EscritoForm = z
  .object(
    Object.fromEntries(CAMPOS_CLIENTE.map((name) => [name, Texto(300).default('')])) as Record<
      CampoCliente,
      z.ZodDefault<ReturnType<typeof Texto>>
    >,
  )
  .extend({ huella: Huella.optional() });

const campo = (nombre: string, isValid: (text: string) => boolean, max = MAX) =>
  Texto(max).refine(isValid, `${nombre} No Valido`);
const libre = (nombre: string, max = MAX) => campo(nombre, isDireccion, max).optional();

/**
 * The form as it is sent. The city and state of a known postal code outrank their fields, which people cannot write in then. An unknown code leaves
 * both to be typed.
 */
export const datosClienteForm = (lugar: LugarPostal | null) => {
  const comunes = {
    huella: Huella,
    nombre: campo('Nombre', isNombre),
    apellidos: campo('Apellidos', isNombre),
    telefono: telefonoEscrito(REQUERIDO),
    cp: Cp,
    colonia: Texto(MAX).refine(
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
