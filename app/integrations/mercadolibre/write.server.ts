import type { z } from 'zod';
import { Refused, Unavailable, Uncertain, UnexpectedShape } from '../errors';
import { exchange, type HttpAnswer, type HttpRequest, type Trace } from '../http.server';
import { failureOf, readJson, readShape } from './answer';
import { atencionWrites } from './atencionWrites.server';
import { callWithToken } from './refusals.server';
import type { Access, Tokens } from './tokens';
import { lecturasDeCuenta, stockPorLugar } from './lugares.server';
import { lecturasDePromociones, promocionesWrites } from './promociones.server';
import { Shipment } from './wire';
import { enVenta, productoDeUsuarioOf, Publicado } from './wirePublicacion';
import {
  ActionGuide,
  Conversation,
  conversationOf,
  type EnvioPorImprimir,
  FiscalDocuments,
  LabelFailure,
  ME1_SERVICE,
  noOfGuia,
  SentMessage,
  type FiscalFile,
  type SellerStatus,
} from './wireWrite';
import { causasOf, Item, ItemIds, Picture } from './wireItems';
import { zplIn } from './zpl.server';

export type MercadolibreWriterOptions = { baseUrl: string; tokens: Tokens; trace?: Trace; timeoutMs?: number };

/** A change of a listing. All variants have to be named: a variant that is not named is deleted. */
export type CambioDeItem = {
  title?: string;
  price?: number;
  available_quantity?: number;
  status?: string;
  variations?: { id: number; price?: number; available_quantity?: number }[];
};

/** The fields of a listing that people may change, as they stand at Mercado Libre. */
export type PublicacionMostrada = ReturnType<typeof mostrada>;
const mostrada = (doc: Publicado) => ({
  ...enVenta(doc),
  titulo: doc.title,
  estatus: doc.status,
  subestatus: doc.sub_status ?? [],
  variantes: (doc.variations ?? []).map(({ id }) => id),
  productoDeUsuario: productoDeUsuarioOf(doc),
  documento: doc,
});

/** Statuses of a busy or locked resource, decided before any work. */
const LATER = new Set([423, 429]);

/**
 * The writes of Mercado Libre, with the looks that the writes need. Only effects get this client. `pack` is the number of the sale: that of the cart, or
 * of the order of a sale without one. A 401 was decided before any work.
 */
