import { z } from 'zod';
import { InstanteEscrito } from '~/core/fields';
import { tableOf } from '~/core/table';
import { Refused, Unavailable, Uncertain } from '../errors';
import { readDelimitado } from '../delimitado';
import { download, exchange, type HttpAnswer } from '../http.server';
import { failureOf, readJson, readShape } from './answer';
import type { Tokens } from './tokens';

export type ReportesOptions = { paymentsUrl: string; tokens: Tokens; timeoutMs?: number };

const Numero = z.union([z.string(), z.number().transform(String)]);
/** A report of the list. `status` and `report_type` may be missing; `file_name` comes once the file is made. */
const Reporte = z.object({
  id: Numero.nullish(),
  begin_date: InstanteEscrito,
  end_date: InstanteEscrito,
  file_name: z.string().min(1).nullish().catch(null),
  status: z.string().nullish().catch(null),
});
const Lista = z.union([
  z.array(z.unknown()),
  z.object({ results: z.array(z.unknown()) }).transform((one) => one.results),
]);
const Pedido = z.object({ id: Numero.nullish() }).catch({});

export type ReporteMp = z.output<typeof Reporte>;
/** A line, by the names of its columns. */
export type Fila = Readonly<Record<string, string>>;

/** Columns whose names come in Spanish where the account asks for that. */
const EN_ESPANOL: Readonly<Record<string, string>> = tableOf({
  'fecha de liquidación': 'DATE',
  'fecha de liberación': 'DATE',
  'id de operación en mercado pago': 'SOURCE_ID',
  'código de referencia': 'EXTERNAL_REFERENCE',
  'tipo de registro': 'RECORD_TYPE',
  descripción: 'DESCRIPTION',
  'monto neto acreditado': 'NET_CREDIT_AMOUNT',
  'monto neto debitado': 'NET_DEBIT_AMOUNT',
  'monto bruto de la operación': 'GROSS_AMOUNT',
  'comisión de mercado pago': 'MP_FEE_AMOUNT',
  'comisión por ofrecer cuotas sin interés': 'FINANCING_FEE_AMOUNT',
  'costo de envío': 'SHIPPING_FEE_AMOUNT',
  'cupón de descuento': 'COUPON_AMOUNT',
  'desglose de impuestos': 'TAXES_DISAGGREGATED',
  'id de la orden': 'ORDER_ID',
  'id de envío': 'SHIPPING_ID',
  'id del paquete': 'PACK_ID',
  saldo: 'BALANCE_AMOUNT',
  moneda: 'CURRENCY',
});
const NECESARIAS = ['DATE', 'SOURCE_ID', 'RECORD_TYPE', 'DESCRIPTION', 'NET_CREDIT_AMOUNT', 'NET_DEBIT_AMOUNT'];

/**
 * Reports of the money that was released to the account and left it. Asking for a report makes a file and moves no money, so a lost answer is asked
 * for again. The reports live on the payments host, which may not take this token: its no says nothing about the link.
 */
export function createReportesMp({ paymentsUrl, tokens, timeoutMs = 20_000 }: ReportesOptions) {
  const root = `${paymentsUrl}/v1/account/release_report`;
  const headers = async () => ({
    accept: 'application/json',
    authorization: `Bearer ${(await tokens.current()).token}`,
  });
  const lost = (error: unknown): never => {
    if (error instanceof Uncertain)
      throw new Unavailable(`Mercado Pago no contestó (${error.message})`, { cause: error });
    throw error;
  };

  async function ask(method: 'GET' | 'POST', url: string, what: string, body?: unknown): Promise<HttpAnswer> {
    const answer = await exchange({
      side: { name: 'mercadopago', root: paymentsUrl },
      method,
      url,
      headers: { ...(await headers()), ...(body !== undefined && { 'content-type': 'application/json' }) },
      body: body === undefined ? undefined : JSON.stringify(body),
      timeoutMs,
    }).catch(lost);
    if (answer.status < 200 || answer.status > 299) throw failureOf(answer, what);
    return answer;
  }

  return {
    /** Asks for a report, and returns its number; null where the answer has none. A 203 is the vendor's way to say that the report could not be made. */
    async pide(desde: Date, hasta: Date): Promise<string | null> {
      const answer = await ask('POST', root, 'pedir el reporte', {
        begin_date: second(desde),
        end_date: second(hasta),
      });
      if (answer.status === 203)
        throw new Refused('Mercado Pago no pudo hacer el reporte de estas fechas', { status: 203 });
      if (answer.body.length === 0) return null;
      return Pedido.parse(readJson(answer, 'pedir el reporte')).id ?? null;
    },

    /** Lists every report that can be understood; the list holds reports of other programs too. */
    async lista(): Promise<ReporteMp[]> {
      const answer = await ask('GET', `${root}/list`, 'lista de reportes');
      if (answer.status === 204 || answer.body.length === 0) return [];
      return readShape(Lista, readJson(answer, 'lista de reportes'), 'lista de reportes').flatMap((row) => {
        const one = Reporte.safeParse(row);
        return one.success ? [one.data] : [];
      });
    },

    /** Yields the lines of a file as they come. */
    async *lee(archivo: string): AsyncGenerator<Fila> {
      const {
        status,
        headers: said,
        chunks,
      } = await download({
        url: `${root}/${encodeURIComponent(archivo)}`,
        headers: { ...(await headers()), accept: 'text/csv, */*' },
        timeoutMs,
      }).catch(lost);
      if (status !== 200)
        throw failureOf({ status, headers: said, body: await small(chunks) }, 'reporte de liberaciones');
      let names: string[] | undefined;
      try {
        for await (const fields of readDelimitado(chunks)) {
          if (names) yield Object.fromEntries(names.map((name, n) => [name, fields[n] ?? '']));
          else names = columnsOf(fields);
        }
      } catch (error) {
        lost(error);
      }
      if (!names) throw new Refused('El reporte llegó vacío');
    },
  };
}

export type ReportesMp = ReturnType<typeof createReportesMp>;

function columnsOf(header: string[]): string[] {
  const names = header.map((text) => {
    const name = text.replace(/^\ufeff/, '').trim();
    return EN_ESPANOL[name.toLowerCase()] ?? (/^impuestos cobrados/i.test(name) ? 'TAXES_AMOUNT' : name.toUpperCase());
  });
  const missing = NECESARIAS.filter((name) => !names.includes(name));
  if (missing.length > 0)
    throw new Refused(`El reporte llegó sin las columnas ${missing.join(', ')}: hay que agregarlas en Mercado Pago`);
  return names;
}

async function small(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of chunks) {
    parts.push(part);
    size += part.length;
    if (size > 10_000) break;
  }
  return Buffer.concat(parts);
}

const second = (instant: Date) => instant.toISOString().replace(/\.\d+Z$/, 'Z');
