import { followForever } from '~/domain/publicaciones/publicaciones/seguir.server';
import { defineTask } from '../task.server';

export default defineTask('publicaciones.seguir', (_, { db }) => followForever(db));
