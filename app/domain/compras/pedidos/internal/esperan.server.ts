import { sql, type RawBuilder } from 'kysely';
import { POR_CONFIRMAR } from '../pedido';
import { SIN_FOLIO } from './plazos';

/** Condition of a pedido that waits for a person to confirm it: neither on its way to the supplier, nor a letter. */
export const SIN_CONFIRMAR = sql<boolean>`(pedido.estado in (${sql.join(POR_CONFIRMAR.map((estado) => sql.lit(estado)))})
  and pedido.estado <> 'enviando' and not (pedido.estado = 'solicitado' and pedido.via = 'correo'))`;

/** Condition of a pedido that went by letter more than a day ago, and of which the supplier told no folio. */
export const sinFolio = (
  ahora: RawBuilder<Date>,
) => sql<boolean>`(pedido.estado = 'solicitado' and pedido.via = 'correo'
  and pedido.folio_proveedor is null and pedido.solicitado_en <= ${ahora} - ${sql.lit(SIN_FOLIO.aviso)} * interval '1 ms')`;
