import { z } from 'zod';
import { importeEscrito, telefonoEscrito } from '~/core/escrito';
import { Huella, Id, REQUERIDO, Texto } from '~/core/fields';
import { CODIGOS_PROPIOS, isWeb, PAQUETERIAS } from './envio';

/** What people send of a shipment of ours: each form with the sale it is about and the state of the shipment it was opened with. */
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

/** 'costo del envio' of a shipment there is. */
export const CostoForm = z.object({ ...origen, costo });

const corregido = importeEscrito(REQUERIDO, 'El importe va de 0 a 99,999,999.99', { min: '0', max: '99999999.99' });
/** 'Corregir costo': what the courier charged and what was quoted, each by itself. A courier may have charged nothing. */
export const CorregirCostoForm = z.object({ ...origen, costo: corregido, cotizado: corregido.optional() });

/** 'datos paqueteria': who carries it, under which number, and how far it got. */
export const PaqueteriaForm = z.object({
  ...origen,
  estatus: z.enum(CODIGOS_PROPIOS, { error: REQUERIDO }),
  paqueteria: z.enum(PAQUETERIAS, { error: REQUERIDO }),
  guia: Texto(60),
  paqueteriaUrl: url,
});

/** A sale whose shipment nobody has yet, whole. Without postal code only the price counts. */
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

/** What stands in it so far, finished or not, over the state it was opened with. */
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

/** All of it, in the dialog of the sale. Without a state of ours, the shipment keeps the one it has. */
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
