import { z } from 'zod';
import { Id, Lista, opcional, REQUERIDO, Texto, TextoOpcional, Version } from '~/core/fields';
import { parseImporte } from '~/core/importe';
import { MOTIVOS, PARTES } from './conteo';
import { FALTAS } from './empaque';
import { ESTADOS, MAX_FACTURA_MB } from './pieza';

const LLENADO = 'Error de llenado. Algunos datos son incorrectos o necesarios, por favor revisar sus datos';
/** Pieces that one press may create. */
const MAX_PIEZAS = 500;
/** Blank labels of one run: twenty sheets of 24, and some more. */
const MAX_EN_BLANCO = 500;

/** An amount as people write it: one decimal point, or a comma in its place. An empty text stands for `vacio`. */
const pesos = (vacio: string | undefined, mal: string) =>
  z
    .string()
    .optional()
    .transform((texto, ctx) => {
      const limpio = (texto ?? '').replace(/[$\s]/g, '');
      if (limpio === '' && vacio !== undefined) return vacio;
      const lectura = parseImporte(limpio);
      if (lectura.clase === 'importe' && lectura.importe.length <= 12) return lectura.importe;
      ctx.addIssue({ code: 'custom', message: mal });
      return z.NEVER;
    });

const positivo = (mal: string) => pesos('0.00', mal).refine((importe) => Number(importe) > 0, mal);
const recuperado = pesos('0.00', 'El monto recuperado no es válido.').refine(
  (importe) => Number(importe) >= 0,
  'El monto recuperado no es válido.',
);

/** An invoice as a file. Browsers send an empty file for a field without any, so an empty file counts as none. */
const factura = z
  .instanceof(File)
  .optional()
  .transform((file) => (file && file.size > 0 ? file : null))
  .refine((file) => !file || file.size <= MAX_FACTURA_MB * 1024 * 1024, `El archivo pasa de ${MAX_FACTURA_MB} MB.`);

const Estado = (mal: string) => z.enum(ESTADOS, { error: mal });

/** Fields of a return. `clave` belongs to the opened page, so that a second press finds the pieces of the first. */
const Devolucion = z.object({
  clave: Id,
  orden: Id.optional(),
  /** Number of the sale, where a person typed it. It outranks `orden`. */
  numOrden: TextoOpcional(40),
  /** Number of received pieces of the sale that the screen showed, so that two people do not receive the same parcel. */
  recibidas: Version.optional(),
  producto: Id.optional(),
  descripcion: TextoOpcional(300),
  estado: Estado('Error: El estatus seleccionado no es válido').default('enRevision'),
  proveedor: TextoOpcional(20),
  cantidad: z
    .string({ error: 'Este dato es necesario' })
    .trim()
    .min(1, 'Este dato es necesario')
    .regex(/^\d{1,6}$/, 'Cantidad no valida')
    .transform(Number)
    .refine((cantidad) => cantidad > 0, LLENADO)
    .refine((cantidad) => cantidad <= MAX_PIEZAS, `Se agregan hasta ${MAX_PIEZAS} piezas a la vez.`),
  observaciones: TextoOpcional(2_000),
  folioFactura: TextoOpcional(60),
  costo: positivo(LLENADO),
  recuperado,
  factura,
});
/** A return with its invoice. A folio needs a file, and a file needs a folio. */
export const DevolucionForm = Devolucion.refine(({ folioFactura, factura }) => !folioFactura || factura !== null, {
  path: ['factura'],
  error: 'No se detecto archivo',
}).refine(({ folioFactura, factura }) => folioFactura || factura === null, {
  path: ['folioFactura'],
  error: 'No se detecto el folio de la factura',
});
export type DevolucionForm = z.output<typeof DevolucionForm>;

/** A return received at the bench, without an invoice. An empty cost means that the person does not know it. */
export const RecibirForm = Devolucion.omit({ folioFactura: true, factura: true }).extend({
  costo: pesos('', LLENADO).transform((costo, ctx) => {
    if (costo === '') return null;
    if (Number(costo) > 0) return costo;
    ctx.addIssue({ code: 'custom', message: LLENADO });
    return z.NEVER;
  }),
});
export type RecibirForm = z.output<typeof RecibirForm>;

/**
 * The edited facts of a piece. `orden` is the number or the id of the sale that the piece came back from. With `conOrden` an empty `orden` takes the
 * piece away from its sale; without both the piece stays with its sale.
 */
