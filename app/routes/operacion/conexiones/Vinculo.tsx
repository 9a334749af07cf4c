import type { CredentialView } from '~/platform/connections/credentials.server';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';

/** Whether an account of a marketplace is activated, and since when. */
export function Vinculo({ link }: { link: CredentialView | null }) {
  if (!link)
    return (
      <p>
        <Estatus>No existe una cuanta activada.</Estatus>
      </p>
    );
  return (
    <p>
      {link.status === 'linked' ? (
        <Estatus tono="ok">Ya existe una cuanta activada.</Estatus>
      ) : (
        <Estatus tono="mal">Activada y desconectada.</Estatus>
      )}{' '}
      <span className="nota">
        {link.label ?? link.account}, desde <Fecha valor={link.linkedAt} />
      </span>
    </p>
  );
}
