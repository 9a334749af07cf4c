import { sendAutomaticEnlaces } from '~/domain/facturacion/enlaces/enlaceEnvios.server';
import { defineTask } from '../task.server';

export default defineTask('enlaces.send', (_, { db }) => sendAutomaticEnlaces(db));
