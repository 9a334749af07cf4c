import { CONNECTIONS } from '~/platform/connections/registry.server';
import { enqueueCatalogos, bringCatalogo } from '~/domain/compras/catalogo/lecturas.server';
import { defineTask } from '../task.server';

export default defineTask('catalogo.leer', async ({ proveedor, tipo }, { db, signal }) => {
  if (proveedor === undefined) return await enqueueCatalogos(db);
  await bringCatalogo(db, CONNECTIONS.of(proveedor), { tipo, signal });
});
