import { requireCodigos } from '~/domain/facturacion/emision/codigosSku.server';
import type { Articulo } from '~/domain/facturacion/cfdi/articulos';
import type { Trx } from '~db/client.server';
import { createNota } from './createNota.server';
import { openNotaDraft, requireNotaDraft, saveDatosNota } from './notaDraft.server';
import type { DatosNota } from './notaForm';

/** The three steps of a note at once, by the same draft and the same questions as on the screen. Returns the note. */
export async function notaAtOnce(
  trx: Trx,
  { articulos, datos, fecha }: { articulos: Articulo[]; datos: DatosNota; fecha: string },
  usuario: { id: string; rol: string },
  now: Date,
): Promise<string> {
  await requireCodigos(trx, 'Error de llenado.', articulos);
  const id = await openNotaDraft(trx, articulos, usuario.id);
  await saveDatosNota(trx, await requireNotaDraft(trx, id, usuario), datos);
  const { version } = await requireNotaDraft(trx, id, usuario);
  return createNota(trx, id, { fecha, visto: { version, mostrado: {} }, usuario, now });
}
