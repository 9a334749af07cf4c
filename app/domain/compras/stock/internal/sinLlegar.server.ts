import { cuantas, type Nombres } from '~/platform/batches/batch';
import type { Accion } from '~/platform/batches/prepared.server';
import { postponeEncargo } from '~/platform/hoy/encargos.server';
import { instantOfHasta } from '~/platform/hoy/hasta';
import { devolucionesPorRecibir, listEsperadas, NO_HA_LLEGADO } from '../devoluciones.server';
import { FALTA_LABEL } from '../empaque';

const SIN_LLEGAR = FALTA_LABEL.noLlego;
const NOMBRES: Nombres = { una: 'devolución', muchas: 'devoluciones', clave: 'No. Orden', titulo: 'Título' };

/**
 * Puts aside for a week many returns that did not arrive. Each stays in its queue, marked and with that reason, and is asked about again by itself. A return
 * that arrives meanwhile is received as any other.
 */
export const devolucionesSinLlegar: Accion = {
  accion: NO_HA_LLEGADO,
  boton: SIN_LLEGAR,
  nombres: NOMBRES,
  pregunta: (n) => ({
    titulo: SIN_LLEGAR,
    texto: `¿Está seguro que desea posponer ${cuantas(n, NOMBRES.una, NOMBRES.muchas)} una semana?`,
    hechos: 'Siguen en su cola como pospuestas, y cada una se puede volver a mostrar antes.',
  }),
  hecho: 'Las devoluciones se pospusieron una semana.',
  fallo: 'No se pudo posponer.',
  async look(trx, ids, ahora) {
    const esperadas = new Map((await listEsperadas(trx, ids, ahora)).map((una) => [una.id, una]));
    const ordenes = await trx
      .selectFrom('orden')
      .select(['id', 'numOrden', 'titulo'])
      .where('id', 'in', [...ids])
      .execute();
    return ordenes.map(({ id, numOrden, titulo }) => {
      const esperada = esperadas.get(id);
      return {
        id,
        clave: numOrden,
        titulo,
        importe: null,
        visto: esperada?.a ?? '',
        impedimento: !esperada
          ? 'No viene de regreso, o ya se recibió.'
          : esperada.pospuesta
            ? 'Ya está pospuesta.'
            : null,
      };
    });
  },
  async lock(trx, id) {
    await trx.selectFrom('orden').select('id').where('id', '=', id).forUpdate().execute();
    const [esperada] = await listEsperadas(trx, [id], new Date());
    return esperada?.pospuesta === false ? esperada.a : undefined;
  },
  async apply(trx, id, { usuarioId }) {
    const cual = { cola: devolucionesPorRecibir.clave, cosa: id };
    const hasta = instantOfHasta('unaSemana', new Date());
    await postponeEncargo(trx, cual, { hasta, motivo: SIN_LLEGAR }, usuarioId);
    return [];
  },
};
