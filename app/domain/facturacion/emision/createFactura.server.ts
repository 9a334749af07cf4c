import { z } from 'zod';
import { enPesos } from '~/core/importe';
import { Money } from '~/core/money';
import { NotAllowed, Stale } from '~/core/errors';
import { record } from '~/platform/bitacora.server';
import { acceptEffect, effectView } from '~/platform/effects/effects.server';
import type { Trx } from '~db/client.server';
import { conceptosOfArticulos, type Articulo } from '~/domain/facturacion/cfdi/articulos';
import { CfdiAmountsError } from '~/domain/facturacion/cfdi/importes';
import { claimOrdenes } from '~/domain/facturacion/cfdi/claims.server';
import type { DraftCliente, DraftRevision, Visto } from './draft';
import { requireCodigos, codigosOf } from './codigosSku.server';
import { lockDraft, type FacturaDraft } from './draft.server';
import { requireEmisor } from '~/domain/facturacion/cfdi/emisor.server';
import {
  textOfClaim,
  findClaim,
  ordenesOfNumber,
  requireFacturables,
  type ClaimOfNumber,
} from '~/domain/facturacion/cfdi/facturables.server';
import { requireNoneUnadopted } from '~/domain/facturacion/cfdi/adopcion.server';
import { fechaOfFactura, precheck } from '~/domain/facturacion/cfdi/precheck';
import { lockReceptores, hasReceptorChanged } from '~/domain/facturacion/receptores/receptor.server';
import { stampFactura } from './internal/stampFactura.server';
import { lockSustituida } from './substituteFactura.server';

const TITULO = 'Facturación';
/** c_TipoRelacion: substitution of earlier CFDI. */
const SUSTITUCION = '04';
const EN_CAMINO = 'Otra persona ya está generando la factura de esta orden.';

/** The request of a person, or of a customer (`usuarioId` null), for the factura of a draft. */
export type CreateFactura = {
  revision: DraftRevision;
  /** The person confirmed that the total differs from the payment that the marketplace tells. */
  diferenciaAceptada: boolean;
  usuarioId: string | null;
  now: Date;
  /** The draft and the payment that the screen showed. A caller without a screen decides about the draft it read. */
  visto?: Visto & { pagado?: string };
};

/**
 * Accepts a factura and returns the id of its effect: checks everything the PAC would refuse, claims the ordenes, freezes the request and
 * enqueues the stamp, all or nothing. A second call returns the living effect. Throws NotAllowed with the reason at its field, Stale when
 * the draft or the payment moved, and CompanyFault for what only the company can mend.
 */
