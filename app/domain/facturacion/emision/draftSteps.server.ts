import { z } from 'zod';
import { enPesos } from '~/core/importe';
import { Money } from '~/core/money';
import { addDays, civilDateTime, civilDay } from '~/core/time';
import { usosFor } from '~/domain/facturacion/sat/opciones';
import { effectView, waitForEffect, type EffectView } from '~/platform/effects/effects.server';
import { ventaUrl } from '~/domain/ventas/ordenes/orden';
import type { Db, Trx } from '~db/client.server';
import { CODIGO_SAT_GENERICO, conceptosOfArticulos, type Articulo } from '~/domain/facturacion/cfdi/articulos';
import { CfdiAmountsError } from '~/domain/facturacion/cfdi/importes';
import {
  clienteVacio,
  PASO_TITULO,
  PASOS,
  type DraftCliente,
  type DraftRevision,
  type Paso,
  marcasOf,
  mostradoOf,
} from './draft';
import {
  lastOpenPaso,
  readDraftAhead,
  requireDraft,
  resumenOrden,
  saveDraft,
  type FacturaDraft,
  type ResumenOrden,
  fromGuardado,
} from './draft.server';
import { enGlobal, explainClaim, globalesOf } from './internal/explainClaim.server';
import { explainPacCode } from '~/domain/facturacion/cfdi/explainPac';
import { findClaim } from '~/domain/facturacion/cfdi/facturables.server';
import { DIAS_ATRAS, precheckCliente, type Aviso } from '~/domain/facturacion/cfdi/precheck';
import { isGenericRfc, isRfc, normalizeRfc } from '~/core/rfc';
import { NotAllowed } from '~/core/errors';
import { lookUpRfc } from '~/domain/facturacion/receptores/clientes.server';
import {
  acceptCliente,
  waitForCliente,
  knownUid,
  requireGuardable,
} from '~/domain/facturacion/receptores/saveCliente.server';

/** Time after the request for which the last page waits for the PAC before it shows 'en proceso'. A page that is opened later shows at once what is known. */
const PATIENCE_MS = 1_800;

/** The outcome of an accepted factura. `paso` of a refusal is the step in which it is mended. */
export type EstadoFactura =
  | { tipo: 'lista'; facturaId: string; folio: string; uuid: string; total: string }
  | { tipo: 'proceso'; desde: string; detalle: string | null; retirable: boolean }
  | { tipo: 'manual' }
  | { tipo: 'rechazada'; texto: string; detalle: string; campo: string; paso: '1' | '2' | '3' };

/** Everything that one step of the stepper shows. */
export type DraftView = {
  numOrden: string;
  enlaceVenta: string;
  paso: Paso;
  version: number;
  /** Instant of the last save. */
  guardadoEn: Date;
  /** The marks for the forms: the version and contents that the screen shows. */
  visto: { version: number; mostrado: string };
  pasos: { paso: Paso; titulo: string; abierto: boolean; actual: boolean; hecho: boolean }[];
  excluidas: ResumenOrden['excluidas'];
  /** Warnings before going on: the sale has a document already, or is in a global. */
  avisos: { titulo: string; texto: string }[];
  /** Folio of the factura that this one will replace. */
  sustituye: string | null;
  articulos: Articulo[];
  /** Sum of the rows, VAT included. */
  total: string;
  /** Names of rows whose orden can no longer be invoiced: 'Actualizar artículos' takes them out. */
  fuera: string[];
  cliente: DraftCliente;
  advertencias: Aviso[];
  guardando: boolean;
  /** Local time at which the save of the receiver was asked for, 'HH:MM'. */
  guardandoDesde: string | null;
  errorCliente: string | null;
  revision: {
    revision: DraftRevision;
    totales: { subTotal: string; iva: string; total: string };
    pagado: string;
    fechas: { min: string; max: string };
  } | null;
  estado: EstadoFactura | null;
};

/**
 * Reads a step of the stepper; a step that is not open yet shows the furthest that is. Throws as `requireDraft`, and NotAllowed when the
 * sale can no longer be invoiced.
 */
