import { keepCostosVistos } from '~/domain/compras/catalogo/costosVistos.server';
import { defineTask } from '../task.server';

export default defineTask('costos.ver', ({ llegadas }, { db, signal }) =>
  keepCostosVistos(db, { llegadas: llegadas === true }, signal),
);
