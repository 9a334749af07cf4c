import { z } from 'zod';
import { Id, Texto, TextoOpcional, Version } from '~/core/fields';

/** Which pedido, in which state its screen showed it. */
const vista = { pedido: Id, version: Version };

/** What the screen said that it costs; null where it could not say. */
const CostoVisto = z
  .string()
  .regex(/^\d{1,12}(?:\.\d{1,6})?$/)
  .optional()
  .catch(undefined)
  .transform((costo) => costo ?? null);

/** A person's reason goes with it where the guards ask for one. */
export const ConfirmarPedido = z.object({ ...vista, costo: CostoVisto, motivo: TextoOpcional(300) });
export type ConfirmarPedido = z.infer<typeof ConfirmarPedido>;

export const UnPedido = z.object(vista);

/** What people do with an order that its supplier has: the folio they were told, or why it was cancelled with them. */
export const FolioDePedido = z.object({ ...vista, folio: Texto(60) });
export const PedidoCancelado = z.object({ ...vista, motivo: Texto(300) });

/** 'Hacer pedido' of a sale at one of its suppliers. */
export const HacerPedido = z.object({ orden: Id, proveedor: Texto(20), motivo: TextoOpcional(300) });
export type HacerPedido = z.infer<typeof HacerPedido>;
