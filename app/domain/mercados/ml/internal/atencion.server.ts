import { tableOf } from '~/core/table';
import { readInstant, toInstant } from '~/core/time';
import type { Mercadolibre } from '~/integrations/mercadolibre/client.server';
import { PREGUNTAS_POR_PAGINA } from '~/integrations/mercadolibre/atencionReads.server';
import { isAgente } from '~/integrations/mercadolibre/wireWrite';
import type { Claim, ClaimMessage, Item, Question } from '~/integrations/mercadolibre/wireAtencion';
import type { EstatusPregunta, ResponsableReclamo } from '~db/columns';
import type {
  AccionDeReclamo,
  Atencion,
  CambioDeReclamo,
  Lado,
  PreguntaLeida,
  PublicacionLeida,
  ReclamoLeido,
  RevisionDeDevolucion,
} from '~/domain/mercados/atencion';
import { detail } from '~/domain/mercados/detail';
import { estadoOf } from './estados';
import type { Asking, Cambio, Ventana } from '~/domain/mercados/mercado';

/** Most questions that Mercado Libre shows, whatever the offset. */
const MOST = 1_000;
const CLAIMS_PER_PAGE = 100;
const MOST_CLAIMS = 9_999;

const ESTATUS: Record<string, EstatusPregunta> = tableOf({
  UNANSWERED: 'pendiente',
  ANSWERED: 'respondida',
  CLOSED_UNANSWERED: 'cerrada',
  UNDER_REVIEW: 'enRevision',
  BANNED: 'retirada',
  DELETED: 'borrada',
  DISABLED: 'desactivada',
});

/** Returns a question in our nouns; a state of an unknown word is `desconocida`. `raw` is kept as it came. */
export function preguntaOf(doc: Question, raw: unknown): PreguntaLeida {
  return {
    marketId: doc.id,
    publicacionId: doc.item_id,
    compradorId: doc.from?.id ?? doc.buyer_id ?? null,
    texto: doc.text,
    estatus: ESTATUS[doc.status ?? ''] ?? 'desconocida',
    retenida: doc.hold === true,
    fecha: doc.date_created,
    respuesta: doc.answer ? { texto: doc.answer.text, fecha: doc.answer.date_created ?? null } : null,
    documento: raw,
  };
}

/** Returns what people need to know of a listing in order to answer a question about it. */
export function publicacionOf(item: Item): PublicacionLeida {
  const attribute = (id: string) => item.attributes?.find((one) => one.id === id)?.value_name ?? null;
  return {
    titulo: item.title ?? null,
    marca: attribute('BRAND'),
    modelo: attribute('MODEL'),
    sku: attribute('SELLER_SKU') ?? item.seller_custom_field ?? null,
    enlace: item.permalink ?? null,
  };
}

/** The side of a claim, by Mercado Libre's word for its role. */
const LADOS: Record<string, Lado> = tableOf({
  complainant: 'comprador',
  buyer: 'comprador',
  respondent: 'vendedor',
  seller: 'vendedor',
  mediator: 'mediador',
  internal: 'mediador',
});
const ladoOf = (role: string | null | undefined): Lado | null => LADOS[role ?? ''] ?? null;

/** Tells whether a product is swapped in a claim: a related entity says so, in two spellings. */
export const isSwapped = ({ type, related_entities: entities }: Claim): boolean =>
  type === 'change' || (entities ?? []).some((one) => one === 'change' || one === 'changes');

/** Returns the kind of a claim. A replacement keeps the type of a mediation, also when it is closed. */
const tipoOf = (claim: Claim): string => (claim.type === 'mediations' && isSwapped(claim) ? 'replace' : claim.type);

type Swap = Awaited<ReturnType<Mercadolibre['getClaimChanges']>>[number];
const cambioOf = (swap: Swap): CambioDeReclamo => ({
  tipo: swap.type ?? null,
  estado: swap.status ?? null,
  detalle: swap.status_detail ?? null,
  articulos: (swap.items ?? []).map(({ id, quantity }) => ({ publicacionId: id, cantidad: quantity ?? null })),
  devolucionId: swap.return?.id ?? null,
  ordenes: swap.new_orders_ids ?? [],
  envios: (swap.new_orders_shipments ?? []).map(({ id }) => id),
  desde: instantIn(swap.estimated_exchange_date?.from),
  hasta: instantIn(swap.estimated_exchange_date?.to),
});

type Review = Awaited<ReturnType<Mercadolibre['getReturnReviews']>>[number]['resource_reviews'][number];
const revisionOf = (review: Review): RevisionDeDevolucion => ({
  etapa: review.stage || null,
  resultado: review.status || null,
  producto: review.product_condition || null,
  destino: review.product_destination || null,
  favorece: review.benefited || null,
  deNosotros: review.seller_status || null,
  motivo: review.seller_reason || null,
  faltan: review.missing_quantity ?? null,
});

