import { cambiosEntre } from '~/core/choque';
import { NotAllowed, Stale } from '~/core/errors';
import { Money } from '~/core/money';
import { civilDay } from '~/core/time';
import { acceptEffect, effectView, waitForEffect } from '~/platform/effects/effects.server';
import type { Db, Trx } from '~db/client.server';
import { findClientes } from '~/domain/facturacion/receptores/clientes.server';
import { createFactura } from '~/domain/facturacion/emision/createFactura.server';
import { clienteVacio, type DraftCliente, isSoloBuscado, type Visto } from '~/domain/facturacion/emision/draft';
import {
  findDraftOfEnlace,
  formaPagoOf,
  fromGuardado,
  proposeArticulos,
  saveDraft,
  type FacturaDraft,
} from '~/domain/facturacion/emision/draft.server';
import type { ClienteEscrito } from '~/domain/facturacion/emision/draftSteps.server';
import { requireEmisor } from '~/domain/facturacion/cfdi/emisor.server';
import { runForCliente } from './internal/fallaDeEmpresa.server';
import { noteUse, type Enlace } from '~/domain/facturacion/enlaces/enlaces.server';
import {
  textOfClaim,
  findClaim,
  ordenesOfNumber,
  requireFacturables,
  type OrdenFacturable,
} from '~/domain/facturacion/cfdi/facturables.server';
import { precheckCliente } from '~/domain/facturacion/cfdi/precheck';
import { noteCorreccion } from '~/domain/facturacion/cancelacion/correcciones.server';
import { requireCorreccion } from './publicoCorreccion.server';
import { mostradoPublico, requireVistoPublico, staleOf } from './internal/publicoVisto';
import { takeReceptor } from './internal/publicoReceptor.server';
import { requireRfcPropio, takeRfc } from './internal/publicoRfc.server';
import {
  sameReceptor,
  findPublicClient,
  savePublicClient,
  type Receptor,
} from '~/domain/facturacion/receptores/receptor.server';

/** Time a customer waits for the PAC before the page says that the save is still under way. */
const PATIENCE_MS = 4_000;
/** Payment form when the marketplace did not tell one: paid through an intermediary. */
const FORMA_PAGO_MERCADO = '31';

/** The ordenes the link's sale is invoiced by; says in the agreed words when it cannot be. */
export async function ordenesOfEnlace(
  db: Db | Trx,
  enlace: Pick<Enlace, 'market' | 'numOrden'>,
  options: { lock?: boolean } = {},
): Promise<OrdenFacturable[]> {
  const ordenes = await ordenesOfNumber(db, enlace.numOrden, options);
  return requireFacturables(ordenes.filter(({ market }) => market === enlace.market)).ordenes;
}

/** The version that a page shows before the first save, when there is no draft. */
export const SIN_DRAFT = 0;
/** The version that the database gives a new draft. */
const RECIEN_ABIERTO = 1;

/**
 * The draft of a link, as its page showed it; the customer's first save makes it. Throws Stale when it moved. A stored record is changed by
 * staff alone, so all that a customer saves is in this draft.
 */
async function openDraftOfEnlace(
  db: Db,
  enlace: Enlace,
  visto: Visto,
  { guarda }: { /** RFC of a receiver that is saved whole. */ guarda?: string } = {},
): Promise<FacturaDraft> {
  const known = await findDraftOfEnlace(db, enlace.id);
  if (known && guarda !== undefined && isSoloBuscado(known.cliente, guarda)) return known;
  if (known) return requireVistoPublico(known, visto);
  if (visto.version !== SIN_DRAFT) throw new Stale();
  await db.transaction().execute(async (trx) => {
    const ordenes = await ordenesOfEnlace(trx, enlace);
    const articulos = await proposeArticulos(trx, ordenes);
    await trx
      .insertInto('facturaDraft')
      .values({
        numOrden: enlace.numOrden,
        market: enlace.market,
        articulos: JSON.stringify(articulos),
        enlaceId: enlace.id,
      })
      .onConflict((conflict) => conflict.column('enlaceId').where('enlaceId', 'is not', null).doNothing())
      .execute();
    await noteUse(trx, enlace.id);
  });
  // Two pages of one link may make their first save at once: the second has not seen the draft of the first.
  return requireVistoPublico((await findDraftOfEnlace(db, enlace.id))!, { ...visto, version: RECIEN_ABIERTO });
}

/**
 * Looks up the RFC that a customer typed: one record fills the form, several are offered by name. The PAC is not asked, since it also holds
 * data that other customers typed. Throws as `takeRfc`, and Stale when the draft moved.
 */
export async function lookUpPublico(
  db: Db,
  enlace: Enlace,
  { rfc: text, ...visto }: Visto & { rfc: string },
  ip: string,
): Promise<void> {
  const rfc = await takeRfc(db, enlace, text, ip);
  const draft = await openDraftOfEnlace(db, enlace, visto);
  const opciones = await findClientes(db, rfc);
  const cliente: DraftCliente =
    opciones.length === 1
      ? { ...fromGuardado(rfc, opciones[0]!, opciones, 'registro'), correoRegistrado: opciones[0]!.emails.length > 0 }
      : { ...clienteVacio(), rfc, opciones };
  await saveDraft(db, draft, { cliente });
}

