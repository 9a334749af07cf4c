import { randomUUID } from 'node:crypto';
import { json, type SandboxRequest, type SandboxResponse } from '../service';
import { zulu } from './clock';
import { AGENT_ID, SELLER_ID } from './constants';
import { numberOf, type Sale } from './sale';

interface Message {
  id: string;
  from: number;
  to: number;
  text: string;
  at: number;
}

interface Talk {
  messages: Message[];
  /** Uses left of each reason to begin a conversation. */
  caps: Record<string, number>;
  /** The reason for which nobody may write, when a test sets one. */
  blocked: string | null;
  /**
   * How an agent in the buyer's place shows: by the path of the conversation, or by its messages alone, since nobody has seen it in Mexico. Null without an
   * agent.
   */
  agent?: 'path' | 'from' | null;
  /** The status of a second message to an agent that has not answered; no source tells it. */
  second?: 403 | 429;
}

export type MessagesState = Record<string, Talk>;

const MAX_TEXT = 350;
const OPTIONS = [
  { id: 'REQUEST_VARIANTS', type: 'template' },
  { id: 'REQUEST_BILLING_INFO', type: 'template' },
  { id: 'SEND_INVOICE_LINK', type: 'free_text' },
  { id: 'OTHER', type: 'free_text' },
] as const;
const FORBIDDEN = 'blocked_conversation_send_message_forbidden';
const INITIATED = 'blocked_by_conversation_initiated_by_seller';

const refuse = (status: number, code: string, message: string) => json(status, { status_code: status, code, message });

/** Post-sale messages. On a sale with the marketplace's own shipping, the seller begins with a reason, and each reason has its allowance. */
export class Messages {
  state: MessagesState = {};
  constructor(private readonly options: { now(): number; changed(): void; saleOf(number: string): Sale | undefined }) {}

  /** Answers the calls below /messages: packs/{pack}/sellers/{seller} and action_guide/packs/{pack}[/option|/caps_available]. */
  handle(request: SandboxRequest, parts: string[]): SandboxResponse {
    if (request.url.searchParams.get('tag') !== 'post_sale')
      return refuse(400, 'bad_request', 'The tag post_sale is required');
    const guide = parts[0] === 'action_guide';
    const [where, pack = '', what, extra] = guide ? parts.slice(1) : parts;
    const sale = where === 'packs' ? this.options.saleOf(pack) : undefined;
    if (!sale) return refuse(404, 'not_found', 'The pack does not exist');
    if (guide) return this.#guide(request, sale, what);
    if (what !== 'sellers' || extra !== String(SELLER_ID))
      return refuse(403, 'forbidden', 'The user is not the seller of the pack');
    if (request.method === 'GET') return json(200, this.#show(sale));
    return request.method === 'POST'
      ? this.#send(request, sale)
      : refuse(405, 'method_not_allowed', 'Method not allowed');
  }

  /** Adds a message of the buyer, or of the agent that stands for the buyer now. */
  receive(sale: Sale, text: string): void {
    this.#talk(sale).messages.push(this.#message(this.#counterpart(sale), SELLER_ID, text));
    this.options.changed();
  }

  /** Adds a message that the seller wrote on the marketplace's own page. */
  writeThere(sale: Sale, text: string): void {
    this.#talk(sale).messages.push(this.#message(SELLER_ID, this.#counterpart(sale), text));
    this.options.changed();
  }

  block(sale: Sale, substatus: string | null): void {
    this.#talk(sale).blocked = substatus;
    this.options.changed();
  }

  /** Puts an agent in the buyer's place, or takes it away, also in the middle of a conversation. */
  setAgent(sale: Sale, agent: 'path' | 'from' | null, second: 403 | 429 = 403): void {
    Object.assign(this.#talk(sale), { agent, second });
    this.options.changed();
  }

  #counterpart(sale: Sale): number {
    return this.state[numberOf(sale)]?.agent ? AGENT_ID : sale.buyer.id;
  }

  of(sale: Sale): Message[] {
    return this.state[numberOf(sale)]?.messages ?? [];
  }

  #talk(sale: Sale): Talk {
    return (this.state[numberOf(sale)] ??= {
      messages: [],
      caps: Object.fromEntries(OPTIONS.map(({ id }) => [id, 1])),
      blocked: null,
    });
  }

