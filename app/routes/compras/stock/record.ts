import { randomUUID } from 'node:crypto';
import { can } from '~/access/actions';
import { toWire } from '~/core/list';
import type { Usuario } from '~/core/usuario';
import { listProveedorOptions } from '~/domain/compras/directorio/proveedores.server';
import { readOfQue } from '~/domain/compras/stock/devoluciones.server';
import { ESTADO_LABEL, mayPass } from '~/domain/compras/stock/pieza';
import { listEstados, listIniciales, readPieza } from '~/domain/compras/stock/readPiezas.server';
import { db } from '~db/shared.server';

/** Reads a piece for its panel; null when the id is unknown. */
export async function piezaOf(id: string, _search: URLSearchParams, usuario: Usuario) {
  const [pieza, estados, proveedores] = await Promise.all([
    readPieza(db(), id),
    listEstados(db()),
    listProveedorOptions(db()),
  ]);
  if (!pieza) return null;
  return {
    ...toWire(pieza),
    puede: can(usuario, 'stock.operar'),
    /** The current state and the states that may follow it. */
    estados: estados
      .filter((estado) => estado === pieza.estado || mayPass(pieza.estado, estado))
      .map((value) => ({ value, label: ESTADO_LABEL[value] })),
    proveedores,
  };
}

export type PiezaAbierta = NonNullable<Awaited<ReturnType<typeof piezaOf>>>;

/** Reads what the form of a return needs: an article of the sale `id`, by its `articulo`; null when there is none. */
export async function recibirOf(id: string, search: URLSearchParams) {
  const [deQue, estados, proveedores] = await Promise.all([
    readOfQue(db(), new URLSearchParams({ orden: id, articulo: search.get('articulo') ?? '0' })),
    listIniciales(db()),
    listProveedorOptions(db()),
  ]);
  return deQue ? { deQue: toWire(deQue), clave: randomUUID(), estados, proveedores } : null;
}

export type PorRecibirAbierta = NonNullable<Awaited<ReturnType<typeof recibirOf>>>;
