import type { ConnectionView } from '~/platform/connections/list.server';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';

type De = Pick<ConnectionView, 'pausedAt' | 'accountProblem' | 'accountSince' | 'linked' | 'link'>;

/** The state of a far side: linked or not, and the obstacle to its answers. */
export function EstadoDe({ conexion: { pausedAt, accountProblem, accountSince, linked, link } }: { conexion: De }) {
  if (pausedAt)
    return (
      <Estatus tono="aviso">
        En pausa desde el <Fecha valor={pausedAt} />
      </Estatus>
    );
  if (accountProblem)
    return (
      <>
        <Estatus tono="mal">Problema con la cuenta</Estatus>
        <p className="nota">
          {accountProblem} {accountSince && <Fecha valor={accountSince} />}
        </p>
      </>
    );
  if (linked?.status === 'broken') return <Estatus tono="mal">Activada y desconectada.</Estatus>;
  const ready = link.type === 'settings' ? link.isSet : linked !== null;
  return ready ? <Estatus tono="ok">Vinculada</Estatus> : <Estatus>Sin vincular</Estatus>;
}