/**
 * Fills the form with one of the legal names that were offered, or empties it for 'otra'. The name comes by its place in the list, so no id
 * goes to a browser. Throws NotAllowed when the name is no longer there, and Stale when the draft moved.
 */
export async function choosePublico(
  db: Db,
  enlace: Enlace,
  { razon: choice, ...visto }: Visto & { razon: string },
): Promise<void> {
  const draft = await openDraftOfEnlace(db, enlace, visto);
  const { rfc = '', opciones = [] } = draft.cliente ?? {};
  if (choice === 'otra') return saveDraft(db, draft, { cliente: { ...clienteVacio(), rfc } });
  const chosen = /^\d{1,3}$/.test(choice) ? opciones[Number(choice)] : undefined;
  if (!chosen) throw new NotAllowed('Error', 'Esa razón social ya no está en la lista. Busca el RFC de nuevo.');
  await saveDraft(db, draft, {
    cliente: { ...fromGuardado(rfc, chosen, opciones, 'registro'), correoRegistrado: chosen.emails.length > 0 },
  });
}

/** 'Editar' opens the receiver for changes; 'otro' empties it for another RFC. Throws Stale when the draft moved. */
export async function editPublico(db: Db, enlace: Enlace, what: 'editar' | 'otro', visto: Visto): Promise<void> {
  const draft = await openDraftOfEnlace(db, enlace, visto);
  await saveDraft(db, draft, {
    cliente: what === 'editar' && draft.cliente ? { ...draft.cliente, modo: 'edicion', origen: null } : clienteVacio(),
  });
}

/** Keeps the chosen use when its step is left by the header. Throws Stale when the draft moved. */
export async function keepUso(
  db: Db,
  enlace: Enlace,
  { usoCfdi, ...visto }: Visto & { usoCfdi: string },
): Promise<void> {
  const draft = await openDraftOfEnlace(db, enlace, visto);
  if (!draft.cliente || usoCfdi === '' || draft.cliente.usoCfdi === usoCfdi) return;
  await saveDraft(db, draft, { cliente: { ...draft.cliente, usoCfdi } });
}

/** The receiver as a customer's form sends it. */
export type EscritoPublico = Omit<ClienteEscrito, 'email'> & {
  email?: string;
  /** Use the e-mail addresses on record, which the customer saw masked. */ usarRegistrado: boolean;
};

/**
 * Saves the typed receiver for this sale alone. Returns true when the PAC has it, false while the PAC has not answered. The answer tells
 * nothing of anybody's record, so no look-up is counted. Throws NotAllowed for bad data or a refusal, LimitReached after too many
 * receivers, and Stale when the draft moved.
 */
export async function savePublico(
  db: Db,
  enlace: Enlace,
  { version, mostrado, ...escrito }: Visto & EscritoPublico,
  ip: string,
): Promise<boolean> {
  const rfc = requireRfcPropio(escrito.rfc);
  const draft = await openDraftOfEnlace(db, enlace, { version, mostrado }, { guarda: rfc });
  const actual = draft.cliente ?? clienteVacio();
  const correo = emailsOf(actual, rfc, escrito);
  const receptor: Receptor = { rfc, razonSocial: escrito.razonSocial, cp: escrito.cp, regimen: escrito.regimen };
  const { errores } = precheckCliente(
    { ...receptor, emails: correo.emails },
    { lugarExpedicion: (await runForCliente(db, enlace, () => requireEmisor(db))).cp },
  );
  if (errores[0]) throw new NotAllowed('Error de llenado.', errores[0].texto, { campo: errores[0].campo });

  const cliente: DraftCliente = {
    ...clienteVacio(),
    ...receptor,
    ...correo,
    usoCfdi: actual.usoCfdi,
    modo: actual.modo === 'edicion' ? 'edicion' : 'nuevo',
  };
  const guardado = (await findClientes(db, rfc)).find((one) => sameReceptor(one, receptor));
  const uid = guardado?.uid ?? (await findPublicClient(db, receptor));
  if (uid) {
    await saveDraft(db, draft, {
      cliente: { ...cliente, modo: 'lectura', uid, clienteFiscalId: guardado?.id ?? null },
    });
    return true;
  }
  const taken = await takeReceptor(db, enlace, ip);
  const { id: effectId, created } = await db.transaction().execute(async (trx) => {
    const accepted = await acceptEffect(trx, savePublicClient, {
      request: { cliente: { ...receptor, emails: correo.emails } },
    });
    await saveDraft(trx, draft, { cliente: { ...cliente, guardando: accepted.id } });
    return accepted;
  });
  // Two presses of the button make one receiver, which counts once.
  if (!created) await taken.giveBack();
  const effect = await waitForEffect(db, effectId, PATIENCE_MS);
  if (effect?.state === 'refused')
    throw new NotAllowed('Error', effect.reason ?? 'No se pudieron guardar tus datos. Revísalos e inténtalo de nuevo.');
  return effect?.state === 'done';
}

