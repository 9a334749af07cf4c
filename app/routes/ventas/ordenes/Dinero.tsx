import type { Wire } from '~/core/list';
import type { Dinero as DineroDeVenta, LineaDeDinero } from '~/domain/ventas/libro/dinero';
import { usePantalla } from '~/ui/Pantallas';
import { Pesos } from '~/ui/Pesos';
import { TablaCaja } from '~/ui/TablaCaja';

type Leido = Wire<DineroDeVenta>;

/** The money of a sale as steps: what was paid, what the marketplace takes, what the goods cost, and what is left. An estimate carries ≈ and its reason. */
export function Dinero({ dinero, skus }: { dinero: Leido; skus: readonly (string | null)[] }) {
  const costos = usePantalla('costosPropios');
  const { ingresos, recibe, recibeEstimado, costos: lineas, queda, margen, certeza, liquidada, porque, falta } = dinero;
  const estimado = certeza === 'estimada';
  return (
    <>
      <TablaCaja nombre="Lo que queda de la venta">
        <table className="tabla cascada">
          <tbody>
            {ingresos.map((linea) => (
              <Linea key={linea.clave} linea={linea} />
            ))}
            <Suma concepto={liquidada ? 'Se recibió' : 'Se recibe'} importe={recibe} aproximado={recibeEstimado} />
            {lineas.map((linea) => (
              <Linea key={linea.clave} linea={linea} />
            ))}
            <Suma
              concepto={margen === null ? 'Queda' : `Queda (${margen} %)`}
              importe={queda}
              aproximado={estimado}
              perdida={queda !== null && queda.startsWith('-')}
            />
          </tbody>
        </table>
      </TablaCaja>
      {porque.length > 0 && <p className="nota">{porque.join(' ')}</p>}
      {costos && falta.includes('costo') && (
        <p className="botones">
          {[...new Set(skus)].flatMap((sku) =>
            sku ? (
              <a
                key={sku}
                className="boton"
                href={`${costos}?${new URLSearchParams({ sku })}`}
                aria-label={`Costo propio de ${sku}`}
              >
                Costo propio
              </a>
            ) : (
              []
            ),
          )}
        </p>
      )}
    </>
  );
}

function Linea({ linea: { concepto, importe, cierto, dicho, parte } }: { linea: Wire<LineaDeDinero> }) {
  return (
    <tr>
      <td>
        {concepto} <span className="nota">{dicho}</span>
      </td>
      <td className="num nota">{parte !== null && `${parte} %`}</td>
      <td className="pesos">
        {!cierto && '≈ '}
        <Pesos valor={importe} />
      </td>
    </tr>
  );
}

type SumaProps = { concepto: string; importe: string | null; aproximado?: boolean; perdida?: boolean };

function Suma({ concepto, importe, aproximado = false, perdida = false }: SumaProps) {
  return (
    <tr className="suma">
      <th scope="row" colSpan={2}>
        {concepto}
      </th>
      <td className={perdida ? 'pesos perdida' : 'pesos'}>
        {aproximado && '≈ '}
        <Pesos valor={importe} />
      </td>
    </tr>
  );
}
