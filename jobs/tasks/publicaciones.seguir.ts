import { followForever } from '~/domain/publicaciones/publicaciones/followProveedores.server';
import { defineTask } from '../task.server';

export default defineTask('publicaciones.seguir', (_, { db }) => followForever(db));
