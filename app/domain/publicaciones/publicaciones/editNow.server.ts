import type { AntesYAhora } from '~/core/antesYAhora';
import { enPesos } from '~/core/importe';
import { isDoneSoon } from '~/platform/effects/effects.server';
import type { Db, Trx } from '~db/client.server';
import type { PublicacionEditada } from './forms';
import { editPublicacion } from './publicaciones.server';

/** What became of an edit within the patience of a page. */
export type Editada = {
  /** True when the change stands at the marketplace, false while the marketplace has not answered. */
  hecho: boolean;
  /** Price and stock that changed, as they stand now. Empty while the marketplace has not answered. */
  cambios: AntesYAhora[];
  /** The edit that takes price and stock back; null where something else changed too, or nothing stands yet. */
  deshacer: PublicacionEditada | null;
};

/** Changes a listing and waits a moment for its marketplace. Throws as `editPublicacion`, and NotAllowed with the reason of a marketplace that refused. */
export async function editNow(db: Db, editada: PublicacionEditada, usuarioId: string): Promise<Editada> {
  const { antes, aceptado } = await db.transaction().execute(async (trx) => {
    // An edit over another version than this one is refused.
    const antes = await readEscrito(trx, editada.id);
    return { antes, aceptado: await editPublicacion(trx, editada, usuarioId) };
  });
  const hecho = aceptado === null || (await isDoneSoon(db, aceptado.id, 'Error al actualizar: '));
  const ahora = hecho ? await readEscrito(db, editada.id) : undefined;
  if (!antes || !ahora) return { hecho, cambios: [], deshacer: null };
  const pesos = ({ precio }: Escrito) => (precio === null ? null : enPesos(precio.toFixed(2)));
  const piezas = ({ stock }: Escrito) => (stock === null ? null : String(stock));
  const cambios = [
    { campo: 'Precio', antes: pesos(antes), ahora: pesos(ahora) },
    { campo: 'Stock', antes: piezas(antes), ahora: piezas(ahora) },
  ].filter(({ antes, ahora }) => antes !== ahora);
  return { hecho, cambios, deshacer: cambios.length > 0 ? regresoOf(editada.id, antes, ahora) : null };
}

/** Returns the edit that takes price and stock back; null where title, state or following changed too, or a value was unknown. */
function regresoOf(id: string, antes: Escrito, ahora: Escrito): PublicacionEditada | null {
  const { titulo, estatus, autoSync, precio, stock } = antes;
  const sameRest = titulo === ahora.titulo && estatus === ahora.estatus && autoSync === ahora.autoSync;
  if (!sameRest || precio === null || stock === null) return null;
  return { id, version: ahora.version, titulo, precio: precio.toFixed(2), stock, estatus, autoSync };
}

const readEscrito = (db: Db | Trx, id: string) =>
  db
    .selectFrom('publicacion')
    .select(['titulo', 'precio', 'stock', 'estatus', 'autoSync', 'version'])
    .where('id', '=', id)
    .executeTakeFirst();
type Escrito = NonNullable<Awaited<ReturnType<typeof readEscrito>>>;
