import { createHash, randomUUID } from 'node:crypto';
import type { Interruptores } from '../proveedores/taller';
import { json, type SandboxRequest, type SandboxResponse } from '../service';
import { MARKETPLACE_ID } from './constants';
import { invalid, notFound } from './orders';
import type { SWITCHES } from './switches';
import type { Venta } from './ventas';

type Options = { ventas(): readonly Venta[]; interruptores: Interruptores<typeof SWITCHES>; baseUrl(): string };

/** A place for one file: whose it is, what was announced of it, and what came. */
type Destino = { venta: string; md5: string; tipo: string; contenido: Buffer | null };
export type Enviado = { venta: string; archivo: string; bytes: number; texto: string };

export const UPLOADS = '/amazon-archivos';

/** Messages to buyers: which ones a sale allows, a place for an attachment, and the one with an invoice. */
export class Messages {
  readonly sent: Enviado[] = [];
  readonly #places = new Map<string, Destino>();
  constructor(readonly options: Options) {}

  reset() {
    this.sent.length = 0;
    this.#places.clear();
  }

  #refusal(id: string, request: SandboxRequest): SandboxResponse | undefined {
    if (!this.options.ventas().some((one) => one.id === id)) return notFound(id);
    if (this.options.interruptores.is('mensajeFactura', '403'))
      return json(403, {
        errors: [{ code: 'Unauthorized', message: 'Access to requested resource is denied.', details: '' }],
      });
    return request.url.searchParams.get('marketplaceIds') === MARKETPLACE_ID
      ? undefined
      : invalid('marketplaceIds is required.');
  }

  #offers(id: string): boolean {
    const sale = this.options.ventas().find((one) => one.id === id)!;
    return (
      this.options.interruptores.is('mensajeFactura', 'permitido') && !['PENDING', 'CANCELLED'].includes(sale.estado)
    );
  }

  actions(id: string, request: SandboxRequest): SandboxResponse {
    const no = this.#refusal(id, request);
    if (no) return no;
    const hrefOf = (name: string) => `/messaging/v1/orders/${id}/messages/${name}?marketplaceIds=${MARKETPLACE_ID}`;
    const actions = ['confirmCustomizationDetails', ...(this.#offers(id) ? ['invoice'] : [])].map((name) => ({
      href: hrefOf(name),
      name,
    }));
    const body = { _links: { self: { href: `/messaging/v1/orders/${id}` }, actions }, _embedded: { actions: [] } };
    return { status: 200, headers: { 'content-type': 'application/hal+json' }, body: JSON.stringify(body) };
  }

  destination(id: string, request: SandboxRequest): SandboxResponse {
    const no = this.#refusal(id, request);
    if (no) return no;
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
    if (!place || !fits)
      return {
        status: 403,
        headers: { 'content-type': 'application/xml' },
        body: '<Error><Code>SignatureDoesNotMatch</Code></Error>',
      };
    place.contenido = request.body;
    return { status: 200, body: '' };
  }

  invoice(id: string, request: SandboxRequest): SandboxResponse {
    const no = this.#refusal(id, request);
    if (no) return no;
    if (!this.#offers(id)) return invalid('The message is not allowed for this order.');
    const { attachments = [] } = (request.data() ?? {}) as {
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
