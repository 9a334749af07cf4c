import { Link, useLocation } from '@remix-run/react';
import type { ReactNode } from 'react';
import { withParams, type Wire } from '~/core/list';
import { MARKETS } from '~/core/market';
import { MERCADOS } from '~/domain/mercados/mercados';
import type { searchCatalogo } from '~/domain/compras/catalogo/buscador.server';
import { activoLabel, isActivo, nombreCorto } from '~/domain/compras/catalogo/producto';
import { Edad } from '~/ui/Edad';
import { Estatus } from '~/ui/Estatus';
import { ConRetrato } from '~/ui/lista/ConRetrato';
import { Pesos } from '~/ui/Pesos';
import { TablaCaja } from '~/ui/TablaCaja';
import { Piezas, PrecioProveedor, Queda } from '~/routes/compras/productos/Precio';

type Hallado = Wire<Awaited<ReturnType<typeof searchCatalogo>>['productos'][number]> & {
  alLado?: { retrato: string | null };
};
type Props = {
  productos: Hallado[];
  /** The same question, whole. */ aparte: ReactNode;
  muchos: boolean;
};

/** Products of our own copy of the catalogues, the most sold first. */
export function Hallados({ productos, aparte, muchos }: Props) {
  const { search } = useLocation();
  const ver = new URLSearchParams(search).get('ver');
  return (
    <>
      <TablaCaja nombre="En nuestro catálogo">
        <table className="tabla hallados">
          <thead>
            <tr>
              <th>Producto</th>
              <th>Proveedor</th>
              <th className="pesos">Precio del proveedor</th>
              <th className="pesos">Stock</th>
              {MARKETS.map((market) => (
                <th key={market} className="pesos">
                  {MERCADOS[market].label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {productos.map((producto) => (
              <tr key={producto.id} aria-current={producto.id === ver || undefined}>
                <td>
                  <ConRetrato lado={producto.alLado}>
                    <Link
                      to={withParams(search, { ver: producto.id, editar: null })}
                      preventScrollReset
                      discover="none"
                    >
                      {nombreCorto(producto.nombre)}
                    </Link>
                    <div className="nota">
                      {[producto.marca, producto.modelo, producto.idProveedor].filter(Boolean).join(' · ')}
                    </div>
                  </ConRetrato>
                </td>
                <td data-th="Proveedor">
                  {producto.proveedorLabel}
                  <div>
                    <Estatus tono={isActivo(producto) ? 'ok' : 'mal'}>{activoLabel(producto)}</Estatus>
                  </div>
                  {producto.ausenteDesde !== null && <div className="nota">ya no está en su catálogo</div>}
                </td>
                <td className="pesos" data-th="Precio del proveedor">
                  <PrecioProveedor {...producto} />
                  <div className="nota">
                    <Edad valor={producto.precioEn} vieja={producto.caducada} />
                  </div>
                </td>
                <td className="pesos" data-th="Stock">
                  <Piezas {...producto} />
                  <div className="nota">
                    <Edad valor={producto.existenciaEn} vieja={producto.caducada} />
                  </div>
                </td>
                {MARKETS.map((market) => (
                  <td key={market} className="pesos" data-th={MERCADOS[market].label}>
                    <PrecioEn precio={producto.precios[market]} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </TablaCaja>
      <p className="nota">
        {muchos && 'Son los más vendidos de los que coinciden. '}
        {aparte}
      </p>
    </>
  );
}

/** The sale price of a product, with the amount left of the price. */
export function PrecioEn({ precio }: { precio: { precio: string; queda: string; margen: string } | null }) {
  if (!precio) return <>—</>;
  return (
    <>
      <Pesos valor={precio.precio} />
      <div className="nota">
        <Queda {...precio} />
      </div>
    </>
  );
}
