import { z } from 'zod';
import { PAQUETERIAS } from '~/domain/ordenes/datosEnvio';

export { PAQUETERIAS };

/** The states a person gives to a package that we send ourselves (spec 001, section 4), as codes. */
export const ESTATUS_PROPIOS = [
  { value: 'enPreparacion', label: 'En Preparacion' },
  { value: 'enCamino', label: 'En Camino' },
  { value: 'entregado', label: 'Entregado' },
  { value: 'enDevolucion', label: 'En Devolución' },
  { value: 'devuelto', label: 'Devuelto' },
  { value: 'enSucursal', label: 'En Sucursal' },
] as const;

export type EstatusPropio = (typeof ESTATUS_PROPIOS)[number]['value'];
export const CODIGOS_PROPIOS = ESTATUS_PROPIOS.map(({ value }) => value) as [EstatusPropio, ...EstatusPropio[]];

/** Words of a shipment that is still with us, ours and the marketplace's: its address may still change. */
const CON_NOSOTROS = new Set(['pending', 'handling', 'ready_to_ship', 'enPreparacion', 'cobroRequerido', 'cobroPendiente', 'autorizandoPago']);

/** A label that was made is an address that was printed. */
export function hasLeft({ estatus, guia }: { estatus: string; guia: string | null }): boolean {
  return guia !== null || !CON_NOSOTROS.has(estatus);
}

/** The word a list shows of a shipment; one that came back says so. */
export function estatusDeEnvio({ estatus, subestatus }: { estatus: string; subestatus: string | null }): string {
  return estatus === 'not_delivered' && subestatus === 'returned' ? 'returned' : estatus;
}

/** Carriers whose page of a package has a known address; for the others somebody writes it down. */
const RASTREO: Readonly<Record<string, (guia: string) => string>> = {
  DHL: (guia) => `https://www.dhl.com/mx-es/home/rastreo.html?tracking-id=${encodeURIComponent(guia)}`,
  FedEx: (guia) => `https://www.fedex.com/fedextrack/?trknbr=${encodeURIComponent(guia)}`,
};

/** The carrier's page of a package, when somebody wrote it down or it is known; null otherwise. */
export function rastreoUrl({ guia, paqueteria, paqueteriaUrl }: { guia: string | null; paqueteria: string | null; paqueteriaUrl: string | null }): string | null {
  if (paqueteriaUrl !== null && isWeb(paqueteriaUrl)) return paqueteriaUrl;
  return guia === null || paqueteria === null ? null : (RASTREO[paqueteria]?.(guia) ?? null);
}

const isWeb = (url: string) => /^https?:\/\//i.test(url) && URL.canParse(url);

/** The first name of a whole name whose last part is known; a name somebody changed since is all first name. */
export function nombreAparte({ nombreReceptor, apellidos }: { nombreReceptor: string | null; apellidos: string | null }): { nombre: string; apellidos: string } {
  const whole = nombreReceptor ?? '';
  return apellidos && whole.endsWith(` ${apellidos}`) ? { nombre: whole.slice(0, -apellidos.length - 1), apellidos } : { nombre: whole, apellidos: '' };
}

const REQUERIDO = 'Este dato es requerido';
const texto = (max: number) => z.string().trim().max(max, `Máximo ${max} caracteres`).optional();
const costo = z.string({ error: REQUERIDO }).trim().transform((text) => text.replace(/[$,\s]/g, ''))
  .pipe(z.string().regex(/^\d{1,8}(\.\d{1,2})?$/, 'El costo no es válido').refine((text) => Number(text) > 0, 'El costo debe ser mayor a 0'));

/** Which sale, and the state of its shipment that the form was opened with. */
const origen = { orden: z.uuid(), huella: z.string() };
const url = texto(500).refine((text) => text === undefined || isWeb(text), 'El link no es válido');

/** 'costo del envio' of a shipment there is. */
export const CostoForm = z.object({ ...origen, costo });

/** 'datos paqueteria': who carries it, under which number, and how far it got. */
export const PaqueteriaForm = z.object({
  ...origen,
  estatus: z.enum(CODIGOS_PROPIOS, { error: REQUERIDO }),
  paqueteria: z.enum(PAQUETERIAS, { error: REQUERIDO }),
  guia: z.string({ error: REQUERIDO }).trim().min(1, REQUERIDO).max(60, 'Máximo 60 caracteres'),
  paqueteriaUrl: url,
});

/** A sale whose shipment nobody has yet, whole. Without postal code only the price counts (spec 001, section 5). */
export const OcurreForm = z
  .object({
    ...origen, costo,
    cp: z.string().trim().regex(/^\d{5}$/, 'Código Postal No Valido').optional(),
    nombreReceptor: texto(120), apellidos: texto(120), colonia: texto(120), calle: texto(120), numeroE: texto(20), ciudad: texto(120), municipio: texto(120), estado: texto(80), referencia: texto(300),
    telefono: z.string().trim().regex(/^\d{5,10}$/, 'Telefono no valido').optional(),
  })
  .superRefine((form, ctx) => {
    if (form.cp === undefined) return;
    for (const campo of ['nombreReceptor', 'apellidos', 'telefono', 'colonia'] as const) if (!form[campo]) ctx.addIssue({ code: 'custom', path: [campo], message: REQUERIDO });
  });

export type Ocurre = z.output<typeof OcurreForm>;
export type Paqueteria = z.output<typeof PaqueteriaForm>;
