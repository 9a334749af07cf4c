/** Control routes for what buyers say: messages, questions and claims. */
import { z } from 'zod';
import { answerOrBack, json, type Handler, type SandboxRequest, type SandboxResponse } from '../service';
import { saleOfNumber } from './api';
import { SECOND } from './constants';
import type { ControlOptions } from './control';
import { BACK, flag, reads, shown } from './controlTools';
import { PRODUCTS } from './data/products';
import { hasShipment } from './history';
import { shipmentId } from './sale';

const TalkBody = z.object({
  numOrden: z.string(),
  text: z.string().optional(),
  bloqueo: z.string().nullable().optional(),
  /** An agent in the buyer's place, by what it shows; null takes it away. */
  agente: z.enum(['path', 'from']).nullable().optional(),
  /** A message that the people of the shop write on the marketplace's own page. */
  nuestro: z.string().optional(),
  segundo: z.union([z.literal(403), z.literal(429)]).optional(),
});
const ClaimBody = z.object({
  orden: z.coerce.number(),
  horas: z.coerce.number().nullable().default(60),
  tipo: z.string().default('mediations'),
  deEnvio: flag.default(false),
  conDevolucion: flag.default(false),
  cambio: z.enum(['change', 'changes']).optional(),
  sinAviso: flag.default(false),
});
const ClaimChange = z.object({
  cerrar: z.string().optional(),
  horas: z.coerce.number().optional(),
  /** More actions of the seller. */
  ofrece: z.array(z.string()).optional(),
  cambio: z
    .object({ status: z.string(), detail: z.string().nullable().optional(), orderId: z.coerce.number().optional() })
    .optional(),
  costo: z.coerce.number().optional(),
  acepta: z.enum(['change', 'changes']).optional(),
  revision: z
    .object({
      stage: z.enum(['closed', 'pending', 'seller_review_pending', 'timeout', '']),
      status: z.enum(['success', 'failed', '']).nullable(),
      product_condition: z.enum(['saleable', 'unsaleable', 'discard', 'missing', '']).nullable(),
      product_destination: z.enum(['meli', 'buyer', 'seller', '']).nullable(),
      benefited: z.enum(['both', 'buyer', 'seller']).nullable(),
      missing_quantity: z.number().int().nullable(),
    })
    .partial()
    .optional(),
});
const QuestionBody = z.object({
  text: z.string().default('¿Tienen disponible?'),
  itemId: z.string().optional(),
  compradorId: z.coerce.number().optional(),
  /** Age of the question in minutes. */
  hace: z.coerce.number().default(0),
  veces: z.coerce.number().int().min(1).max(5_000).default(1),
  sinAviso: flag.default(false),
});
const QuestionChange = z.object({
  respuesta: z.string().optional(),
  retirada: flag.default(false),
  status: z
    .enum(['UNANSWERED', 'ANSWERED', 'CLOSED_UNANSWERED', 'UNDER_REVIEW', 'BANNED', 'DELETED', 'DISABLED'])
    .optional(),
  sinAviso: flag.default(false),
});
/** Returns the routes by which tests play the buyer, and the people of the shop on the marketplace's own page. */
export function createAtencion({
  ledger,
  messages,
  questions,
  claims,
  notifier,
  now,
}: ControlOptions): Record<string, Handler> {
  /** Lets the buyer of a sale write, or blocks the conversation. */
  function talk(body: z.output<typeof TalkBody>): SandboxResponse {
    const sale = saleOfNumber(ledger(), body.numOrden);
    if (!sale) return shown(null);
    if (body.agente !== undefined) messages.setAgent(sale, body.agente, body.segundo);
    if (body.text) messages.receive(sale, body.text);
    if (body.nuestro) messages.writeThere(sale, body.nuestro);
    if (body.bloqueo !== undefined) messages.block(sale, body.bloqueo);
    return json(200, { mensajes: messages.of(sale) });
  }

  function ask(body: z.output<typeof QuestionBody>, request: SandboxRequest): SandboxResponse {
    const { text, itemId, compradorId, hace, veces, sinAviso } = body;
    const ids = Array.from({ length: veces }, () =>
      questions.ask({
        text,
        itemId: itemId ?? PRODUCTS[0]!.itemId,
        from: compradorId ?? ledger().buyers[3]!.id,
        at: now() - hace * 60 * SECOND,
      }),
    );
    if (!sinAviso) for (const id of ids) notifier.announce('questions', `/questions/${id}`);
    return answerOrBack(request, { id: String(ids[0]), ids: ids.map(String) }, BACK);
  }

  function claim(body: z.output<typeof ClaimBody>, request: SandboxRequest): SandboxResponse {
    const { orden, deEnvio, sinAviso, ...rest } = body;
    const order = ledger().order(orden);
    if (!order) return shown(null);
    const { sale } = order;
    const id = claims.open({
      ...rest,
      orderId: order.id,
      shipmentId: deEnvio && hasShipment(sale) ? shipmentId(sale.seq) : null,
      buyer: sale.buyer.id,
      item: order.line.product.itemId,
      amount: (order.line.unit * order.line.quantity) / 100,
    });
    if (!sinAviso) notifier.announce('post_purchase', `post-purchase/v1/claims/${id}`);
    return answerOrBack(request, { id: String(id) }, BACK);
  }

  /** Changes a question on the marketplace's side: somebody answers it there, or its status changes. */
  function changeQuestion(body: z.output<typeof QuestionChange>, request: SandboxRequest): SandboxResponse {
    const id = Number(request.params.id);
    const { respuesta, retirada, status, sinAviso } = body;
    const done =
      respuesta !== undefined
        ? questions.answerThere(id, respuesta, retirada ? 'BANNED' : 'ACTIVE')
        : status !== undefined && questions.set(id, status);
    if (!done) return shown(null);
    if (!sinAviso) notifier.announce('questions', `/questions/${id}`);
    return json(200, questions.facts(id));
  }

  function messagesOf({ url }: SandboxRequest): SandboxResponse {
    const sale = saleOfNumber(ledger(), url.searchParams.get('numOrden') ?? '');
    return shown(sale && messages.of(sale));
  }

  return {
    'POST /reclamos': reads(ClaimBody, claim),
    /** Every claim, as tests compare with it. */
    'GET /reclamos': () =>
      json(
        200,
        claims.state.claims.map(({ id, status }) => ({ id: String(id), status })),
      ),
    'POST /reclamos/:id': reads(ClaimChange, (body, { params }) => {
      const id = Number(params.id);
      return shown(claims.change(id, body) && claims.of(id));
    }),
    'GET /reclamos/:id': ({ params }) => shown(claims.of(Number(params.id))),
    'POST /preguntas': reads(QuestionBody, ask),
    'GET /preguntas': () =>
      json(
        200,
        questions.state.questions.map(({ id }) => questions.facts(id)),
      ),
    'POST /preguntas/:id': reads(QuestionChange, changeQuestion),
    'GET /preguntas/:id': ({ params }) => shown(questions.facts(Number(params.id))),
    'GET /bloqueados': () => json(200, questions.state.blocked),
    'POST /mensajes': reads(TalkBody, talk),
    'GET /mensajes': messagesOf,
  };
}
