import { Link, useLocation } from '@remix-run/react';
import { withParams } from '~/core/list';
import { tableOf } from '~/core/table';
import { MERCADOS } from '~/domain/mercados/mercados';
import { Panel } from '~/ui/Blocks';
import { Fecha } from '~/ui/Fecha';
import type { OrdenAbierta } from './record';

/** The reason why the marketplace blocks messages, by the marketplace's word. */
const BLOQUEOS: Readonly<Record<string, string>> = tableOf({
  blocked_by_time: 'pasaron más de 30 días desde la venta',
  blocked_by_buyer: 'el comprador no quiere más mensajes',
  blocked_by_mediation: 'hay un reclamo abierto',
  blocked_by_cancelled_order: 'la venta se canceló',
  blocked_by_refund: 'la venta se devolvió',
  blocked_by_fulfillment: 'el envío es de Full',
  blocked_by_payment: 'la venta no se ha pagado',
  blocked_by_claim: 'hay un reclamo abierto',
  blocked_by_claim_change_open: 'hay un cambio de producto abierto',
  blocked_by_claim_change_closed: 'la venta terminó en un cambio de producto',
  blocked_by_ai_assistant: 'el asistente de Mercado Libre atendió la venta y pasaron sus 48 horas hábiles',
  blocked_by_message_pending_review: 'Mercado Libre revisa el mensaje anterior',
});
const porque = (bloqueo: string) => (Object.hasOwn(BLOQUEOS, bloqueo) ? BLOQUEOS[bloqueo] : bloqueo);

const DE = { nosotros: 'Nosotros', comprador: 'Comprador', agente: 'Asistente de Mercado Libre' } as const;

/** The messages about a sale. The marketplace keeps them; they are fetched when somebody wants to read them. */
export function Mensajes({ orden: { market, numOrden, editar, conversacion: leida } }: { orden: OrdenAbierta }) {
  const { search } = useLocation();
  if (!MERCADOS[market].mensajes) return null;
  const tienda = MERCADOS[market].label;
  const abiertos = editar === 'mensajes' && leida !== null;
  return (
    <>
      <h3 id="mensajes">Mensajes de la venta</h3>
      <p>
        <Link
          className="boton"
          to={withParams(search, { editar: abiertos ? null : 'mensajes' })}
          preventScrollReset
          aria-label={`${abiertos ? 'Ocultar' : 'Leer'} los mensajes de la orden ${numOrden}`}
        >
          {abiertos ? 'Ocultar los mensajes' : 'Leer los mensajes'}
        </Link>
      </p>
      {abiertos && leida.fallo !== null && (
        <Panel tono="aviso" titulo={`${tienda} no dijo los mensajes.`}>
          {leida.fallo}
        </Panel>
      )}
      {abiertos && leida.fallo === null && !leida.conversacion?.mensajes.length && (
        <p className="nota">Nadie ha escrito.</p>
      )}
      {abiertos && leida.conversacion && (
        <>
          {leida.conversacion.con === 'agente' && !leida.conversacion.bloqueo && (
            <Panel titulo="Los mensajes van al asistente de Mercado Libre, no al comprador">
              Contesta en lugar del comprador y recibe un mensaje a la vez.{' '}
              {leida.conversacion.espera
                ? 'Falta que conteste el nuestro, a más tardar en 48 horas hábiles.'
                : 'Ya puede recibir otro.'}
            </Panel>
          )}
          <ol className="mensajes">
            {leida.conversacion.mensajes.map((mensaje) => (
              <li key={mensaje.id} data-nuestro={mensaje.de === 'nosotros' || undefined}>
                <span className="nota">
                  {DE[mensaje.de]}
                  {mensaje.fecha && (
                    <>
                      {' · '}
                      <Fecha valor={mensaje.fecha} />
                    </>
                  )}
                  {mensaje.moderado && ` · ${tienda} no lo entregó`}
                </span>
                <p>{mensaje.texto}</p>
              </li>
            ))}
          </ol>
          {leida.conversacion.bloqueo && (
            <p className="nota">Ya no se puede escribir: {porque(leida.conversacion.bloqueo)}.</p>
          )}
        </>
      )}
    </>
  );
}
