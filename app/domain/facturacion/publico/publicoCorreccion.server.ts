import { NotAllowed } from '~/core/errors';
import { record } from '~/platform/bitacora.server';
import { correccionOfCliente, type CorreccionCliente } from '~/domain/facturacion/cancelacion/correcciones.server';
import { clienteVacio, type Visto } from '~/domain/facturacion/emision/draft';
import { findDraftOfEnlace, type FacturaDraft } from '~/domain/facturacion/emision/draft.server';
import { noteUse, type Enlace } from '~/domain/facturacion/enlaces/enlaces.server';
import { sameReceptor } from '~/domain/facturacion/receptores/receptor.server';
import type { Db, Trx } from '~db/client.server';
import { requireVistoPublico } from './internal/publicoVisto';

const TITULO = 'Corregir mis datos';

/**
 * 'Corregir mis datos': opens the link's draft again with the data of its factura. The result is a substitution as staff make it: the new
 * CFDI carries the relation 04 to the old one, which is cancelled with motive 01 once the new one is stamped. Throws NotAllowed when no
 * correction is left, and Stale when the draft moved.
 */
export async function beginCorreccion(db: Db, enlace: Enlace, visto: Visto, now: Date): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const draft = await draftOf(trx, enlace);
    // The other press of the same button opened it.
    if (draft.effectId === null && draft.sustituyeId !== null) return;
    requireVistoPublico(draft, visto);
    const factura = draft.effectId === null ? undefined : await facturaOf(trx, draft.effectId);
    if (!factura) throw new NotAllowed(TITULO, 'Este enlace todavía no tiene una factura que corregir.');
    requireNoImpedimento(await correccionOfCliente(trx, factura.id, now));
    await change(trx, draft, { effectId: null, sustituyeId: factura.id, modo: 'edicion' });
    await record(trx, {
      usuarioId: null,
      entidad: 'factura',
      entidadId: factura.id,
      accion: 'abrir corrección',
      datos: { enlace: enlace.id },
    });
    await noteUse(trx, enlace.id);
  });
}

/** 'No corregir': the link shows its factura again, and typed corrections are dropped. Throws Stale when the draft moved. */
export async function leaveCorreccion(db: Db, enlace: Enlace, visto: Visto): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const draft = await draftOf(trx, enlace);
    if (draft.sustituyeId === null || draft.effectId !== null) return;
    requireVistoPublico(draft, visto);
    const factura = await trx
      .selectFrom('factura')
      .select(['effectId', 'rfc', 'razonSocial', 'cp', 'regimen', 'usoCfdi', 'sustituyeId'])
      .where('id', '=', draft.sustituyeId)
      .executeTakeFirstOrThrow();
    const { effectId, sustituyeId, ...receptor } = factura;
    await change(
      trx,
      { ...draft, cliente: { ...(draft.cliente ?? clienteVacio()), ...receptor } },
      { effectId, sustituyeId, modo: 'lectura' },
    );
  });
}

/** Checks a correction when it is asked for. Throws NotAllowed when none is left, and when nothing differs from the factura. */
export async function requireCorreccion(
  trx: Trx,
  { sustituyeId, cliente }: FacturaDraft & { sustituyeId: string },
  usoCfdi: string,
  now: Date,
): Promise<void> {
  const correccion = await correccionOfCliente(trx, sustituyeId, now);
  requireNoImpedimento(correccion);
  const factura = await trx
    .selectFrom('factura')
    .select(['rfc', 'razonSocial', 'cp', 'regimen', 'usoCfdi'])
    .where('id', '=', sustituyeId)
    .executeTakeFirstOrThrow();
  if (cliente && cliente.rfc === factura.rfc && sameReceptor(cliente, factura) && factura.usoCfdi === usoCfdi)
    throw new NotAllowed(
      TITULO,
      `Los datos son los mismos de la factura ${correccion.folio}. Corrige lo que está mal antes de crear la nueva.`,
    );
}

function requireNoImpedimento({ impedimento }: CorreccionCliente): void {
  if (impedimento !== null) throw new NotAllowed(TITULO, impedimento);
}

async function draftOf(trx: Trx, enlace: Enlace): Promise<FacturaDraft> {
  const draft = await findDraftOfEnlace(trx, enlace.id, { lock: true });
  if (!draft) throw new NotAllowed(TITULO, 'Este enlace todavía no tiene una factura que corregir.');
  return draft;
}

function facturaOf(trx: Trx, effectId: string): Promise<{ id: string } | undefined> {
  return trx.selectFrom('factura').select('id').where('effectId', '=', effectId).executeTakeFirst();
}

/** Writes the state of a correction; the caller holds the row. */
async function change(
  trx: Trx,
  draft: FacturaDraft,
  { modo, ...ids }: { effectId: string | null; sustituyeId: string | null; modo: 'edicion' | 'lectura' },
): Promise<void> {
  const cliente = { ...(draft.cliente ?? clienteVacio()), modo, origen: null, guardando: null };
  await trx
    .updateTable('facturaDraft')
    .set({ ...ids, cliente: JSON.stringify(cliente), version: draft.version + 1, actualizadoEn: new Date() })
    .where('id', '=', draft.id)
    .execute();
}
