import type { Question } from '~/core/fieldRules';
import { enPesos } from '~/core/importe';
import type { Db } from '~db/client.server';
import { DE_AHI_NO_SALE, ESTADO_LABEL, type EstadoDeStock, isFinal } from './estado';

/** What is asked before a piece goes where it does not come back from; null for any other step. */
export async function askMove(db: Db, id: string, a: EstadoDeStock): Promise<Question | null> {
  if (!isFinal(a)) return null;
  const pieza = await db
    .selectFrom('stockInterno')
    .select(['folio', 'estado', 'costo'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!pieza || pieza.estado === a) return null;
  return {
    titulo: 'Cambiar el estatus',
    texto: `¿Está seguro que desea pasar ${pieza.folio} a ${ESTADO_LABEL[a]}?`,
    hechos: `${DE_AHI_NO_SALE} Costó ${enPesos(pieza.costo.toFixed(2))}.`,
  };
}
