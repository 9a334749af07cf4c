import { z } from 'zod';

/** An amount with six decimals. Amounts are decimal text, so a frozen request reads the same forever. */
const six = z.string().regex(/^\d{1,12}\.\d{6}$/);
const cents = z.string().regex(/^\d{1,12}\.\d{2}$/);
const cp = z.string().regex(/^\d{5}$/);
/** The XSD forbids `|` and control characters in every text. */
const texto = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[^|\p{Cc}]*$/u);
const uuid = z.string().regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i);

/** A concept of a CFDI that is asked for. */
export const NewConcepto = z.object({
  claveProdServ: z.string().regex(/^\d{8}$/),
  noIdentificacion: texto(100).optional(),
  cantidad: z.number().int().min(1).max(100_000),
  claveUnidad: z.string().regex(/^[A-Z0-9]{2,3}$/),
  unidad: texto(20),
  descripcion: texto(1000),
  valorUnitario: six,
  importe: six,
  base: six,
  tasaIva: z.enum(['0.160000', '0.080000', '0.000000']),
  iva: six,
});
export type NewConcepto = z.infer<typeof NewConcepto>;

/** A CFDI that is asked for, in our nouns. */
export const NewCfdi = z.object({
  tipo: z.enum(['factura', 'nota_credito']),
  /** SerieID of the account; its kind must match `tipo`. */
  serieId: z.number().int().positive(),
  /** The PAC's client, with the data it must have; the data are compared with the stamped XML. */
  receptor: z.object({
    uid: z.string().min(1),
    rfc: z.string().min(12).max(13),
    nombre: texto(300),
    cp,
    regimen: z.string().regex(/^\d{3}$/),
  }),
  usoCfdi: z.string().regex(/^[A-Z]{1,2}\d{2}$/),
  formaPago: z.string().regex(/^\d{2}$/),
  /** Local date and time of the place of issue, without offset. */
  fecha: z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/),
  lugarExpedicion: cp.optional(),
  conceptos: z.array(NewConcepto).min(1).max(10_000),
  subTotal: cents,
  iva: cents,
  total: cents,
  informacionGlobal: z
    .object({
      periodicidad: z.string().regex(/^0[1-5]$/),
      meses: z.string().regex(/^(0[1-9]|1[0-8])$/),
      anio: z.string().regex(/^20\d{2}$/),
    })
    .optional(),
  relacionados: z.object({ tipoRelacion: z.string().regex(/^0[1-7]$/), uuids: z.array(uuid).min(1) }).optional(),
  comentarios: z.string().max(1000).optional(),
});
export type NewCfdi = z.infer<typeof NewCfdi>;

/** Tax data that are to be kept at the PAC. */
export const NewClientePac = z.object({
  rfc: z.string().min(12).max(13),
  razonSocial: texto(300),
  cp,
  regimen: z.string().regex(/^\d{3}$/),
  /** One to three addresses; factura.com wants the first. */
  emails: z.array(z.string()).min(1).max(3),
  usoCfdi: z.string().optional(),
  telefono: z.string().optional(),
  nombre: z.string().optional(),
  apellidos: z.string().optional(),
  calle: z.string().optional(),
  numeroExterior: z.string().optional(),
  numeroInterior: z.string().optional(),
  colonia: z.string().optional(),
  ciudad: z.string().optional(),
  delegacion: z.string().optional(),
  estado: z.string().optional(),
});
export type NewClientePac = z.infer<typeof NewClientePac>;

/** A client of the PAC. An empty text means that factura.com has none. */
export type ClientePac = {
  uid: string;
  rfc: string;
  razonSocial: string;
  cp: string;
  /** Code of the regime; empty when the PAC told only its name. */
  regimen: string;
  usoCfdi: string;
  emails: string[];
  telefono: string;
  nombre: string;
  apellidos: string;
  calle: string;
  numeroExterior: string;
  numeroInterior: string;
  colonia: string;
  ciudad: string;
  delegacion: string;
  estado: string;
  pais: string;
};

export type CuentaPac = { uid: string; razonSocial: string; rfc: string; regimen: string; cp: string; email: string };

export type SeriePac = { id: number; letra: string; tipo: string; descripcion: string; activa: boolean };

/** A CFDI in the PAC's lists. */
export type CfdiPac = {
  uid: string;
  uuid: string;
  serie: string;
  folio: number | null;
  rfc: string;
  razonSocial: string;
  /** Two decimals. */
  total: string;
  numOrder: string;
  cancelada: boolean;
  fechaTimbrado: string;
};

/** The outcome of a stamp. */
export type Stamped =
  | {
      kind: 'stamped';
      uid: string;
      uuid: string;
      serie: string | null;
      folio: number | null;
      fechaTimbrado: string | null;
    }
  /** The PAC refused because this CFDI has our NumOrder already. The caller compares its contents before it believes that it is ours. */
  | { kind: 'exists'; uid: string; uuid: string; xml: string | null };

export type MotivoCancelacion = '01' | '02' | '03' | '04';
