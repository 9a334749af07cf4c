import { ACCIONES } from '~/domain/operacion/batchCatalog.server';
import { runBatch } from '~/platform/batches/prepared.server';
import { defineTask } from '../task.server';

export default defineTask('lote.run', ({ loteId }, { db, signal }) => runBatch(db, ACCIONES, loteId, { signal }));
