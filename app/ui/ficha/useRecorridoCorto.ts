import { useNavigate } from '@remix-run/react';
import { withParams } from '~/core/list';
import type { Recorrido } from './recorrido';

const ABIERTA = { current: null };

/** Returns the way through a short table that is whole on its page, from the row that `?ver=` names. The rest of the address stays. */
export function useRecorridoCorto(keys: readonly string[], ver: string | null, search = ''): Recorrido {
  const navigate = useNavigate();
  const cerrar = withParams(search, { ver: null, editar: null });
  const hrefOf = (key: string) => withParams(search, { ver: key, editar: null });
  const at = ver === null ? -1 : keys.indexOf(ver);
  const addressOf = (key: string | undefined) => (at === -1 || key === undefined ? null : hrefOf(key));
  const [anterior, siguiente] = [addressOf(keys[at - 1]), addressOf(keys[at + 1])];
  return {
    posicion: at === -1 ? null : at + 1,
    total: keys.length,
    anterior,
    siguiente,
    ir: (paso) => {
      const to = paso === -1 ? anterior : siguiente;
      if (to !== null) navigate(to, { replace: true, preventScrollReset: true });
    },
    paso: ABIERTA,
    cerrar,
    alCerrar: () => navigate(cerrar, { preventScrollReset: true }),
  };
}
