import { tellPlazos } from '~/domain/atencion/reclamos/tellPlazos.server';
import { defineTask } from '../task.server';

export default defineTask('plazos.avisar', async (_payload, { db }) => void (await tellPlazos(db)));
