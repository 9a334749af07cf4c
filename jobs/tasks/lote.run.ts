import { runLote } from '~/domain/atencion/lote.server';
import { defineTask } from '../task.server';

export default defineTask('lote.run', ({ loteId }, { db, signal }) => runLote(db, loteId, { signal }));
