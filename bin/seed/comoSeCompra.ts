/** How the demo's shop buys at each supplier, chosen as its owner chooses it. */
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

/** Takes the first of what each supplier offers, wherever nobody chose yet, and writes down who reads the letters. */
export async function seedComoSeCompra(db: Db, usuarioId: string): Promise<void> {
  for (const { value, compra } of await listConfigurados(db)) {
    const side = findConfigurable(value);
    if (!side || compra.falta.length === 0) continue;
    if (compra.seLeen) await fetchElecciones(db, value);
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
