import { Form } from '@remix-run/react';
import type { Call } from '~/platform/connections/definition';
import { Estatus } from '~/ui/Estatus';
import { Fecha, Hace } from '~/ui/Fecha';
import { TablaCaja } from '~/ui/TablaCaja';
import type { ConnectionView } from '~/platform/connections/list.server';
import { EstadoDe } from './EstadoDe';

const LLAMADA: Record<Call, string> = { send: 'Enviar', look: 'Buscar', read: 'Leer' };

/** The state of every far side by kind of call. A failing kind rests alone, and one call probes before the others go on. */
export function Interruptores({ conexiones, ahora }: { conexiones: ConnectionView[]; ahora: Date | string }) {
  return (
    <section className="hoja" aria-labelledby="titulo-conexiones">
      <h2 id="titulo-conexiones">Estado de las conexiones</h2>
      <TablaCaja nombre="Estado de las conexiones">
        <table className="tabla tablero">
          <thead>
            <tr>
              <th>Conexión</th>
              <th>Estado</th>
              {Object.entries(LLAMADA).map(([call, llamada]) => (
                <th key={call}>{llamada}</th>
              ))}
              <th>
                <span className="oculto">Administración</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {conexiones.map((conexion) => (
              <tr key={`${conexion.kind} ${conexion.account}`}>
                <td>
                  {conexion.label}
                  {conexion.account !== '' && ` (${conexion.account})`}
                  <br />
                  <span className="nota">{conexion.hace.join(', ')}</span>
                </td>
                <td data-campo="Estado">
                  <EstadoDe conexion={conexion} />
                </td>
                {conexion.breaker.map((llamada) => (
                  <td key={llamada.call} data-campo={LLAMADA[llamada.call]}>
                    <Llamada {...llamada} ahora={ahora} />
                  </td>
                ))}
                <td>
                  {conexion.account === '' && (
                    <Form method="post" className="acciones" preventScrollReset>
                      <input type="hidden" name="conexion" value={conexion.kind} />
                      <button
                        className="boton"
                        type="submit"
                        name="intent"
                        value="probar"
                        aria-label={`Probar ${conexion.label}`}
                      >
                        Probar
                      </button>
                    </Form>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TablaCaja>
    </section>
  );
}

type LlamadaProps = ConnectionView['breaker'][number] & { ahora: Date | string };

function Llamada({ state, until, failures, lastOkAt, lastError, lastErrorAt, ahora }: LlamadaProps) {
  const failing = state !== 'bien' || failures > 0;
  return (
    <>
      {state === 'sinUso' && <Estatus>Sin uso</Estatus>}
      {state === 'bien' && (failures === 0 ? <Estatus tono="ok">Bien</Estatus> : <Estatus tono="aviso">Falla</Estatus>)}
      {state === 'prueba' && <Estatus tono="aviso">Se prueba con una llamada</Estatus>}
      {state === 'descansa' && until && (
        <Estatus tono="mal">
          Descansa hasta <Fecha valor={until} />
        </Estatus>
      )}
      {lastOkAt && (
        <p className="nota">
          Respondió <Hace valor={lastOkAt} ahora={ahora} />
        </p>
      )}
      {lastError && (failing || !lastOkAt || (lastErrorAt && lastErrorAt > lastOkAt)) && (
        <p className="nota">{lastError}</p>
      )}
    </>
  );
}
