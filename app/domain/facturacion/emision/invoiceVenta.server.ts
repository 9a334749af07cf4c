import { NotAllowed, Saturated } from '~/core/errors';
import type { Usuario } from '~/core/usuario';
import type { Articulo } from '~/domain/facturacion/cfdi/articulos';
import { findClientes } from '~/domain/facturacion/receptores/clientes.server';
import type { Db } from '~db/client.server';
import { requireCodigos } from './codigosSku.server';
import { createFactura } from './createFactura.server';
import { fromGuardado, requireDraft, saveDraft, openDraft } from './draft.server';
import { beginSaveCliente, type ClienteEscrito } from './draftSteps.server';
import type { DraftRevision } from './draft';
import { log } from '~/core/log.server';
import type { Fuente } from '~/domain/mercados/mercado';
import { MERCADOS } from '~/domain/mercados/mercados';
import { listFuentes } from '~/domain/mercados/registro.server';
import { bringNumero } from '~/domain/ventas/ordenes/bringVentas.server';
import { Refused, Unavailable, Uncertain, UnexpectedShape } from '~/integrations/errors';
import { ordenesOfNumber } from '~/domain/facturacion/cfdi/facturables.server';

/** A whole factura that a program asks for at once. */
export type PorFacturar = {
  numOrden: string;
  cliente: ClienteEscrito;
  revision: DraftRevision;
  /** Rows of the factura; without them, those of the sale as the marketplace sold it. */
  articulos?: Articulo[] | undefined;
  diferenciaAceptada: boolean;
};

/**
 * Does the three steps of a factura at once, over the same draft and the same checks as the screen. Returns the id of the effect that
 * stamps it, which is the living one when the sale is under way. Throws as the steps do, and Saturated while the PAC has not confirmed the
 * receiver.
 */
export async function invoiceVenta(
  db: Db,
  { numOrden, cliente, revision, articulos, diferenciaAceptada }: PorFacturar,
  usuario: Usuario,
  now: Date,
): Promise<string> {
  const id = await searchVenta(db, numOrden, usuario.id);
  const draft = () => requireDraft(db, id, usuario);
  const opened = await draft();
  if (opened.effectId) return opened.effectId;
  if (articulos) {
    await requireCodigos(db, 'Error de llenado.', articulos);
    await saveDraft(db, opened, { articulos });
  }
  const guardados = await findClientes(db, cliente.rfc);
  const known = guardados.find((one) => sameData(one, cliente));
  if (known) await saveDraft(db, await draft(), { cliente: fromGuardado(cliente.rfc, known, guardados, 'registro') });
  else if (!(await beginSaveCliente(db, await draft(), cliente, usuario.id)))
    throw new Saturated('factura.com todavía no confirma los datos del cliente.', 5);
  const ready = await draft();
  if (ready.cliente?.modo !== 'lectura')
    throw new NotAllowed('Facturación', 'Los datos del cliente no están guardados.');
  return db
    .transaction()
    .execute((trx) => createFactura(trx, ready, { revision, diferenciaAceptada, usuarioId: usuario.id, now }));
}

function sameData(
  known: { razonSocial: string; cp: string; regimen: string; emails: string[] },
  { razonSocial, cp, regimen, email, email2 }: ClienteEscrito,
): boolean {
  return (
    known.razonSocial === razonSocial &&
    known.cp === cp &&
    known.regimen === regimen &&
    known.emails[0] === email &&
    (email2 === undefined || known.emails[1] === email2)
  );
}

/** Time limit of each question to the marketplace while a person waits for the sale. */
const PATIENCE_MS = 4_000;

/**
 * Opens the draft of a sale and returns its id. A sale that has not arrived yet is asked of the marketplace first. Throws as `openDraft`,
 * and NotAllowed when the marketplace does not answer.
 */
export async function searchVenta(db: Db, numero: string, usuarioId: string): Promise<string> {
  const numOrden = numero.trim();
  if ((await ordenesOfNumber(db, numOrden)).length === 0) await bring(db, numOrden);
  return openDraft(db, numOrden, usuarioId);
}

async function bring(db: Db, numOrden: string): Promise<void> {
  for (const fuente of listFuentes()) {
    if ((await fuente.link(db))?.status === 'linked' && (await bringFrom(db, fuente, numOrden))) return;
  }
}

async function bringFrom(db: Db, fuente: Fuente, numOrden: string): Promise<boolean> {
  try {
    return await bringNumero(db, fuente, numOrden, PATIENCE_MS);
  } catch (error) {
    if (!(
      error instanceof Unavailable ||
      error instanceof Uncertain ||
      error instanceof UnexpectedShape ||
      error instanceof Refused
    ))
      throw error;
    log.warn('no se pudo preguntar por una venta', { error: error.message });
    throw new NotAllowed(
      'Orden',
      `La orden no está entre las ventas recibidas y ${MERCADOS[fuente.market].label} no contesta en este momento. Inténtalo en unos minutos.`,
      { campo: 'numOrden', cause: error },
    );
  }
}
