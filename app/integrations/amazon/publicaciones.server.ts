import { z } from 'zod';
import { Refused, Unavailable, Uncertain } from '../errors';
import { download } from '../http.server';
import { readJson, readShape } from './answer';
import { createLlamada, encoded, type LlamadaOptions } from './call.server';
import { MEXICO } from './client.server';
import { charsetOf, plain } from './reportes.server';
import { Anunciado, PaginaDeAnuncios, PrecioEsperado, PreciosEsperados } from './wirePublicacion';

const TIPO = 'GET_MERCHANT_LISTINGS_ALL_DATA';
export const POR_BUSQUEDA = 20;
/** Most offers in one question about expected prices. */
export const POR_PRECIO_ESPERADO = 40;
const ESPERADO = '/products/pricing/2022-05-01/offer/featuredOfferExpectedPrice';
const BLOQUES = ['summaries', 'issues', 'offers', 'fulfillmentAvailability'];
/** Blocks of a listing with the seller's own words: a part is replaced whole, so its other words have to be said again. */
export const CON_ATRIBUTOS = [...BLOQUES, 'attributes'];
/** The place of the sku among the columns, as documented: headers may come in the language of the account. */
const SKU_EN = 3;
const COLUMNAS = 20;
const MAX_LINEA = 1_000_000;

const Creado = z.object({ reportId: z.string().min(1) });
const Reporte = z.object({ processingStatus: z.string(), reportDocumentId: z.string().min(1).nullish() });
const Documento = z.object({ url: z.string().min(1) });

/** A listing of an answer: as it was understood, and as it came (`raw`); or why it was not understood. */
export type Hallado = { sku: string; anuncio: Anunciado; raw: unknown } | { sku: string; ilegible: string };
/** An offer whose expected price was asked for: as it was answered, or why it was not understood. */
export type Esperado = { sku: string; dicho: PrecioEsperado } | { sku: string; ilegible: string };
export type EstadoDeReporte = { estado: 'haciendose' } | { estado: 'listo'; documento: string } | { estado: 'nada' };

/** Reads of the linked seller's listings at Amazon México. No read changes anything there, but for the report that is made. */
export function createPublicacionesAmz(options: LlamadaOptions) {
  const call = createLlamada(options);
  const seller = async () => (await options.tokens.current()).sellerId;

  async function buscar(query: Record<string, string | readonly string[] | undefined>) {
    const what = 'búsqueda de publicaciones';
    const answer = await call(
      {
        operacion: 'searchListingsItems',
        method: 'GET',
        path: `/listings/2021-08-01/items/${encoded(await seller())}`,
        query: {
          marketplaceIds: [MEXICO],
          issueLocale: 'es_MX',
          includedData: BLOQUES,
          pageSize: String(POR_BUSQUEDA),
          ...query,
        },
      },
      what,
    );
    const { numberOfResults, pagination, items } = readShape(PaginaDeAnuncios, readJson(answer, what), what);
    return {
      hay: numberOfResults ?? items?.length ?? 0,
      halladas: (items ?? []).map(entendido),
      siguiente: pagination?.nextToken ?? null,
    };
  }

  return {
    async pedirReporte(): Promise<string> {
      const what = 'reporte de publicaciones';
      try {
        const answer = await call(
          {
            operacion: 'createReport',
            method: 'POST',
            path: '/reports/2021-06-30/reports',
            body: { reportType: TIPO, marketplaceIds: [MEXICO] },
          },
          what,
        );
        return readShape(Creado, readJson(answer, what), what).reportId;
      } catch (error) {
        // A report whose answer was lost is read by nobody.
        if (error instanceof Uncertain)
          throw new Unavailable(`Amazon no contestó (${error.message})`, { cause: error });
        throw error;
      }
    },

    /** Reads how a report stands. `nada`: it failed, or was cancelled, as Amazon also does with an empty report. Null: the report is not known any more. */
    async reporte(id: string): Promise<EstadoDeReporte | null> {
      const what = 'reporte de publicaciones';
      try {
        const answer = await call(
          { operacion: 'getReport', method: 'GET', path: `/reports/2021-06-30/reports/${encoded(id)}` },
          what,
        );
        const { processingStatus, reportDocumentId } = readShape(Reporte, readJson(answer, what), what);
        if (processingStatus === 'DONE' && reportDocumentId) return { estado: 'listo', documento: reportDocumentId };
        return { estado: ['DONE', 'CANCELLED', 'FATAL'].includes(processingStatus) ? 'nada' : 'haciendose' };
      } catch (error) {
        if (error instanceof Refused && [400, 404].includes(error.details.status ?? 0)) return null;
        throw error;
      }
    },

    /** Yields the skus of a report, line by line as the bytes come. */
    async *skus(documento: string): AsyncGenerator<string> {
      const what = 'documento del reporte';
      const answer = await call(
        { operacion: 'getReportDocument', method: 'GET', path: `/reports/2021-06-30/documents/${encoded(documento)}` },
        what,
      );
      const { url } = readShape(Documento, readJson(answer, what), what);
      try {
        // The address is signed, and takes no token of ours.
        const { status, headers, chunks } = await download({ url, timeoutMs: options.timeoutMs });
        if (status !== 200) throw new Unavailable(`Amazon no entregó el reporte (${status})`, { status });
        let columna: number | undefined;
        for await (const campos of lineasOf(await plain(chunks), charsetOf(headers))) {
          if (columna === undefined) columna = columnaOfSku(campos);
          else if (campos[columna]) yield campos[columna]!;
        }
        if (columna === undefined) throw new Refused('El reporte de publicaciones llegó vacío');
      } catch (error) {
        if (error instanceof Uncertain)
          throw new Unavailable(`Amazon no terminó de entregar el reporte (${error.message})`, { cause: error });
        throw error;
      }
    },

    /** Finds listings by their skus. A comma parts one sku from the next, encoded or not, so a sku with a comma is never found. */
    conSkus: async (skus: readonly string[], bloques: readonly string[] = BLOQUES): Promise<Hallado[]> =>
      (await buscar({ identifiers: skus, identifiersType: 'SKU', includedData: bloques })).halladas,

    /** Lists a page of the listings that changed since, the newest first. */
    async movidas(desde: Date | null, pagina: string | null) {
      return await buscar({
        sortBy: 'lastUpdatedDate',
        sortOrder: 'DESC',
        lastUpdatedAfter: desde?.toISOString().replace(/\.\d+Z$/, 'Z'),
        pageToken: pagina ?? undefined,
      });
    },

    /** Reads at most forty expected prices, in the order in which they were asked for, with the id of the seller who asks. */
    async esperados(skus: readonly string[]): Promise<{ vendedor: string; filas: Esperado[] }> {
      const what = 'precios de la oferta destacada';
      const requests = skus.map((sku) => ({ method: 'GET', uri: ESPERADO, marketplaceId: MEXICO, sku }));
      const answer = await call(
        {
          operacion: 'getFeaturedOfferExpectedPriceBatch',
          method: 'POST',
          path: `/batches${ESPERADO}`,
          body: { requests },
          soloLee: true,
        },
        what,
      );
      const { responses } = readShape(PreciosEsperados, readJson(answer, what), what);
      const leidas = responses.map((raw) => PrecioEsperado.safeParse(raw));
      // The rows come in any order, and each names its offer; a row that names none can only be believed at its place.
      const nombre = ({ request, body }: PrecioEsperado) => request?.sku ?? body?.offerIdentifier?.sku ?? null;
      const filas = skus.map((sku, n): Esperado => {
        const suya = leidas.find(({ data }) => data && nombre(data) === sku) ?? leidas[n];
        if (suya?.data && [sku, null].includes(nombre(suya.data))) return { sku, dicho: suya.data };
        const issue = suya?.error?.issues[0];
        return { sku, ilegible: issue ? `${issue.path.join('.')}: ${issue.message}` : 'no vino en la respuesta' };
      });
      return { vendedor: await seller(), filas };
    },

    /** Counts all listings. */
    cuantas: async (): Promise<number> => (await buscar({ pageSize: '1' })).hay,

    /** Reads one listing by its sku; null when there is none. */
    async una(sku: string, bloques: readonly string[] = BLOQUES): Promise<Hallado | null> {
      try {
        const answer = await call(
          {
            operacion: 'getListingsItem',
            method: 'GET',
            path: `/listings/2021-08-01/items/${encoded(await seller())}/${encoded(sku)}`,
            query: { marketplaceIds: [MEXICO], issueLocale: 'es_MX', includedData: bloques },
          },
          'publicación',
        );
        return entendido(readJson(answer, 'publicación'));
      } catch (error) {
        if (error instanceof Refused && error.details.status === 404) return null;
        throw error;
      }
    },
  };
}