export function createMercadolibreWriter({ baseUrl, tokens, trace, timeoutMs = 20_000 }: MercadolibreWriterOptions) {
  type Call = Pick<HttpRequest, 'method' | 'body' | 'headers' | 'trace'> & { path: string; json?: unknown };

  async function call({ method, path, json, body, headers, trace: told = trace }: Call): Promise<HttpAnswer> {
    const ask = (access: Access) =>
      exchange({
        side: { name: 'mercadolibre', root: baseUrl },
        method,
        url: `${baseUrl}${path}`,
        trace: told,
        timeoutMs,
        headers: {
          accept: 'application/json',
          authorization: `Bearer ${access.token}`,
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body: json === undefined ? body : JSON.stringify(json),
      });
    return await callWithToken(tokens, { baseUrl, timeoutMs }, ask);
  }

  /** Reads an address. A lost answer is `Unavailable`, since a look changes nothing and may be made again. */
  async function look(path: string, headers?: HttpRequest['headers'], told?: Trace): Promise<HttpAnswer> {
    try {
      return await call({ method: 'GET', path, headers, ...(told && { trace: told }) });
    } catch (error) {
      if (error instanceof Uncertain)
        throw new Unavailable(`Mercado Libre no contestó (${error.message})`, { cause: error });
      throw error;
    }
  }

  async function read<S extends z.ZodType>(
    path: string,
    what: string,
    schema: S,
    headers?: HttpRequest['headers'],
  ): Promise<z.output<S> | null> {
    const answer = await look(path, headers);
    if (answer.status === 404) return null;
    if (!isSuccess(answer)) throw failureOf(answer, what);
    return readShape(schema, readJson(answer, what), what);
  }

  async function write(request: Call, what: string): Promise<HttpAnswer> {
    const answer = await call(request);
    if (isSuccess(answer)) return answer;
    throw writeFailureOf(answer, what);
  }

  return {
    ...atencionWrites(
      { look: read, write, call, isSuccess, failureOf: writeFailureOf },
      async () => (await tokens.current()).sellerId,
    ),

    cuenta: lecturasDeCuenta(read, tokens),
    promociones: {
      ...lecturasDePromociones(async (path, what, schema) => {
        const said = await read(path, what, schema);
        if (said === null)
          throw new Refused(`Mercado Libre ya no tiene la publicación (404, ${what})`, { status: 404 });
        return said;
      }),
      ...promocionesWrites({ call, isSuccess, failureOf: writeFailureOf }),
    },
    lugares: stockPorLugar({ look, call, isSuccess, failureOf: writeFailureOf, readFailureOf: failureOf }),

    /** Reads the messages of a sale, the oldest first, and leaves them unread for the people who answer; null while there is no conversation. */
    async conversation(pack: string) {
      const seller = (await tokens.current()).sellerId;
      const doc = await read(
        `/messages/packs/${encodeURIComponent(pack)}/sellers/${encodeURIComponent(seller)}?tag=post_sale&mark_as_read=false&limit=50&offset=0`,
        'messages',
        Conversation,
      );
      return doc && conversationOf(doc, seller);
    },

    /** Returns the reasons with which the seller may begin a conversation, and how many messages each still allows; empty where the sale has none. */
    async actionGuide(pack: string): Promise<ActionGuide['options']> {
      try {
        return (
          (
            await read(
              `/messages/action_guide/packs/${encodeURIComponent(pack)}?tag=post_sale`,
              'action_guide',
              ActionGuide,
            )
          )?.options ?? []
        );
      } catch (error) {
        // A sale without Mercado Envíos has no guide of reasons.
        if (error instanceof Refused) return [];
        throw error;
      }
    },

    async sendOption(pack: string, { option, text }: { option: string; text: string }): Promise<{ id: string | null }> {
      const answer = await write(
        {
          method: 'POST',
          path: `/messages/action_guide/packs/${encodeURIComponent(pack)}/option?tag=post_sale`,
          json: { option_id: option, text },
        },
        'action_guide/option',
      );
      return readSent(answer);
    },

    async sendMessage(pack: string, { to, text }: { to: string; text: string }): Promise<{ id: string | null }> {
      const seller = (await tokens.current()).sellerId;
      const answer = await write(
        {
          method: 'POST',
          path: `/messages/packs/${encodeURIComponent(pack)}/sellers/${encodeURIComponent(seller)}?tag=post_sale`,
          json: { from: { user_id: seller }, to: { user_id: to }, text },
        },
        'messages',
      );
      return readSent(answer);
    },

    /** Lists the fiscal documents that the buyer of a sale has. */
    async fiscalDocuments(pack: string) {
      return (
        (await read(`/packs/${encodeURIComponent(pack)}/fiscal_documents`, 'fiscal_documents', FiscalDocuments))
          ?.fiscal_documents ?? []
      );
    },

    /** Uploads fiscal documents, and returns false when the sale has one of that type already. */
    async uploadFiscalDocuments(pack: string, files: FiscalFile[]): Promise<boolean> {
      const body = new FormData();
      for (const { nombre, tipo, contenido } of files)
        body.append('fiscal_document', new Blob([new Uint8Array(contenido)], { type: tipo }), nombre);
      const answer = await call({ method: 'POST', path: `/packs/${encodeURIComponent(pack)}/fiscal_documents`, body });
      if (answer.status === 409) return false;
      if (!isSuccess(answer)) throw writeFailureOf(answer, 'fiscal_documents');
      return true;
    },

    /** Deletes the fiscal documents that this seller handed to the buyer of a sale. */
    async deleteFiscalDocuments(pack: string): Promise<void> {
      const answer = await call({ method: 'DELETE', path: `/packs/${encodeURIComponent(pack)}/fiscal_documents` });
      if (!isSuccess(answer) && answer.status !== 404) throw writeFailureOf(answer, 'fiscal_documents');
    },

    /**
     * Puts a product on sale, once for each call. A body that names stores goes where accounts that count pieces by place publish. A no carries its reasons in
     * `details.answer`. A conflict came before any work.
     */
    async createItem(item: Record<string, unknown>): Promise<Item> {
      const path = 'stock_locations' in item ? '/items/multiwarehouse' : '/items';
      const answer = await call({ method: 'POST', path, json: item });
      if (answer.status === 409) throw failureOf(answer, 'items');
      if (!isSuccess(answer)) throw writeFailureOf(answer, 'items');
      return readShape(Item, readJson(answer, 'items'), 'items');
    },

    /** Changes the named fields of a listing. Saying the same twice changes nothing. A no carries its reasons in `details.answer`. */
    async changeItem(id: string, change: unknown): Promise<Item> {
      const answer = await write({ method: 'PUT', path: `/items/${encodeURIComponent(id)}`, json: change }, 'items');
      return readShape(Item, readJson(answer, 'items'), 'items');
    },

    /** Reads a listing as it stands; null when there is none. */
    item: (id: string) => read(`/items/${encodeURIComponent(id)}`, 'items', Item),

    /** Finds the seller's listings with a sku. */
    async itemsBySku(sku: string): Promise<string[]> {
      const seller = (await tokens.current()).sellerId;
      const query = new URLSearchParams({ seller_sku: sku });
      return (
        (await read(`/users/${encodeURIComponent(seller)}/items/search?${query}`, 'items/search', ItemIds))?.results ??
        []
      );
    },

    /** Writes the description of a listing, or replaces the one there is. */
    async describeItem(id: string, texto: string): Promise<void> {
      const path = `/items/${encodeURIComponent(id)}/description`;
      const first = await call({ method: 'POST', path, json: { plain_text: texto } });
      if (isSuccess(first)) return;
      if (first.status !== 400) throw writeFailureOf(first, 'description');
      await write({ method: 'PUT', path: `${path}?api_version=2`, json: { plain_text: texto } }, 'description');
    },

    /** Uploads a picture and returns its id, which a listing may name. Nobody sees a picture that no listing names. */
    async uploadPicture({
      nombre,
      tipo,
      contenido,
    }: {
      nombre: string;
      tipo: string;
      contenido: Buffer;
    }): Promise<string> {
      const body = new FormData();
      body.append('file', new Blob([new Uint8Array(contenido)], { type: tipo }), nombre);
      const answer = await write({ method: 'POST', path: '/pictures/items/upload', body }, 'pictures');
      return readShape(Picture, readJson(answer, 'pictures'), 'pictures').id;
    },

    /** Reads the fields of a listing that people may change; null when no listing has that id. */
    async publicacion(id: string) {
      const doc = await read(`/items/${encodeURIComponent(id)}?include_attributes=all`, 'items', Publicado);
      return doc && mostrada(doc);
    },

    /** Changes the named fields alone, and returns the listing as it stands then: a price that Mercado Libre moves by itself stays as it was. */
    async cambiarPublicacion(id: string, cambio: CambioDeItem): Promise<PublicacionMostrada> {
      const answer = await write({ method: 'PUT', path: `/items/${encodeURIComponent(id)}`, json: cambio }, 'items');
      return mostrada(readShape(Publicado, readJson(answer, 'items'), 'items'));
    },

    /** Reads a shipment as Mercado Libre shows it; null when no shipment has that id. */
    async shipment(id: string): Promise<{ estatus: string; guia: string | null } | null> {
      const doc = await read(`/shipments/${encodeURIComponent(id)}`, 'shipments', Shipment, { 'x-format-new': 'true' });
      return doc && { estatus: doc.status, guia: doc.tracking_number || null };
    },

    /** Reads the state of a shipment that decides about its label; null when no shipment has that id. */
    async shipmentToPrint(id: string): Promise<EnvioPorImprimir | null> {
      const doc = await read(`/shipments/${encodeURIComponent(id)}`, 'shipments', Shipment, { 'x-format-new': 'true' });
      return (
        doc && {
          estatus: doc.status,
          subestatus: doc.substatus ?? null,
          modo: doc.mode ?? null,
          tipoLogistico: doc.logistic_type ?? null,
          guia: doc.tracking_number || null,
          paqueteria: doc.tracking_method ?? null,
        }
      );
    },

    /** Fetches the label of a shipment as PDF. Asking marks the label as printed, and asking again brings the same one. The body is not traced, since it names a person. */
    async shipmentLabel(id: string): Promise<Buffer> {
      const query = new URLSearchParams({ shipment_ids: id, response_type: 'pdf' });
      const answer = await look(`/shipment_labels?${query}`, { accept: 'application/pdf' }, (exchange) =>
        trace?.(
          exchange.responseBody.startsWith('%PDF')
            ? { ...exchange, responseBody: `PDF, ${exchange.responseBody.length}` }
            : exchange,
        ),
      );
      if (!isSuccess(answer)) throw labelFailureOf(answer);
      if (!answer.body.subarray(0, 1_024).includes('%PDF') || !answer.body.subarray(-1_024).includes('%%EOF'))
        throw new UnexpectedShape('Mercado Libre no contestó la guía como PDF', { status: answer.status });
      return answer.body;
    },

    /**
     * Fetches the label of a shipment in ZPL, out of the ZIP that it comes in or as it stands. Asking again brings the same one. The body is not traced. Throws
     * UnexpectedShape for an answer without ZPL.
     */
    async shipmentZpl(id: string): Promise<Buffer> {
      const query = new URLSearchParams({ shipment_ids: id, response_type: 'zpl2' });
      const answer = await look(`/shipment_labels?${query}`, {}, (exchange) =>
        trace?.(
          exchange.status === 200 ? { ...exchange, responseBody: `ZPL, ${exchange.responseBody.length}` } : exchange,
        ),
      );
      if (!isSuccess(answer)) throw labelFailureOf(answer);
      const zpl = zplIn(answer.body);
      if (!zpl) throw new UnexpectedShape('Mercado Libre no contestó la guía en ZPL', { status: answer.status });
      return zpl;
    },

    /** Tells how far a package of ours got (ME1). The tracking number and its page go together or not at all. Returns the status of the answer. */
    async notifyShipment(
      id: string,
      {
        estado,
        comentario,
        fecha,
        rastreo,
      }: { estado: SellerStatus; comentario: string; fecha: Date; rastreo: { guia: string; url: string } | null },
    ): Promise<number> {
      const { status } = await write(
        {
          method: 'POST',
          path: `/shipments/${encodeURIComponent(id)}/seller_notifications`,
          json: {
            payload: { service_id: ME1_SERVICE, comment: comentario, date: inMexico(fecha) },
            status: estado,
            // The vendor's page sends the word for no comment.
            substatus: 'null',
            ...(rastreo && { tracking_number: rastreo.guia, tracking_url: rastreo.url }),
          },
        },
        'seller_notifications',
      );
      return status;
    },

    /** Tells how far a package got by the seller's own table of prices (custom), which takes the tracking number alone. */
    async updateShipment(
      id: string,
      { estado, guia, receptorId }: { estado: SellerStatus; guia: string | null; receptorId: string | null },
    ): Promise<number> {
      const { status } = await write(
        {
          method: 'PUT',
          path: `/shipments/${encodeURIComponent(id)}`,
          json: {
            status: estado,
            ...(receptorId !== null && { receiver_id: Number(receptorId) }),
            ...(guia !== null && { tracking_number: guia }),
          },
        },
        'shipments',
      );
      return status;
    },
  };
}

export type MercadolibreWriter = ReturnType<typeof createMercadolibreWriter>;

/** Writes an instant with the offset of the vendor's examples. */
const inMexico = (instant: Date) => new Date(instant.getTime() - 6 * 3_600_000).toISOString().replace('Z', '-06:00');

const isSuccess = ({ status }: HttpAnswer) => status >= 200 && status < 300;

/** Returns the failure of a write: a server's failure may come after the work, so only a definite no is Refused. */
function writeFailureOf(answer: HttpAnswer, what: string): Refused | Unavailable | Uncertain {
  const { status } = answer;
  const failure = failureOf(answer, what);
  if (LATER.has(status)) return failure;
  if (failure instanceof Refused)
    return new Refused(failure.message, { ...failure.details, answer: causasOf(jsonIn(answer)) });
  return new Uncertain(`Mercado Libre contestó ${status} (${what})`, { status });
}

/** Reads the 400 of a label: which shipment has none, and why. Nothing was done. */
function labelFailureOf(answer: HttpAnswer): Refused | Unavailable {
  const { status } = answer;
  if (status !== 400) return failureOf(answer, 'shipment_labels');
  const said = LabelFailure.safeParse(jsonIn(answer));
  const { code, dice } = noOfGuia(said.data ?? { failed_shipments: [] });
  return new Refused(`Mercado Libre no da la guía${dice ? ` (${dice})` : ''}`, { status, code });
}

function jsonIn({ body }: HttpAnswer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return {};
  }
}

/** Returns the id of a message that was sent; null when the answer does not tell it. */
function readSent(answer: HttpAnswer): { id: string | null } {
  return { id: SentMessage.safeParse(jsonIn(answer)).data?.id ?? null };
}