export const PiezaEditada = z.object({
  id: Id,
  version: Version,
  orden: TextoOpcional(40),
  conOrden: z.literal('1').optional(),
  estado: z
    .string({ error: 'Error: Debes seleccionar un estatus' })
    .min(1, 'Error: Debes seleccionar un estatus')
    .pipe(Estado('Error: El estatus seleccionado no es válido')),
  proveedor: Texto(20, 'Error: Debes seleccionar un proveedor'),
  observaciones: TextoOpcional(2_000),
  folioFactura: TextoOpcional(60),
  costo: positivo('Error: El costo debe ser un número positivo'),
  recuperado,
  factura,
  eliminarFactura: z.literal('1').optional(),
  producto: Id.optional(),
});
export type PiezaEditada = z.output<typeof PiezaEditada>;

/** A change of state. */
export const MoverPieza = z.object({ id: Id, version: Version, estado: Estado(REQUERIDO) });
/** The piece whose last movement is to be undone. */
export const DeshacerPieza = z.object({ id: Id, version: Version });
/** A piece that leaves for a sale; `venta` is the sale's number. */
export const VenderPieza = z.object({ id: Id, version: Version, venta: Texto(40) });
/** A printed blank label and the piece that it is bound to. */
export const LigarEtiqueta = z.object({ codigo: Texto(20), folio: Texto(30) });
/** A line of a parcel: the shipment, the sale, and the place of the article in it. */
const Linea = z.object({ paquete: Id, orden: Id, posicion: z.coerce.number().int().min(0).max(10_000) });
/** A piece that goes into a parcel, by what was read on it. */
export const EmpacarForm = Linea.extend({ codigo: Texto(200) });
export type EmpacarForm = z.output<typeof EmpacarForm>;
/** A line of a parcel whose piece is missing, with the reason. */
export const FaltarForm = Linea.extend({ motivo: z.enum(FALTAS, { error: REQUERIDO }) });
export type FaltarForm = z.output<typeof FaltarForm>;
const SIN_DIFERENCIA = 'Esa diferencia no existe.';
/** What is to be counted; without `parte` the whole shelf. */
export const EmpezarConteo = z.object({ parte: opcional(z.enum(PARTES, { error: REQUERIDO })) });
export type EmpezarConteo = z.output<typeof EmpezarConteo>;
/** What was read into a count: a folio, or the code of a label. */
export const LeerEnConteo = z.object({ conteo: Id, codigo: Texto(200) });
export type LeerEnConteo = z.output<typeof LeerEnConteo>;
/** The end of a count, with the number of scans that the screen showed. */
export const TerminarConteo = z.object({ conteo: Id, leidas: Version });
export type TerminarConteo = z.output<typeof TerminarConteo>;
/** A count that nobody read into. */
export const DescartarConteo = z.object({ conteo: Id });
/** A decision about a difference of a count. `version` is that of its piece, as the screen showed it; of a label without a piece 0. */
export const DecidirDiferencia = z.object({
  conteo: Id,
  diferencia: z.coerce.number({ error: SIN_DIFERENCIA }).int(SIN_DIFERENCIA).min(1, SIN_DIFERENCIA),
  version: Version,
  decision: z.enum(['pasada', 'apartada', 'aparecio', 'baja', 'pendiente'], { error: REQUERIDO }),
  motivo: opcional(z.enum(MOTIVOS, { error: 'Elige por qué se da de baja.' })),
});
export type DecidirDiferencia = z.output<typeof DecidirDiferencia>;
/** A run of blank labels. */
export const EtiquetasNuevas = z.object({
  clave: Id,
  cuantas: z
    .string({ error: REQUERIDO })
    .trim()
    .min(1, REQUERIDO)
    .regex(/^\d{1,6}$/, 'Cantidad no valida')
    .transform(Number)
    .refine((cuantas) => cuantas > 0, 'Cantidad no valida')
    .refine((cuantas) => cuantas <= MAX_EN_BLANCO, `Se crean hasta ${MAX_EN_BLANCO} etiquetas a la vez.`),
});
export type EtiquetasNuevas = z.output<typeof EtiquetasNuevas>;
/** A state that is to be offered one place earlier. */
export const AdelantarEstado = z.object({ estado: Estado(REQUERIDO) });
/** Pieces of our own stock that leave for a sale. */
export const SurtirVenta = z.object({ orden: Id, piezas: Lista(Id, 200).min(1, REQUERIDO) });
/** Words of a search for a product. */
export const BuscarProducto = z.object({ parametros: Texto(100) });