/** The e-mail addresses of the factura. Those on record can be used while the RFC is still theirs; a customer never reads them whole. */
function emailsOf(
  actual: DraftCliente,
  rfc: string,
  { usarRegistrado, email, email2 }: EscritoPublico,
): Pick<DraftCliente, 'emails' | 'correoRegistrado'> {
  if (usarRegistrado && actual.correoRegistrado && actual.rfc === rfc)
    return { emails: actual.emails, correoRegistrado: true };
  return { emails: [...(email ? [email] : []), ...(email2 ? [email2] : [])], correoRegistrado: false };
}

/**
 * Accepts the factura of the link's sale and returns the id of its effect. Rows, prices, date and payment form are the sale's own, whatever
 * was sent; the customer chooses only the use of the CFDI. Throws as `createFactura`; for a fault of the company NotAllowed in words for a
 * customer, and staff are told.
 */
export function createFacturaPublica(
  db: Db,
  enlace: Enlace,
  pedida: Visto & { usoCfdi: string },
  now: Date,
): Promise<string> {
  return runForCliente(db, enlace, () => db.transaction().execute((trx) => acceptFactura(trx, enlace, pedida, now)));
}

async function acceptFactura(
  trx: Trx,
  enlace: Enlace,
  { usoCfdi, version, mostrado }: Visto & { usoCfdi: string },
  now: Date,
): Promise<string> {
  const ordenes = await ordenesOfEnlace(trx, enlace, { lock: true });
  // The draft is read under the lock: the other press of the same button has written it by now.
  const draft = await findDraftOfEnlace(trx, enlace.id);
  if (!draft) throw new NotAllowed('Facturación', 'Faltan tus datos de facturación. Escríbelos en el paso anterior.');
  if (draft.effectId) return draft.effectId;
  const { sustituyeId } = draft;
  if (sustituyeId !== null) await requireCorreccion(trx, { ...draft, sustituyeId }, usoCfdi, now);
  const articulos = await proposeArticulos(trx, ordenes);
  // Rows and sum come from the sale, not from the draft's version, so they are compared with those that were shown.
  const ahora = mostradoPublico(draft.cliente, {
    articulos,
    pagado: Money.sum(ordenes.map(({ pagadoAbs }) => pagadoAbs)),
  });
  if (draft.version !== version || cambiosEntre(mostrado, ahora).length > 0)
    throw staleOf(draft.version, mostrado, ahora);
  const formaPago = formaPagoOf(ordenes) ?? FORMA_PAGO_MERCADO;
  try {
    const id = await createFactura(
      trx,
      { ...draft, articulos },
      { revision: { usoCfdi, formaPago, fecha: civilDay(now) }, diferenciaAceptada: false, usuarioId: null, now },
    );
    if (sustituyeId !== null) await noteCorreccion(trx, { effectId: id, enlaceId: enlace.id, facturaId: sustituyeId });
    await noteUse(trx, enlace.id);
    return id;
  } catch (error) {
    if (error instanceof NotAllowed && error.campo === 'diferencia') {
      throw new NotAllowed(
        'Facturación',
        'El total de los artículos no es lo que pagaste. Escríbenos por los mensajes de tu compra y la facturamos contigo.',
        { cause: error },
      );
    }
    throw error;
  }
}

/** The document that covers a sale, in words for its customer. */
export type OtroDocumento = { situacion: 'facturada' | 'enProceso' | 'enRevision' | 'enEspera'; texto: string };

/** The document other than the draft's that covers the sale, with the next step for the customer; undefined when there is none. */
export async function otherDocument(
  db: Db,
  ordenes: OrdenFacturable[],
  draft: FacturaDraft | undefined,
): Promise<OtroDocumento | undefined> {
  const claim = await findClaim(
    db,
    ordenes.map(({ id }) => id),
    { sustituidaId: draft?.sustituyeId ?? undefined },
  );
  if (!claim || claim.effectId === draft?.effectId) return undefined;
  const texto = textOfClaim(claim);
  if (claim.kind === 'global') {
    return claim.folio === null
      ? { situacion: 'enProceso', texto: `${texto} En cuanto termine podrás pedir tu factura aquí mismo.` }
      : {
          situacion: 'enEspera',
          texto: `${texto} Cuando el SAT la cancele podrás facturar tu compra aquí: vuelve a este enlace más tarde.`,
        };
  }
  if (claim.folio !== null) return { situacion: 'facturada', texto };
  if ((await effectView(db, claim.effectId))?.state === 'manual') {
    return {
      situacion: 'enRevision',
      texto:
        'Ya se pidió la factura de esta compra, el servicio de timbrado no dio una respuesta clara y una persona la está revisando. Vuelve a este enlace más tarde: aquí verás su folio.',
    };
  }
  return {
    situacion: 'enProceso',
    texto:
      'Ya se pidió la factura de esta compra y se está timbrando: no hace falta pedirla otra vez. En unos segundos aquí verás su folio.',
  };
}