export async function readDraft(
  db: Db,
  id: string,
  usuario: { id: string; rol: string },
  wanted: string | null,
): Promise<DraftView> {
  const draft = await requireDraft(db, id, usuario);
  const last = lastOpenPaso(draft);
  const asked = PASOS.find((one) => one === wanted) ?? last;
  const paso = last === 'lista' || PASOS.indexOf(asked) > PASOS.indexOf(last) ? last : asked;
  const cliente = draft.cliente ?? clienteVacio();
  const saving = cliente.guardando ? await effectView(db, cliente.guardando) : undefined;
  const resumen = paso === 'lista' ? undefined : await resumenOrden(db, draft);
  return {
    numOrden: draft.numOrden,
    enlaceVenta: ventaUrl(draft.market, draft.numOrden),
    paso,
    version: draft.version,
    guardadoEn: draft.actualizadoEn,
    visto: marcasOf(draft.version, mostradoOf(draft)),
    pasos: (['1', '2', '3'] as const).map((one) => ({
      paso: one,
      titulo: PASO_TITULO[one],
      actual: one === paso,
      abierto: last !== 'lista' && PASOS.indexOf(one) <= PASOS.indexOf(last),
      hecho: PASOS.indexOf(one) < PASOS.indexOf(paso),
    })),
    excluidas: resumen?.excluidas ?? [],
    avisos: resumen
      ? [
          ...avisoDeDevuelto(draft.articulos, resumen),
          ...(await avisosOf(
            db,
            draft,
            resumen.ordenes.map((orden) => orden.id),
          )),
        ]
      : [],
    sustituye: draft.sustituyeId === null ? null : await folioOf(db, draft.sustituyeId),
    articulos: draft.articulos,
    total: totalesOf(draft.articulos).total,
    fuera: resumen ? fueraOf(draft.articulos, resumen) : [],
    cliente,
    advertencias: cliente.rfc === '' ? [] : precheckCliente(cliente, { lugarExpedicion: cliente.cp }).advertencias,
    guardando: saving !== undefined && ['queued', 'sending', 'unknown', 'manual'].includes(saving.state),
    guardandoDesde: saving ? horaOf(saving) : null,
    errorCliente: saving?.state === 'refused' ? saving.reason : null,
    revision: paso === '3' ? revisionOf(draft, cliente, resumen!) : null,
    estado: paso === 'lista' ? await estadoOf(db, draft.effectId!) : null,
  };
}

/** A sale as its factura would be made now, before anybody opens a draft of it. */
export type PorRevisar = Pick<DraftView, 'numOrden' | 'cliente' | 'visto'> & {
  articulos: number;
  /** Rows with the SAT's key for what its catalogue lacks. */
  genericos: number;
  revision: NonNullable<DraftView['revision']>;
  /** Tells that one press makes the factura: nothing of it is unknown, and nothing needs a person's word. */
  completa: boolean;
};

/** Reads the factura that a sale would get from this person; null when the sale waits for none. Nothing is written. */
export async function readPorRevisar(
  db: Db,
  ordenId: string,
  usuario: { id: string; rol: string },
): Promise<PorRevisar | null> {
  const orden = z.uuid().safeParse(ordenId).success
    ? await db.selectFrom('orden').select('numOrden').where('id', '=', ordenId).executeTakeFirst()
    : undefined;
  if (!orden) return null;
  try {
    const draft = await readDraftAhead(db, orden.numOrden, usuario);
    const cliente = draft.cliente ?? clienteVacio();
    const resumen = await resumenOrden(db, draft);
    const revision = revisionOf(draft, cliente, resumen);
    const { usoCfdi, formaPago } = revision.revision;
    return {
      numOrden: draft.numOrden,
      cliente,
      visto: marcasOf(draft.version, mostradoOf(draft)),
      articulos: draft.articulos.length,
      genericos: draft.articulos.filter(({ codigoSat }) => codigoSat === CODIGO_SAT_GENERICO).length,
      revision,
      completa:
        lastOpenPaso(draft) === '3' &&
        usoCfdi !== '' &&
        formaPago !== '' &&
        revision.totales.total === revision.pagado &&
        resumen.excluidas.length === 0 &&
        fueraOf(draft.articulos, resumen).length === 0 &&
        draft.articulos.every(({ codigoSat }) => codigoSat !== ''),
    };
  } catch (error) {
    if (error instanceof NotAllowed) return null;
    throw error;
  }
}

function fueraOf(articulos: readonly Articulo[], { ordenes }: ResumenOrden): string[] {
  const facturables = new Set(ordenes.map(({ id }) => id));
  return articulos.flatMap(({ ordenId, nombre }) =>
    ordenId === undefined || facturables.has(ordenId) ? [] : [nombre],
  );
}

/** Tells that a part was given back, and whether the rows of the draft know: those of a draft that was opened before still charge the whole. */
function avisoDeDevuelto(
  articulos: readonly Articulo[],
  { devueltaEnParte, pagado }: ResumenOrden,
): DraftView['avisos'] {
  if (!devueltaEnParte) return [];
  const suma = Money.sum(
    articulos.flatMap(({ ordenId, importe }) => (ordenId === undefined ? [] : [Money.of(importe)])),
  );
  // Rows that a person made cheaper are that person's.
  if (suma.compare(pagado) < 0) return [];
  return [
    {
      titulo: 'Se devolvió una parte al comprador',
      texto:
        suma.compare(pagado) > 0
          ? `De esta venta se quedaron pagados ${enPesos(pagado)} y sus artículos suman ${enPesos(suma)}. Usa «Actualizar artículos» para descontar lo devuelto.`
          : `Lo devuelto ya está descontado de los artículos: suman lo que se quedó pagado, ${enPesos(pagado)}.`,
    },
  ];
}

