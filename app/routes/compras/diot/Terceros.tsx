import type { Wire } from '~/core/list';
import type { Diot } from '~/domain/compras/pagos/diot';
import { Estatus } from '~/ui/Estatus';
import { Pesos } from '~/ui/Pesos';
import { TablaCaja } from '~/ui/TablaCaja';

type Columna = Exclude<keyof Diot['totales'], 'pagado'>;
type Props = Pick<Wire<Diot>, 'filas' | 'totales'>;

/** Figures of a third party. Those at 0 %, exempt and outside IVA appear when the month has some. */
const COLUMNAS: { de: string; columna: Columna; siHay?: readonly Columna[] }[] = [
  { de: 'Actos al 16 %', columna: 'base16' },
  { de: 'Devuelto al 16 %', columna: 'devuelto16', siHay: ['devuelto16'] },
  { de: 'IVA al 16 %', columna: 'iva16' },
  { de: 'Actos al 8 %', columna: 'base8', siHay: ['base8'] },
  { de: 'Devuelto al 8 %', columna: 'devuelto8', siHay: ['devuelto8'] },
  { de: 'IVA al 8 %', columna: 'iva8', siHay: ['base8'] },
  { de: 'Actos al 0 %', columna: 'base0', siHay: ['base0'] },
  { de: 'Exentos', columna: 'exento', siHay: ['exento'] },
  { de: 'No objeto', columna: 'noObjeto', siHay: ['noObjeto'] },
  { de: 'IVA retenido', columna: 'ivaRetenido', siHay: ['ivaRetenido'] },
];

/** An amount of nothing, as it comes from the server. */
const NADA = '0.00';

/** Each third party of the month, with what is known of it. */
export function Terceros({ filas, totales }: Props) {
  const columnas = COLUMNAS.filter(({ siHay }) => !siHay || siHay.some((una) => totales[una] !== NADA));
  const hayFaltas = filas.some(({ sinSaber }) => sinSaber !== NADA);
  return (
    <section className="hoja" aria-labelledby="diot-terceros">
      <h2 id="diot-terceros">Por proveedor</h2>
      <TablaCaja nombre="Lo que se pagó a cada proveedor">
        <table className="tabla tablero diot-terceros">
          <thead>
            <tr>
              <th scope="col">Proveedor</th>
              <th scope="col" className="num">
                Facturas
              </th>
              <th scope="col" className="pesos">
                Pagado
              </th>
              {columnas.map(({ de }) => (
                <th key={de} scope="col" className="pesos">
                  {de}
                </th>
              ))}
              {hayFaltas && (
                <th scope="col" className="pesos">
                  Sin saber
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {filas.map(({ rfc, nombre, facturas, pagado, cifras, sinSaber }) => (
              <tr key={rfc ?? nombre}>
                <td className="titular">
                  {nombre}
                  <small className="diot-rfc">{rfc ?? <Estatus tono="aviso">Sin RFC</Estatus>}</small>
                </td>
                <td className="num" data-campo="Facturas">
                  {cifras === null ? '—' : facturas}
                </td>
                <td className="pesos" data-campo="Pagado">
                  <Pesos valor={pagado} />
                </td>
                {columnas.map(({ de, columna }) => (
                  <td key={de} className="pesos" data-campo={de}>
                    <Pesos valor={cifras && cifras[columna]} />
                  </td>
                ))}
                {hayFaltas && (
                  <td className="pesos" data-campo="Sin saber">
                    <Pesos valor={sinSaber} />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
          {filas.some(({ cifras }) => cifras !== null) && (
            <tfoot>
              <tr>
                <th scope="row">Lo que se sabe</th>
                <td />
                <td className="pesos">
                  <Pesos valor={totales.pagado} />
                </td>
                {columnas.map(({ de, columna }) => (
                  <td key={de} className="pesos">
                    <Pesos valor={totales[columna]} />
                  </td>
                ))}
                {hayFaltas && <td />}
              </tr>
            </tfoot>
          )}
        </table>
      </TablaCaja>
    </section>
  );
}
