import {
  BloquearComprador,
  NuevaPlantilla,
  PlantillaEditada,
  Responder,
  UnaPlantilla,
} from '~/domain/atencion/preguntas/preguntaForm';
import { setBloqueo } from '~/domain/atencion/preguntas/comprador.server';
import {
  createPlantilla,
  nombreOfPlantilla,
  removePlantilla,
  savePlantilla,
} from '~/domain/atencion/preguntas/plantillas.server';
import { askRemove } from '~/domain/atencion/preguntas/plantilla';
import { askBlock, askAnswer, RESPONDIDA } from '~/domain/atencion/preguntas/pregunta';
import { answerPregunta } from '~/domain/atencion/preguntas/responderPregunta.server';
import { defineRows, outcome } from '~/http/actions.server';

/** The actions on a pregunta, on every screen that shows preguntas. */
export const preguntaActions = defineRows({
  responder: {
    schema: Responder,
    right: 'preguntas.responder',
    confirm: (_db, { texto }) => askAnswer(texto),
    run: async (db, form, usuario) =>
      outcome({
        aviso: (await answerPregunta(db, form, usuario.id))
          ? `Se actualizo correctamente. ${RESPONDIDA}.`
          : 'La respuesta va en camino a Mercado Libre.',
      }),
  },
  bloquear: {
    schema: BloquearComprador,
    right: 'preguntas.responder',
    confirm: (_db, { bloquear }) => askBlock(bloquear, 'En Mercado Libre, para toda la cuenta.'),
    run: async (db, { pregunta, bloquear }, usuario) => {
      const hecho = await setBloqueo(db, pregunta, bloquear, usuario.id);
      const que = bloquear ? 'El cliente quedó bloqueado.' : 'El cliente quedó activo.';
      return outcome({ aviso: hecho ? que : 'El cambio va en camino a Mercado Libre.' });
    },
  },
  agregarPlantilla: {
    schema: NuevaPlantilla,
    right: 'plantillas.editar',
    commit: (trx, plantilla, usuario) => createPlantilla(trx, plantilla, usuario.id),
    to: '?plantillas=1',
    aviso: 'Se agrego la plantilla correctamente.',
  },
  editarPlantilla: {
    schema: PlantillaEditada,
    right: 'plantillas.editar',
    commit: (trx, plantilla, usuario) => savePlantilla(trx, plantilla, usuario.id),
    aviso: 'Se modifico la plantilla correctamente.',
  },
  eliminarPlantilla: {
    schema: UnaPlantilla,
    right: 'plantillas.editar',
    confirm: async (db, { plantilla }) => {
      const nombre = await nombreOfPlantilla(db, plantilla);
      return nombre === null ? null : askRemove(nombre);
    },
    commit: (trx, form, usuario) => removePlantilla(trx, form, usuario.id),
    aviso: 'Se elimino la plantilla correctamente.',
  },
});