/** The warnings of a sale that got a document after its draft was opened. A factura that replaces another has none. */
async function avisosOf(db: Db, draft: FacturaDraft, ordenIds: string[]): Promise<DraftView['avisos']> {
  if (draft.sustituyeId !== null) return [];
  const claim = await findClaim(db, ordenIds);
  if (claim)
    return [
      {
        titulo: claim.folio === null ? 'La factura de esta orden está en curso' : 'Esta orden ya tiene factura',
        texto: await explainClaim(db, claim),
      },
    ];
  return (await globalesOf(db, ordenIds)).map((global) => ({
    titulo: 'Esta orden está en una factura global',
    texto: enGlobal(global),
  }));
}

async function folioOf(db: Db, facturaId: string): Promise<string> {
  const { serie, folio } = await db
    .selectFrom('factura')
    .select(['serie', 'folio'])
    .where('id', '=', facturaId)
    .executeTakeFirstOrThrow();
  return `${serie}-${folio}`;
}

/** Keeps step 3 as it was left by the header, when the person chose something else than the screen proposed: a proposal may change with the earlier steps. */
export async function keepRevision(db: Db, draft: FacturaDraft, escrita: DraftRevision): Promise<void> {
  const { revision } = revisionOf(draft, draft.cliente ?? clienteVacio(), await resumenOrden(db, draft));
  const same = (Object.keys(escrita) as (keyof DraftRevision)[]).every((name) => escrita[name] === revision[name]);
  if (!same) await saveDraft(db, draft, { revision: escrita });
}

function revisionOf(draft: Pick<FacturaDraft, 'revision' | 'articulos'>, cliente: DraftCliente, resumen: ResumenOrden) {
  const today = civilDay(new Date());
  const usos = usosFor(cliente.rfc, cliente.regimen).map(({ id }) => id);
  const proposed = [cliente.usoCfdi, resumen.usoPropuesto].find(
    (uso) => uso !== null && uso !== undefined && usos.includes(uso),
  );
  // Nothing is preselected that neither the client nor the marketplace said, except where the SAT allows one use alone.
  const usoCfdi = proposed ?? (usos.length === 1 ? usos[0]! : '');
  const fechas = { min: addDays(today, -DIAS_ATRAS), max: today };
  const { revision } = draft;
  return {
    // The use may have been chosen for another receiver, and the day may be too long ago by now.
    revision: revision
      ? {
          ...revision,
          usoCfdi: usos.includes(revision.usoCfdi) ? revision.usoCfdi : usoCfdi,
          fecha: revision.fecha >= fechas.min && revision.fecha <= fechas.max ? revision.fecha : today,
        }
      : { formaPago: resumen.formaPago ?? '', usoCfdi, fecha: today },
    totales: totalesOf(draft.articulos),
    pagado: resumen.pagado.toString(),
    fechas,
  };
}

/** The sums of rows as a CFDI writes them; zeros when no CFDI can hold the amounts. */
export function totalesOf(articulos: readonly Articulo[]) {
  try {
    const { subTotal, iva, total } = conceptosOfArticulos(articulos);
    return { subTotal, iva, total };
  } catch (error) {
    // `createFactura` refuses these amounts in words; the page still shows the rest.
    if (error instanceof CfdiAmountsError) return { subTotal: '0.00', iva: '0.00', total: '0.00' };
    throw error;
  }
}

/** The local time at which an effect was asked for, 'HH:MM'. */
export const horaOf = ({ createdAt }: Pick<EffectView, 'createdAt'>) => civilDateTime(createdAt).slice(11, 16);

/** The outcome of an accepted factura, after a short wait for the PAC. */
export async function estadoOf(db: Db, effectId: string): Promise<EstadoFactura> {
  const accepted = await effectView(db, effectId);
  if (!accepted) throw new Error(`a draft points to the effect ${effectId}, which does not exist`);
  const effect =
    (await waitForEffect(db, effectId, PATIENCE_MS - (Date.now() - accepted.createdAt.getTime()))) ?? accepted;
  switch (effect.state) {
    case 'done': {
      const factura = await db
        .selectFrom('factura')
        .select(['id', 'serie', 'folio', 'uuid', 'total'])
        .where('effectId', '=', effectId)
        .executeTakeFirstOrThrow();
      return {
        tipo: 'lista',
        facturaId: factura.id,
        folio: `${factura.serie}-${factura.folio}`,
        uuid: factura.uuid,
        total: factura.total.toString(),
      };
    }
    case 'refused':
    case 'cancelled':
      return rechazada(effect);
    case 'manual':
      return { tipo: 'manual' };
    default:
      return {
        tipo: 'proceso',
        desde: horaOf(effect),
        detalle:
          effect.state === 'unknown'
            ? 'La respuesta del PAC se perdió; se está buscando si la factura existe.'
            : effect.reason,
        retirable: effect.state === 'queued',
      };
  }
}

