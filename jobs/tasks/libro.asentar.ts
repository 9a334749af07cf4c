import { carryLibros } from '~/domain/ventas/libro/asentar.server';
import { defineTask } from '../task.server';

export default defineTask('libro.asentar', (payload, { db, signal }) => carryLibros(db, payload, signal));
