import { ACCIONES } from '~/domain/loteCatalog.server';
import { runLote } from '~/domain/lotes/lote.server';
import { defineTask } from '../task.server';

export default defineTask('lote.run', ({ loteId }, { db, signal }) => runLote(db, ACCIONES, loteId, { signal }));
