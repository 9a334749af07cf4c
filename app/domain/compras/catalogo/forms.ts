import { z } from 'zod';
import { enteroEscrito, importeEscrito } from '~/core/escrito';
import { FRESCURA_LIMITES } from './internal/frescura';
import { Id, Lista, opcional, REQUERIDO, SiNo, Texto, Version, Huella } from '~/core/fields';
import { MONEDAS } from '~/core/moneda';
import { MAX_FOTOS } from './fotos';

const MAX_PIEZAS = '9999';
const MAX_PESOS = '9999999.99';

const costo = opcional(importeEscrito('', 'El costo del envío no es válido.', { max: MAX_PESOS }));

/** Facts that people add to a product beside its supplier's catalogue. An empty field means unknown. */
export const ProductoEditado = z.object({
  id: Id,
  version: Version,
  productoMaximo: opcional(
    enteroEscrito('', `Son de 1 a ${MAX_PIEZAS} piezas.`, { min: '1', max: MAX_PIEZAS }).transform(Number),
  ),
  costoEnvio: costo,
  precioLista: opcional(importeEscrito('', 'El precio de lista no es válido.', { min: '0.01', max: MAX_PESOS })),
  autoOrden: SiNo,
});
export type ProductoEditado = z.infer<typeof ProductoEditado>;

/** The form that lets sales of a product be ordered from its supplier without a person, or no longer. */
export const AutoOrden = z.object({ id: Id, version: Version, autoOrden: SiNo });
export type AutoOrden = z.infer<typeof AutoOrden>;

/** Word of a person about two products: one piece, two pieces, or no word any more. */
export const Par = z.object({
  uno: Id,
  otro: Id,
  igual: z
    .enum(['si', 'no'], { error: REQUERIDO })
    .optional()
    .transform((dicho) => (dicho === undefined ? null : dicho === 'si')),
});

/** A product to be read again now, by the supplier's own key. */
export const PorLeer = z.object({ proveedor: Texto(40), idProveedor: Texto(100) });
export type PorLeer = z.infer<typeof PorLeer>;

/** Question of the finder: the words, the supplier whose products are meant, and the supplier to ask now when the page has no JavaScript. */
export const Hallar = z.object({
  q: Texto(100).default(''),
  proveedor: Texto(40).default(''),
  vivo: Texto(40).default(''),
});

/** Minutes after which the stock of one supplier counts as none. */
export const ReglaDeFrescura = z.object({
  proveedor: z.string().min(1).max(40),
  frescuraMin: z.coerce
    .number({ error: 'Escribe los minutos con dígitos.' })
    .int('Escribe minutos enteros.')
    .min(FRESCURA_LIMITES.min, `Al menos ${FRESCURA_LIMITES.min} minutos.`)
    .max(FRESCURA_LIMITES.max, 'A lo más 30 días (43200 minutos).'),
  version: Version,
});

/** A price list as a file. `moneda` is the currency of lines that name none; absent when each line names its own. */
export const ListaForm = z.object({
  archivo: z.instanceof(File, { error: REQUERIDO }),
  moneda: z.enum(MONEDAS).optional(),
});

/** The price list that is to be applied, as the screen showed it. */
export const AplicarListaForm = z.object({ lista: Id, huella: Huella });
/** The price list that is thrown away. */
export const DescartarListaForm = z.object({ lista: Id });

/** Decision about a catalogue that shrank: whether the products that it no longer lists are gone. */
export const EncogidoForm = z.object({ id: Id, decision: z.enum(['marcar', 'dejar']) });
export type EncogidoForm = z.infer<typeof EncogidoForm>;

/** Own pictures for a product. */
export const FotosNuevas = z.object({
  id: Id,
  fotos: Lista(z.instanceof(File).optional(), MAX_FOTOS)
    .transform((files) => files.filter((file): file is File => file !== undefined && file.size > 0))
    .refine((files) => files.length > 0, 'Elige al menos una foto.'),
});
export type FotosNuevas = z.output<typeof FotosNuevas>;

/** An own picture of a product, to be removed or moved one place forward. */
export const FotoAMover = z.object({ id: Id, foto: Id });
export type FotoAMover = z.output<typeof FotoAMover>;
