import { Money } from '~/core/money';
import { Refused } from '~/integrations/errors';
import { type ComisionesAmz, type Estimado, POR_ESTIMACION } from '~/integrations/amazon/comisiones.server';
import type { CargoEstimado, Estimacion } from '~/integrations/amazon/wireComisiones';
import type { ComisionHallada, EstimadorDeComisiones } from '~/domain/mercados/comision';

/** Fees of Amazon's own warehouse and couriers, whose names nobody has confirmed. */
const DE_SURTIDO = /^fba|fulfil/i;
const PESOS = 'MXN';
const SI = 'SUCCESS';

/** Opens the estimates of Amazon's fees. Where the whole account is refused, every sale of the question has that answer. */
export const createComisionesDeAmazon = (amazon: ComisionesAmz): EstimadorDeComisiones => ({
  porPregunta: POR_ESTIMACION,
  async estimar(ventas) {
    try {
      const filas = await amazon.estimar(ventas.map(({ delMercado, ...una }) => ({ ...una, surtido: delMercado })));
      return filas.map((fila, n) => comisionOf(fila, ventas[n]!.delMercado));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return ventas.map(() => ({ negada: error.message, cuenta: true }));
    }
  },
});

const no = (negada: string): ComisionHallada => ({ negada, cuenta: false });

function comisionOf(fila: Estimado, delMercado: boolean): ComisionHallada {
  if ('negado' in fila) return no(fila.negado);
  if ('ilegible' in fila) return no(`Amazon contestó otra forma (${fila.ilegible})`);
  const { Status, FeesEstimate: estimada, Error: error } = fila.dicho;
  if (Status !== SI || !estimada) {
    const dicho = [error?.Code ?? Status, error?.Message].filter(Boolean).join(': ');
    return no(dicho ? `Amazon dijo que no (${dicho})` : 'Amazon no dijo la comisión.');
  }
  const comision = sumaOf(estimada, delMercado);
  return comision === null || comision.isNegative() ? no('Amazon no dijo la comisión en pesos.') : { comision };
}

/** Returns the fees without those of the shipment, which is a cost of its own; null where they cannot be told apart, or are not in pesos. */
function sumaOf(
  { TotalFeesEstimate: total, FeeDetailList: cargos }: NonNullable<Estimacion['FeesEstimate']>,
  delMercado: boolean,
) {
  if (cargos.length === 0) return delMercado || total?.CurrencyCode !== PESOS ? null : total.Amount;
  const partes = cargos.filter(({ FeeType }) => !DE_SURTIDO.test(FeeType ?? '')).map(importeOf);
  return partes.some((parte) => parte === null) ? null : Money.sum(partes.flatMap((parte) => parte ?? []));
}

/** Returns a fee with the IVA that it tells: a final fee that is no more than the fee itself leaves its IVA out. */
function importeOf({ FeeAmount, FeePromotion, TaxAmount, FinalFee }: CargoEstimado): Money | null {
  const told = [FeeAmount, FeePromotion, TaxAmount, FinalFee].flatMap((one) => one ?? []);
  if (told.some(({ CurrencyCode }) => (CurrencyCode ?? PESOS) !== PESOS)) return null;
  const iva = TaxAmount?.Amount ?? Money.zero;
  const sinIva = FeeAmount && FeeAmount.Amount.minus(FeePromotion?.Amount ?? Money.zero);
  if (!FinalFee) return sinIva && sinIva.plus(iva);
  return sinIva && sinIva.equals(FinalFee.Amount) ? FinalFee.Amount.plus(iva) : FinalFee.Amount;
}
