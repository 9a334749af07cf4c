import { createHash, randomUUID } from 'node:crypto';
import { bodyOf, json, type SandboxRequest, type SandboxResponse } from '../service';
import { denied, inMexico, invalid, notFound, unsigned, type Operations, type World } from './answers';
import { MARKETPLACE_ID } from './constants';

/** A place for one file: its sale, the sum and type that were announced, and its content once it came. */
type Destino = { venta: string; md5: string; tipo: string; contenido: Buffer | null };
export type Enviado = { venta: string; archivo: string; bytes: number; texto: string };

export const UPLOADS = '/amazon-archivos';

/** Messaging v1: the messages that a sale allows, a place for an attachment, and the message with an invoice. */
export class Messages {
  readonly sent: Enviado[] = [];
  readonly #places = new Map<string, Destino>();
  constructor(readonly options: Pick<World, 'ventas' | 'interruptores' | 'baseUrl'>) {}

  reset() {
    this.sent.length = 0;
    this.#places.clear();
  }

  get operations(): Operations {
    const known = (work: (id: string, request: SandboxRequest) => SandboxResponse) => (request: SandboxRequest) =>
      this.#refusal(request.params.id!, request) ?? work(request.params.id!, request);
    const place = '/messaging/v1/orders/:id';
    return {
      [`GET ${place}`]: ['getMessagingActionsForOrder', known((id) => this.#actions(id))],
      [`POST ${place}/messages/invoice`]: ['sendInvoice', known((id, request) => this.#invoice(id, request))],
      [`POST /uploads/2020-11-01/uploadDestinations${place}/messages/invoice`]: [
        'createUploadDestination',
        known((id, request) => this.#destination(id, request)),
      ],
    };
  }

  #refusal(id: string, request: SandboxRequest): SandboxResponse | undefined {
    if (!this.options.ventas().some((one) => one.id === id)) return notFound(id);
    if (this.options.interruptores.is('mensajeFactura', '403')) return denied();
    return inMexico(request) ? undefined : invalid('marketplaceIds is required.');
  }

  #offers(id: string): boolean {
    const sale = this.options.ventas().find((one) => one.id === id)!;
    return (
      this.options.interruptores.is('mensajeFactura', 'permitido') && !['PENDING', 'CANCELLED'].includes(sale.estado)
    );
  }

  #actions(id: string): SandboxResponse {
    const hrefOf = (name: string) => `/messaging/v1/orders/${id}/messages/${name}?marketplaceIds=${MARKETPLACE_ID}`;
    const actions = ['confirmCustomizationDetails', ...(this.#offers(id) ? ['invoice'] : [])].map((name) => ({
      href: hrefOf(name),
      name,
    }));
    const body = { _links: { self: { href: `/messaging/v1/orders/${id}` }, actions }, _embedded: { actions: [] } };
    return { status: 200, headers: { 'content-type': 'application/hal+json' }, body: JSON.stringify(body) };
  }

  #destination(id: string, request: SandboxRequest): SandboxResponse {
    const md5 = request.url.searchParams.get('contentMD5');
    const tipo = request.url.searchParams.get('contentType') ?? '';
    if (!md5) return invalid('contentMD5 is required.');
    const place = randomUUID();
    this.#places.set(place, { venta: id, md5, tipo, contenido: null });
    return json(201, {
      payload: {
        uploadDestinationId: place,
        url: `${this.options.baseUrl()}${UPLOADS}/${place}`,
        headers: { 'Content-Type': tipo, 'Content-MD5': md5 },
      },
    });
  }

  upload(request: SandboxRequest): SandboxResponse {
    const place = this.#places.get(request.path.slice(1));
    const fits =
      request.method === 'PUT' &&
      place?.md5 === createHash('md5').update(request.body).digest('base64') &&
      request.headers['content-type'] === place.tipo;
    if (!place || !fits) return unsigned('SignatureDoesNotMatch');
    place.contenido = request.body;
    return { status: 200, body: '' };
  }

  #invoice(id: string, request: SandboxRequest): SandboxResponse {
    if (!this.#offers(id)) return invalid('The message is not allowed for this order.');
    const { attachments = [] } = bodyOf(request) as {
      attachments?: { uploadDestinationId?: string; fileName?: string }[];
    };
    const [first] = attachments;
    const place = this.#places.get(first?.uploadDestinationId ?? '');
    if (attachments.length !== 1 || !first?.fileName || place?.venta !== id || !place.contenido)
      return invalid('attachments is invalid.');
    this.sent.push({
      venta: id,
      archivo: first.fileName,
      bytes: place.contenido.length,
      texto: place.contenido.subarray(0, 5).toString('latin1'),
    });
    return json(201, {});
  }
}