  /** The reason for which a conversation is closed; null while it is open. */
  #substatus(sale: Sale): string | null {
    const talk = this.state[numberOf(sale)];
    if (talk?.blocked) return talk.blocked;
    const answered = talk?.messages.some(({ from }) => from !== SELLER_ID) ?? false;
    return sale.delivery.mode === 'me2' && !answered ? INITIATED : null;
  }

  #show(sale: Sale) {
    const messages = this.of(sale);
    const talk = this.state[numberOf(sale)];
    const substatus = this.#substatus(sale);
    return {
      paging: { limit: 50, offset: 0, total: messages.length },
      conversation_status: {
        path: `/packs/${numberOf(sale)}/sellers/${SELLER_ID}${talk?.agent === 'path' ? '/conversations/agent' : ''}`,
        status: substatus ? 'blocked' : 'active',
        substatus,
        status_date: zulu(this.options.now()),
        status_update_allowed: false,
        claim_id: null,
        shipping_id: null,
      },
      messages: messages.toReversed().map((message, at) => ({
        id: message.id,
        site_id: 'MLM',
        client_id: 1,
        // The vendor's pages show both kinds of ids and texts.
        from: { user_id: at % 2 ? String(message.from) : message.from },
        to: { user_id: at % 2 ? String(message.to) : message.to },
        status: 'available',
        subject: null,
        text: at % 2 ? { plain: message.text } : message.text,
        message_date: {
          received: zulu(message.at),
          available: zulu(message.at),
          notified: zulu(message.at),
          created: zulu(message.at),
          read: null,
        },
        message_moderation: { status: 'clean', reason: null, source: 'online', moderation_date: zulu(message.at) },
        message_attachments: null,
        message_resources: [
          { id: numberOf(sale), name: 'packs' },
          { id: String(SELLER_ID), name: 'sellers' },
        ],
        conversation_first_message: false,
      })),
      seller_max_message_length: MAX_TEXT,
      buyer_max_message_length: 3500,
    };
  }

  #guide(request: SandboxRequest, sale: Sale, what: string | undefined): SandboxResponse {
    if (sale.delivery.mode !== 'me2') return refuse(404, 'not_found', 'The pack has no action guide');
    const talk = this.#talk(sale);
    if (request.method === 'GET' && what === undefined) {
      return json(200, {
        options: OPTIONS.map(({ id, type }) => ({
          id,
          internal_description: id,
          enabled: true,
          type,
          actionable: true,
          child_options: null,
          cap_available: talk.caps[id],
          ...(type === 'template'
            ? { templates: [{ id: `TEMPLATE___${id}___1`, vars: null }] }
            : { templates: null, char_limit: MAX_TEXT }),
        })),
      });
    }
    if (request.method === 'GET' && what === 'caps_available')
      return json(
        200,
        OPTIONS.map(({ id }) => ({ option_id: id, cap_available: talk.caps[id] })),
      );
    if (request.method !== 'POST' || what !== 'option') return refuse(404, 'not_found', 'Not found');
    const body = bodyOf(request);
    const option = OPTIONS.find(({ id }) => id === body.option_id);
    if (!option) return refuse(400, 'bad_request', 'The option does not exist');
    const problem = option.type === 'free_text' ? problemOf(body.text) : undefined;
    if (problem) return problem;
    if (talk.blocked || (talk.caps[option.id] ?? 0) < 1) return refuse(403, FORBIDDEN, 'The conversation is blocked');
    talk.caps[option.id]! -= 1;
    return this.#keep(
      talk,
      this.#message(SELLER_ID, this.#counterpart(sale), option.type === 'free_text' ? String(body.text) : option.id),
    );
  }

  #send(request: SandboxRequest, sale: Sale): SandboxResponse {
    const body = bodyOf(request);
    const problem = problemOf(body.text);
    if (problem) return problem;
    const userOf = (side: unknown) => (side as { user_id?: unknown } | undefined)?.user_id;
    const [from, to] = [userOf(body.from), userOf(body.to)];
    if (to === undefined || to === null || to === '') return refuse(400, 'bad_request', 'The receiver is required');
    if (String(to) === String(from)) return refuse(400, 'bad_request', 'The sender and the receiver are the same');
    const other = this.#counterpart(sale);
    if (String(to) !== String(other))
      return refuse(403, 'forbidden', `Receiver does not belong to order ${numberOf(sale)}`);
    if (this.#substatus(sale)) return refuse(403, FORBIDDEN, 'The conversation is blocked');
    const talk = this.#talk(sale);
    if (talk.agent && talk.messages.at(-1)?.from === SELLER_ID)
      return talk.second === 429
        ? refuse(429, 'local_rate_limited', 'Wait for the answer')
        : refuse(403, FORBIDDEN, 'The conversation is blocked');
    return this.#keep(talk, this.#message(SELLER_ID, other, String(body.text)));
  }

  #keep(talk: Talk, message: Message): SandboxResponse {
    talk.messages.push(message);
    this.options.changed();
    return json(201, {
      id: message.id,
      from: { user_id: message.from },
      to: { user_id: message.to },
      status: 'available',
      text: message.text,
    });
  }

  #message(from: number, to: number, text: string): Message {
    return { id: randomUUID().replaceAll('-', ''), from, to, text, at: this.options.now() };
  }
}

function problemOf(text: unknown): SandboxResponse | undefined {
  if (typeof text !== 'string' || text === '') return refuse(400, 'bad_request', 'The text is required');
  if (text.length > MAX_TEXT) return refuse(400, 'bad_request', `The text is over ${MAX_TEXT} characters`);
  return [...text].some((letter) => letter.codePointAt(0)! > 0xff)
    ? refuse(400, 'bad_request', 'The text has characters outside ISO-8859-1')
    : undefined;
}

function bodyOf(request: SandboxRequest): Record<string, unknown> {
  const data = request.data();
  return typeof data === 'object' && data !== null ? { ...data } : {};
}
