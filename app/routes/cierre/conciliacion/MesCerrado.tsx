import type { ReactNode } from 'react';
import { useArea } from '~/access/useArea';
import { writeCount } from '~/core/count';
import type { Wire } from '~/core/list';
import { capitalize } from '~/core/text';
import { nombreOfMes } from '~/core/time';
import { CAUSA_DEL_MES_LABEL, EDADES } from '~/domain/cierre/conciliacion/mesCerrado';
import type { MesCerrado } from '~/domain/cierre/conciliacion/mesCerrado.server';
import { Panel } from '~/ui/Blocks';
import { Dato, Datos } from '~/ui/Datos';
import { Fecha } from '~/ui/Fecha';
import { Pesos } from '~/ui/Pesos';
import { TablaCaja } from '~/ui/TablaCaja';
import { Diferencia } from './Fichas';

type Dicho = Wire<MesCerrado>;

const GRADO = { conocida: 'Se sabe', estimada: 'Estimado', desconocida: 'No se sabe' } as const;
const ORDEN = Object.keys(GRADO);

/** A month as it was known at its closing and as it is known today: what moved by its cause, and how much of its money is explained. */
export function MesCerradoVista({ dicho }: { dicho: Dicho }) {
  const { mes, momento, conGlobal, entonces, hoy, diferencia } = dicho;
  return (
    <>
      <section className="hoja mes-balance" aria-labelledby="como-se-cerro">
        <h2 id="como-se-cerro">{capitalize(nombreOfMes(mes))}</h2>
        <p className="nota">
          Por día de la venta: lo que dejaron sus ventas, como se sabía al cerrar el mes y como se sabe hoy.
        </p>
        <Datos>
          {momento !== null && (
            <Dato de={conGlobal ? 'Se cerró (factura global)' : 'Se mira como estaba'}>
              <Fecha valor={momento} />
            </Dato>
          )}
          {entonces && (
            <Dato de="Quedaba">
              <Resultado {...entonces} />
            </Dato>
          )}
          <Dato de="Queda hoy">
            <Resultado {...hoy} />
          </Dato>
          {diferencia !== null && (
            <Dato de="Diferencia">
              <strong>
                <Pesos valor={diferencia} />
              </strong>
            </Dato>
          )}
        </Datos>
        <Causas {...dicho} />
      </section>
      <Calidad {...dicho.calidad} />
    </>
  );
}

const Resultado = ({ queda, ventas, sinSaber }: Dicho['hoy']) => (
  <>
    <Pesos valor={queda} />
    <span className="nota de-ventas">
      de {ventas === 1 ? '1 venta' : `${writeCount(ventas)} ventas`}
      {sinSaber > 0 && `; de ${writeCount(sinSaber)} no se sabe`}
    </span>
  </>
);

function Causas({ momento, entonces, causas, diferencia }: Dicho) {
  const area = useArea();
  if (momento === null)
    return (
      <p className="nota">
        Todavía no se cierra: se compara desde su factura global, o cinco días después de que termine.
      </p>
    );
  if (entonces === null)
    return <p className="nota">De ese momento no se sabe nada: los movimientos de sus ventas se conocieron después.</p>;
  if (causas.length === 0) return <Panel tono="ok">Nada cambió desde entonces.</Panel>;
  return (
    <TablaCaja nombre="Por qué cambió" conMandos>
      <table className="tabla">
        <thead>
          <tr>
            <th>Por qué cambió</th>
            <th className="num">Ventas</th>
            <th className="num">Diferencia</th>
            <th>Las que más</th>
          </tr>
        </thead>
        <tbody>
          {causas.map(({ causa, importe, ventas, mayores }) => (
            <tr key={causa}>
              <td>{CAUSA_DEL_MES_LABEL[causa]}</td>
              <td className="num">{writeCount(ventas)}</td>
              <td className="num">
                <Diferencia valor={importe} />
              </td>
              <td>
                {separated(
                  mayores.map(({ id, numOrden, importe: suyo }) => (
                    <a key={id} href={`${area}/ordenes?q=${numOrden}&ver=${id}`} title={suyo}>
                      {numOrden}
                    </a>
                  )),
                )}
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Diferencia</th>
            <td />
            <td className="num">
              <Pesos valor={diferencia!} />
            </td>
            <td />
          </tr>
        </tfoot>
      </table>
    </TablaCaja>
  );
}

const separated = (links: ReactNode[]) => links.flatMap((link, at) => (at === 0 ? [link] : [', ', link]));

function Calidad({ pagado, grados, tramos, sueltos }: Dicho['calidad']) {
  const area = useArea();
  return (
    <section className="hoja mes-balance" aria-labelledby="que-tanto-se-sabe">
      <h2 id="que-tanto-se-sabe">Qué tanto se sabe</h2>
      {grados.length === 0 ? (
        <p className="nota">Ese mes no tiene ventas pagadas.</p>
      ) : (
        <TablaCaja nombre="Qué tanto se sabe de lo pagado">
          <table className="tabla">
            <thead>
              <tr>
                <th>De lo pagado</th>
                <th className="num">Importe</th>
                <th className="num">Parte</th>
                <th className="num">Ventas</th>
                {EDADES.map(({ label }) => (
                  <th key={label} className="num">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {grados
                .toSorted((a, b) => ORDEN.indexOf(a.certeza) - ORDEN.indexOf(b.certeza))
                .map(({ certeza, pagado: suyo, parte, ventas }) => (
                  <tr key={certeza}>
                    <td>{GRADO[certeza]}</td>
                    <td className="num">
                      <Pesos valor={suyo} />
                    </td>
                    <td className="num">{parte} %</td>
                    <td className="num">{writeCount(ventas)}</td>
                    {EDADES.map(({ label }, edad) => {
                      const tramo = tramos.find((uno) => uno.certeza === certeza && uno.edad === edad);
                      return (
                        <td key={label} className="num">
                          {tramo ? <Pesos valor={tramo.pagado} /> : '—'}
                        </td>
                      );
                    })}
                  </tr>
                ))}
            </tbody>
            <tfoot>
              <tr>
                <th scope="row">Pagado</th>
                <td className="num">
                  <Pesos valor={pagado} />
                </td>
                <td colSpan={2 + EDADES.length} />
              </tr>
            </tfoot>
          </table>
        </TablaCaja>
      )}
      {Number(sueltos) !== 0 && (
        <p className="nota">
          Además, las liquidaciones del mes traen <Pesos valor={sueltos} /> que no son de ninguna venta y nadie ha dicho
          qué son: <a href={`${area}/conciliacion?por=sueltos&cuales=porIdentificar&rango=todas`}>verlos</a>.
        </p>
      )}
    </section>
  );
}
