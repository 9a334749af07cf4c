import { z } from 'zod';
import type { Db } from '~db/client.server';
import { readCfdisPropuestos } from './cfdis.server';
import { readFacturasDeOrden } from './proveedorFacturas.server';
import { listProveedores } from './proveedores.server';

const isId = (text: string) => z.uuid().safeParse(text).success;

/** What the dialog of a sale's supplier invoices shows: those it has, the documents just read, and the one to be edited; undefined when there is no such sale. */
export async function openFacturasDeOrden(
  db: Db,
  ordenId: string,
  { cfdis: ids, editar }: { cfdis: readonly string[]; editar: string | null },
) {
  const deOrden = isId(ordenId) ? await readFacturasDeOrden(db, ordenId) : undefined;
  if (!deOrden) return undefined;
  const [proveedores, cfdis] = await Promise.all([listProveedores(db), readCfdisPropuestos(db, ids.filter(isId))]);
  const editada = deOrden.facturas.find(({ id }) => id === editar) ?? null;
  return { ...deOrden, ordenId, proveedores, cfdis, editada };
}
