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
