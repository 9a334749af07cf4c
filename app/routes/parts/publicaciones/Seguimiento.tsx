import { Form } from '@remix-run/react';
import { cuenta } from '~/core/cuenta';
import type { Wire } from '~/core/list';
import { MERCADOS } from '~/domain/mercados/mercados';
import type { listSeguimiento } from '~/domain/publicaciones/publicaciones.server';
import { Confirm } from '~/ui/Confirm';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { Hidden } from '~/ui/useAnswer';

type Mercado = Wire<Awaited<ReturnType<typeof listSeguimiento>>[number]>;

/** How far prices and stock that follow the suppliers are from what the marketplaces show, and the switch that stops them. */
export function Seguimiento({ mercados, puedeDetener }: { mercados: Mercado[]; puedeDetener: boolean }) {
  return (
    <ul className="seguimiento" aria-label="Sincronización automática">
      {mercados.map(({ market, detenidoEn, quien, siguen, pendientes, retenidas, conError, dichas, p95 }) => {
        const { label } = MERCADOS[market];
        return (
          <li key={market}>
            <Estatus tono={detenidoEn ? 'mal' : retenidas + conError > 0 ? 'aviso' : 'ok'}>{label}</Estatus>
            <span>
              {detenidoEn ? (
                <>
                  detenida desde <Fecha valor={detenidoEn} />
                  {quien && ` por ${quien}`}
                </>
              ) : (
                `${cuenta(siguen)} siguen a su proveedor`
              )}
            </span>
            {pendientes > 0 && <span>{cuenta(pendientes)} por enviar</span>}
            {retenidas > 0 && (
              <a href="?cuales=retenidas" className="retenido">
                {cuenta(retenidas)} {retenidas === 1 ? 'espera' : 'esperan'} a una persona
              </a>
            )}
            {conError > 0 && <a href="?cuales=error">{cuenta(conError)} con error</a>}
            {dichas > 0 && p95 !== null && (
              <span title="De cada cien cambios de la última hora, noventa y cinco llegaron en menos">
                {cuenta(dichas)} en la última hora, p95 {Math.round(p95)} s
              </span>
            )}
            {puedeDetener && (
              <Form method="post" preventScrollReset>
                <Hidden intent="palanca" market={market} detener={detenidoEn ? '0' : '1'} />
                <Confirm
                  plain="boton"
                  titulo={detenidoEn ? 'Continuar la sincronización' : 'Detener la sincronización'}
                  texto={
                    detenidoEn
                      ? '¿Esta seguro que desea continuar la sincronización automática?'
                      : '¿Esta seguro que desea detener la sincronización automática?'
                  }
                  hechos={
                    detenidoEn
                      ? `${label}: lo que cambió mientras tanto se envía ahora.`
                      : `${label}: ningún precio ni stock se cambia solo hasta que alguien la continúe.`
                  }
                >
                  {detenidoEn ? 'Continuar' : 'Detener'}
                </Confirm>
              </Form>
            )}
          </li>
        );
      })}
    </ul>
  );
}
