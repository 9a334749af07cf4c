import { readImpuestosPendientes } from '~/domain/compras/facturas/impuestos.server';
import { defineTask } from '../task.server';

export default defineTask('impuestos.leer', (_, { db, signal }) => readImpuestosPendientes(db, signal));