export async function createFactura(
  trx: Trx,
  draft: FacturaDraft,
  { revision, diferenciaAceptada, usuarioId, now, visto }: CreateFactura,
): Promise<string> {
  const emisor = await requireEmisor(trx);
  const { ordenes } = requireFacturables(await ordenesOfNumber(trx, draft.numOrden, { lock: true }));
  const ordenIds = ordenes.map(({ id }) => id);
  const sustituida = draft.sustituyeId === null ? undefined : await lockSustituida(trx, draft.sustituyeId);
  const claim = await findClaim(trx, ordenIds, { sustituidaId: sustituida?.id });
  if (claim) return ofLivingClaim(trx, draft, claim);
  const asked = await askedBefore(trx, draft);
  if (asked) return asked;
  await lockDraft(trx, draft, visto);
  await requireNoneUnadopted(trx, TITULO, draft.numOrden);

  await requireArticulos(trx, draft, ordenIds);
  const cliente = requireCliente(draft.cliente);
  await lockReceptores(trx, [cliente.rfc], 'timbrar');
  await requireSameReceptor(trx, cliente, { publico: usuarioId === null });
  const conceptos = conceptosOf(draft.articulos);
  const cents = { subTotal: conceptos.subTotal, iva: conceptos.iva, total: conceptos.total };
  const { errores } = precheck(
    {
      cliente,
      usoCfdi: revision.usoCfdi,
      formaPago: revision.formaPago,
      dia: revision.fecha,
      conceptos: conceptos.conceptos,
      ...cents,
    },
    { lugarExpedicion: emisor.cp },
    now,
  );
  if (errores[0])
    throw new NotAllowed(TITULO, errores.map(({ texto }) => texto).join(' '), {
      campo: fieldOfRevision(errores[0].campo),
    });

  const pagado = Money.sum(ordenes.map(({ pagadoAbs }) => pagadoAbs));
  requireSamePagado(visto?.pagado, pagado.toString());
  const diferencia = Money.of(cents.total).minus(pagado);
  if (!diferencia.isZero() && !diferenciaAceptada) {
    throw new NotAllowed(
      TITULO,
      `El total de la factura (${enPesos(cents.total)}) no es lo que se pagó (${enPesos(pagado)}). Confirma la diferencia para continuar.`,
      { campo: 'diferencia' },
    );
  }
  const { id, created } = await acceptEffect(trx, stampFactura, {
    usuarioId,
    request: {
      market: draft.market,
      numOrden: draft.numOrden,
      ordenIds,
      clienteFiscalId: cliente.clienteFiscalId,
      emails: cliente.emails,
      conceptoOrdenIds: draft.articulos.map(({ ordenId }) => ordenId ?? null),
      codigos: codigosOf(draft.articulos),
      ...(sustituida && { sustituye: { facturaId: sustituida.id, uuid: sustituida.uuid } }),
      cfdi: {
        tipo: 'factura',
        serieId: emisor.serieFactura,
        receptor: {
          uid: cliente.uid!,
          rfc: cliente.rfc,
          nombre: cliente.razonSocial,
          cp: cliente.cp,
          regimen: cliente.regimen,
        },
        usoCfdi: revision.usoCfdi,
        formaPago: revision.formaPago,
        fecha: fechaOfFactura(revision.fecha, now),
        lugarExpedicion: emisor.cp,
        conceptos: conceptos.conceptos,
        ...cents,
        ...(sustituida && { relacionados: { tipoRelacion: SUSTITUCION, uuids: [sustituida.uuid] } }),
      },
    },
  });
  // The living stamp of this number is for other ordenes of it: these are not in its request.
  if (!created && !(await isOf(trx, draft, id))) throw new NotAllowed(TITULO, EN_CAMINO);
  if (!created) return id;
  await claimOrdenes(trx, { ordenIds, effectId: id, sustituidaId: sustituida?.id });
  await trx
    .updateTable('facturaDraft')
    .set((is) => ({ effectId: id, revision: JSON.stringify(revision), version: is('version', '+', 1) }))
    .where('id', '=', draft.id)
    .execute();
  await record(trx, {
    usuarioId,
    entidad: 'orden',
    entidadId: draft.numOrden,
    accion: 'facturar',
    datos: {
      efecto: id,
      total: cents.total,
      ...(diferencia.isZero() ? {} : { pagado: pagado.toString(), diferenciaAceptada: diferencia.toString() }),
    },
  });
  return id;
}

/** The effect that this draft asked for already, under way or done: the button of a substitution was pressed again. */
async function askedBefore(trx: Trx, draft: FacturaDraft): Promise<string | undefined> {
  const row = await trx
    .selectFrom('facturaDraft')
    .innerJoin('effect', 'effect.id', 'facturaDraft.effectId')
    .select('effect.id')
    .where('facturaDraft.id', '=', draft.id)
    .where('effect.state', 'not in', ['refused', 'cancelled'])
    .executeTakeFirst();
  return row?.id;
}

/** Tells whether this draft asked for the effect: the same button was pressed again. */
async function isOf(trx: Trx, draft: FacturaDraft, effectId: string): Promise<boolean> {
  const now = await trx.selectFrom('facturaDraft').select('effectId').where('id', '=', draft.id).executeTakeFirst();
  return now?.effectId === effectId;
}

