import { Money } from '~/core/money';
import { CODIGO_SAT_GENERICO, type Articulo } from '~/domain/facturacion/cfdi/articulos';
import { Pesos } from '~/ui/Pesos';
import { TablaCaja } from '~/ui/TablaCaja';
import { SumasPie, type Totales } from './SumasPie';

/** The items of a document about to be issued, read-only, with its sums to the cent. */
export function TablaArticulos({ articulos, totales }: { articulos: Articulo[]; totales: Totales }) {
  return (
    <TablaCaja nombre="Artículos">
      <table className="tabla articulos">
        <thead>
          <tr>
            <th>Descripción</th>
            <th>Código SAT</th>
            <th className="num">Precio Unitario</th>
            <th className="num">Cantidad</th>
            <th className="num">Precio sin I.V.A</th>
            <th className="num">Total</th>
          </tr>
        </thead>
        <tbody>
          {articulos.map((articulo, at) => (
            <tr key={at}>
              <td className="ancha">{articulo.nombre}</td>
              <td data-campo="Código SAT">
                {articulo.codigoSat}
                {articulo.codigoSat === CODIGO_SAT_GENERICO && <span className="nota"> Clave genérica</span>}
              </td>
              <td className="pesos" data-campo="Precio Unitario">
                <Pesos valor={articulo.precioUnitario} />
              </td>
              <td className="num" data-campo="Cantidad">
                {articulo.cantidad}
              </td>
              <td className="pesos" data-campo="Precio sin I.V.A">
                <Pesos valor={Money.of(articulo.importe).dividedBy(articulo.cantidad).withoutIva(articulo.tasaIva)} />
              </td>
              <td className="pesos" data-campo="Total">
                <Pesos valor={articulo.importe} />
              </td>
            </tr>
          ))}
        </tbody>
        <SumasPie totales={totales} antes={5} />
      </table>
    </TablaCaja>
  );
}
