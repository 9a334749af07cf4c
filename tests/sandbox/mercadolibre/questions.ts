import { json, type SandboxRequest, type SandboxResponse } from '../service';
import { refuse } from './answers';
import type { Buyer } from './buyers';
import { orderTime, zulu } from './clock';
import { DAY, MINUTE, SELLER_ID } from './constants';
import { PRODUCTS } from './data/products';

export type QuestionStatus =
  'UNANSWERED' | 'ANSWERED' | 'CLOSED_UNANSWERED' | 'UNDER_REVIEW' | 'BANNED' | 'DELETED' | 'DISABLED';

interface Question {
  id: number;
  itemId: string;
  text: string;
  status: QuestionStatus;
  from: number;
  at: number;
  answer: { text: string; status: 'ACTIVE' | 'DISABLED' | 'BANNED'; at: number } | null;
}

export interface QuestionsState {
  questions: Question[];
  last: number;
  blocked: Record<'questions_blacklist' | 'order_blacklist', Record<number, number>>;
}

export const emptyQuestions = (): QuestionsState => ({
  questions: [],
  last: 0,
  blocked: { questions_blacklist: {}, order_blacklist: {} },
});

const FIRST_ID = 13811110000;
const MAX_TEXT = 2_000;
const CAP = 1_000;
const UNSEEN_AFTER = 7 * 30 * DAY;

/** Questions of the demo's buyers: product, text, age in minutes, answer, and minutes until the answer. */
const DEMO: [product: number, text: string, agoMinutes: number, answer: string | null, afterMinutes: number][] = [
  [
    0,
    'Hola, ¿tienen disponible para entrega hoy?',
    26 * 1440,
    'Hola, sí tenemos existencia. Se envía el mismo día hábil antes de las 14:00.',
    22,
  ],
  [0, '¿Sirve para exterior? Es para una cochera', 21 * 1440, 'Hola, sí. Es IP66 y ve de noche hasta 20 metros.', 41],
  [
    0,
    'buenas tardes, ¿incluye la fuente de poder?',
    15 * 1440,
    'Hola, la fuente se vende por separado: 12 V, 1 A.',
    12,
  ],
  [0, '¿Hacen factura?', 9 * 1440, 'Hola, sí. Te llega un enlace con tu compra para capturar tus datos.', 75],
  [3, '¿Funciona con wifi de 5 GHz?', 12 * 1440, 'Hola, solo con redes de 2.4 GHz.', 33],
  [3, '¿Se puede ver desde el celular?', 6 * 1440, 'Hola, sí, con su aplicación para Android y iPhone.', 18],
  [
    4,
    '¿Cuál es el precio por 10 piezas?',
    4 * 1440,
    'Hola, al comprar 10 baja 5 %. Aparece al elegir la cantidad.',
    130,
  ],
  [0, 'Hola, ¿hay disponible para entrega mañana?', 14, null, 0],
  [3, '¿Trae memoria incluida?', 52, null, 0],
  [5, '¿Qué tan larga es la garantía?', 190, null, 0],
];

/** Questions before a sale with their one answer, and the two lists of people who may not ask or buy. */
export class Questions {
  state = emptyQuestions();
  constructor(private readonly options: { now(): number; changed(): void; announce(id: number): void }) {}

  /** Plants the questions of the demo. */
  plant(anchor: number, buyers: readonly Buyer[]): void {
    for (const [at, [product, text, ago, answer, after]] of DEMO.entries()) {
      const asked = anchor - ago * MINUTE;
      const question = this.#add(PRODUCTS[product]!.itemId, text, buyers[(at * 7) % buyers.length]!.id, asked);
      if (answer === null) continue;
      question.status = 'ANSWERED';
      question.answer = { text: answer, status: 'ACTIVE', at: asked + after * MINUTE };
    }
  }

  ask({ itemId, text, from, at }: { itemId: string; text: string; from: number; at: number }): number {
    const question = this.#add(itemId, text, from, at);
    this.options.changed();
    return question.id;
  }

