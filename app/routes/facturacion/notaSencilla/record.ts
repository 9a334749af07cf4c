import { toWire } from '~/core/list';
import { readNota } from '~/domain/facturacion/notaSencilla/listNotas.server';
import { db } from '~db/shared.server';

/** Reads a nota sencilla for its panel; null when the id is unknown. */
export async function notaOf(id: string) {
  const nota = await readNota(db(), id);
  return nota ? toWire(nota) : null;
}
