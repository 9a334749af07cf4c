import { writeCount } from '~/core/count';
import { Pesos } from '~/ui/Pesos';

/** Sales, those of them whose profit is known or estimated, and what these leave in pesos; null where nobody knows. */
type Cifras = { ventas: number; conUtilidad: number; estimadas: number; queda: string | null };

/** What is left, with ≈ where a part is estimated, and of how many sales where some are unknown. */
export function Queda({ ventas, conUtilidad, estimadas, queda }: Cifras) {
  return (
    <>
      <span className={queda?.startsWith('-') ? 'perdida' : undefined}>
        {queda !== null && estimadas > 0 && '≈ '}
        <Pesos valor={queda} />
      </span>
      {conUtilidad < ventas && (
        <div className="nota">
          de {writeCount(conUtilidad)} de {writeCount(ventas)} {ventas === 1 ? 'venta' : 'ventas'}
        </div>
      )}
    </>
  );
}
