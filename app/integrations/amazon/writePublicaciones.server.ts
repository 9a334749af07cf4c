import { z } from 'zod';
import { InstanteEscrito } from '~/core/fields';
import { tableOf } from '~/core/table';
import { Refused, Unavailable, Uncertain, UnexpectedShape } from '../errors';
import { download, exchange } from '../http.server';
import { readJson, readShape } from './answer';
import { createLlamada, encoded, type LlamadaOptions } from './call.server';
import { MEXICO } from './client.server';
import { type AnuncioMostrado, mostradaOf, type Parche, parchesOf, type PedidoDeOferta, tipoOf } from './oferta';
import { enLineas, isError } from './problemas';
import { CON_ATRIBUTOS, createPublicacionesAmz, type Hallado, POR_BUSQUEDA } from './publicaciones.server';
import { charsetOf, plain } from './reportes.server';
import { type Anunciado, type AnuncioNuevo, Recibido } from './wirePublicacion';

type MensajeDeArchivo = { messageId: number; sku: string; productType: string; patches: readonly Parche[] };
/** The receipt of a change that Amazon took in to work on. `antes` are the errors that the listing had before. */
export type Recibo = { submissionId: string | null; antes: string[] };
export type CambioDeOferta = PedidoDeOferta & { clave: string };

export const AUSENTE = 'Amazon ya no tiene esta publicación.';
const AJENO = 'Sus piezas están con Amazon, que las cuenta.';
const NADA = 'Amazon solo recibe desde aquí el precio y el stock.';

const TIPO = 'JSON_LISTINGS_FEED';
const CONTENIDO = 'application/json; charset=UTF-8';
const MAX_RESULTADO = 50_000_000;

const Lugar = z.object({ feedDocumentId: z.string().min(1), url: z.string().min(1) });
const Creado = z.object({ feedId: z.string().min(1) });
const Archivo = z.object({
  feedId: z.string().min(1),
  processingStatus: z.string(),
  createdTime: InstanteEscrito.nullish(),
  resultFeedDocumentId: z.string().min(1).nullish(),
});
const Archivos = z.object({ feeds: z.array(Archivo) });
const Documento = z.object({ url: z.string().min(1) });

const Resultado = z.object({
  issues: z
    .array(
      z.object({
        sku: z.string().nullish(),
        code: z.string().nullish(),
        severity: z.string().nullish(),
        message: z.string().nullish(),
        attributeName: z.string().nullish(),
      }),
    )
    .nullish(),
});
export type NoDeArchivo = { clave: string | null; texto: string };
export type EstadoDeArchivo = {
  id: string;
  estado: 'haciendose' | 'enCola' | 'hecho' | 'cancelado' | 'fatal';
  creado: Date | null;
  resultado: string | null;
};

const ESTADOS: Readonly<Record<string, EstadoDeArchivo['estado']>> = tableOf({
  IN_QUEUE: 'enCola',
  DONE: 'hecho',
  CANCELLED: 'cancelado',
  FATAL: 'fatal',
});
const archivoOf = (feed: z.output<typeof Archivo>): EstadoDeArchivo => ({
  id: feed.feedId,
  estado: ESTADOS[feed.processingStatus] ?? 'haciendose',
  creado: feed.createdTime ?? null,
  resultado: feed.resultFeedDocumentId ?? null,
});

