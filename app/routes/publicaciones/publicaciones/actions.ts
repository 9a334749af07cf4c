import { enUnaLinea } from '~/core/antesYAhora';
import { withParams } from '~/core/list';
import { DESHACER, wordsOf } from '~/core/submission';
import { askPalanca } from '~/domain/publicaciones/publicaciones/publicacion';
import { askRetenida } from '~/domain/publicaciones/publicaciones/retenida';
import { decideRetenida, readRetenida } from '~/domain/publicaciones/publicaciones/retenidas.server';
import {
  DecidirRetenida,
  ExcluirPromocion,
  Palanca,
  PublicacionEditada,
  UnaPublicacion,
} from '~/domain/publicaciones/publicaciones/forms';
import { editNow } from '~/domain/publicaciones/publicaciones/editNow.server';
import { askFollow, movePalanca } from '~/domain/publicaciones/publicaciones/publicaciones.server';
import { bringCompetencia } from '~/domain/publicaciones/publicaciones/competencia.server';
import {
  askExclusion,
  bringPromocionesOf,
  excluirPromocion,
} from '~/domain/publicaciones/publicaciones/promociones.server';
import { bringPublicacion } from '~/domain/publicaciones/publicaciones/bringPublicacion.server';
import { defineRows, outcome } from '~/http/actions.server';

/** The action of a marketplace's switch, on every screen that shows the switch. */
export const palancaActions = () =>
  defineRows({
    palanca: {
      schema: Palanca,
      right: 'publicaciones.detener',
      confirm: (_, palanca) => askPalanca(palanca),
      commit: (trx, palanca, usuario) => movePalanca(trx, palanca, usuario.id),
      aviso: 'Datos actualizados correctamente',
    },
  });

/** The actions of the panel of a listing, on every screen that shows the panel. */
export const publicacionActions = () =>
  defineRows({
    editarPublicacion: {
      schema: PublicacionEditada,
      right: 'publicaciones.editar',
      confirm: askFollow,
      run: async (db, editada, usuario, { search }) => {
        const { hecho, cambios, deshacer } = await editNow(db, editada, usuario.id);
        return outcome({
          aviso: hecho
            ? ['Se modifico la publicación correctamente.', enUnaLinea(cambios)].filter(Boolean).join(' ')
            : 'El cambio va en camino al mercado.',
          ...(deshacer && {
            deshacer: wordsOf({ formulario: DESHACER, intent: 'editarPublicacion', ...deshacer }),
          }),
          to: withParams(search, { editar: null }),
        });
      },
    },
    leerPublicacion: {
      schema: UnaPublicacion,
      right: 'publicaciones.leer',
      aviso: 'Publicación actualizada',
      run: (db, { id }) => bringPublicacion(db, id),
    },
    leerCompetencia: {
      schema: UnaPublicacion,
      right: 'publicaciones.leer',
      aviso: 'Se leyó cómo queda frente a otros vendedores',
      run: (db, { id }) => bringCompetencia(db, id),
    },
    leerPromociones: {
      schema: UnaPublicacion,
      right: 'publicaciones.leer',
      aviso: 'Se leyeron sus promociones',
      run: (db, { id }) => bringPromocionesOf(db, id),
    },
    excluirPromocion: {
      schema: ExcluirPromocion,
      right: 'publicaciones.editar',
      confirm: askExclusion,
      run: async (db, pedida, usuario) =>
        outcome({ aviso: (await excluirPromocion(db, pedida, usuario.id)) ?? 'La exclusión va en camino al mercado.' }),
    },
    decidirRetenida: {
      schema: DecidirRetenida,
      right: 'publicaciones.editar',
      confirm: async (db, { id, aplicar }) => {
        const retenida = await readRetenida(db, id);
        return retenida && askRetenida(retenida, aplicar);
      },
      commit: (trx, decision, usuario) => decideRetenida(trx, decision, usuario.id),
      aviso: 'Datos actualizados correctamente',
    },
    ...palancaActions(),
  });
