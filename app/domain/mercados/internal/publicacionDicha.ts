import { z } from 'zod';
import { Money } from '~/core/money';
import type { CambioDePublicacion, PublicacionDicha } from '../efectos';

/** A listing as its marketplace shows it after a change, as effects keep it. */
export const PublicacionDichaGuardada: z.ZodType<PublicacionDicha, unknown> = z.object({
  precio: z.string().nullable(),
  stock: z.number().int().nullable(),
  titulo: z.string(),
  estatus: z.string(),
  subestatus: z.array(z.string()),
});

/** Tells whether a listing shows everything that a change asked for. */
export const isDicha = (
  dicha: PublicacionDicha,
  { precio, stock, titulo, estatus }: Pick<CambioDePublicacion, 'precio' | 'stock' | 'titulo' | 'estatus'>,
): boolean =>
  (precio === null || (dicha.precio !== null && Money.of(dicha.precio).equals(Money.of(precio)))) &&
  (stock === null || dicha.stock === stock) &&
  (titulo === null || dicha.titulo === titulo) &&
  (estatus === null || dicha.estatus === estatus);
