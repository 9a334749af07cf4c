import { z } from 'zod';
import { NotAllowed, Saturated } from '~/core/errors';
import type { Usuario } from '~/core/usuario';
import type { Articulo } from '~/domain/facturacion/cfdi/articulos';
import { findClientes } from '~/domain/facturacion/receptores/clientes.server';
import { saveCliente } from '~/domain/facturacion/receptores/saveCliente.server';
import { transact, type Db, type Trx } from '~db/client.server';
import { requireCodigos } from './codigosSku.server';
import { createFactura } from './createFactura.server';
import {
  findDraftOfEffect,
  fromGuardado,
  insertDraft,
  openDraft,
  proposeArticulos,
  requireDraft,
  requireSame,
  type FacturaDraft,
} from './draft.server';
import type { ClienteEscrito } from './draftSteps.server';
import { DraftArticulo, type DraftCliente, type DraftRevision, type Visto } from './draft';
import { explainClaim } from './internal/explainClaim.server';
import { log } from '~/core/log.server';
import type { Fuente } from '~/domain/mercados/mercado';
import { MERCADOS } from '~/domain/mercados/mercados';
import { listFuentes } from '~/domain/mercados/registro.server';
import { bringNumero } from '~/domain/ventas/ordenes/bringVentas.server';
import { Refused, Unavailable, Uncertain, UnexpectedShape } from '~/integrations/errors';
import {
  findClaim,
  ordenesOfNumber,
  requireFacturables,
  type OrdenFacturable,
} from '~/domain/facturacion/cfdi/facturables.server';

/** A whole factura that a program asks for at once. */
export type PorFacturar = {
  numOrden: string;
  cliente: ClienteEscrito & { email3?: string };
  revision: DraftRevision;
  /** Rows of the factura, or how they are made of those of the sale; without them, those of the sale as the marketplace sold it. */
  articulos?: Articulo[] | ((deLaVenta: Articulo[], ordenes: readonly OrdenFacturable[]) => Articulo[]) | undefined;
  diferenciaAceptada: boolean;
};

/**
 * Does the three steps of a factura at once, by the checks of the screen and over a draft of its own: rows that the person left half typed
 * on the screen are neither read nor changed. Returns the id of the effect that stamps it. The same factura asked for again by the same
 * person gives the living effect, also after the stamp; after a refusal the PAC is asked anew. Throws NotAllowed as the steps do and for a
 * sale that has another document, and Saturated while the PAC has not confirmed the receiver.
 */
export async function invoiceVenta(db: Db, pedida: PorFacturar, usuario: Usuario, now: Date): Promise<string> {
  const numOrden = await bringVenta(db, pedida.numOrden);
  const { ordenes } = requireFacturables(await ordenesOfNumber(db, numOrden));
  const deLaVenta = await proposeArticulos(db, ordenes);
  const { revision, diferenciaAceptada } = pedida;
  const articulos = typeof pedida.articulos === 'function' ? pedida.articulos(deLaVenta, ordenes) : pedida.articulos;
  const igual = (draft: FacturaDraft) =>
    draft.cliente?.rfc === pedida.cliente.rfc &&
    draft.cliente.razonSocial === pedida.cliente.razonSocial &&
    draft.revision?.usoCfdi === revision.usoCfdi &&
    draft.revision.formaPago === revision.formaPago &&
    (!articulos || JSON.stringify(draft.articulos) === JSON.stringify(z.array(DraftArticulo).parse(articulos)));
  const asked = await askedBefore(db, ordenes, usuario.id, igual);
  if (asked) return asked;
  if (articulos) await requireCodigos(db, 'Error de llenado.', articulos);
  const cliente = await saveReceptor(db, pedida.cliente, usuario.id);
  return transact(db, async (trx) => {
    const held = requireFacturables(await ordenesOfNumber(trx, numOrden, { lock: true })).ordenes;
    const running = await askedBefore(trx, held, usuario.id, igual);
    if (running) return running;
    const { market, numOrden: numero } = held[0]!;
    const rows = articulos ?? (await proposeArticulos(trx, held));
    const draft = await insertDraft(trx, { numOrden: numero, market, usuarioId: usuario.id, articulos: rows, cliente });
    return createFactura(trx, draft, { revision, diferenciaAceptada, usuarioId: usuario.id, now });
  });
}

