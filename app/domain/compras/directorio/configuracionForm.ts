import { z } from 'zod';
import { Huella, SiNo } from '~/core/fields';

/** What the switches are to become, and what the screen showed. */
export const PedidosForm = z.object({ huella: Huella, crearPedido: SiNo, comprarSinConfirmar: SiNo });
export type PedidosForm = z.infer<typeof PedidosForm>;
