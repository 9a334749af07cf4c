import { toWire } from '~/core/list';
import { readNota } from '~/domain/facturacion/notaSencilla/listNotas.server';
import { db } from '~db/shared.server';

/** A note as its panel shows it; null when there is none by that id. */
export async function notaOf(id: string) {
  const nota = await readNota(db(), id);
  return nota ? toWire(nota) : null;
}
