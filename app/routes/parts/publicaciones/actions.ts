import { NotAllowed } from '~/core/errors';
import { withParams } from '~/core/list';
import { isDoneSoon } from '~/domain/effects/effects.server';
import { fuenteOf } from '~/domain/mercados/registro.server';
import { MERCADOS } from '~/domain/mercados/mercados';
import { preguntaDeRetenida } from '~/domain/publicaciones/retenida';
import { decidirRetenida, readRetenida } from '~/domain/publicaciones/retenidas.server';
import { DecidirRetenida, Palanca, PublicacionEditada, UnaPublicacion } from '~/domain/publicaciones/publicacionForm';
import { editarPublicacion, moverPalanca, readPublicacion } from '~/domain/publicaciones/publicaciones.server';
import { traerPublicaciones } from '~/domain/sync/syncPublicaciones.server';
import { defineRows, outcome } from '~/http/actions.server';
import { Refused, Unavailable, UnexpectedShape } from '~/integrations/errors';

const TITULO = 'Error al actualizar: ';
/** A page does not stand longer for the marketplace. */
const PACIENCIA_MS = 8_000;

/** What the panel of a listing sends, on whatever screen it stands. */
export const publicacionActions = () =>
  defineRows({
    editarPublicacion: {
      schema: PublicacionEditada,
      right: 'publicaciones.editar',
      run: async (db, editada, usuario, { search }) => {
        const aceptado = await db.transaction().execute((trx) => editarPublicacion(trx, editada, usuario.id));
        const hecho = aceptado === null || (await isDoneSoon(db, aceptado.id, TITULO));
        return outcome({
          aviso: hecho ? 'Se modifico la publicación correctamente.' : 'El cambio va en camino al mercado.',
          to: withParams(search, { editar: null }),
        });
      },
    },
    leerPublicacion: {
      schema: UnaPublicacion,
      right: 'publicaciones.leer',
      aviso: 'Publicación actualizada',
      run: async (db, { id }) => {
        const publicacion = await readPublicacion(db, id);
        if (!publicacion) throw new NotAllowed(TITULO, 'No se encontro la publicación');
        const { market, clave } = publicacion;
        const fuente = fuenteOf(market);
        if ((await fuente.link(db))?.status !== 'linked')
          throw new NotAllowed(TITULO, `${MERCADOS[market].label} no está conectado.`);
        if (await fuente.isPaused(db)) throw new NotAllowed(TITULO, `${MERCADOS[market].label} está en pausa.`);
        try {
          const halladas = await traerPublicaciones(db, fuente, [clave], { timeoutMs: PACIENCIA_MS });
          if (halladas.length === 0)
            throw new NotAllowed(TITULO, `${MERCADOS[market].label} ya no tiene esta publicación.`);
        } catch (error) {
          if (error instanceof Unavailable || error instanceof Refused || error instanceof UnexpectedShape)
            throw new NotAllowed(TITULO, error.message);
          throw error;
        }
      },
    },
    decidirRetenida: {
      schema: DecidirRetenida,
      right: 'publicaciones.editar',
      confirm: async (db, { id, aplicar }) => {
        const retenida = await readRetenida(db, id);
        return retenida && preguntaDeRetenida(retenida, aplicar);
      },
      commit: (trx, decision, usuario) => decidirRetenida(trx, decision, usuario.id),
      aviso: 'Datos actualizados correctamente',
    },
    palanca: {
      schema: Palanca,
      right: 'publicaciones.detener',
      confirm: (_, { market, detener }) => ({
        titulo: detener ? 'Detener la sincronización' : 'Continuar la sincronización',
        texto: detener
          ? '¿Esta seguro que desea detener la sincronización automática?'
          : '¿Esta seguro que desea continuar la sincronización automática?',
        hechos: detener
          ? `${MERCADOS[market].label}: ningún precio ni stock se cambia solo hasta que alguien la continúe.`
          : `${MERCADOS[market].label}: lo que cambió mientras tanto se envía ahora.`,
      }),
      commit: (trx, palanca, usuario) => moverPalanca(trx, palanca, usuario.id),
      aviso: 'Datos actualizados correctamente',
    },
  });
