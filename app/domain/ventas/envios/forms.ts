import { z } from 'zod';
import type { LugarPostal } from '~/core/codigoPostal';
import { enteroEscrito, importeEscrito, telefonoEscrito } from '~/core/escrito';
import { Cp, Email, Huella, Id, Importe, REQUERIDO, Texto, Version } from '~/core/fields';
import { isNombre } from '~/core/nombre';
import { type CampoCliente, CAMPOS_CLIENTE } from './datosCliente';
import { CODIGOS_PROPIOS, isWeb, PAQUETERIAS } from './envio';

/** The common fields of every form about a shipment of ours: its sale, and the state of the shipment with which the form was opened. */
const origen = { orden: Id, huella: Huella };

const texto = (max = 120) => Texto(max).optional();
const guia = texto(60);
const url = texto(500).refine((text) => text === undefined || isWeb(text), 'El link no es válido');
const telefono = telefonoEscrito(REQUERIDO).optional();
const cp = z
  .string()
  .trim()
  .regex(/^\d{5}$/, 'Código Postal No Valido')
  .optional();
const costo = importeEscrito(REQUERIDO, 'El costo no es válido').pipe(
  z
    .string()
    .max(11, 'El costo no es válido')
    .refine((importe) => Number(importe) > 0, 'El costo debe ser mayor a 0'),
);

/** The carrier that may be told together with the price. Without them the shipment keeps what it has. */
const conPaqueteria = { paqueteria: z.enum(PAQUETERIAS).optional(), guia, paqueteriaUrl: url };

/** Asks for the carrier and for its number once one of the three fields is told. */
function askPaqueteria(
  { paqueteria, guia: numero, paqueteriaUrl }: Partial<Record<keyof typeof conPaqueteria, string>>,
  ctx: z.RefinementCtx,
): void {
  if (!paqueteria && !numero && !paqueteriaUrl) return;
  for (const [campo, valor] of Object.entries({ paqueteria, guia: numero }))
    if (!valor) ctx.addIssue({ code: 'custom', path: [campo], message: REQUERIDO });
}

/** 'costo del envio': the price of a shipment, in pesos, and its carrier where it is known already. */
export const CostoForm = z.object({ ...origen, costo, ...conPaqueteria }).superRefine(askPaqueteria);

const corregido = importeEscrito(REQUERIDO, 'El importe va de 0 a 99,999,999.99', { min: '0', max: '99999999.99' });
/** 'Corregir costo': the courier's charge and the quote, each by itself. The charge may be zero. */
export const CorregirCostoForm = z.object({ ...origen, costo: corregido, cotizado: corregido.optional() });

/** 'datos paqueteria': the carrier, the tracking number and the state. */
export const PaqueteriaForm = z.object({
  ...origen,
  estatus: z.enum(CODIGOS_PROPIOS, { error: REQUERIDO }),
  paqueteria: z.enum(PAQUETERIAS, { error: REQUERIDO }),
  guia: Texto(60),
  paqueteriaUrl: url,
});

/** The whole shipment of a sale that has none yet. Without a postal code only the price counts. */
export const OcurreForm = z
  .object({
    ...origen,
    costo,
    cp,
    telefono,
    nombreReceptor: texto(),
    apellidos: texto(),
    colonia: texto(),
    calle: texto(),
    numeroE: texto(20),
    ciudad: texto(),
    municipio: texto(),
    estado: texto(80),
    referencia: texto(300),
    ...conPaqueteria,
  })
  .superRefine((form, ctx) => {
    askPaqueteria(form, ctx);
    if (form.cp === undefined) return;
    for (const campo of ['nombreReceptor', 'apellidos', 'telefono', 'colonia'] as const)
      if (!form[campo]) ctx.addIssue({ code: 'custom', path: [campo], message: REQUERIDO });
  });

/** The form of a pick-up at a branch as it stands, finished or not. */
export const OcurreEscrito = z.object({
  huella: Huella.optional(),
  costo: texto(),
  cp: texto(),
  telefono: texto(),
  nombreReceptor: texto(),
  apellidos: texto(),
  colonia: texto(),
  calle: texto(),
  numeroE: texto(),
  ciudad: texto(),
  municipio: texto(),
  estado: texto(),
  referencia: texto(300),
  paqueteria: texto(40),
  guia: texto(),
  paqueteriaUrl: texto(500),
});

/** Every field of a shipment, in the dialog of the sale. Without `estatus` the shipment keeps its state. */
export const DatosEnvioForm = z
  .object({
    ...origen,
    cp,
    telefono,
    guia,
    paqueteriaUrl: url,
    paqueteria: texto(40),
    nombreReceptor: texto(),
    calle: texto(),
    numeroE: texto(20),
    numeroI: texto(20),
    colonia: texto(),
    ciudad: texto(),
    municipio: texto(),
    estado: texto(80),
    referencia: texto(300),
    estatus: z.enum(CODIGOS_PROPIOS, { error: 'El estatus no es de la lista' }).optional(),
  })
  .superRefine(({ guia, paqueteria }, ctx) => {
    if (guia !== undefined && paqueteria === undefined)
      ctx.addIssue({ code: 'custom', path: ['paqueteria'], message: REQUERIDO });
  });

/** The choice between the address written here and the one that the marketplace has now. `ajena` marks the second as it was shown. */
export const DireccionForm = z.object({ ...origen, ajena: Huella, decision: z.enum(['tomar', 'dejar']) });

export type DecisionDeDireccion = z.output<typeof DireccionForm>;
export type Ocurre = z.output<typeof OcurreForm>;
export type Paqueteria = z.output<typeof PaqueteriaForm>;
export type DatosDelEnvio = z.output<typeof DatosEnvioForm>;

const centimetros = enteroEscrito(REQUERIDO, 'De 1 a 300 cm, sin decimales', { min: '1', max: '300' });

/** A request for quotes: weight in kilograms, sides in centimetres. */
const paquete = {
  peso: importeEscrito(REQUERIDO, 'De 0.01 a 70 kg', { min: '0.01', max: '70' }),
  largo: centimetros,
  ancho: centimetros,
  alto: centimetros,
};

/** The form that asks for quotes of a label. */
export const CotizarGuiaForm = z.object({ ...origen, ...paquete });
/** A purchase: the measures, the chosen service, and the price that was shown. */
export const ComprarGuiaForm = z.object({
  ...origen,
  ...paquete,
  servicio: Texto(200),
  nombre: Texto(200),
  paqueteria: Texto(120),
  precio: Importe,
  /** The promised arrival, in the words that were shown. */
  entrega: Texto(80).optional(),
});
/** An act about the label that stands. */
export const UnaGuiaForm = z.object(origen);

export type CotizarGuia = z.output<typeof CotizarGuiaForm>;
export type ComprarGuia = z.output<typeof ComprarGuiaForm>;

/** The sender, as labels show it. The lengths are those that carriers print. */
export const RemitenteForm = z.object({
  version: Version,
  nombre: Texto(30),
  calle: Texto(60),
  colonia: Texto(60).optional(),
  ciudad: Texto(30),
  estado: Texto(30),
  cp: Cp,
  telefono: telefonoEscrito(REQUERIDO),
  email: Email,
});

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
