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
import { paraElCliente } from './internal/fallaDeEmpresa.server';
import { noteUse, type Enlace } from '~/domain/facturacion/enlaces/enlaces.server';
import {
  enOtroDocumento,
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

/** What customers do through their link. Everything they save lives in the draft of that link: a stored record is changed by staff alone. */

const PATIENCE_MS = 4_000;
/** A marketplace that did not say how it was paid: it was paid through an intermediary. */
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

/** Before the first thing is saved there is no draft, and nothing of it was shown. */
export const SIN_DRAFT = 0;
/** As the database makes it. */
const RECIEN_ABIERTO = 1;

/** The link's draft as its page showed it, made by the first thing its holder saves. */
async function openDraftOfEnlace(
  db: Db,
  enlace: Enlace,
  visto: Visto,
  { guarda }: { /** The RFC that is saved whole. */ guarda?: string } = {},
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
  // Two pages of one link may save their first at once: the second one has not seen what the first wrote.
  return requireVistoPublico((await findDraftOfEnlace(db, enlace.id))!, { ...visto, version: RECIEN_ABIERTO });
}

/**
 * The RFC was typed: what our records know of it fills the form, or offers its legal names. The PAC is not asked: it also holds what other
 * customers typed, and that is nobody's record.
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

/** One of several legal names of the RFC, by its place in the list that was shown (no id of ours or of the PAC's travels to a browser), or 'otra': one that is not there. */
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

/** 'Editar', or another RFC altogether. */
export async function editPublico(db: Db, enlace: Enlace, what: 'editar' | 'otro', visto: Visto): Promise<void> {
  const draft = await openDraftOfEnlace(db, enlace, visto);
  await saveDraft(db, draft, {
    cliente: what === 'editar' && draft.cliente ? { ...draft.cliente, modo: 'edicion', origen: null } : clienteVacio(),
  });
}

/** The use chosen so far, when its step is left by the header. */
export async function keepUso(
  db: Db,
  enlace: Enlace,
  { usoCfdi, ...visto }: Visto & { usoCfdi: string },
): Promise<void> {
  const draft = await openDraftOfEnlace(db, enlace, visto);
  if (!draft.cliente || usoCfdi === '' || draft.cliente.usoCfdi === usoCfdi) return;
  await saveDraft(db, draft, { cliente: { ...draft.cliente, usoCfdi } });
}

export type EscritoPublico = Omit<ClienteEscrito, 'email'> & {
  email?: string;
  /** The addresses on record, which the customer saw masked. */ usarRegistrado: boolean;
};

/**
 * Keeps what was typed as this sale's own. True when it is done, false while the PAC has not answered. It tells nothing of anybody's record, so it spends no
 * look-up.
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
    { lugarExpedicion: (await paraElCliente(db, enlace, () => requireEmisor(db))).cp },
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
  // The other press of the same button: one receiver, counted once.
  if (!created) await taken.giveBack();
  const effect = await waitForEffect(db, effectId, PATIENCE_MS);
  if (effect?.state === 'refused')
    throw new NotAllowed('Error', effect.reason ?? 'No se pudieron guardar tus datos. Revísalos e inténtalo de nuevo.');
  return effect?.state === 'done';
}

/** The addresses on record can be kept while the RFC is still theirs; a customer never reads them, only says yes. */
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
 * Accepts the factura of the link's sale. Articles, prices, date and payment method are the sale's own, whatever was sent; only the use
 * of the CFDI is the customer's to say.
 */
export function createFacturaPublica(
  db: Db,
  enlace: Enlace,
  pedida: Visto & { usoCfdi: string },
  now: Date,
): Promise<string> {
  return paraElCliente(db, enlace, () => db.transaction().execute((trx) => acceptFactura(trx, enlace, pedida, now)));
}

async function acceptFactura(
  trx: Trx,
  enlace: Enlace,
  { usoCfdi, version, mostrado }: Visto & { usoCfdi: string },
  now: Date,
): Promise<string> {
  const ordenes = await ordenesOfEnlace(trx, enlace, { lock: true });
  // Read under the lock: the other press of the same button has written it by now.
  const draft = await findDraftOfEnlace(trx, enlace.id);
  if (!draft) throw new NotAllowed('Facturación', 'Faltan tus datos de facturación. Escríbelos en el paso anterior.');
  if (draft.effectId) return draft.effectId;
  const { sustituyeId } = draft;
  if (sustituyeId !== null) await requireCorreccion(trx, { ...draft, sustituyeId }, usoCfdi, now);
  const articulos = await proposeArticulos(trx, ordenes);
  // Lines and sum are the sale's, which no version of the draft tells: what was shown of them is.
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

export type OtroDocumento = { situacion: 'facturada' | 'enProceso' | 'enRevision' | 'enEspera'; texto: string };

/** What the customer reads of a sale that another document covers, with what comes next; undefined when none does. */
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
  const texto = enOtroDocumento(claim);
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