/**
 * Makes the factura of a sale as `readPorRevisar` told it, over the draft that this opens, and returns the id of that draft. Throws as `openDraft` and
 * `createFactura`, and Stale when the sale or the draft moved since it was shown.
 */
export async function invoiceAsShown(db: Db, mostrada: Mostrada, usuario: Quien, now: Date): Promise<string> {
  return (await transact(db, (trx) => invoiceShown(trx, mostrada, usuario, now))).borrador;
}

/** A factura as a page showed it, and who presses. */
type Mostrada = { numOrden: string; visto: Visto & { pagado: string }; revision: DraftRevision };
type Quien = Pick<Usuario, 'id' | 'rol'>;

/** `invoiceAsShown` within a transaction of the caller. Returns the draft and the effect that stamps it. */
export async function invoiceShown(
  trx: Trx,
  { numOrden, visto, revision }: Mostrada,
  usuario: Quien,
  now: Date,
): Promise<{ borrador: string; effectId: string }> {
  const draft = await requireDraft(trx, await openDraft(trx, numOrden, usuario.id), usuario);
  // A button pressed twice finds its factura under way.
  if (draft.effectId === null) requireSame(draft, visto);
  const pedida = { revision, diferenciaAceptada: false, usuarioId: usuario.id, now, visto };
  return { borrador: draft.id, effectId: await createFactura(trx, draft, pedida) };
}

/** The living effect of this very factura; undefined while the sale is free. Throws NotAllowed when another document holds the sale. */
async function askedBefore(
  db: Db | Trx,
  ordenes: OrdenFacturable[],
  usuarioId: string,
  igual: (draft: FacturaDraft) => boolean,
): Promise<string | undefined> {
  const claim = await findClaim(
    db,
    ordenes.map(({ id }) => id),
  );
  if (!claim) return undefined;
  const draft = await findDraftOfEffect(db, claim.effectId, usuarioId);
  if (draft && igual(draft)) return claim.effectId;
  throw new NotAllowed('Facturación', await explainClaim(db, claim), { campo: 'numOrden' });
}

/** Keeps the receiver at the PAC and here unless its record says the same already, and returns it as a draft holds it. */
async function saveReceptor(db: Db, escrito: PorFacturar['cliente'], usuarioId: string): Promise<DraftCliente> {
  const { rfc, razonSocial, cp, regimen } = escrito;
  const emails = emailsOf(escrito);
  const before = await findClientes(db, rfc);
  const known = before.find((one) => sameData(one, escrito));
  if (!known && !(await saveCliente(db, { rfc, razonSocial, cp, regimen, emails }, usuarioId)))
    throw new Saturated('factura.com todavía no confirma los datos del cliente.', 5);
  const guardados = known ? before : await findClientes(db, rfc);
  const guardado = known ?? guardados.find((one) => one.razonSocial === razonSocial);
  const cliente = guardado && fromGuardado(rfc, guardado, guardados, 'registro');
  if (cliente?.modo !== 'lectura')
    throw new NotAllowed('Facturación', 'Los datos del cliente no están guardados.', { campo: 'cliente' });
  return cliente;
}

const emailsOf = ({ email, email2, email3 }: PorFacturar['cliente']) =>
  [email, email2, email3].filter((one) => one !== undefined);

function sameData(
  known: { razonSocial: string; cp: string; regimen: string; emails: string[] },
  escrito: PorFacturar['cliente'],
): boolean {
  return (
    known.razonSocial === escrito.razonSocial &&
    known.cp === escrito.cp &&
    known.regimen === escrito.regimen &&
    emailsOf(escrito).every((email, at) => known.emails[at] === email)
  );
}

/** Time limit of each question to the marketplace while a person waits for the sale. */
const PATIENCE_MS = 4_000;

/**
 * Opens the draft of a sale and returns its id. A sale that has not arrived yet is asked of the marketplace first. Throws as `openDraft`,
 * and NotAllowed when the marketplace does not answer.
 */
export async function searchVenta(db: Db, numero: string, usuarioId: string): Promise<string> {
  return openDraft(db, await bringVenta(db, numero), usuarioId);
}

async function bringVenta(db: Db, numero: string): Promise<string> {
  const numOrden = numero.trim();
  if ((await ordenesOfNumber(db, numOrden)).length === 0) await bring(db, numOrden);
  return numOrden;
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
