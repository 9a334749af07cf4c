import { Form } from '@remix-run/react';
import type { Wire } from '~/core/list';
import { askPalanca } from '~/domain/publicaciones/publicaciones/publicacion';
import type { listSeguimiento } from '~/domain/publicaciones/publicaciones/publicaciones.server';
import { Confirm } from '~/ui/Confirm';
import { Hidden } from '~/ui/useAnswer';

export type Mercado = Wire<Awaited<ReturnType<typeof listSeguimiento>>[number]>;

/** True where at least one listing follows its supplier; otherwise there is nothing to tell. */
export const mustFollow = ({ detenidoEn, siguen, pendientes, retenidas, sobrevendidas }: Mercado) =>
  detenidoEn !== null || siguen + pendientes + retenidas + sobrevendidas > 0;

/** The switch of one marketplace. */
export function PalancaDe({ market, detenida }: { market: Mercado['market']; detenida: boolean }) {
  return (
    <Form method="post" preventScrollReset>
      <Hidden intent="palanca" market={market} detener={detenida ? '0' : '1'} />
      <Confirm plain="boton" {...askPalanca({ market, detener: !detenida })}>
        {detenida ? 'Continuar' : 'Detener'}
      </Confirm>
    </Form>
  );
}
