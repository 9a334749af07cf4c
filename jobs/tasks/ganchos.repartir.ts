import { leerCuerpo } from '~/api/eventos.server';
import { repartir } from '~/domain/ganchos/repartir.server';
import { defineTask } from '../task.server';

export default defineTask('ganchos.repartir', (_, { db }) => repartir(db, leerCuerpo));
