import type { Rechazo } from '~/core/rechazo';
import { tableOf } from '~/core/table';
import type { AttemptRow } from '~/platform/effects/resolve.server';
import { enumerate } from '~/core/hechos';
import { Panel } from '~/ui/Blocks';
import { Dialog } from '~/ui/Dialog';
import { Fecha } from '~/ui/Fecha';
import { Rechazado } from '~/ui/Rechazado';
import { DeQue, foliosOf } from './DeQue';
import { ConRepetidas, Opciones, Tardia } from './Opciones';
import type { Pendiente } from './pendiente';

const RESULTADO: Record<string, string> = tableOf({
  answered: 'Contestó',
  refused: 'Rechazó',
  account: 'Problema con la cuenta',
  'not-sent': 'No se envió',
  unclear: 'Respuesta no clara',
  found: 'Encontrado',
  absent: 'No está',
});
const INTENTO: Record<string, string> = tableOf({ send: 'Envío', find: 'Búsqueda', person: 'Decisión' });

/** One call with its evidence, and the decisions a person may take. */
export function Decision({
  abierta,
  intentos,
  dudosa,
}: {
  abierta: Pendiente;
  intentos: AttemptRow[];
  /** The last answer that was no clear yes. */
  dudosa: Rechazo | null;
}) {
  const seRepiten =
    abierta.alarma?.repetidas.length === 1 ? 'Cancela el que se repite.' : 'Cancela los que se repiten.';
  const sobreLaAlarma = abierta.alarma && abierta.seCancela;
  return (
    <Dialog titulo={abierta.que} cerrar="?" ancho="grande">
      <p>
        <DeQue fila={abierta} />
      </p>
      {abierta.alarma ? (
        <Panel
          tono="mal"
          titulo={`${abierta.conexion} tiene ${foliosOf(abierta.alarma).length}${abierta.seCancela ? ' CFDI vigentes' : ''} de esta solicitud: ${enumerate(foliosOf(abierta.alarma))}.`}
        >
          {abierta.alarma.vigente
            ? `El de la venta es ${abierta.alarma.vigente.folio}. ${seRepiten}`
            : abierta.seCancela
              ? `${seRepiten} Después busca otra vez.`
              : 'Comprueba allá cuáles son de esta venta y pide que se cancele lo que sobre.'}
        </Panel>
      ) : abierta.tardia ? (
        <Panel tono="mal" titulo="Sí existe del otro lado: la respuesta llegó cuando ya se había decidido que no.">
          Revisa que la venta no quede con dos, y cancela allá el que sobre.
        </Panel>
      ) : (
        <Panel tono="aviso" titulo={abierta.reason ?? 'La respuesta se perdió.'}>
          {abierta.detail}
        </Panel>
      )}
      {abierta.uuid && !abierta.alarma && (
        <p>
          {abierta.says === 'uuid' ? 'Folio fiscal' : 'Folio'} que se conoce: <strong>{abierta.uuid}</strong>
        </p>
      )}
      {abierta.sinMirada && <p className="nota">{abierta.sinMirada}</p>}
      {dudosa && (
        <Panel tono="aviso" titulo={`Lo último que contestó ${abierta.conexion}`}>
          <Rechazado rechazo={dudosa} />
        </Panel>
      )}
      <h3>Lo que se sabe</h3>
      {intentos.length === 0 ? (
        <p className="nota">El proceso se interrumpió antes de registrar una respuesta.</p>
      ) : (
        <ol className="intentos">
          {intentos.map(({ id, at, kind, outcome, status, ms, message }) => (
            <li key={id}>
              <span className="nota sin-corte">
                <Fecha valor={at} />
              </span>
              <span>
                <strong>
                  {INTENTO[kind] ?? kind}
                  {outcome && `: ${RESULTADO[outcome] ?? outcome}`}
                </strong>
                <span className="nota">
                  {' '}
                  {[status !== null && `${abierta.wire} ${status}`, ms !== null && `${ms} ms`]
                    .filter(Boolean)
                    .join(', ')}
                </span>
                {message && <span className="bloque">{message}</span>}
              </span>
            </li>
          ))}
        </ol>
      )}
      {abierta.alarma && <ConRepetidas abierta={abierta} alarma={abierta.alarma} />}
      {abierta.tardia && abierta.state !== 'manual' && <Tardia abierta={abierta} />}
      {!sobreLaAlarma && (!abierta.tardia || abierta.state === 'manual') && <Opciones abierta={abierta} />}
    </Dialog>
  );
}
