import type { Freshness } from '~/domain/sync/freshness.server';
import { Panel } from '~/ui/Blocks';
import { Fecha } from '~/ui/Fecha';

type Props = {
  fuentes: readonly Freshness[];
  pausadas: readonly { conexion: string }[];
  cartas: readonly { clave: string }[];
};

/** The sources that are silent. People who may mend a source have it among the cards, with its clock; the others read that their data may be old. */
export function Fuentes({ fuentes, pausadas, cartas }: Props) {
  if (cartas.some(({ clave }) => clave === 'fuentesEnSilencio')) return null;
  return fuentes
    .filter(({ source }) => !pausadas.some(({ conexion }) => conexion === source))
    .map((fuente) => <Problema key={fuente.source} fuente={fuente} />);
}

function Problema({ fuente: { state, label, error, lastSuccess } }: { fuente: Freshness }) {
  if (state === 'rota') {
    return (
      <Panel tono="mal" titulo={`${label} está desconectado`}>
        {error} Un administrador lo activa otra vez. Lo que ves es lo que llegó hasta <Fecha valor={lastSuccess} />.
      </Panel>
    );
  }
  if (state === 'atrasada') {
    return (
      <Panel tono="aviso" titulo={`Las ventas de ${label} llegan con retraso`}>
        Lo que ves está completo hasta <Fecha valor={lastSuccess} />. {error}
      </Panel>
    );
  }
  if (state === 'sinVincular')
    return (
      <Panel tono="aviso" titulo={`${label} no está activado`}>
        Un administrador lo activa para que las ventas lleguen solas.
      </Panel>
    );
  return null;
}
