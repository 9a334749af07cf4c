import { writeCount } from '~/core/count';
import type { Moneda, SinPrecio } from '~/core/moneda';
import { SIN_PRECIO_LABEL } from '~/domain/compras/catalogo/producto';
import { formatPesos } from '~/ui/Pesos';
import { Estatus } from '~/ui/Estatus';

type PrecioLeido = { precio: string | null; moneda: Moneda | null; sinPrecio: SinPrecio | null };

/** The supplier's price, in the supplier's currency and without VAT. A missing price shows its reason and never 0. */
export function PrecioProveedor({ precio, moneda, sinPrecio }: PrecioLeido) {
  if (precio === null || moneda === null)
    return <Estatus tono="aviso">{sinPrecio ? SIN_PRECIO_LABEL[sinPrecio] : 'Sin precio'}</Estatus>;
  return (
    <span className="pesos">
      {moneda === 'USD' ? 'US' : ''}
      {formatPesos(precio)}
    </span>
  );
}

/** The supplier's pieces. An unknown number is not zero, and a capped number is marked. */
export function Piezas({ existencia, tope }: { existencia: number | null; tope: boolean | null }) {
  if (existencia === null) return <span title="El proveedor no dijo una existencia que se pueda leer">—</span>;
  if (existencia === 0) return <span className="agotado">0</span>;
  return (
    <span title={tope ? 'El proveedor no cuenta más allá de este número' : undefined}>
      {writeCount(existencia)}
      {tope && '+'}
    </span>
  );
}

/** '12.3 %' of a fraction told as text. */
export const enPorciento = (fraccion: string) => `${(Number(fraccion) * 100).toFixed(1)} %`;

/** The sale price at a marketplace over the amount left of it. */
export function Queda({ queda, margen }: { queda: string; margen: string }) {
  return (
    <span
      className={queda.startsWith('-') ? 'pierde' : undefined}
      title={`Margen neto: de la venta quedan ${formatPesos(queda)}`}
    >
      queda {enPorciento(margen)}
    </span>
  );
}
