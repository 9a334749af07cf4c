import { z } from 'zod';
import { importeEscrito, telefonoEscrito } from '~/core/escrito';
import { Huella, Id, REQUERIDO, Texto } from '~/core/fields';
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

/** 'costo del envio': the price of a shipment, in pesos. */
export const CostoForm = z.object({ ...origen, costo });

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
  })
  .superRefine((form, ctx) => {
    if (form.cp === undefined) return;
    for (const campo of ['nombreReceptor', 'apellidos', 'telefono', 'colonia'] as const)
      if (!form[campo]) ctx.addIssue({ code: 'custom', path: [campo], message: REQUERIDO });
  });

/** The same form as it stands, finished or not. */
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

export type Ocurre = z.output<typeof OcurreForm>;
export type Paqueteria = z.output<typeof PaqueteriaForm>;
export type DatosDelEnvio = z.output<typeof DatosEnvioForm>;
