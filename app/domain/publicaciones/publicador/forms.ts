import { z } from 'zod';
import { enteroEscrito, importeEscrito } from '~/core/escrito';
import { Id, Lista, opcional, REQUERIDO, Texto, TextoOpcional, Version } from '~/core/fields';
import type { Campo } from '~/domain/mercados/publicador';

const VISTO = { version: Version };

/** Step 1: the category of a product. `version` is that of the draft, in this form and in those below. */
export const CategoriaElegida = z.object({
  ...VISTO,
  producto: Id,
  categoriaId: Texto(60, 'Elige una categoría.').regex(/^[A-Z0-9_]+$/, 'Elige una categoría.'),
});

/** The category that a listing is to be moved to; its form comes next. */
export const OtraCategoria = CategoriaElegida.omit({ producto: true });

/** The category of many products; the answers that they share come next. */
export const CategoriaComun = CategoriaElegida.pick({ categoriaId: true });

/** What is said once for many products. */
export const DatosComunes = CategoriaComun.extend({
  respuestas: z
    .record(z.string().max(80), z.object({ valor: z.string().max(2_000), unidad: z.string().max(20).optional() }))
    .default({}),
});

const Respuesta = TextoOpcional(2_000);

/** The answers to a category as a form sends them. Whatever was typed is kept, and its problems are told afterwards. */
export const respuestasForm = (campos: readonly Campo[]) =>
  z.object({
    ...VISTO,
    valor: z.object(Object.fromEntries(campos.map(({ id }) => [id, Respuesta]))).optional(),
    unidad: z
      .object(
        Object.fromEntries(campos.filter(({ clase }) => clase === 'medida').map(({ id }) => [id, TextoOpcional(20)])),
      )
      .optional(),
  });

/** The shared answers to a category, without a mark: what is prepared of them is asked before it acts. */
export const comunesForm = (campos: readonly Campo[]) => respuestasForm(campos).omit({ version: true });
export type RespuestasEscritas = z.output<ReturnType<typeof respuestasForm>>;

const Precio = opcional(importeEscrito(REQUERIDO, 'El importe no es válido.', { min: '1', max: '999999999' }));

/** Step 3: the offer. Prices are in pesos, and a kind without a price is not put on sale. */
export const OfertaForm = z
  .object({
    ...VISTO,
    titulo: Texto(200),
    descripcion: TextoOpcional(20_000),
    clasica: Precio,
    premium: Precio,
    stock: enteroEscrito(REQUERIDO, 'Escribe cuántas piezas.', { min: '1', max: '99999' }),
    garantiaMeses: enteroEscrito(REQUERIDO, 'Escribe cuántos meses.', { min: '0', max: '120' }),
    imagenes: Lista(z.string().max(1_000), 12),
    seguir: z.enum(['on']).optional(),
  })
  .refine(({ clasica, premium }) => clasica !== null || premium !== null, {
    path: ['clasica'],
    message: 'Escribe al menos un precio.',
  });
export type OfertaEscrita = z.output<typeof OfertaForm>;

/** The press that publishes the draft as the screen showed it. */
export const Publicar = z.object(VISTO);
