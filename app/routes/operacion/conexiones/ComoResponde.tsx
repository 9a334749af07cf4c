import { Form } from '@remix-run/react';
import type { Call } from '~/platform/connections/definition';
import type { ConnectionView } from '~/platform/connections/list.server';
import { Dato, Datos } from '~/ui/Datos';
import { Estatus } from '~/ui/Estatus';
import { Fecha, Hace } from '~/ui/Fecha';
import type { Vista } from './situacion';
import { abrirTo } from './Tarjeta';

const LLAMADA: Record<Call, string> = { send: 'Enviar', look: 'Buscar', read: 'Leer' };

type Props = { conexion: Vista; ahora: Date | string };

/** The last test of a linked far side, its calls by kind, and 'Probar', which is the primary of a card whose account works. */
export function ComoResponde({ conexion: { kind, label, breaker, situacion, dicha }, ahora }: Props) {
  if (dicha === null) return null;
  return (
    <div className="apilado">
      <p>{dicha}</p>
      <Datos>
        {breaker.map((llamada) => (
          <Dato key={llamada.call} de={LLAMADA[llamada.call]}>
            <Llamada {...llamada} ahora={ahora} />
          </Dato>
        ))}
      </Datos>
      <Form method="post" action={abrirTo(kind)} className="botones" preventScrollReset>
        <input type="hidden" name="conexion" value={kind} />
        <button
          className="boton"
          data-tono={situacion.principal === 'probar' ? 'acento' : undefined}
          type="submit"
          name="intent"
          value="probar"
          aria-label={`Probar ${label}`}
        >
          Probar
        </button>
      </Form>
    </div>
  );
}

type LlamadaProps = ConnectionView['breaker'][number] & { ahora: Date | string };

/** The state of one kind of call. A failing kind rests alone, and one call probes before the others go on. */
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
