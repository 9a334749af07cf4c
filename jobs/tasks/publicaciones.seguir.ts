import { seguirSinParar } from '~/domain/publicaciones/seguir.server';
import { defineTask } from '../task.server';

export default defineTask('publicaciones.seguir', (_, { db }) => seguirSinParar(db));
