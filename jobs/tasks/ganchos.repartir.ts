import { leerCuerpo } from '~/api/eventos.server';
import { repartir } from '~/platform/webhooks/repartir.server';
import { defineTask } from '../task.server';

export default defineTask('ganchos.repartir', (_, { db }) => repartir(db, leerCuerpo));
