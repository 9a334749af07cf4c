import { z } from 'zod';
import { Id, Texto, TextoOpcional, Version } from '~/core/fields';

/** A pedido in the state that the screen showed. */
const vista = { pedido: Id, version: Version };

/** Cost that the screen showed; null when it could not tell any. */
const CostoVisto = z
  .string()
  .regex(/^\d{1,12}(?:\.\d{1,6})?$/)
  .optional()
  .catch(undefined)
  .transform((costo) => costo ?? null);

/** 'Confirmar pedido'. `motivo` is the person's reason, needed when a guard asks for one. */
export const ConfirmarPedido = z.object({ ...vista, costo: CostoVisto, motivo: TextoOpcional(300) });
export type ConfirmarPedido = z.infer<typeof ConfirmarPedido>;

/** A pedido as the screen showed it. */
export const UnPedido = z.object(vista);

/** The folio that the supplier told for an order. */
export const FolioDePedido = z.object({ ...vista, folio: Texto(60) });
/** A pedido that a person cancelled with its supplier, with the reason. */
export const PedidoCancelado = z.object({ ...vista, motivo: Texto(300) });

/** 'Hacer pedido': the order of a sale at one of its suppliers. */
export const HacerPedido = z.object({ orden: Id, proveedor: Texto(20), motivo: TextoOpcional(300) });
export type HacerPedido = z.infer<typeof HacerPedido>;
