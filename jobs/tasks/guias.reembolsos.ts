import { checkReembolsos } from '~/domain/ventas/envios/cancelGuia.server';
import { defineTask } from '../task.server';

export default defineTask('guias.reembolsos', (_, { db }) => checkReembolsos(db));
