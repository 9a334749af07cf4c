import type { Market } from '~/core/market';
import { readDocumentoAmz } from './amz/documento';
import { readDocumentoMl } from './ml/documento';
import type { DetalleDeDocumento } from './venta';

const LECTORES: Partial<Record<Market, (documento: unknown) => DetalleDeDocumento>> = {
  ml: readDocumentoMl,
  amz: readDocumentoAmz,
};

/** A marketplace without a reader shows none of its document. */
export function readDocumento(market: Market, documento: unknown): DetalleDeDocumento {
  return LECTORES[market]?.(documento) ?? { pagos: [], cancelacion: null };
}
