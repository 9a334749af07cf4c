import { writeCount } from '~/core/count';
import { MERCADOS } from '~/domain/mercados/mercados';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { mustFollow, type Mercado, PalancaDe } from './PalancaDe';

/** The distance between the suppliers' prices and stock and those at the marketplaces, and the switch that stops following. */
export function Seguimiento({ mercados, puedeDetener }: { mercados: Mercado[]; puedeDetener: boolean }) {
  const suyos = mercados.filter(mustFollow);
  if (suyos.length === 0) return null;
  return (
    <ul className="seguimiento" aria-label="Sincronización automática">
      {suyos.map(
        ({ market, detenidoEn, quien, siguen, pendientes, retenidas, conError, sobrevendidas, dichas, p95 }) => {
          const { label } = MERCADOS[market];
          return (
            <li key={market}>
              <Estatus tono={detenidoEn ? 'mal' : retenidas + conError + sobrevendidas > 0 ? 'aviso' : 'ok'}>
                {label}
              </Estatus>
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
        },
      )}
    </ul>
  );
}