/** A refusal explained, with the step in which it is mended; the PAC's own words go under 'Detalle'. */
function rechazada(effect: EffectView): EstadoFactura {
  const [code] = (effect.detail ?? '').split(' · ');
  const { campo, texto } =
    effect.state === 'cancelled'
      ? { campo: '', texto: `La solicitud terminó sin timbrar: ${effect.reason ?? ''}` }
      : explainPacCode(code || undefined);
  const paso =
    campo === 'articulos' ? '1' : ['rfc', 'razonSocial', 'cp', 'regimen', 'email'].includes(campo) ? '2' : '3';
  return { tipo: 'rechazada', texto, detalle: [effect.reason, effect.detail].filter(Boolean).join(' — '), campo, paso };
}

/**
 * Step 2, an RFC was typed: one record fills the form, several are offered, and none leaves the form to be typed. Throws NotAllowed for a
 * text that is no RFC.
 */
export async function lookUpCliente(db: Db, draft: FacturaDraft, text: string): Promise<void> {
  const rfc = normalizeRfc(text);
  if (!isRfc(rfc)) throw new NotAllowed('Error de llenado.', 'RFC No Valido', { campo: 'rfc' });
  const { clientes, origen, sinPac } = await lookUpRfc(db, rfc);
  const cliente: DraftCliente =
    clientes.length === 1
      ? fromGuardado(rfc, clientes[0]!, clientes, origen)
      : { ...clienteVacio(), rfc, opciones: clientes, sinPac };
  await saveDraft(db, draft, { cliente });
}

/** Fills the form with one of the legal names that were offered. Throws NotAllowed when it is no longer among them. */
export async function chooseCliente(db: Db, draft: FacturaDraft, uid: string): Promise<void> {
  const opciones = draft.cliente?.opciones ?? [];
  const chosen = opciones.find((opcion) => opcion.uid === uid);
  if (!chosen || !draft.cliente)
    throw new NotAllowed('Error', 'Esa razón social ya no está en la lista. Busca el RFC de nuevo.');
  await saveDraft(db, draft, { cliente: fromGuardado(draft.cliente.rfc, chosen, opciones, 'registro') });
}

/** The receiver as a form sends it. */
export type ClienteEscrito = {
  rfc: string;
  razonSocial: string;
  cp: string;
  regimen: string;
  email: string;
  email2?: string;
};

/**
 * Saves the receiver of a draft at the PAC and here. Returns true when the PAC has it, false while the PAC has not answered: the page then
 * waits. Throws NotAllowed for data that the PAC would refuse or refused, and Stale when the draft moved.
 */
export async function beginSaveCliente(
  db: Db,
  draft: FacturaDraft,
  escrito: ClienteEscrito,
  usuarioId: string | null,
): Promise<boolean> {
  const { email, email2, ...datos } = escrito;
  const actual = draft.cliente ?? clienteVacio();
  // This form has no field for a third address, so an edit keeps it.
  const emails = [email, ...(email2 ? [email2] : []), ...(actual.modo === 'edicion' ? actual.emails.slice(2) : [])];
  const cliente = { ...datos, emails };
  await requireGuardable(db, cliente);
  const effectId = await db.transaction().execute(async (trx) => {
    // Another RFC is another receiver, not a correction of this one. Under a generic RFC another name is, too.
    const uid =
      actual.modo === 'edicion' &&
      actual.rfc === datos.rfc &&
      (!isGenericRfc(datos.rfc) || (await isNameOf(trx, actual.uid, datos.razonSocial)))
        ? actual.uid
        : await knownUid(trx, datos.rfc, datos.razonSocial);
    const id = await acceptCliente(trx, cliente, uid, usuarioId);
    await saveDraft(trx, draft, {
      cliente: { ...actual, ...datos, emails, guardando: id, sinPac: false, opciones: [] },
    });
    return id;
  });
  return waitForCliente(db, effectId);
}

async function isNameOf(trx: Trx, uid: string | null, razonSocial: string): Promise<boolean> {
  if (uid === null) return false;
  const known = await trx
    .selectFrom('clienteFiscal')
    .select('id')
    .where('uid', '=', uid)
    .where('razonSocial', '=', razonSocial)
    .executeTakeFirst();
  return known !== undefined;
}