/** Actions that decide about a return: its cost is part of the decision. */
const SOBRE_LA_DEVOLUCION = /^(?:return_review|allow_return)/;

const accionesOf = ({ players }: Claim, seller: string): AccionDeReclamo[] =>
  players
    .filter(({ role, user_id }) => (user_id ? user_id === seller : role === 'respondent'))
    .flatMap(({ available_actions }) => available_actions)
    .map(({ action, mandatory, due_date }) => ({
      accion: action,
      obligatoria: mandatory === true,
      vence: due_date?.toISOString() ?? null,
    }));

/** Returns an instant in one spelling; null for a text that is no instant. */
const instantIn = (written: string | null | undefined): string | null =>
  readInstant(written ?? '')?.toISOString() ?? null;

const mensajeOf = (message: ClaimMessage, at: number) => ({
  clave: message.hash ?? `${message.date_created ?? ''} ${at}`,
  de: ladoOf(message.sender_role),
  para: ladoOf(message.receiver_role),
  texto: message.message ?? '',
  fecha: instantIn(message.date_created),
  adjuntos: (message.attachments ?? []).flatMap(
    ({ original_filename, filename }) => original_filename ?? filename ?? [],
  ),
});

/** Returns when a claim expires for us: the first day of the actions that are obligatory, else of those that are offered, else the day that the claim names. */
function expiryOf(acciones: readonly AccionDeReclamo[], detalle: Date | null): Date | null {
  const first = (some: readonly AccionDeReclamo[]) => some.flatMap(({ vence }) => vence ?? []).sort()[0];
  const day = first(acciones.filter(({ obligatoria }) => obligatoria)) ?? first(acciones);
  return day ? toInstant(day) : detalle;
}

