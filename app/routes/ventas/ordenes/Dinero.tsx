import type { Wire } from '~/core/list';
import type { Dinero as DineroDeVenta, LineaDeDinero } from '~/domain/ventas/libro/dinero';
import { Pesos } from '~/ui/Pesos';
import { TablaCaja } from '~/ui/TablaCaja';

type Leido = Wire<DineroDeVenta>;

/** The money of a sale as steps: what was paid, what the marketplace takes, what the goods cost, and what is left. An estimate carries ≈ and its reason. */
export function Dinero({ dinero }: { dinero: Leido }) {
  const { ingresos, recibe, recibeEstimado, costos, queda, margen, certeza, liquidada, porque } = dinero;
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
            {costos.map((linea) => (
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
    </>
  );
}

function Linea({ linea: { concepto, importe, cierto } }: { linea: Wire<LineaDeDinero> }) {
  return (
    <tr>
      <td>{concepto}</td>
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
      <th scope="row">{concepto}</th>
      <td className={perdida ? 'pesos perdida' : 'pesos'}>
        {aproximado && '≈ '}
        <Pesos valor={importe} />
      </td>
    </tr>
  );
}