export type PublicacionesAmz = ReturnType<typeof createPublicacionesAmz>;

function entendido(raw: unknown): Hallado {
  const read = Anunciado.safeParse(raw);
  const sku = (raw as { sku?: unknown } | null)?.sku;
  if (read.success) return { sku: read.data.sku, anuncio: read.data, raw };
  const [issue] = read.error.issues;
  return { sku: typeof sku === 'string' ? sku : '', ilegible: `${issue?.path.join('.')}: ${issue?.message}` };
}

function columnaOfSku(encabezado: string[]): number {
  const nombres = encabezado.map((nombre) =>
    nombre
      .replace(/^\ufeff/, '')
      .trim()
      .toLowerCase(),
  );
  const columna = nombres.indexOf('seller-sku');
  if (columna >= 0) return columna;
  if (nombres.length >= COLUMNAS) return SKU_EN;
  throw new Refused('El reporte de publicaciones llegó con otras columnas');
}

/**
 * Yields the lines of a file whose fields are parted by tabs and never quoted: a title holds the inches of a screen. A line that is no UTF-8, although
 * the file said so or said nothing, is read in the letters of Windows.
 */
async function* lineasOf(chunks: AsyncIterable<Uint8Array>, charset: string): AsyncGenerator<string[]> {
  const dicho = charset === 'utf-8' ? new TextDecoder('utf-8', { fatal: true }) : new TextDecoder(charset);
  const deWindows = new TextDecoder('windows-1252');
  const camposDe = (linea: Uint8Array): string[] => {
    let texto: string;
    try {
      texto = dicho.decode(linea);
    } catch {
      texto = deWindows.decode(linea);
    }
    return texto.replace(/\r$/, '').split('\t');
  };
  let resto: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const todo = resto.length > 0 ? Buffer.concat([resto, chunk]) : Buffer.from(chunk);
    let desde = 0;
    for (let fin = todo.indexOf(10); fin >= 0; fin = todo.indexOf(10, desde)) {
      yield camposDe(todo.subarray(desde, fin));
      desde = fin + 1;
    }
    resto = todo.subarray(desde);
    if (resto.length > MAX_LINEA) throw new RangeError('una línea no se acaba');
  }
  if (resto.length > 0) yield camposDe(resto);
}
