import { z } from 'zod';
import { Money } from '~/core/money';
import { isGenericRfc, normalizeRfc } from '~/core/rfc';
import { NotAllowed, Stale } from '~/core/errors';
import type { Db, Trx } from '~db/client.server';
import type { Market } from '~db/columns';
import { articulosOf, textoCfdi, type Articulo } from '~/domain/facturacion/cfdi/articulos';
import { codigosOfSkus } from './codigosSku.server';
import { findClientes } from '~/domain/facturacion/receptores/clientes.server';
import {
  clienteVacio,
  DraftArticulo,
  DraftCliente,
  DraftRevision,
  type Paso,
  choqueOf,
  mostradoOf,
  type Visto,
} from './draft';
import { explainClaim } from './internal/explainClaim.server';
import {
  findClaim,
  ordenesOfNumber,
  requireFacturables,
  type OrdenFacturable,
} from '~/domain/facturacion/cfdi/facturables.server';
import type { EffectCatalog } from '~/platform/effects/definition';
import { withdrawEffect } from '~/platform/effects/resolve.server';

export type FacturaDraft = {
  id: string;
  numOrden: string;
  market: Market;
  usuarioId: string | null;
  articulos: Articulo[];
  cliente: DraftCliente | null;
  revision: DraftRevision | null;
  effectId: string | null;
  /** The factura this one is to replace. */
  sustituyeId: string | null;
  version: number;
  actualizadoEn: Date;
};

