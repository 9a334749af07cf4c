import { NotAllowed } from '~/core/errors';
import { cuantas } from '~/platform/batches/batch';
import type { Accion } from '~/platform/batches/prepared.server';
import { dichoOfRetenida } from '../retenida';
import { decideRetenida, listRetenidas, lockRetenida } from '../retenidas.server';

const FALLO = 'Error al actualizar: ';
const NO_ESPERA = 'Ningún cambio suyo espera a una persona.';

/** One decision for many held changes. Each decision is about the value that the list showed. */
const decide = (aplicar: boolean): Accion => ({
  accion: aplicar ? 'retenida.aplicar' : 'retenida.descartar',
  boton: aplicar ? 'Aplicar' : 'Descartar',
  nombres: { una: 'publicación', muchas: 'publicaciones', clave: 'ID', titulo: 'Titulo' },
  pregunta: (n) => ({
    titulo: aplicar ? 'Aplicar los cambios' : 'Descartar los cambios',
    texto: `¿Esta seguro que desea ${aplicar ? 'aplicar' : 'descartar'} los cambios que esperan?`,
    hechos: `${cuantas(n, 'publicación', 'publicaciones')}: ${aplicar ? 'el mercado las muestra como las quiere su proveedor' : 'en el mercado quedan como están'}.`,
  }),
  hecho: 'Datos actualizados correctamente',
  fallo: FALLO,
  async look(trx, ids) {
    const [publicaciones, esperan] = await Promise.all([
      trx
        .selectFrom('publicacion')
        .select(['id', 'marketId', 'clave', 'titulo', 'precio'])
        .where('id', 'in', [...ids])
        .execute(),
      listRetenidas(trx, ids),
    ]);
    const por = new Map(esperan.map((retenida) => [retenida.id, retenida]));
    return publicaciones.map(({ id, marketId, clave, titulo, precio }) => {
      const retenida = por.get(id);
      return {
        id,
        clave: marketId ?? clave,
        titulo: retenida ? `${titulo}. ${dichoOfRetenida(retenida)}` : titulo,
        importe: retenida?.precioRetenido ?? precio,
        visto: retenida?.secuencia ?? '',
        impedimento: retenida ? null : NO_ESPERA,
      };
    });
  },
  lock: async (trx, id) => (await lockRetenida(trx, id))?.secuencia,
  async apply(trx, id, { usuarioId }) {
    const retenida = await lockRetenida(trx, id);
    if (!retenida) throw new NotAllowed(FALLO, NO_ESPERA);
    await decideRetenida(trx, { id, huella: retenida.secuencia, aplicar }, usuarioId);
    return [];
  },
});

/** Applies many held changes. */
export const aplicarRetenidas = decide(true);
/** Drops many held changes: the marketplace keeps what it shows. */
export const descartarRetenidas = decide(false);
