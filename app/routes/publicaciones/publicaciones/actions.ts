import { withParams } from '~/core/list';
import { preguntaDePalanca } from '~/domain/publicaciones/publicaciones/publicacion';
import { preguntaDeRetenida } from '~/domain/publicaciones/publicaciones/retenida';
import { decidirRetenida, readRetenida } from '~/domain/publicaciones/publicaciones/retenidas.server';
import {
  DecidirRetenida,
  Palanca,
  PublicacionEditada,
  UnaPublicacion,
} from '~/domain/publicaciones/publicaciones/publicacionForm';
import { editarAhora } from '~/domain/publicaciones/publicaciones/editarAhora.server';
import { moverPalanca } from '~/domain/publicaciones/publicaciones/publicaciones.server';
import { leerPublicacionAhora } from '~/domain/sync/leerPublicacion.server';
import { defineRows, outcome } from '~/http/actions.server';

/** The switch of one marketplace, wherever it stands. */
export const palancaActions = () =>
  defineRows({
    palanca: {
      schema: Palanca,
      right: 'publicaciones.detener',
      confirm: (_, palanca) => preguntaDePalanca(palanca),
      commit: (trx, palanca, usuario) => moverPalanca(trx, palanca, usuario.id),
      aviso: 'Datos actualizados correctamente',
    },
  });

/** What the panel of a listing sends, on whatever screen it stands. */
export const publicacionActions = () =>
  defineRows({
    editarPublicacion: {
      schema: PublicacionEditada,
      right: 'publicaciones.editar',
      run: async (db, editada, usuario, { search }) => {
        const hecho = await editarAhora(db, editada, usuario.id);
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
      run: (db, { id }) => leerPublicacionAhora(db, id),
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
    ...palancaActions(),
  });
