import { writeCount } from '~/core/count';
import { MERCADOS } from '~/domain/mercados/mercados';
import { Colgado } from '~/ui/Colgado';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { mustFollow, type Mercado, PalancaDe } from './PalancaDe';

const tonoOf = ({ detenidoEn, retenidas, conError, sobrevendidas }: Mercado) =>
  detenidoEn ? 'mal' : retenidas + conError + sobrevendidas > 0 ? 'aviso' : 'ok';

/**
 * The distance between the suppliers' prices and stock and those at the marketplaces, and the switch that stops following. It hangs from a button beside the
 * title, which has the tone of the worst of them: the rows come first.
 */
export function Seguimiento({ mercados, puedeDetener }: { mercados: Mercado[]; puedeDetener: boolean }) {
  const suyos = mercados.filter(mustFollow);
  if (suyos.length === 0) return null;
  const tonos = suyos.map(tonoOf);
  const peor = (['mal', 'aviso'] as const).find((tono) => tonos.includes(tono)) ?? 'ok';
  return (
    <Colgado boton={<Estatus tono={peor}>Sincronización</Estatus>}>
      <Mercados mercados={suyos} puedeDetener={puedeDetener} />
    </Colgado>
  );
}

function Mercados({ mercados, puedeDetener }: { mercados: Mercado[]; puedeDetener: boolean }) {
  return (
    <ul className="seguimiento" aria-label="Sincronización automática">
      {mercados.map((mercado) => {
        const { market, detenidoEn, quien, siguen, pendientes, retenidas, conError, sobrevendidas, dichas, p95 } =
          mercado;
        return (
          <li key={market}>
            <Estatus tono={tonoOf(mercado)}>{MERCADOS[market].label}</Estatus>
            <span>
              {detenidoEn ? (
                <>
                  detenida desde <Fecha valor={detenidoEn} />
                  {quien && ` por ${quien}`}
                </>
              ) : (
                `${writeCount(siguen)} ${siguen === 1 ? 'sigue' : 'siguen'} a su proveedor`
              )}
            </span>
            {pendientes > 0 && <span>{writeCount(pendientes)} por enviar</span>}
            {retenidas > 0 && (
              <a href="?cuales=retenidas" className="retenido">
                {writeCount(retenidas)} {retenidas === 1 ? 'espera' : 'esperan'} a una persona
              </a>
            )}
            {sobrevendidas > 0 && (
              <a href="?cuales=sobreventa" className="retenido">
                {writeCount(sobrevendidas)} con sobreventa
              </a>
            )}
            {conError > 0 && <a href="?cuales=error">{writeCount(conError)} con error</a>}
            {dichas > 0 && p95 !== null && (
              <span title="De cada cien cambios de la última hora, noventa y cinco llegaron en menos">
                {writeCount(dichas)} en la última hora, p95 {Math.round(p95)} s
              </span>
            )}
            {puedeDetener && <PalancaDe market={market} detenida={detenidoEn !== null} />}
          </li>
        );
      })}
    </ul>
  );
}