/** Writes of listings, with the looks that the writes need. Amazon answers an invalid change as a success; this client throws Refused, with the issues. */
export function createPublicacionesWriter(options: LlamadaOptions) {
  const call = createLlamada(options);
  const lector = createPublicacionesAmz(options);
  const seller = async () => (await options.tokens.current()).sellerId;

  async function escribir(operacion: 'patchListingsItem' | 'putListingsItem', sku: string, body: unknown) {
    const what = 'cambio de una publicación';
    const answer = await call(
      {
        operacion,
        method: operacion === 'putListingsItem' ? 'PUT' : 'PATCH',
        path: `/listings/2021-08-01/items/${encoded(await seller())}/${encoded(sku)}`,
        query: { marketplaceIds: [MEXICO], issueLocale: 'es_MX', includedData: ['issues'] },
        body,
      },
      what,
    );
    const { status, submissionId, issues } = readShape(Recibido, readJson(answer, what), what);
    if (status === 'INVALID')
      throw new Refused(enLineas(issues ?? []) || 'Amazon no aceptó el cambio y no dice por qué.', {
        status: answer.status,
        code: status,
        answer: issues ?? [],
      });
    if (status !== 'ACCEPTED') throw new UnexpectedShape(`Amazon contestó ${status} a un cambio`);
    return { submissionId: submissionId ?? null };
  }

  async function una(sku: string): Promise<Anunciado | null> {
    return entendido(await lector.una(sku, CON_ATRIBUTOS));
  }

  /** Reads listings as they stand now. A sku with a comma is asked for by itself, and so is a sku that the search does not tell. */
  async function todas(skus: readonly string[]): Promise<ReadonlyMap<string, Anunciado>> {
    const halladas = new Map<string, Anunciado>();
    const juntas = skus.filter((sku) => !sku.includes(','));
    for (let from = 0; from < juntas.length; from += POR_BUSQUEDA)
      for (const one of await lector.conSkus(juntas.slice(from, from + POR_BUSQUEDA), CON_ATRIBUTOS))
        if ('anuncio' in one) halladas.set(one.sku, one.anuncio);
    for (const sku of skus) {
      const anuncio = halladas.has(sku) ? null : await una(sku);
      if (anuncio) halladas.set(sku, anuncio);
    }
    return halladas;
  }

  return {
    /** Reads a listing as it shows; null when it is gone. */
    async mostrada(sku: string): Promise<AnuncioMostrado | null> {
      const anuncio = await una(sku);
      return anuncio && mostradaOf(anuncio);
    },

    async mostradas(skus: readonly string[]): Promise<ReadonlyMap<string, AnuncioMostrado>> {
      return new Map([...(await todas(skus))].map(([sku, anuncio]) => [sku, mostradaOf(anuncio)]));
    },

    /** Changes price or pieces of a listing, and keeps the seller's other words about them. */
    async cambiar({ clave, ...pedido }: CambioDeOferta): Promise<Recibo> {
      const anuncio = await antes(una(clave));
      if (!anuncio) throw new Refused(AUSENTE);
      const patches = parchesOf(anuncio, pedido);
      if (patches?.length !== 0 && patches !== null) {
        const { submissionId } = await escribir('patchListingsItem', clave, { productType: tipoOf(anuncio), patches });
        return { submissionId, antes: mostradaOf(anuncio).huellas };
      }
      throw new Refused(patches === null ? AJENO : NADA);
    },

    /**
     * Returns the messages of a file of changes, the errors that each listing had before, and why some listings are not in the file.
     */
    async mensajesDe(cambios: readonly CambioDeOferta[]) {
      const anuncios = await antes(todas(cambios.map(({ clave }) => clave)));
      const mensajes: MensajeDeArchivo[] = [];
      const huellas: Record<string, string[]> = {};
      const fuera: { clave: string; razon: string }[] = [];
      for (const [n, { clave, ...pedido }] of cambios.entries()) {
        const anuncio = anuncios.get(clave);
        const patches = anuncio && parchesOf(anuncio, pedido);
        if (!anuncio || !patches) {
          fuera.push({ clave, razon: anuncio ? AJENO : AUSENTE });
          continue;
        }
        huellas[clave] = mostradaOf(anuncio).huellas;
        mensajes.push({ messageId: n + 1, sku: clave, productType: tipoOf(anuncio), patches });
      }
      return { mensajes, huellas, fuera };
    },

    /** Puts a listing, in the place of the one there is under the sku. */
    poner: (sku: string, anuncio: AnuncioNuevo) => escribir('putListingsItem', sku, anuncio),

    /** Uploads a file that a feed may name. Nobody works on it yet, so a failure did nothing. */
    async subirArchivo(mensajes: readonly MensajeDeArchivo[]): Promise<string> {
      const what = 'archivo de cambios';
      const contenido = JSON.stringify({
        header: { sellerId: await seller(), version: '2.0', issueLocale: 'es_MX' },
        messages: mensajes.map((mensaje) => ({ ...mensaje, operationType: 'PATCH' })),
      });
      try {
        const answer = await call(
          {
            operacion: 'createFeedDocument',
            method: 'POST',
            path: '/feeds/2021-06-30/documents',
            body: { contentType: CONTENIDO },
          },
          what,
        );
        const { feedDocumentId, url } = readShape(Lugar, readJson(answer, what), what);
        const sent = await exchange({
          side: { name: 'amazon-archivos', root: new URL(url).origin },
          method: 'PUT',
          url,
          headers: { 'content-type': CONTENIDO },
          body: contenido,
          trace: options.trace,
          timeoutMs: options.timeoutMs,
        });
        if (sent.status < 200 || sent.status > 299)
          throw new Unavailable(`Amazon no recibió el archivo (${sent.status})`, { status: sent.status });
        return feedDocumentId;
      } catch (error) {
        if (error instanceof Uncertain || error instanceof UnexpectedShape)
          throw new Unavailable(`Amazon no recibió el archivo (${error.message})`, { cause: error });
        throw error;
      }
    },

    async pedirArchivo(documento: string): Promise<string> {
      const what = 'archivo de cambios';
      const answer = await call(
        {
          operacion: 'createFeed',
          method: 'POST',
          path: '/feeds/2021-06-30/feeds',
          body: { feedType: TIPO, marketplaceIds: [MEXICO], inputFeedDocumentId: documento },
        },
        what,
      );
      return readShape(Creado, readJson(answer, what), what).feedId;
    },

    async archivo(id: string): Promise<EstadoDeArchivo> {
      const what = 'archivo de cambios';
      const answer = await call(
        { operacion: 'getFeed', method: 'GET', path: `/feeds/2021-06-30/feeds/${encoded(id)}` },
        what,
      );
      return archivoOf(readShape(Archivo, readJson(answer, what), what));
    },

    /** Lists the newest files that were asked for since. */
    async archivosDesde(desde: Date): Promise<EstadoDeArchivo[]> {
      const what = 'archivos de cambios';
      const answer = await call(
        {
          operacion: 'getFeeds',
          method: 'GET',
          path: '/feeds/2021-06-30/feeds',
          query: {
            feedTypes: [TIPO],
            pageSize: '100',
            createdSince: desde.toISOString().replace(/\.\d+Z$/, 'Z'),
          },
        },
        what,
      );
      return readShape(Archivos, readJson(answer, what), what).feeds.map(archivoOf);
    },

    /** Takes back a file, which is possible while it waits in the queue. */
    async cancelarArchivo(id: string): Promise<void> {
      await call(
        { operacion: 'cancelFeed', method: 'DELETE', path: `/feeds/2021-06-30/feeds/${encoded(id)}` },
        'archivo de cambios',
      );
    },

    /** Returns why messages of a file were not taken: by listing, or about all of them where the reason names none. */
    async noesDeArchivo(documento: string): Promise<NoDeArchivo[]> {
      const what = 'resultado del archivo de cambios';
      const answer = await call(
        {
          operacion: 'getFeedDocument',
          method: 'GET',
          path: `/feeds/2021-06-30/documents/${encoded(documento)}`,
        },
        what,
      );
      const { url } = readShape(Documento, readJson(answer, what), what);
      const { issues } = readShape(Resultado, await leerJson(url, what), what);
      return (issues ?? []).filter(isError).map(({ sku, attributeName, ...problema }) => ({
        clave: sku ?? null,
        texto: enLineas([{ ...problema, attributeNames: attributeName ? [attributeName] : [] }]),
      }));
    },
  };

  /** Runs a step before any change: an unclear end of the step is Unavailable, so the change is tried again. */
  async function antes<T>(step: Promise<T>): Promise<T> {
    try {
      return await step;
    } catch (error) {
      if (error instanceof Uncertain || error instanceof UnexpectedShape)
        throw new Unavailable(`No se supo cómo está la publicación (${error.message})`, { cause: error });
      throw error;
    }
  }

  /** Reads a JSON file. Its address is signed, and takes no token of ours. */
  async function leerJson(url: string, what: string): Promise<unknown> {
    const { status, headers, chunks } = await download({ url, timeoutMs: options.timeoutMs });
    if (status !== 200) throw new Unavailable(`Amazon no entregó el resultado (${status})`, { status });
    const partes: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of await plain(chunks)) {
      bytes += chunk.length;
      if (bytes > MAX_RESULTADO) throw new RangeError('el resultado no se acaba');
      partes.push(chunk);
    }
    const texto = new TextDecoder(charsetOf(headers)).decode(Buffer.concat(partes));
    return readJson({ status, headers, body: Buffer.from(texto) }, what);
  }
}

function entendido(hallado: Hallado | null): Anunciado | null {
  if (hallado === null) return null;
  if ('anuncio' in hallado) return hallado.anuncio;
  throw new UnexpectedShape(`Amazon contestó otra forma (publicación ${hallado.sku}: ${hallado.ilegible})`);
}
