import { Link } from '@remix-run/react';
import { withParams } from '~/core/list';
import type { PorAtender as Factura } from '~/domain/facturas/cancelacion/dosVigentes.server';
import { Panel } from '~/ui/Blocks';

const QUE: Record<Factura['motivo'], (factura: Factura) => string> = {
  dosVigentes: ({ otra }) => ` sigue vigente junto con la ${otra ?? ''}, que la sustituye. Pide otra vez su cancelación.`,
  sinNoticia: () => ' espera una cancelación que el SAT no tiene. Pídela otra vez.',
};

/** Corrections that stay half done until somebody acts, of any date: the list below may not reach back to them. */
export function PorAtender({ facturas, search }: { facturas: Factura[]; search: string }) {
  if (facturas.length === 0) return null;
  return (
    <Panel tono="mal" titulo={facturas.length === 1 ? 'Una corrección quedó a medias' : 'Hay correcciones que quedaron a medias'}>
      <ul>
        {facturas.map((factura) => (
          <li key={factura.id}>La <Link to={withParams(search, { ver: factura.id })} preventScrollReset>{factura.folio}</Link>{QUE[factura.motivo](factura)}</li>
        ))}
      </ul>
    </Panel>
  );
}