  #add(itemId: string, text: string, from: number, at: number): Question {
    const question: Question = {
      id: FIRST_ID + ++this.state.last * 7,
      itemId,
      text,
      status: 'UNANSWERED',
      from,
      at,
      answer: null,
    };
    this.state.questions.push(question);
    return question;
  }

  /** Answers a question on the marketplace's side. Returns false for an unknown question. */
  answerThere(id: number, text: string, status: 'ACTIVE' | 'BANNED' = 'ACTIVE'): boolean {
    const question = this.#of(id);
    if (!question) return false;
    question.status = 'ANSWERED';
    question.answer = { text, status, at: this.options.now() };
    this.options.changed();
    return true;
  }

  set(id: number, status: QuestionStatus): boolean {
    const question = this.#of(id);
    if (!question) return false;
    question.status = status;
    this.options.changed();
    return true;
  }

  facts(id: number) {
    const question = this.#of(id);
    return question && { ...question, id: String(question.id), answers: question.answer ? 1 : 0 };
  }

  #of(id: number): Question | undefined {
    return this.state.questions.find((one) => one.id === id);
  }

  /** GET /questions/{id}. The buyer is told in one of two places. */
  read(id: string, params: URLSearchParams): SandboxResponse {
    if (params.get('api_version') !== '4') return refuse(400, 'bad_request', 'Only api_version 4 is played here');
    const question = this.#of(Number(id));
    if (!question) return refuse(404, 'not_found', `Question ${id} not found`);
    const { from, ...document } = this.#document(question);
    return json(200, {
      ...document,
      ...(question.id % 2 === 0 ? { from: { ...from, answered_questions: 0 } } : {}),
      buyer_id: question.from,
      app_id: null,
      last_updated: zulu(question.answer?.at ?? question.at).replace('Z', '08612Z'),
    });
  }

  /** GET /questions/search and /my/received_questions/search. */
  search(params: URLSearchParams): SandboxResponse {
    if (params.get('api_version') !== '4') return refuse(400, 'bad_request', 'Only api_version 4 is played here');
    const limit = Math.min(50, Number(params.get('limit') ?? 50) || 50);
    const offset = Number(params.get('offset') ?? 0) || 0;
    if (offset + limit > CAP) return refuse(400, 'bad_request', `offset + limit is over ${CAP}`);
    const status = params.get('status');
    const now = this.options.now();
    const rows = this.state.questions
      .filter((one) => one.status !== 'UNANSWERED' || now - one.at < UNSEEN_AFTER)
      .filter((one) => status === null || one.status === status)
      .filter((one) => params.get('item') === null || one.itemId === params.get('item'))
      .filter((one) => params.get('from') === null || String(one.from) === params.get('from'));
    // No source tells the order of a search that asks for none.
    const sorted =
      params.get('sort_fields') === 'date_created'
        ? rows.toSorted((a, b) => (params.get('sort_types') === 'DESC' ? b.at - a.at : a.at - b.at))
        : rows;
    return json(200, {
      total: rows.length,
      limit,
      questions: sorted.slice(offset, offset + limit).map((one) => this.#document(one)),
      filters: { limit, offset, api_version: '4', is_admin: false, sorts: [], caller: SELLER_ID },
      available_filters: [],
      available_sorts: ['item_id', 'from_id', 'date_created', 'seller_id'],
    });
  }

  #document(question: Question) {
    const { id, itemId, text, status, from, at, answer } = question;
    return {
      id,
      seller_id: SELLER_ID,
      item_id: itemId,
      text: status === 'BANNED' ? '' : text,
      status,
      date_created: orderTime(at),
      answer: answer && {
        text: answer.status === 'BANNED' ? '' : answer.text,
        status: answer.status,
        date_created: orderTime(answer.at),
      },
      from: { id: from },
      hold: false,
      deleted_from_listing: status === 'DELETED',
    };
  }

  /** POST /answers. A second answer is a 400 whose words nobody has confirmed, so two are played. */
  answer(request: SandboxRequest): SandboxResponse {
    const body = request.data() as { question_id?: unknown; text?: unknown } | undefined;
    if (typeof body?.text !== 'string' || body.text.trim() === '' || body.text.length > MAX_TEXT)
      return refuse(400, 'invalid_post_body', 'The text is not valid');
    const question = this.#of(Number(body.question_id));
    if (!question) return refuse(400, 'invalid_question', 'The question does not exist');
    if (question.status !== 'UNANSWERED')
      return question.id % 2 === 0
        ? refuse(400, 'invalid_question', 'The question is not unanswered')
        : json(400, { message: 'Question already answered', status: 400 });
    question.status = 'ANSWERED';
    // The marketplace writes line ends as one character.
    question.answer = { text: body.text.trim().replace(/\r\n/g, '\n'), status: 'ACTIVE', at: this.options.now() };
    this.options.changed();
    this.options.announce(question.id);
    return json(200, this.#document(question));
  }

  /** /users/{seller}/{list}[/{buyer}]. Its success codes are not confirmed, so 200 and 201 are played. */
  blacklist(request: SandboxRequest, list: 'questions_blacklist' | 'order_blacklist', id?: string): SandboxResponse {
    const people = this.state.blocked[list];
    if (request.method === 'POST' && id === undefined) {
      const user = Number((request.data() as { user_id?: unknown } | undefined)?.user_id);
      if (!Number.isSafeInteger(user) || user <= 0) return refuse(400, 'bad_request', 'user_id is required');
      const again = people[user] !== undefined;
      people[user] ??= this.options.now();
      this.options.changed();
      return json(again ? 200 : 201, {});
    }
    if (request.method === 'DELETE' && id !== undefined) {
      if (people[Number(id)] === undefined) return refuse(404, 'not_found', 'The user is not in the list');
      delete people[Number(id)];
      this.options.changed();
      return json(200, {});
    }
    return refuse(405, 'method_not_allowed', 'Method not allowed');
  }

  /** GET /block-api/search/users/{seller}. */
  blockedUsers(params: URLSearchParams): SandboxResponse {
    const type = params.get('type');
    const list =
      type === 'blocked_by_questions' ? 'questions_blacklist' : type === 'blocked_by_order' ? 'order_blacklist' : null;
    if (!list) return refuse(400, 'bad_request', 'type is required');
    const one = params.get('user_blocked');
    const users = Object.entries(this.state.blocked[list])
      .filter(([id]) => one === null || id === one)
      .map(([id, at]) => ({ id: Number(id), blocked_at: zulu(at) }));
    return json(200, { users, paging: { offset: 0, limit: 10, total: users.length } });
  }
}
