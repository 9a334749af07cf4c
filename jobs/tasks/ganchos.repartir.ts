import { readCuerpo } from '~/api/eventos.server';
import { distribute } from '~/platform/webhooks/distribute.server';
import { defineTask } from '../task.server';

export default defineTask('ganchos.repartir', (_, { db }) => distribute(db, readCuerpo));
