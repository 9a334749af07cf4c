import { watchFrescura } from '~/domain/compras/catalogo/frescura.server';
import { defineTask } from '../task.server';

export default defineTask('catalogo.vigilar', (_, { db }) => watchFrescura(db));
