import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { z } from 'zod';
import { InstanteEscrito } from '~/core/fields';
import { readDelimitado } from '../delimitado';
import { Refused, Unavailable, Uncertain } from '../errors';
import { download } from '../http.server';
import { readJson, readShape } from './answer';
import { createLlamada, encoded, type LlamadaOptions } from './call.server';
import { MEXICO } from './client.server';

const TIPO = 'GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2';
/** Most pages of a list of reports: Amazon keeps reports for ninety days, and makes one each two weeks. */
const MAX_PAGINAS = 20;

const Reporte = z.object({
  reportId: z.string().min(1),
  dataStartTime: InstanteEscrito,
  dataEndTime: InstanteEscrito,
  processingStatus: z.string(),
  reportDocumentId: z.string().min(1).nullish(),
});
const Pagina = z.object({ reports: z.array(z.unknown()).nullish(), nextToken: z.string().min(1).nullish() });
const Documento = z.object({ url: z.string().min(1) });

export type ReporteAmz = z.output<typeof Reporte>;
/** A line, by the names of its columns in lower case. */
export type Fila = Readonly<Record<string, string>>;

/** The columns, in the documented order: headers may come in the language of the account. */
export const COLUMNAS = [
  'settlement-id',
  'settlement-start-date',
  'settlement-end-date',
  'deposit-date',
  'total-amount',
  'currency',
  'transaction-type',
  'order-id',
  'merchant-order-id',
  'adjustment-id',
  'shipment-id',
  'marketplace-name',
  'amount-type',
  'amount-description',
  'amount',
  'fulfillment-id',
  'posted-date',
  'posted-date-time',
  'order-item-code',
  'merchant-order-item-id',
  'merchant-adjustment-item-id',
  'sku',
  'quantity-purchased',
  'promotion-id',
] as const;

/** Reads of the settlements of Amazon México. Settlements come by themselves: none can be asked for. */
export function createReportesAmz(options: LlamadaOptions) {
  const call = createLlamada(options);
  return {
    async lista(desde: Date): Promise<ReporteAmz[]> {
      const found: ReporteAmz[] = [];
      let siguiente: string | undefined;
      for (let n = 0; n < MAX_PAGINAS; n++) {
        const answer = await call(
          {
            operacion: 'getReports',
            method: 'GET',
            path: '/reports/2021-06-30/reports',
            query: siguiente
              ? { nextToken: siguiente }
              : {
                  reportTypes: [TIPO],
                  marketplaceIds: [MEXICO],
                  pageSize: '100',
                  createdSince: desde.toISOString().replace(/\.\d+Z$/, 'Z'),
                },
          },
          'reportes de liquidación',
        );
        const page = readShape(Pagina, readJson(answer, 'reportes de liquidación'), 'reportes de liquidación');
        for (const row of page.reports ?? []) {
          const one = Reporte.safeParse(row);
          if (one.success) found.push(one.data);
        }
        siguiente = page.nextToken ?? undefined;
        if (!siguiente) break;
      }
      return found;
    },

    async *lee(documento: string): AsyncGenerator<Fila> {
      const answer = await call(
        { operacion: 'getReportDocument', method: 'GET', path: `/reports/2021-06-30/documents/${encoded(documento)}` },
        'documento del reporte',
      );
      const { url } = readShape(Documento, readJson(answer, 'documento del reporte'), 'documento del reporte');
      try {
        // The address is signed, and takes no token of ours.
        const { status, headers, chunks } = await download({ url, timeoutMs: options.timeoutMs });
        if (status !== 200) throw new Unavailable(`Amazon no entregó el reporte (${status})`, { status });
        let names: string[] | undefined;
        for await (const fields of readDelimitado(await plain(chunks), {
          charset: charsetOf(headers),
          soloTabs: true,
        })) {
          if (names) yield Object.fromEntries(names.map((name, n) => [name, fields[n] ?? '']));
          else names = columnsOf(fields);
        }
        if (!names) throw new Refused('El reporte llegó vacío');
      } catch (error) {
        if (error instanceof Uncertain)
          throw new Unavailable(`Amazon no terminó de entregar el reporte (${error.message})`, { cause: error });
        throw error;
      }
    },
  };
}

export type ReportesAmz = ReturnType<typeof createReportesAmz>;

function columnsOf(header: string[]): string[] {
  const names = header.map((text) =>
    text
      .replace(/^\ufeff/, '')
      .trim()
      .toLowerCase(),
  );
  if (['settlement-id', 'total-amount', 'amount-type', 'amount'].every((name) => names.includes(name))) return names;
  // In another language the columns stand in the same order.
  if (names.length >= COLUMNAS.length - 1) return names.map((name, n) => COLUMNAS[n] ?? name);
  throw new Refused('El reporte llegó con otras columnas');
}

export const charsetOf = (headers: Headers): string => {
  const said = /charset=([\w-]+)/i.exec(headers.get('content-type') ?? '')?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(said).encoding;
  } catch {
    return 'utf-8';
  }
};

/** Unpacks a file if its first bytes say that it is packed: the told encoding is not always right. */
export async function plain(chunks: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const all = chunks[Symbol.asyncIterator]();
  const held: Uint8Array[] = [];
  let size = 0;
  while (size < 2) {
    const next = await all.next();
    if (next.done) break;
    held.push(next.value);
    size += next.value.length;
  }
  const head = Buffer.concat(held);
  async function* whole() {
    if (head.length > 0) yield head;
    for (let next = await all.next(); !next.done; next = await all.next()) yield next.value;
  }
  if (head[0] !== 0x1f || head[1] !== 0x8b) return whole();
  const source = Readable.from(whole(), { objectMode: false });
  const gunzip = createGunzip();
  source.once('error', (error) => gunzip.destroy(error));
  return source.pipe(gunzip) as AsyncIterable<Uint8Array>;
}
