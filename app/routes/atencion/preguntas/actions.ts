import { withParams } from '~/core/list';
import { DESHACER } from '~/core/submission';
import { EFFECTS } from '~/domain/operacion/effectCatalog.server';
import {
  BloquearComprador,
  DetenerRespuesta,
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
import { askBlock, SALE_EN_SEGUNDOS } from '~/domain/atencion/preguntas/pregunta';
import { queueRespuesta, stopRespuesta } from '~/domain/atencion/preguntas/responderPregunta.server';
import { defineRows, outcome } from '~/http/actions.server';

/** The actions on a pregunta, on every screen that shows preguntas. */
export const preguntaActions = defineRows({
  responder: {
    schema: Responder,
    right: 'preguntas.responder',
    termina: true,
    commit: async (trx, form, usuario) =>
      outcome({
        aviso: `La respuesta sale en ${SALE_EN_SEGUNDOS} segundos.`,
        dura: SALE_EN_SEGUNDOS * 1_000,
        deshacer: {
          formulario: DESHACER,
          intent: 'detenerRespuesta',
          pregunta: form.pregunta,
          respuesta: await queueRespuesta(trx, form, usuario.id),
        },
      }),
  },
  detenerRespuesta: {
    schema: DetenerRespuesta,
    right: 'preguntas.responder',
    commit: (trx, form, usuario) => stopRespuesta(trx, EFFECTS, form, usuario.id),
    to: ({ pregunta }, { search }) => withParams(search, { ver: pregunta }),
    aviso: 'La respuesta no salió. Su texto está otra vez en la pregunta.',
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
