import { Pesos } from '~/ui/Pesos';

/** The purchase and, where it matters, its sum; in sight at any scroll position. */
export function Resumen({ numOrden, titulo, total }: { numOrden: string; titulo?: string | null; total?: string }) {
  return (
    <p className="resumen">
      <span>
        Compra <strong>{numOrden}</strong>
        {titulo && <span className="titulo"> · {titulo}</span>}
      </span>
      {total !== undefined && (
        <span className="total">
          Total pagado <Pesos valor={total} />
        </span>
      )}
    </p>
  );
}
