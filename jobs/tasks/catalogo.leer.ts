import { CONNECTIONS } from '~/platform/connections/registry.server';
import { enqueueCatalogos, bringCatalogo } from '~/domain/compras/catalogo/lecturas.server';
import { linkPublicaciones } from '~/domain/publicaciones/publicaciones/syncPublicaciones.server';
import { defineTask } from '../task.server';

export default defineTask('catalogo.leer', async ({ proveedor, tipo }, { db, signal }) => {
  if (proveedor === undefined) return await enqueueCatalogos(db);
  const leido = await bringCatalogo(db, CONNECTIONS.of(proveedor), { tipo, signal });
  // Listings are often read before the catalogue that has their products.
  if (leido === 'leido') await linkPublicaciones(db);
});
