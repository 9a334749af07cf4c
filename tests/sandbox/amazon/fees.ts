import { json, type SandboxRequest, type SandboxResponse } from '../service';
import { denied, no, type Operations, type World } from './answers';
import { MARKETPLACE_ID, SELLER_ID } from './constants';
import { FBA, comisionSobre } from './finances';
import type { Listings } from './listings';

type Money = { CurrencyCode?: string; Amount?: unknown };
type Asked = {
  FeesEstimateRequest?: {
    MarketplaceId?: string;
    IsAmazonFulfilled?: boolean;
    Identifier?: string;
    PriceToEstimateFees?: { ListingPrice?: Money; Shipping?: Money };
  };
  IdType?: string;
  IdValue?: string;
};

const pesos = (centavos: number) => ({ CurrencyCode: 'MXN', Amount: centavos / 100 });

/**
 * Product Fees v0: what Amazon would take of one piece at a price, which is what Finances and settlements charge for the same sale later. Rows are answered
 * in any order, and a row that fails is a success of the call.
 */
export class Fees {
  /** The questions, by the number of their rows. */
  readonly asked: number[] = [];

  constructor(readonly options: Pick<World, 'interruptores' | 'ventas' | 'now'> & { listings: Listings }) {}

  reset() {
    this.asked.length = 0;
  }

  get operations(): Operations {
    return { 'POST /products/fees/v0/feesEstimate': ['getMyFeesEstimates', (request) => this.#batch(request)] };
  }

  #batch(request: SandboxRequest): SandboxResponse {
    const { interruptores } = this.options;
    const rows = request.data() as Asked[] | undefined;
    if (!Array.isArray(rows) || rows.length === 0) return no(400, 'InvalidInput', 'Invalid request body.');
    this.asked.push(rows.length);
    if (interruptores.is('estimacion', '403')) return denied();
    const most = interruptores.is('tandaDeEstimaciones', 'cinco') ? 5 : 20;
    if (rows.length > most && !interruptores.is('tandaDeEstimaciones', 'sinTope'))
      return no(400, 'InvalidInput', 'The number of requests exceeds the limit.');
    const answers = rows.map((row) => [Math.random(), this.#row(row)] as const);
    return json(
      200,
      answers.toSorted(([one], [other]) => one - other).map(([, answer]) => answer),
    );
  }

  #row({ FeesEstimateRequest: asked = {}, IdType, IdValue = '' }: Asked) {
    const { interruptores } = this.options;
    const { ListingPrice: price, Shipping: shipping } = asked.PriceToEstimateFees ?? {};
    const identifier = {
      MarketplaceId: asked.MarketplaceId,
      SellerId: SELLER_ID,
      IdType,
      IdValue,
      IsAmazonFulfilled: asked.IsAmazonFulfilled ?? false,
      SellerInputIdentifier: asked.Identifier,
      PriceToEstimateFees: asked.PriceToEstimateFees,
    };
    const refused = (Message: string) => ({
      Status: 'ClientError',
      FeesEstimateIdentifier: identifier,
      Error: { Type: 'Sender', Code: 'InvalidParameterValue', Message, Detail: [] },
    });
    if (interruptores.is('estimacion', 'falla'))
      return refused('There is an client-side error. Please verify your inputs.');
    if (asked.MarketplaceId !== MARKETPLACE_ID || price?.CurrencyCode !== 'MXN' || !asked.Identifier)
      return refused('Invalid parameter.');
    if (typeof price.Amount !== 'number' || price.Amount <= 0) return refused('Invalid listing price.');
    if (shipping && (shipping.CurrencyCode !== 'MXN' || typeof shipping.Amount !== 'number'))
      return refused('Invalid shipping price.');
    if (IdType !== 'SellerSKU' || !this.#sells(IdValue)) return refused('The provided SKU was not found.');
    return {
      Status: 'Success',
      FeesEstimateIdentifier: identifier,
      FeesEstimate: this.#estimate(Math.round(price.Amount * 100), asked.IsAmazonFulfilled ?? false),
      ...(interruptores.is('errorVacio', 'si') && { Error: { Type: '', Code: '', Message: '', Detail: [] } }),
    };
  }

  /** Whether the seller has such a sku: on sale now, or sold before. */
  #sells(sku: string) {
    const { listings, ventas } = this.options;
    return listings.todas.has(sku) || ventas().some(({ lineas }) => lineas.some((linea) => linea.sku === sku));
  }

  #estimate(centavos: number, fulfilled: boolean) {
    const { interruptores } = this.options;
    const charged = comisionSobre(centavos, interruptores.is('comision', 'conIva'));
    const base = comisionSobre(centavos, false);
    const names = interruptores.is('nombresDeCargos', 'otros')
      ? ['Commission', 'FulfillmentFees']
      : ['ReferralFee', 'FBAFees'];
    const details = [
      this.#detail(names[0]!, base, charged - base),
      ...(fulfilled
        ? [{ ...this.#plain(names[1]!, FBA), IncludedFeeDetailList: [this.#plain('FBAPickAndPack', FBA)] }]
        : []),
    ];
    return {
      TimeOfFeesEstimation: new Date(this.options.now()).toUTCString(),
      TotalFeesEstimate: pesos(details.reduce((sum, { FinalFee }) => sum + Math.round(FinalFee.Amount * 100), 0)),
      ...(!interruptores.is('desgloseDeEstimacion', 'falta') && { FeeDetailList: details }),
    };
  }

  #plain = (FeeType: string, centavos: number) => ({
    FeeType,
    FeeAmount: pesos(centavos),
    FeePromotion: pesos(0),
    FinalFee: pesos(centavos),
  });

  /** A fee and its IVA, which stands where the switch says. */
  #detail(FeeType: string, base: number, iva: number) {
    const { interruptores } = this.options;
    if (interruptores.is('ivaEnEstimacion', 'dentro')) return this.#plain(FeeType, base + iva);
    if (interruptores.is('ivaEnEstimacion', 'fuera')) return this.#plain(FeeType, base);
    const inside = interruptores.is('ivaEnEstimacion', 'dichoDentro');
    return { ...this.#plain(FeeType, base), TaxAmount: pesos(iva), FinalFee: pesos(inside ? base + iva : base) };
  }
}
