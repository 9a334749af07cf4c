import { sql } from 'kysely';
import { z } from 'zod';
import { NotAllowed } from '~/core/errors';
import type { Db, Trx } from '~db/client.server';
import type { LecturasDeCuenta } from '~/integrations/mercadolibre/lugares.server';
import { cuentaPorLugar } from '~/integrations/mercadolibre/wireLugares';
import { findCredential } from '~/platform/connections/credentials.server';
import type { AlmacenesDeCuenta } from '../../almacenes';
import { type CuentaMl, faltaDeAlmacen } from './cuentaMl';

const CONEXION = 'mercadolibre';
const Almacenes = z.array(z.object({ id: z.string(), nombre: z.string(), nodo: z.string().nullable() }));

const NUNCA: CuentaMl = {
  etiquetas: [],
  porLugar: false,
  almacenes: [],
  almacen: null,
  leidaEn: null,
  conRegla: new Set(),
  seEligio: false,
};

/** Reads what is kept of the linked account. */
export async function readCuentaMl(db: Db | Trx): Promise<CuentaMl> {
  const fila = await db
    .selectFrom('mercadolibreCuenta')
    .innerJoin('credential', 'credential.account', 'mercadolibreCuenta.cuenta')
    .select(['etiquetas', 'almacenes', 'almacen', 'leidaEn', 'conRegla'])
    .where('credential.connection', '=', CONEXION)
    .executeTakeFirst();
  if (!fila) return NUNCA;
  const almacenes = Almacenes.catch([]).parse(fila.almacenes);
  const [primero, segundo] = almacenes;
  return {
    etiquetas: fila.etiquetas,
    porLugar: cuentaPorLugar(fila.etiquetas),
    almacenes,
    // An account with one store leaves no choice.
    almacen: primero && !segundo ? primero : (almacenes.find(({ id }) => id === fila.almacen) ?? null),
    leidaEn: fila.leidaEn,
    conRegla: new Set(fila.conRegla),
    seEligio: fila.almacen !== null,
  };
}

/** Keeps the tags of an account. Its stores stay as they were read, and so does the choice of people. */
export async function noteEtiquetas(db: Db | Trx, cuenta: string, etiquetas: readonly string[]): Promise<void> {
  await db
    .insertInto('mercadolibreCuenta')
    .values({ cuenta, etiquetas: [...etiquetas] })
    .onConflict((on) => on.column('cuenta').doUpdateSet({ etiquetas: [...etiquetas], leidaEn: sql<Date>`now()` }))
    .execute();
}

/** Reads the account at Mercado Libre, keeps the answer, and returns it. The stores are asked for where pieces go by place alone. */
export async function refreshCuentaMl(db: Db, lecturas: LecturasDeCuenta): Promise<CuentaMl> {
  const link = await findCredential(db, CONEXION);
  if (!link) return NUNCA;
  const etiquetas = await lecturas.etiquetas();
  const almacenes = cuentaPorLugar(etiquetas) ? await lecturas.almacenes() : [];
  await noteEtiquetas(db, link.account, etiquetas);
  await db
    .updateTable('mercadolibreCuenta')
    .set({ almacenes: JSON.stringify(almacenes) })
    .where('cuenta', '=', link.account)
    .execute();
  return await readCuentaMl(db);
}

/** Reads which listings have a price that a rule of Mercado Libre moves, and keeps the answer. */
export async function refreshReglas(db: Db, lecturas: LecturasDeCuenta): Promise<void> {
  const link = await findCredential(db, CONEXION);
  if (!link) return;
  const conRegla = await lecturas.conRegla();
  await db.updateTable('mercadolibreCuenta').set({ conRegla }).where('cuenta', '=', link.account).execute();
}

/** Returns the stores of the account as people see them; null for an account that counts pieces by listing. */
export async function readAlmacenes(db: Db | Trx): Promise<AlmacenesDeCuenta | null> {
  const cuenta = await readCuentaMl(db);
  if (!cuenta.porLugar || cuenta.leidaEn === null) return null;
  return {
    lista: cuenta.almacenes,
    elegido: cuenta.almacen?.id ?? null,
    falta: faltaDeAlmacen(cuenta),
    leidosEn: cuenta.leidaEn,
  };
}

/** Keeps the store in which our pieces lie. Throws NotAllowed for a store that the account does not have. */
export async function chooseAlmacen(trx: Trx, id: string): Promise<void> {
  const { almacenes } = await readCuentaMl(trx);
  if (!almacenes.some((one) => one.id === id))
    throw new NotAllowed('Error al guardar: ', 'Ese almacén ya no está en la cuenta: lee los almacenes otra vez.', {
      campo: 'almacen',
    });
  await trx
    .updateTable('mercadolibreCuenta')
    .set({ almacen: id })
    .where('cuenta', '=', (eb) => eb.selectFrom('credential').select('account').where('connection', '=', CONEXION))
    .execute();
}
