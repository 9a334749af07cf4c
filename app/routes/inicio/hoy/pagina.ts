import { createHash } from 'node:crypto';
import { colasOf as queuesOf } from '~/access/hoy.server';
import { lotesOf } from '~/access/lotes';
import type { Usuario } from '~/core/usuario';
import type { Cola } from '~/platform/hoy/cola';
import { FRESCO_MS, keep } from '~/platform/hoy/fresco.server';
import { readCartas, type Abierta } from '~/platform/hoy/hoy.server';
import { ACCIONES } from '~/domain/operacion/batchCatalog.server';
import { COLAS, columnaOf } from '~/domain/operacion/hoyCatalog.server';
import { readPortada } from '~/domain/operacion/portada.server';
import type { Db } from '~db/client.server';

/** Returns the queues of a role: those whose screens the role may open. */
export const colasOf = (quien: Pick<Usuario, 'rol'>, colas: readonly Cola[] = COLAS): Abierta[] =>
  queuesOf(quien, colas);

/** The acts that see at once to what of a queue is late by weeks, by queue. */
export type Lotes = Readonly<Record<string, readonly { hacer: string; boton: string }[]>>;

/** Returns the acts of a person on what of each queue is late by weeks. */
export const lotesOfAtrasadas = (quien: Pick<Usuario, 'rol'>): Lotes =>
  Object.fromEntries(
    colasOf(quien).flatMap(({ cola: { clave, lote } }) => {
      const suyos = lote ? lotesOf(quien, lote.lista) : [];
      const hace = (lote?.hacer ?? []).filter((hacer) => suyos.includes(hacer));
      return hace.length === 0 ? [] : [[clave, hace.map((hacer) => ({ hacer, boton: ACCIONES[hacer]!.boton }))]];
    }),
  );

/** Returns the cards of a role in the order of the house, each with its column. */
export const lugaresOf = (quien: Pick<Usuario, 'rol'>) =>
  colasOf(quien).map(({ cola: { clave } }) => ({ clave, columna: columnaOf(clave) }));

/** Reads the live part of the page. `marca` changes as soon as any of it changes. */
export async function readPagina(db: Db, usuario: Pick<Usuario, 'id' | 'rol'>) {
  const [portada, cartas] = await Promise.all([
    keep(db, 'portada', FRESCO_MS, () => readPortada(db)),
    readCartas(db, colasOf(usuario), usuario),
  ]);
  const marca = createHash('sha256')
    .update(JSON.stringify([portada.marca, cartas]))
    .digest('base64url')
    .slice(0, 20);
  return { ...portada, cartas, marca };
}
