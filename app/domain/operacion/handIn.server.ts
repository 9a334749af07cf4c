import { preguntasTaker } from '~/domain/atencion/preguntas/syncPreguntas.server';
import { reclamosTaker } from '~/domain/atencion/reclamos/syncReclamos.server';
import { bringPiezas, readNow } from '~/domain/publicaciones/publicaciones/syncPublicaciones.server';
import { ladosOfVentas } from '~/domain/compras/catalogo/retratos.server';
import { handInTakers } from '~/domain/sync/takers.server';
import { handInLados } from '~/domain/ventas/ordenes/lados.server';
import { ventasTaker } from '~/domain/ventas/ordenes/taker.server';
import { CONNECTIONS } from '~/platform/connections/registry.server';
import { FAR_SIDES } from './farSides.server';

/**
 * Hands in what lower rooms ask for and may not import: every far side to the connections, and the takers of sales, questions, claims and listings to the
 * sync engine, and the pictures of products to the lists of sales. Each entry point calls it before anything else; a second call changes nothing.
 */
export function handIn(): void {
  CONNECTIONS.handIn(FAR_SIDES);
  handInLados(ladosOfVentas);
  handInTakers({
    ventas: ventasTaker,
    preguntas: preguntasTaker,
    reclamos: reclamosTaker,
    publicaciones: { readNow, bringPiezas },
  });
}
