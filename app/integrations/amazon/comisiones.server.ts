import type { Money } from '~/core/money';
import { Refused } from '../errors';
import { readJson, readShape } from './answer';
import { createLlamada, type LlamadaOptions } from './call.server';
import { MEXICO } from './marketplace';
import { type Estimacion, Estimacion as Fila, Estimaciones } from './wireComisiones';

/** Most prices in one question. Amazon documents no limit, and the question is halved where it refuses so many. */
export const POR_ESTIMACION = 20;

/** A price of one piece whose fees are asked for. `surtido`: Amazon sends the piece from its own warehouse. */
export type PorEstimar = { sku: string; precio: Money; envio: Money; surtido: boolean };
/** The fees of one price: as they were answered, why they were not understood, or why Amazon refused to tell them. */
export type Estimado = { dicho: Estimacion } | { ilegible: string } | { negado: string };

/** Estimates of Amazon's fees for the linked seller, before a sale or after it. */
export function createComisionesAmz(options: LlamadaOptions) {
  const call = createLlamada(options);

  async function ask(preguntas: readonly PorEstimar[]): Promise<Estimado[]> {
    const what = 'comisiones estimadas';
    const answer = await call(
      {
        operacion: 'getMyFeesEstimates',
        method: 'POST',
        path: '/products/fees/v0/feesEstimate',
        body: preguntas.map(preguntaOf),
        soloLee: true,
      },
      what,
    );
    const leidas = readShape(Estimaciones, readJson(answer, what), what).map((raw) => Fila.safeParse(raw));
    const byMark = new Map(
      leidas.flatMap(({ data }) => {
        const marca = data?.FeesEstimateIdentifier?.SellerInputIdentifier;
        return data && marca ? [[marca, data] as const] : [];
      }),
    );
    const issue = leidas.find(({ error }) => error)?.error?.issues[0];
    return preguntas.map((_, n): Estimado => {
      const dicho = byMark.get(marcaOf(n));
      return dicho
        ? { dicho }
        : { ilegible: issue ? `${issue.path.join('.')}: ${issue.message}` : 'no vino en la respuesta' };
    });
  }

  return {
    /** Estimates the fees of some prices, in their order. A question that is refused whole is asked in halves, so that one bad row costs no other its answer. */
    async estimar(preguntas: readonly PorEstimar[]): Promise<Estimado[]> {
      try {
        return await ask(preguntas);
      } catch (error) {
        if (!(error instanceof Refused) || error.details.status !== 400) throw error;
        if (preguntas.length === 1) return [{ negado: error.message }];
        const mitad = Math.ceil(preguntas.length / 2);
        return [...(await this.estimar(preguntas.slice(0, mitad))), ...(await this.estimar(preguntas.slice(mitad)))];
      }
    },
  };
}

export type ComisionesAmz = ReturnType<typeof createComisionesAmz>;

/** The mark by which a row of the answer is known. */
const marcaOf = (n: number) => `p${n}`;
const PESOS = 'MXN';
const pesos = (importe: Money) => ({ CurrencyCode: PESOS, Amount: Number(importe.toFixed(2)) });

const preguntaOf = ({ sku, precio, envio, surtido }: PorEstimar, n: number) => ({
  FeesEstimateRequest: {
    MarketplaceId: MEXICO,
    IsAmazonFulfilled: surtido,
    Identifier: marcaOf(n),
    PriceToEstimateFees: { ListingPrice: pesos(precio), Shipping: pesos(envio) },
  },
  IdType: 'SellerSKU',
  IdValue: sku,
});