/** The effect of the claim when this draft asked for it. Throws NotAllowed when another document holds the sale. */
async function ofLivingClaim(trx: Trx, draft: FacturaDraft, claim: ClaimOfNumber): Promise<string> {
  // The draft is read again: the other press of the same button may have written it while this one waited for the ordenes.
  if (await isOf(trx, draft, claim.effectId)) return claim.effectId;
  if (claim.folio || claim.kind === 'global') throw new NotAllowed(TITULO, textOfClaim(claim));
  const effect = await effectView(trx, claim.effectId);
  throw new NotAllowed(
    TITULO,
    effect?.state === 'manual' ? 'La factura de esta orden espera una decisión en Pendientes.' : EN_CAMINO,
  );
}

/**
 * Throws NotAllowed for rows of an orden that can no longer be invoiced, and for keys that the catalogue lacks. An orden of a cart may be
 * cancelled after the rows were written, and they would still be charged.
 */
async function requireArticulos(trx: Trx, { articulos }: FacturaDraft, ordenIds: string[]): Promise<void> {
  const fuera = articulos.find(({ ordenId }) => ordenId !== undefined && !ordenIds.includes(ordenId));
  if (fuera) {
    const orden = z.uuid().safeParse(fuera.ordenId).success
      ? await trx.selectFrom('orden').select('marketId').where('id', '=', fuera.ordenId!).executeTakeFirst()
      : undefined;
    throw new NotAllowed(
      TITULO,
      `«${fuera.nombre}» es de ${orden ? `la orden ${orden.marketId}, que` : 'una orden que'} ya no se puede facturar: fue cancelada o devuelta después de escribir los artículos. Usa «Actualizar artículos» y revísalos.`,
      { campo: 'articulos' },
    );
  }
  await requireCodigos(trx, TITULO, articulos, 'articulos');
}

/** Throws Stale when the payment is not the one that was shown: a person accepts the difference they saw. */
function requireSamePagado(visto: string | undefined, pagado: string): void {
  if (visto === undefined || visto === pagado) return;
  throw new Stale({
    cambios: [{ campo: 'Monto Pagado', mio: enPesos(visto), suyo: enPesos(pagado) }],
    marcas: { pagado },
  });
}

function requireCliente(cliente: DraftCliente | null): DraftCliente {
  if (cliente?.modo === 'lectura' && cliente.uid) return cliente;
  throw new NotAllowed(TITULO, 'Faltan los datos de facturación del cliente. Guárdalos en el paso anterior.');
}

/** Throws NotAllowed when the receiver's data changed after it was chosen: the PAC would stamp to the new data. */
async function requireSameReceptor(trx: Trx, cliente: DraftCliente, { publico }: { publico: boolean }): Promise<void> {
  if (!(await hasReceptorChanged(trx, { ...cliente, uid: cliente.uid!, registrado: cliente.clienteFiscalId !== null })))
    return;
  throw new NotAllowed(
    TITULO,
    publico
      ? 'Tus datos registrados cambiaron. Vuelve al paso anterior y búscalos de nuevo por tu RFC.'
      : 'Los datos fiscales del cliente cambiaron después de elegirlos. Vuelve al paso anterior, búscalos de nuevo por su RFC y revísalos.',
  );
}

function conceptosOf(articulos: readonly Articulo[]) {
  try {
    return conceptosOfArticulos(articulos);
  } catch (error) {
    if (!(error instanceof CfdiAmountsError)) throw error;
    throw new NotAllowed(
      TITULO,
      'Los importes de los artículos no pueden cuadrar al centavo en un CFDI. Revisa precios y cantidades.',
      { cause: error },
    );
  }
}

/** The field of step 3 for an error; undefined for a field of an earlier step, whose error stands for the whole form. */
function fieldOfRevision(campo: string): string | undefined {
  return ['usoCfdi', 'formaPago', 'fecha'].includes(campo) ? campo : undefined;
}
