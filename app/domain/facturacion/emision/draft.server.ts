import { z } from 'zod';
import { writeMostrado } from '~/core/choque';
import { Money } from '~/core/money';
import { isGenericRfc, normalizeRfc } from '~/core/rfc';
import { NotAllowed, Stale } from '~/core/errors';
import { transact, type Db, type Trx } from '~db/client.server';
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

/** A factura that is being prepared. With `effectId` it was asked for, and its contents no longer change. */
export type FacturaDraft = {
  id: string;
  numOrden: string;
  market: Market;
  usuarioId: string | null;
  articulos: Articulo[];
  cliente: DraftCliente | null;
  revision: DraftRevision | null;
  effectId: string | null;
  /** The factura that this one will replace. */
  sustituyeId: string | null;
  version: number;
  actualizadoEn: Date;
};

/**
 * Opens the draft of a sale and returns its id: the one that this person left half done, or a new one filled with all that is known. A sale
 * whose stamp is under way opens that draft for its owner, sa and admin. Throws NotAllowed for an unknown number, and for a sale that
 * cannot be invoiced or has a document.
 */
export async function openDraft(db: Db, numero: string, usuarioId: string): Promise<string> {
  const found = await findOrPropose(db, numero, usuarioId);
  return 'id' in found ? found.id : (await insertDraft(db, found)).id;
}

/**
 * Reads the draft that `openDraft` would open, and writes nothing: a draft that does not stand yet has no id and the version of a new one. Throws as
 * `openDraft`.
 */
export async function readDraftAhead(
  db: Db,
  numero: string,
  usuario: { id: string; rol: string },
): Promise<Omit<FacturaDraft, 'id'>> {
  const found = await findOrPropose(db, numero, usuario.id);
  if ('id' in found) return requireDraft(db, found.id, usuario);
  return { ...found, revision: null, effectId: null, sustituyeId: null, version: 1, actualizadoEn: new Date() };
}

async function findOrPropose(db: Db, numero: string, usuarioId: string): Promise<{ id: string } | NuevoDraft> {
  const { ordenes } = requireFacturables(await ordenesOfNumber(db, numero.trim()));
  const { numOrden, market } = ordenes[0]!;
  const claim = await findClaim(
    db,
    ordenes.map(({ id }) => id),
  );
  if (claim) {
    const running = claim.folio ? undefined : await findRunning(db, claim.effectId, usuarioId);
    if (running) return running;
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
    // Half-typed rows outrank a refusal: that may be of a program's call.
    .orderBy((eb) => eb('effectId', 'is', null), 'desc')
    .orderBy('actualizadoEn', 'desc')
    .executeTakeFirst();
  if (open) return open;
  const [articulos, cliente] = [await proposeArticulos(db, ordenes), await proposeCliente(db, ordenes)];
  return { numOrden, market, usuarioId, articulos, cliente };
}

type NuevoDraft = Pick<FacturaDraft, 'numOrden' | 'market' | 'usuarioId' | 'articulos' | 'cliente'>;

/** Inserts a draft of its own: no other draft of that person and sale is read or changed. */
export async function insertDraft(db: Db | Trx, draft: NuevoDraft): Promise<FacturaDraft> {
  const { articulos, cliente, ...rest } = draft;
  const row = await db
    .insertInto('facturaDraft')
    .values({ ...rest, articulos: JSON.stringify(articulos), cliente: cliente && JSON.stringify(cliente) })
    .returning(DRAFT)
    .executeTakeFirstOrThrow();
  return draftOf(row);
}

/** The draft that this person asked this effect with; undefined when somebody else did, or a customer. */
export async function findDraftOfEffect(
  db: Db | Trx,
  effectId: string,
  usuarioId: string,
): Promise<FacturaDraft | undefined> {
  const row = await db
    .selectFrom('facturaDraft')
    .select(DRAFT)
    .where('effectId', '=', effectId)
    .where('usuarioId', '=', usuarioId)
    .where('enlaceId', 'is', null)
    .executeTakeFirst();
  return row && draftOf(row);
}

/** The draft whose factura is being stamped, for the person who asked for it, sa and admin. A customer's draft is never opened by staff. */
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

/**
 * 'Limpiar': deletes the draft, so the next search fills a new one from the sale. Throws Stale when another tab changed it since it was read, and
 * NotAllowed when its factura was asked for. A draft that is gone stays gone.
 */
export async function discardDraft(db: Db, draft: FacturaDraft): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('facturaDraft')
    .where('id', '=', draft.id)
    .where('version', '=', draft.version)
    .where('effectId', 'is', null)
    .executeTakeFirst();
  if (numDeletedRows === 0n) await refuseMoved(db, draft);
}

/**
 * Opens a draft again after a clear no, with everything that was typed. Throws Stale when the draft moved since it was read, and NotAllowed when its
 * factura was asked for once more.
 */
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

/** The draft of a customer's link; undefined before the first save. With `lock` the row is held until the transaction ends. */
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

/** The draft, for the person who opened it, sa and admin. Throws NotAllowed for anybody else and for an unknown id. */
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

