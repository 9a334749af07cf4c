import type { Rechazo } from '~/core/rechazo';
import { Panel } from './Blocks';
import { Dato, Datos } from './Datos';

/** The no of a far side: the field at fault, its own words, what to do, and its answer as it came, one press away. */
export function Rechazado({ rechazo: { lado, campo, palabras, remedio, respuesta } }: { rechazo: Rechazo }) {
  return (
    <>
      <Datos>
        {campo && <Dato de="Campo">{campo}</Dato>}
        <Dato de={`Sus palabras (${lado})`} ancha>
          {palabras}
        </Dato>
        {remedio && (
          <Dato de="Qué hacer" ancha>
            {remedio}
          </Dato>
        )}
      </Datos>
      {respuesta && (
        <details className="plegable">
          <summary>La respuesta tal cual</summary>
          <pre className="respuesta">{respuesta}</pre>
        </details>
      )}
    </>
  );
}

/** A box for each call that its far side did not accept. */
export function Negados({ negados }: { negados: readonly { que: string; rechazo: Rechazo }[] }) {
  return negados.map(({ que, rechazo }) => (
    <Panel key={que} tono="mal" titulo={`${que}: ${rechazo.lado} no lo aceptó.`}>
      <Rechazado rechazo={rechazo} />
    </Panel>
  ));
}