/** Opens the questions and claims of Mercado Libre. */
export function atencionMl(ml: Mercadolibre): Atencion {
  /** Returns the order of a claim. Of a claim about a shipment or a payment, the order is asked for there. */
  async function ordenOf({ resource, resource_id: id }: Claim, sinLeer: string[]): Promise<string | null> {
    if (resource === 'order') return id;
    if (resource === 'shipment')
      return (await detail(() => ml.getShipmentOrders(id), 'orden del envío', sinLeer))?.[0] ?? null;
    if (resource === 'payment') {
      const payment = await detail(() => ml.getPayment(id), 'orden del pago', sinLeer);
      return payment?.order?.id ?? null;
    }
    if (resource === 'purchase')
      return (await detail(() => ml.getPack(id), 'orden de la compra', sinLeer))?.orders[0]?.id ?? null;
    return null;
  }

  /** Returns the returns of a claim, each with what was found of it. */
  const devolucionesOf = async (claimId: string) =>
    Promise.all(
      (await ml.getClaimReturns(claimId)).map(async (one) => {
        const revisada = one.id != null && (one.related_entities ?? []).includes('reviews');
        const reviews = revisada ? await ml.getReturnReviews(one.id!) : [];
        return { ...one, revisiones: reviews.flatMap(({ resource_reviews: parts }) => parts.map(revisionOf)) };
      }),
    );

  async function* listQuestions(cuales: 'todas' | 'pendientes', asking: Asking) {
    const status = cuales === 'pendientes' ? 'UNANSWERED' : undefined;
    for (let offset = 0; offset < MOST; offset += PREGUNTAS_POR_PAGINA) {
      asking.signal?.throwIfAborted();
      const page = await asking.patiently(() => ml.searchQuestions(offset, status));
      yield { preguntas: page.questions.map(({ doc, raw }) => preguntaOf(doc, raw)), sinLeer: page.unreadable };
      if (page.size < PREGUNTAS_POR_PAGINA) return [];
    }
    // Older questions only serve as earlier answers; a question that waits has to be listed.
    return cuales === 'pendientes' ? [`Preguntas sin responder: Mercado Libre deja ver ${MOST}`] : [];
  }

  async function* listClaims(window: Ventana, asking: Asking): AsyncGenerator<Cambio[], string[]> {
    for (let offset = 0; offset < MOST_CLAIMS; offset += CLAIMS_PER_PAGE) {
      asking.signal?.throwIfAborted();
      const page = await asking.patiently(() => ml.searchClaims(window, offset, CLAIMS_PER_PAGE));
      yield page.map(({ id, version }) => ({ marketId: id, version }));
      if (page.length < CLAIMS_PER_PAGE) return [];
    }
    return ['Reclamos: son más de los que Mercado Libre deja ver'];
  }

  return {
    async readPregunta(id) {
      const { doc, raw } = await ml.getQuestion(id);
      return preguntaOf(doc, raw);
    },
    preguntas: listQuestions,
    async readPublicacion(id) {
      const item = await ml.getItem(id);
      return item && publicacionOf(item);
    },

    async readReclamo(id): Promise<ReclamoLeido> {
      const { doc, raw } = await ml.getClaim(id);
      const sinLeer: string[] = [];
      const acciones = accionesOf(doc, await ml.seller());
      const parte = acciones.some(({ accion }) => accion === 'allow_partial_refund');
      const conDevolucion =
        isSwapped(doc) ||
        (doc.related_entities ?? []).includes('return') ||
        acciones.some(({ accion }) => SOBRE_LA_DEVOLUCION.test(accion));
      const [detalle, mensajes, devoluciones, cambios, costo, ofertas, orden] = await Promise.all([
        detail(() => ml.getClaimDetail(id), 'detalle', sinLeer),
        detail(() => ml.getClaimMessages(id), 'mensajes', sinLeer),
        detail(() => devolucionesOf(id), 'devolución', sinLeer),
        isSwapped(doc) ? detail(() => ml.getClaimChanges(id), 'cambio', sinLeer) : [],
        conDevolucion
          ? detail(async () => ({ answer: await ml.getReturnCost(id) }), 'costo de la devolución', sinLeer)
          : { answer: null },
        parte ? detail(() => ml.getPartialOffers(id), 'reembolsos en parte', sinLeer) : [],
        ordenOf(doc, sinLeer),
      ]);
      const responsable: ResponsableReclamo | null = ladoOf(detalle?.action_responsible);
      const abierto = doc.status !== 'closed';
      return {
        marketId: doc.id,
        ordenMarketId: orden,
        recurso: doc.resource,
        recursoId: doc.resource_id,
        estatus: abierto ? 'abierto' : 'cerrado',
        tipo: tipoOf(doc),
        etapa: doc.stage ?? null,
        motivo: doc.reason_id ?? null,
        titulo: detalle?.title ?? null,
        problema: detalle?.problem ?? detalle?.description ?? null,
        responsable,
        venceEn: abierto ? expiryOf(acciones, responsable === 'vendedor' ? (detalle?.due_date ?? null) : null) : null,
        parcial: doc.quantity_type === 'partial',
        jugadores: doc.players.map(({ role, type, user_id }) => ({
          rol: role,
          tipo: type ?? null,
          usuario: user_id ?? null,
        })),
        acciones: abierto ? acciones : [],
        resolucion: doc.resolution
          ? {
              motivo: doc.resolution.reason ?? null,
              fecha: doc.resolution.date_created ?? null,
              favorece: doc.resolution.benefited ?? [],
              cerro: doc.resolution.closed_by ?? null,
            }
          : null,
        mensajes: mensajes?.map(mensajeOf),
        devoluciones: devoluciones?.map(({ revisiones, ...one }) => ({
          id: one.id ?? null,
          revisiones,
          estatus: one.status ?? null,
          dinero: one.status_money ?? null,
          envios: (one.shipments ?? []).map((envio) => ({
            id: envio.shipment_id ?? null,
            estatus: envio.status ?? null,
            guia: envio.tracking_number ?? null,
            destino: envio.destination?.name ?? null,
          })),
        })),
        cambios: cambios?.map(cambioOf),
        // An amount of another currency is none that we could add to our pesos.
        costoDevolucion: costo ? (costo.answer?.currency_id === 'MXN' ? costo.answer.amount : null) : undefined,
        ofertas: ofertas?.map(({ amount, percentage }) => ({ monto: amount, porcentaje: percentage })),
        sinLeer,
        fecha: doc.date_created,
        actualizadoEn: doc.last_updated ?? doc.date_created,
        documento: raw,
      };
    },
    async readMotivosDeObjecion(id) {
      const reasons = await ml.getReturnReasons(id);
      return reasons.map(({ id: reason, name, detail: said }) => ({
        id: reason,
        nombre: name ?? reason,
        detalle: said ?? null,
      }));
    },
    reclamos: listClaims,

    async readComprador(id) {
      const [user, ...blocked] = await Promise.all([
        ml.getUser(id),
        ml.isBlocked('blocked_by_questions', id),
        ml.isBlocked('blocked_by_order', id),
      ]);
      return {
        apodo: user?.nickname ?? null,
        ciudad: user?.address?.city ?? null,
        estado: user?.address?.state ? estadoOf(user.address.state) : null,
        enlace: user?.permalink ?? null,
        bloqueado: blocked.includes(true),
      };
    },

    async readConversacion(numOrden) {
      const read = await ml.getConversation(numOrden);
      return (
        read && {
          con: read.agente ? 'agente' : 'comprador',
          espera: read.agente && read.espera,
          bloqueo: read.bloqueo,
          mensajes: read.mensajes.map(({ id, from, text, status, message_date }) => ({
            id,
            de: from?.user_id === read.seller ? 'nosotros' : from && isAgente(from.user_id) ? 'agente' : 'comprador',
            texto: text,
            fecha: instantIn(message_date?.received),
            moderado: status === 'moderated' || status === 'rejected',
          })),
        }
      );
    },
  };
}
