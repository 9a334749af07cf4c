import { Link } from '@remix-run/react';
import { useArea } from '~/access/useArea';
import { writeCount } from '~/core/count';
import type { Wire } from '~/core/list';
import { nombreOfMes } from '~/core/time';
import { CONCEPTO_LABEL, PASO_LABEL, SUMAS, type MercadoDelMes } from '~/domain/facturacion/plataformas/loQueVe';
import { Estatus } from '~/ui/Estatus';
import { formatPesos, Pesos } from '~/ui/Pesos';
import { TablaCaja } from '~/ui/TablaCaja';

type Props = { mercado: Wire<MercadoDelMes> & { nombre: string }; mes: string };

/** A marketplace in a month: what its CFDI tell, ours, and why both differ. */
export function Mercado({ mercado, mes }: Props) {
  const { market, nombre, suyo, nuestro, comparados } = mercado;
  return (
    <section className="hoja" aria-labelledby={`sat-${market}`}>
      <h2 id={`sat-${market}`}>{nombre}</h2>
      <p className="nota">
        {suyo
          ? `Según ${suyo.documentos === 1 ? 'su CFDI' : `sus ${suyo.documentos} CFDI`} de retenciones`
          : `Falta su CFDI de retenciones de ${nombreOfMes(mes)}`}
        {nuestro ? `; nosotros, según ${deNosotros(nuestro)}.` : '; no hay ventas nuestras de ese mes.'}
      </p>
      <TablaCaja nombre={`Lo que ${nombre} reporta y lo nuestro`}>
        <table className="tabla">
          <thead>
            <tr>
              <td />
              <th scope="col" className="pesos">
                El SAT ve
              </th>
              <th scope="col" className="pesos">
                Nosotros
              </th>
              <th scope="col" className="pesos">
                Diferencia
              </th>
            </tr>
          </thead>
          <tbody>
            {comparados.map(({ concepto, ...lados }) => (
              <tr key={concepto}>
                <th scope="row">{CONCEPTO_LABEL[concepto]}</th>
                <td className="pesos">
                  <Pesos valor={lados.suyo} />
                </td>
                <td className="pesos">
                  {concepto === 'retenido' && nuestro !== null && nuestro.estimadas > 0 && (
                    <span title="Una parte se estima">≈ </span>
                  )}
                  <Pesos valor={lados.nuestro} />
                </td>
                <td className="pesos">
                  <strong>
                    <Pesos valor={lados.diferencia} />
                  </strong>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TablaCaja>
      {nuestro !== null && <Sabido nuestro={nuestro} />}
      <Pasos mercado={mercado} mes={mes} />
    </section>
  );
}

const ventas = (n: number) => (n === 1 ? '1 venta' : `${writeCount(n)} ventas`);

/** The sales that our side counts. What is not known of some is told of all of these. */
const deNosotros = ({ ventas: con, sinNada }: NonNullable<Props['mercado']['nuestro']>) =>
  sinNada === 0 ? ventas(con) : `${ventas(con)} y ${ventas(sinNada)} de las que no quedó nada pagado`;

/** How much of our side is known. */
function Sabido({ nuestro: { estimadas, sinImpuesto } }: { nuestro: NonNullable<Props['mercado']['nuestro']> }) {
  const dichos = [
    estimadas > 0 && `De ${ventas(estimadas)} la retención se estima: el mercado todavía no la dice.`,
    sinImpuesto > 0 && `De ${ventas(sinImpuesto)} no se sabe cuánto fue ISR y cuánto IVA: lo dice su liquidación.`,
  ].filter((dicho) => dicho !== false);
  return dichos.map((dicho) => (
    <p key={dicho} className="nota">
      {dicho}
    </p>
  ));
}

/** The way from what the SAT sees to what we charged, and why the withheld amounts differ. */
function Pasos({ mercado: { market, pasos, porQue }, mes }: Props) {
  const area = useArea();
  if (pasos.length === 0) return null;
  return (
    <>
      <h3 id={`pasos-${market}`}>De lo que ve a lo que facturamos</h3>
      <table className="tabla sat-pasos" aria-labelledby={`pasos-${market}`}>
        <tbody>
          {pasos.map(({ paso, importe }) => (
            <tr key={paso} data-suma={SUMAS.has(paso) || undefined}>
              <th scope="row">
                {paso === 'sinDocumento' || paso.startsWith('facturadoDe') ? (
                  <Link to={`${area}/balanceFiscal?mes=${mes}`}>{PASO_LABEL[paso]}</Link>
                ) : paso === 'sinExplicar' ? (
                  <Estatus tono="aviso">{PASO_LABEL[paso]}</Estatus>
                ) : (
                  PASO_LABEL[paso]
                )}
              </th>
              <td className="pesos">
                <Pesos valor={importe} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {porQue && (
        <p className="nota">
          De la diferencia retenida, {formatPesos(porQue.porBase)} es por operaciones distintas y{' '}
          {formatPesos(porQue.porTasa)} por tasa: retuvieron {porQue.tasaSuya} % y nosotros contamos{' '}
          {porQue.tasaNuestra} %.
        </p>
      )}
    </>
  );
}
