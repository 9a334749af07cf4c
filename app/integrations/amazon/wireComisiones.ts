import { z } from 'zod';
import { Amount, list, text, word } from './wire';

const Importe = z
  .object({ Amount, CurrencyCode: text })
  .nullish()
  .transform((one) => one ?? null);

/** A fee of an estimate. Names of fees are open, and nobody has confirmed whether `FinalFee` holds `TaxAmount`. */
const Cargo = z.object({
  FeeType: text,
  FeeAmount: Importe,
  FeePromotion: Importe,
  TaxAmount: Importe,
  FinalFee: Importe,
});
export type CargoEstimado = z.output<typeof Cargo>;

/** The answer about many prices, whose rows come in any order. A row that is none is read as none. */
export const Estimaciones = z.array(z.unknown());

/** What Amazon would take of one piece at a price, or its no, which comes with the status of a success. `Error` may stand beside a yes, with empty texts. */
export const Estimacion = z.object({
  Status: word,
  FeesEstimateIdentifier: z.object({ SellerInputIdentifier: text }).nullish(),
  FeesEstimate: z.object({ TotalFeesEstimate: Importe, FeeDetailList: list(Cargo) }).nullish(),
  Error: z.object({ Type: text, Code: text, Message: text }).nullish(),
});
export type Estimacion = z.output<typeof Estimacion>;