/** Finds the sale and opens its draft: the one this person left half done, or a new one filled with all that is known. */
export async function openDraft(db: Db, numero: string, usuarioId: string): Promise<string> {
  const { ordenes } = requireFacturables(await ordenesOfNumber(db, numero.trim()));
  const { numOrden, market } = ordenes[0]!;
  const claim = await findClaim(
    db,
    ordenes.map(({ id }) => id),
  );
  if (claim) {
    const running = claim.folio ? undefined : await findRunning(db, claim.effectId, usuarioId);
    if (running) return running.id;
    throw new NotAllowed('Facturación', await explainClaim(db, claim), { campo: 'numOrden' });
  }
  const open = await db
    .selectFrom('facturaDraft')
    .leftJoin('effect', 'effect.id', 'facturaDraft.effectId')
    .select('facturaDraft.id')
    .where('numOrden', '=', numOrden)
    .where('market', '=', market)
    .where('facturaDraft.usuarioId', '=', usuarioId)
    .where('sustituyeId', 'is', null)
    .where((eb) => eb.or([eb('effectId', 'is', null), eb('effect.state', 'in', ['refused', 'cancelled'])]))
    .orderBy('actualizadoEn', 'desc')
    .executeTakeFirst();
  if (open) return open.id;
  const [articulos, cliente] = [await proposeArticulos(db, ordenes), await proposeCliente(db, ordenes)];
  const { id } = await db
    .insertInto('facturaDraft')
    .values({
      numOrden,
      market,
      usuarioId,
      articulos: JSON.stringify(articulos),
      cliente: cliente && JSON.stringify(cliente),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The draft whose factura is being stamped, for who may look at it: whoever asked for it, and sa and admin. A customer's is nobody's to go on with. */
async function findRunning(db: Db, effectId: string, usuarioId: string): Promise<{ id: string } | undefined> {
  const { rol } = await db.selectFrom('usuario').select('rol').where('id', '=', usuarioId).executeTakeFirstOrThrow();
  return db
    .selectFrom('facturaDraft')
    .select('id')
    .where('effectId', '=', effectId)
    .where('enlaceId', 'is', null)
    .$if(rol !== 'sa' && rol !== 'admin', (drafts) => drafts.where('usuarioId', '=', usuarioId))
    .executeTakeFirst();
}

/** 'Limpiar': what this person had typed for the number goes, and the sale's own data come back at the next search. What another tab wrote since stays. */
export async function discardDraft(db: Db, draft: FacturaDraft): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('facturaDraft')
    .where('id', '=', draft.id)
    .where('version', '=', draft.version)
    .where('effectId', 'is', null)
    .executeTakeFirst();
  if (numDeletedRows === 0n) await refuseMoved(db, draft);
}

/** After a clear no the draft opens again; what was typed is still there. One that moved since it was read stays as it is. */
export async function reopenDraft(db: Db, draft: FacturaDraft): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('facturaDraft')
    .set({ effectId: null, actualizadoEn: new Date() })
    .where('id', '=', draft.id)
    .where('version', '=', draft.version)
    .where('effectId', 'in', (eb) =>
      eb.selectFrom('effect').select('id').where('state', 'in', ['refused', 'cancelled']),
    )
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return;
  const same = await db
    .selectFrom('facturaDraft')
    .select('id')
    .where('id', '=', draft.id)
    .where('version', '=', draft.version)
    .executeTakeFirst();
  if (!same) await refuseMoved(db, draft);
}

const DRAFT = [
  'id',
  'numOrden',
  'market',
  'usuarioId',
  'articulos',
  'cliente',
  'revision',
  'effectId',
  'sustituyeId',
  'version',
  'actualizadoEn',
] as const;

/** The draft of a customer's link. With `lock`, nobody else gets it until the transaction ends. */
export async function findDraftOfEnlace(
  db: Db | Trx,
  enlaceId: string,
  { lock = false } = {},
): Promise<FacturaDraft | undefined> {
  const row = await db
    .selectFrom('facturaDraft')
    .select(DRAFT)
    .where('enlaceId', '=', enlaceId)
    .$if(lock, (drafts) => drafts.forUpdate())
    .executeTakeFirst();
  return row && draftOf(row);
}

/** A draft belongs to who opened it; sa and admin may go on with anybody's. */
export async function requireDraft(
  db: Db | Trx,
  id: string,
  usuario: { id: string; rol: string },
): Promise<FacturaDraft> {
  const row = z.uuid().safeParse(id).success
    ? await db.selectFrom('facturaDraft').select(DRAFT).where('id', '=', id).executeTakeFirst()
    : undefined;
  if (!row || (row.usuarioId !== usuario.id && usuario.rol !== 'sa' && usuario.rol !== 'admin')) {
    throw new NotAllowed('Facturación', SIN_BORRADOR);
  }
  return draftOf(row);
}

/** The draft, if it is still what the screen showed. What then is written, is written over that very state. */
export function requireVisto(draft: FacturaDraft, { version, mostrado }: Visto): FacturaDraft {
  if (draft.version === version) return draft;
  throw new Stale(choqueOf(draft.version, { antes: mostrado, ahora: mostradoOf(draft) }));
}

/** The row of a draft, held until the transaction ends, if it is in the state that was read and, when somebody looked at it, in the one they saw. */
export async function lockDraft(trx: Trx, draft: FacturaDraft, visto?: Visto): Promise<void> {
  const row = await trx
    .selectFrom('facturaDraft')
    .select(DRAFT)
    .where('id', '=', draft.id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw new NotAllowed('Facturación', SIN_BORRADOR);
  if (visto) requireVisto(draftOf(row), visto);
  if (row.version !== draft.version)
    throw new Stale(choqueOf(row.version, { antes: mostradoOf(draft), ahora: mostradoOf(draftOf(row)) }));
}

/** A write that found another state than the one that was read tells it. */
async function refuseMoved(db: Db | Trx, draft: FacturaDraft): Promise<void> {
  const row = await db.selectFrom('facturaDraft').select(DRAFT).where('id', '=', draft.id).executeTakeFirst();
  if (!row) return;
  if (row.effectId !== null && row.effectId !== draft.effectId)
    throw new NotAllowed('Facturación', 'La factura de este borrador ya se pidió y sus datos ya no cambian.');
  if (row.version !== draft.version)
    throw new Stale(choqueOf(row.version, { antes: mostradoOf(draft), ahora: mostradoOf(draftOf(row)) }));
}

const SIN_BORRADOR = 'Este borrador ya no existe. Busca la orden de nuevo.';

type DraftRow = Omit<FacturaDraft, 'articulos' | 'cliente' | 'revision'> & {
  articulos: unknown;
  cliente: unknown;
  revision: unknown;
};

function draftOf(row: DraftRow): FacturaDraft {
  return {
    ...row,
    articulos: z.array(DraftArticulo).parse(row.articulos),
    cliente: row.cliente === null ? null : DraftCliente.parse(row.cliente),
    revision: row.revision === null ? null : DraftRevision.parse(row.revision),
  };
}

/** The furthest step that may be opened: those before it are saved. */
export function lastOpenPaso(draft: FacturaDraft): Paso {
  if (draft.effectId) return 'lista';
  if (draft.articulos.length === 0) return '1';
  return draft.cliente?.modo === 'lectura' && draft.cliente.regimen !== '' ? '3' : '2';
}

export async function saveDraft(
  db: Db | Trx,
  draft: FacturaDraft,
  change: { articulos?: Articulo[]; cliente?: DraftCliente; revision?: DraftRevision },
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('facturaDraft')
    .set({
      ...(change.articulos && { articulos: JSON.stringify(change.articulos) }),
      ...(change.cliente && { cliente: JSON.stringify(change.cliente) }),
      ...(change.revision && { revision: JSON.stringify(change.revision) }),
      version: draft.version + 1,
      actualizadoEn: new Date(),
    })
    .where('id', '=', draft.id)
    .where('version', '=', draft.version)
    .where('effectId', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 1n) return;
  await refuseMoved(db, draft);
  throw new NotAllowed('Facturación', SIN_BORRADOR);
}

export type ResumenOrden = {
  pagado: Money;
  formaPago: string | null;
  usoPropuesto: string | null;
  ordenes: { id: string; marketId: string; titulo: string }[];
  excluidas: { marketId: string; motivo: string }[];
};

/** What the marketplace says of the draft's sale now: what was paid for what can be invoiced, and what is left out. */
export async function resumenOrden(db: Db, draft: Pick<FacturaDraft, 'numOrden'>): Promise<ResumenOrden> {
  const { ordenes, excluidas } = requireFacturables(await ordenesOfNumber(db, draft.numOrden));
  const fiscal = await compradorFiscal(db, ordenes);
  return {
    pagado: Money.sum(ordenes.map(({ pagadoAbs }) => pagadoAbs)),
    formaPago: formaPagoOf(ordenes),
    usoPropuesto: fiscal?.usoCfdi ?? null,
    ordenes: ordenes.map(({ id, marketId, articulos }) => ({ id, marketId, titulo: articulos[0]?.nombre ?? '' })),
    excluidas,
  };
}

/** How the largest of them was paid. */
export function formaPagoOf(ordenes: OrdenFacturable[]): string | null {
  return ordenes.toSorted((a, b) => b.pagadoAbs.compare(a.pagadoAbs))[0]?.formaPago ?? null;
}

/** 'Actualizar artículos': the lines of the ordenes that may be invoiced now, and those staff added; what was typed of the others goes. */
export async function refreshArticulos(db: Db | Trx, draft: FacturaDraft): Promise<void> {
  const { ordenes } = requireFacturables(await ordenesOfNumber(db, draft.numOrden));
  const agregados = draft.articulos.filter(({ ordenId }) => ordenId === undefined);
  await saveDraft(db, draft, { articulos: [...(await proposeArticulos(db, ordenes)), ...agregados] });
}

/** The lines of a sale as the marketplace sold them, with the SAT key staff last gave each sku. */
export async function proposeArticulos(db: Db | Trx, ordenes: OrdenFacturable[]): Promise<Articulo[]> {
  const skus = ordenes.flatMap((orden) => orden.articulos.flatMap(({ sku }) => (sku ? [sku] : [])));
  const codigos = await codigosOfSkus(db, skus);
  return articulosOf(ordenes, (sku) => codigos.get(sku));
}

/** From the data the buyer gave at the marketplace: our own record of that RFC when there is one, else what they typed. */
async function proposeCliente(db: Db, ordenes: OrdenFacturable[]): Promise<DraftCliente | null> {
  const fiscal = await compradorFiscal(db, ordenes);
  const rfc = normalizeRfc(fiscal?.rfc ?? '');
  if (!fiscal || rfc === '' || isGenericRfc(rfc)) return null;
  const guardados = await findClientes(db, rfc);
  const razonSocial = textoCfdi(fiscal.razonSocial ?? '', 300).toUpperCase();
  const guardado =
    guardados.find((cliente) => cliente.razonSocial === razonSocial) ??
    (guardados.length === 1 ? guardados[0] : undefined);
  if (guardado) return fromGuardado(rfc, guardado, guardados, 'registro');
  return {
    ...clienteVacio(),
    rfc,
    razonSocial,
    cp: fiscal.cp ?? '',
    regimen: fiscal.regimen ?? '',
    usoCfdi: fiscal.usoCfdi,
    origen: 'mercado',
    opciones: guardados,
  };
}

/** The form filled from a stored record: read-only, unless it lacks a regime, which opens it for editing at once. */
export function fromGuardado(
  rfc: string,
  guardado: DraftCliente['opciones'][number],
  opciones: DraftCliente['opciones'],
  origen: DraftCliente['origen'],
): DraftCliente {
  const { id, ...rest } = guardado;
  return {
    ...clienteVacio(),
    ...rest,
    rfc,
    clienteFiscalId: id,
    origen,
    modo: guardado.regimen === '' ? 'edicion' : 'lectura',
    opciones: opciones.length > 1 ? opciones : [],
  };
}

async function compradorFiscal(db: Db, ordenes: OrdenFacturable[]) {
  const source = ordenes.find(({ billingInfoId }) => billingInfoId !== null);
  if (!source) return undefined;
  return db
    .selectFrom('compradorFiscal')
    .select(['rfc', 'razonSocial', 'regimen', 'usoCfdi', 'cp'])
    .where('market', '=', source.market)
    .where('billingInfoId', '=', source.billingInfoId!)
    .executeTakeFirst();
}

/** Takes back a factura whose request surely never left, and opens its draft again. */
export async function withdrawStamp(
  db: Db,
  catalog: EffectCatalog,
  draft: FacturaDraft,
  usuarioId: string,
): Promise<void> {
  const { effectId } = draft;
  if (!effectId) throw new NotAllowed('Facturación', 'No hay una solicitud que retirar.');
  await db.transaction().execute((trx) => withdrawEffect(trx, catalog, effectId, usuarioId));
  await reopenDraft(db, draft);
}
