import { ACCIONES } from '~/domain/operacion/loteCatalog.server';
import { runLote } from '~/platform/batches/lote.server';
import { defineTask } from '../task.server';

export default defineTask('lote.run', ({ loteId }, { db, signal }) => runLote(db, ACCIONES, loteId, { signal }));
