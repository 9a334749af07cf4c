import { NotAllowed } from '~/core/errors';
import type { Question } from '~/core/fieldRules';
import { record } from '~/platform/bitacora.server';
import type { Db, Trx } from '~db/client.server';
import type { EncogidoForm } from './encogidoForm';
import { markUnlisted } from './internal/lecturaCatalogo.server';

/** A catalogue that shrank so much that somebody has to say whether it is so. */
export type Encogido = {
  id: string;
  proveedor: string;
  label: string;
  terminoEn: Date;
  vistos: number;
  porMarcar: number;
};

const sinDecidir = (db: Db | Trx) =>
  db
    .selectFrom('lecturaCatalogo')
    .innerJoin('proveedor', 'proveedor.value', 'lecturaCatalogo.proveedor')
    .select(['id', 'proveedor', 'label', 'terminoEn', 'vistos', 'porMarcar'])
    .where('porMarcar', 'is not', null)
    .where('decision', 'is', null)
    .where('terminoEn', 'is not', null)
    // A read that ended after it says more.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('lecturaCatalogo as otra')
            .select('otra.id')
            .whereRef('otra.proveedor', '=', 'lecturaCatalogo.proveedor')
            .whereRef('otra.tipo', '=', 'lecturaCatalogo.tipo')
            .whereRef('otra.terminoEn', '>', 'lecturaCatalogo.terminoEn')
            .where('otra.vistos', '>', 0),
        ),
      ),
    )
    .$narrowType<{ terminoEn: Date; porMarcar: number }>();

export const listEncogidos = (db: Db): Promise<Encogido[]> => sinDecidir(db).orderBy('terminoEn').execute();

/** 'marcar': what it did not list is gone. 'dejar': it stays, as old as it is. Asked twice, the first answer stands. */
export async function decideEncogido(
  trx: Trx,
  { id, decision }: EncogidoForm,
  usuarioId: string,
): Promise<{ marcados: number }> {
  const [lectura] = await sinDecidir(trx).where('id', '=', id).forUpdate('lecturaCatalogo').execute();
  if (!lectura)
    throw new NotAllowed('El catálogo ya es otro.', 'Alguien ya lo decidió, o una lectura más nueva dice otra cosa.');
  const marcados = decision === 'marcar' ? await markUnlisted(trx, lectura) : 0;
  await trx
    .updateTable('lecturaCatalogo')
    .set({ decision, decidioId: usuarioId, decidioEn: new Date(), ausentes: marcados })
    .where('id', '=', id)
    .execute();
  await trx.deleteFrom('catalogoVisto').where('lecturaId', '=', id).execute();
  const { proveedor, porMarcar } = lectura;
  const datos = { proveedor, decision, porMarcar, marcados };
  await record(trx, { usuarioId, entidad: 'catalogo', entidadId: id, accion: 'decidir', datos });
  return { marcados };
}

/** What marking would do, said once more before it is done. */
export async function askEncogido(db: Db, { id, decision }: EncogidoForm): Promise<Question | null> {
  const lectura = decision === 'marcar' ? await sinDecidir(db).where('id', '=', id).executeTakeFirst() : undefined;
  if (!lectura) return null;
  return {
    titulo: `Catálogo de ${lectura.label}`,
    texto: '¿Esta seguro que desea marcar como ausentes los productos que no llegaron?',
    hechos: `${lectura.porMarcar} productos dejan de venderse hasta que vuelvan a aparecer.`,
  };
}