/** The draft that a screen showed before it stood, when it says the same now. Throws Stale otherwise. */
export function requireSame(draft: FacturaDraft, visto: Visto): FacturaDraft {
  const ahora = mostradoOf(draft);
  if (requireVisto(draft, visto) && writeMostrado(visto.mostrado) === writeMostrado(ahora)) return draft;
  throw new Stale(choqueOf(draft.version, { antes: visto.mostrado, ahora }));
}

/** The draft, when it is still as the screen showed it. Throws Stale otherwise. */
export function requireVisto(draft: FacturaDraft, { version, mostrado }: Visto): FacturaDraft {
  if (draft.version === version) return draft;
  throw new Stale(choqueOf(draft.version, { antes: mostrado, ahora: mostradoOf(draft) }));
}

/**
 * Holds the row of a draft until the transaction ends. Throws Stale when it moved since it was read or since the screen showed it, and
 * NotAllowed when it is gone.
 */
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

/** Throws the reason a write found the draft in another state: NotAllowed when it was asked for, Stale when it moved. A draft that is gone throws nothing. */
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

/** The furthest step that may be opened: every step before it is saved. */
export function lastOpenPaso(draft: Omit<FacturaDraft, 'id'>): Paso {
  if (draft.effectId) return 'lista';
  if (draft.articulos.length === 0) return '1';
  return draft.cliente?.modo === 'lectura' && draft.cliente.regimen !== '' ? '3' : '2';
}

/** Writes parts of a draft over the state that was read. Throws Stale when it moved, and NotAllowed when it was asked for or is gone. */
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

/** A sale as its marketplace tells it now, for the review. */
export type ResumenOrden = {
  /** Paid, net of what was given back. */
  pagado: Money;
  /** Whether a part of the money of a standing orden was given back. */
  devueltaEnParte: boolean;
  formaPago: string | null;
  usoPropuesto: string | null;
  ordenes: { id: string; marketId: string; titulo: string }[];
  excluidas: { marketId: string; motivo: string }[];
};

/**
 * Reads the sale of a draft: the payment of the ordenes that can be invoiced, and the ordenes that are left out with the reason. Throws
 * NotAllowed when none can.
 */
export async function resumenOrden(db: Db, draft: Pick<FacturaDraft, 'numOrden'>): Promise<ResumenOrden> {
  const { ordenes, excluidas } = requireFacturables(await ordenesOfNumber(db, draft.numOrden));
  const fiscal = await compradorFiscal(db, ordenes);
  return {
    pagado: Money.sum(ordenes.map(({ pagadoAbs }) => pagadoAbs)),
    devueltaEnParte: ordenes.some(({ situacion }) => situacion === 'devueltaEnParte'),
    formaPago: formaPagoOf(ordenes),
    usoPropuesto: fiscal?.usoCfdi ?? null,
    ordenes: ordenes.map(({ id, marketId, articulos }) => ({ id, marketId, titulo: articulos[0]?.nombre ?? '' })),
    excluidas,
  };
}

/** The SAT's payment form of the most expensive orden; null when the marketplace did not tell it. */
export function formaPagoOf(ordenes: OrdenFacturable[]): string | null {
  return ordenes.toSorted((a, b) => b.pagadoAbs.compare(a.pagadoAbs))[0]?.formaPago ?? null;
}

/**
 * 'Actualizar artículos': writes the rows of the ordenes that can be invoiced now, and keeps those that staff added. Edits of the sale's own rows
 * are lost. Throws NotAllowed when nothing of the sale can be invoiced, and as `saveDraft`.
 */
export async function refreshArticulos(db: Db | Trx, draft: FacturaDraft): Promise<void> {
  const { ordenes } = requireFacturables(await ordenesOfNumber(db, draft.numOrden));
  const agregados = draft.articulos.filter(({ ordenId }) => ordenId === undefined);
  await saveDraft(db, draft, { articulos: [...(await proposeArticulos(db, ordenes)), ...agregados] });
}

/** The rows of a sale as the marketplace sold it, each with the SAT key that its sku was last stamped with. */
export async function proposeArticulos(db: Db | Trx, ordenes: OrdenFacturable[]): Promise<Articulo[]> {
  const skus = ordenes.flatMap((orden) => orden.articulos.flatMap(({ sku }) => (sku ? [sku] : [])));
  const codigos = await codigosOfSkus(db, skus);
  return articulosOf(ordenes, (sku) => codigos.get(sku));
}

/**
 * The receiver from the tax data that the buyer gave at the marketplace: our record of that RFC when there is one, else those data. Null
 * without a usable RFC.
 */
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

/** The form filled from a stored record: read-only, or open for editing when the record lacks a regime. */
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

/**
 * Takes back a factura whose request surely never left, and opens its draft again. Throws NotAllowed when it may have left, and as `reopenDraft`.
 */
export async function withdrawStamp(
  db: Db,
  catalog: EffectCatalog,
  draft: FacturaDraft,
  usuarioId: string,
): Promise<void> {
  const { effectId } = draft;
  if (!effectId) throw new NotAllowed('Facturación', 'No hay una solicitud que retirar.');
  await transact(db, (trx) => withdrawEffect(trx, catalog, effectId, usuarioId));
  await reopenDraft(db, draft);
}
