import { enMiles } from '~/core/importe';
import type { Pausa } from '~/domain/compras/catalogo/frescura.server';
import { Fecha } from '~/ui/Fecha';

/** The times at which the supplier's stock was too old for the marketplaces: of the whole catalogue, or of one product. */
export function Pausas({ pausas }: { pausas: readonly Pausa[] }) {
  if (pausas.length === 0) return null;
  return (
    <details>
      <summary>{pausas.length === 1 ? 'Última pausa' : `Últimas ${pausas.length} pausas`}</summary>
      <ul className="nota">
        {pausas.map(({ id, empezoEn, terminoEn, minutos, productos, productoId, modelo }) => (
          <li key={id}>
            <Fecha valor={empezoEn} />
            {terminoEn === null ? (
              ', sigue'
            ) : (
              <>
                {' '}
                a <Fecha valor={terminoEn} />
              </>
            )}
            :{' '}
            {productoId === null
              ? `todo el catálogo, ${enMiles(String(productos))} ${productos === 1 ? 'producto' : 'productos'}`
              : (modelo ?? 'un producto')}
            , sin lectura en {enMiles(String(minutos))} min.
          </li>
        ))}
      </ul>
    </details>
  );
}
