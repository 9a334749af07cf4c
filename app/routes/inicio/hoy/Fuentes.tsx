import type { Freshness } from '~/domain/sync/freshness.server';
import { Panel } from '~/ui/Blocks';
import { Fecha } from '~/ui/Fecha';

type Props = { fuente: Freshness; area: string; puedeVincular: boolean };

/** A source that tells nothing: only what somebody has to know or do. */
export function Problema({ fuente: { state, label, error, lastSuccess }, area, puedeVincular }: Props) {
  const activar = (texto: string, otros: string) => (puedeVincular ? <a href={`${area}/tokens`}>{texto}</a> : otros);
  if (state === 'rota') {
    return (
      <Panel tono="mal" titulo={`${label} está desconectado`}>
        {error} {activar('Activar otra vez', 'Un administrador lo activa otra vez')}. Lo que ves es lo que llegó hasta{' '}
        <Fecha valor={lastSuccess} />.
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
        {activar(`Activar ${label}`, 'Un administrador lo activa')} para que las ventas lleguen solas.
      </Panel>
    );
  return null;
}
