import { probeProveedores } from '~/domain/compras/catalogo/lecturas.server';
import { defineTask } from '../task.server';

export default defineTask('proveedores.probar', (_, { db }) => probeProveedores(db));
