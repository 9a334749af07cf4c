/** How the demo's shop buys at each supplier, chosen as its owner chooses it. */
import { NotAllowed } from '~/core/errors';
import { log } from '~/core/log.server';
import { fetchElecciones } from '~/domain/compras/catalogo/elecciones.server';
import { createAgente } from '~/domain/compras/directorio/agentes.server';
import { saveCompra } from '~/domain/compras/directorio/comoSeCompra.server';
import { findConfigurable, listConfigurados } from '~/domain/compras/directorio/configuracion.server';
import type { Db } from '../../db/client.server';

/** Who reads the letters of the suppliers that take orders by letter. */
const AGENTES = [
  { nombre: 'Laura', apellidos: 'Ríos Peña', email: 'pedidos@tvc.example', proveedor: 'tvc', telefono: null },
  {
    nombre: 'Óscar',
    apellidos: 'Núñez Ibarra',
    email: 'pedidos@tecnosinergia.example',
    proveedor: 'ts',
    telefono: null,
  },
];
const TELEFONO = '3312345678';

/** Takes the first of what each supplier offers, wherever nobody chose yet, and writes down who reads the letters. A supplier that cannot be asked is left. */
export async function seedComoSeCompra(db: Db): Promise<void> {
  const sa = await db.selectFrom('usuario').select('id').where('usuario', '=', 'sa').executeTakeFirst();
  if (!sa) return;
  const usuarioId = sa.id;
  for (const { value, compra } of await listConfigurados(db)) {
    const side = findConfigurable(value);
    if (!side || compra.falta.length === 0) continue;
    if (compra.seLeen && !(await isAsked(db, value))) continue;
    const { datos, lugar, huella } = (await listConfigurados(db)).find((one) => one.value === value)!.compra;
    const chosen = (clave: string) => {
      const dato = datos.find((one) => one.clave === clave);
      return dato?.valor ?? dato?.elecciones[0]?.clave ?? null;
    };
    const form = {
      huella,
      metodoPago: chosen('metodoPago'),
      fletera: chosen('fletera'),
      tipoPago: chosen('tipoPago'),
      usoCfdi: chosen('usoCfdi'),
      almacenes: lugar?.almacenes ?? [],
      numeroCliente: null,
      facturarA: null,
      telefono: TELEFONO,
      cc: [],
    };
    await db.transaction().execute((trx) => saveCompra(trx, side, form, usuarioId));
  }
  const ya = await db.selectFrom('agenteVenta').select('proveedor').execute();
  for (const agente of AGENTES)
    if (!ya.some(({ proveedor }) => proveedor === agente.proveedor))
      await db.transaction().execute((trx) => createAgente(trx, agente, usuarioId));
}

/** Asks a supplier for what it offers. False when it does not say. */
async function isAsked(db: Db, proveedor: string): Promise<boolean> {
  try {
    await fetchElecciones(db, proveedor);
    return true;
  } catch (error) {
    if (!(error instanceof NotAllowed)) throw error;
    log.warn('un proveedor de demostración no dijo qué ofrece', { proveedor, error: error.message });
    return false;
  }
}
