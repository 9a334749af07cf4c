import { z } from 'zod';
import { Id, Lista, REQUERIDO, Texto, TextoOpcional, Version } from '~/core/fields';
import { parseImporte } from '~/core/importe';
import { ESTADOS, MAX_FACTURA_MB } from './pieza';

const LLENADO = 'Error de llenado. Algunos datos son incorrectos o necesarios, por favor revisar sus datos';
/** What one press makes at most. */
const MAX_PIEZAS = 500;
/** Blank labels of one run: twenty sheets of 24, and some more. */
const MAX_EN_BLANCO = 500;

/** As people write it: one decimal point, a comma taken for one, nothing for none. */
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

/** An empty file is what a browser sends for a field without any. */
const factura = z
  .instanceof(File)
  .optional()
  .transform((file) => (file && file.size > 0 ? file : null))
  .refine((file) => !file || file.size <= MAX_FACTURA_MB * 1024 * 1024, `El archivo pasa de ${MAX_FACTURA_MB} MB.`);

const Estado = (mal: string) => z.enum(ESTADOS, { error: mal });

/** `clave`: this page's, so that a second press finds what the first one made. */
const Devolucion = z.object({
  clave: Id,
  orden: Id.optional(),
  /** How many pieces of that sale the screen showed: two people do not receive the same parcel. */
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
export const DevolucionForm = Devolucion.refine(({ folioFactura, factura }) => !folioFactura || factura !== null, {
  path: ['factura'],
  error: 'No se detecto archivo',
}).refine(({ folioFactura, factura }) => folioFactura || factura === null, {
  path: ['folioFactura'],
  error: 'No se detecto el folio de la factura',
});
export type DevolucionForm = z.output<typeof DevolucionForm>;

/** A return that is received standing, with no invoice at hand: whoever does not know what a piece cost leaves that empty. */
export const RecibirForm = Devolucion.omit({ folioFactura: true, factura: true }).extend({
  costo: pesos('', LLENADO).transform((costo, ctx) => {
    if (costo === '') return null;
    if (Number(costo) > 0) return costo;
    ctx.addIssue({ code: 'custom', message: LLENADO });
    return z.NEVER;
  }),
});
export type RecibirForm = z.output<typeof RecibirForm>;

/** `orden` as people write its number: the sale that the piece leaves for, or came from. */
export const PiezaEditada = z.object({
  id: Id,
  version: Version,
  orden: TextoOpcional(40),
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

export const MoverPieza = z.object({ id: Id, version: Version, estado: Estado(REQUERIDO) });
export const DeshacerPieza = z.object({ id: Id, version: Version });
export const VenderPieza = z.object({ id: Id, version: Version, venta: Texto(40) });
export const LigarEtiqueta = z.object({ codigo: Texto(20), folio: Texto(30) });
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
export const AdelantarEstado = z.object({ estado: Estado(REQUERIDO) });
export const SurtirVenta = z.object({ orden: Id, piezas: Lista(Id, 200).min(1, REQUERIDO) });
export const BuscarProducto = z.object({ parametros: Texto(100) });
