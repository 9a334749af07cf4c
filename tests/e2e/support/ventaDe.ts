import { expect } from '@playwright/test';
import { buildGuia, listVendibles, type ProveedorDePrueba, readProducto } from '../../support/builders/pedidos';
import type { SandboxClient } from '../../support/sandboxClient';
import { withDatabase } from './database';
import { seedOrden } from './ordenes';

/** The `n`th product that a supplier sells, once the demo's own reading of its catalogue has come to it. */
async function productoDe(sandbox: SandboxClient, proveedor: ProveedorDePrueba, n: number) {
  const { id } = (await listVendibles(sandbox, proveedor))[n]!;
  const read = () => withDatabase((db) => readProducto(db, proveedor, id));
  await expect.poll(read, { timeout: 120_000 }).toBeDefined();
  return (await read())!;
}

/** A paid sale of one piece of a supplier, its label printed. */
export async function ventaDe(sandbox: SandboxClient, proveedor: ProveedorDePrueba, n: number) {
  const producto = await productoDe(sandbox, proveedor, n);
  const orden = await seedOrden({
    hours: 1,
    sku: `AMS|${producto.idProveedor}|${proveedor}|${producto.modelo}`,
    pagado: '90000.00',
  });
  await withDatabase(async (db) => {
    await db
      .updateTable('envio')
      .set({ modo: 'me2', subestatus: 'ready_to_print', telefono: '3311111111' })
      .where('id', '=', orden.envioId!)
      .execute();
    await buildGuia(db, orden.envioId!);
  });
  return { ...orden, producto };
}
