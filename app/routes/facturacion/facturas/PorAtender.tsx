import { Link } from '@remix-run/react';
import type { Wire } from '~/core/list';
import { capitalize } from '~/core/text';
import type { PorAtender as Guardada, QueFalta } from '~/domain/facturacion/cancelacion/porAtender.server';
import { Panel } from '~/ui/Blocks';
import { Fecha } from '~/ui/Fecha';
import { TablaCaja } from '~/ui/TablaCaja';

export type PorAtender = Wire<Guardada>;

/** The fault of each factura, and the next step. */
const QUE: Record<QueFalta, { que: (factura: PorAtender) => string; sigue: string }> = {
  dosVigentes: {
    que: ({ otra }) => `sigue vigente junto con la ${otra ?? ''}, que la sustituye: las dos cobran la misma venta.`,
    sigue: 'Pide otra vez su cancelación',
  },
  sinEnviar: {
    que: ({ otra }) =>
      `sigue vigente${otra ? ` junto con la ${otra}, que la sustituye` : ''}: la solicitud de cancelarla no ha salido.`,
    sigue: 'Sale sola en cuanto se pueda; mira qué la detiene',
  },
  sinNoticia: { que: () => 'espera una cancelación que el SAT no tiene.', sigue: 'Pídela otra vez' },
  sinRespuesta: {
    que: ({ otra }) =>
      `sigue vigente${otra ? ` junto con la ${otra}, que la sustituye` : ''}: su receptor no ha contestado la cancelación.`,
    sigue: 'Consulta al SAT o habla con el receptor',
  },
  sinCorregir: {
    que: () => 'sigue vigente sin corregir: el PAC no timbró la que iba a sustituirla.',
    sigue: 'Corrige lo que el PAC no aceptó',
  },
  sinFactura: {
    que: () => 'se canceló y la que iba a sustituirla no se timbró: la venta está sin factura.',
    sigue: 'Factúrala otra vez',
  },
};

const correctIn = (area: string, borrador: string) => `${area}/facturacion?borrador=${borrador}`;

type Props = {
  facturas: PorAtender[];
  area: string;
  /** The person may act. */ puede: boolean;
  /** The address that opens a factura; the list of facturas without it. */ ver?: (id: string) => string;
};

/** Corrections that stay half done until somebody acts, of any date: the list below may not reach back to them. */
export function PorAtender({ facturas, area, puede, ver = (id) => `${area}/facturasClientes?ver=${id}` }: Props) {
  if (facturas.length === 0) return null;
  return (
    <Panel
      tono="mal"
      titulo={facturas.length === 1 ? 'Una corrección quedó a medias' : 'Hay correcciones que quedaron a medias'}
    >
      <ul>
        {facturas.map((factura) => (
          <li key={factura.id}>
            La{' '}
            <Link to={ver(factura.id)} preventScrollReset>
              {factura.folio}
            </Link>{' '}
            {QUE[factura.motivo].que(factura)}
            {puede && (
              <>
                {' '}
                <Link
                  to={factura.borrador === null ? ver(factura.id) : correctIn(area, factura.borrador)}
                  preventScrollReset
                >
                  {QUE[factura.motivo].sigue}
                </Link>
                .
              </>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** The same on the board, with since when and what was answered. */
export function Correcciones({ facturas, area }: { facturas: PorAtender[]; area: string }) {
  if (facturas.length === 0) return null;
  return (
    <section className="hoja" aria-labelledby="correcciones">
      <h2 id="correcciones">Correcciones a medias</h2>
      <TablaCaja nombre="Correcciones a medias" conMandos>
        <table className="tabla tablero">
          <thead>
            <tr>
              <th>Desde</th>
              <th>Factura</th>
              <th>Qué pasa</th>
              <th>Respuesta</th>
              <th>Qué sigue</th>
            </tr>
          </thead>
          <tbody>
            {facturas.map((factura) => (
              <tr key={factura.id}>
                <td>
                  <Fecha valor={factura.desde} />
                </td>
                <td className="sin-corte">
                  <a href={`${area}/facturasClientes?ver=${factura.id}`}>{factura.folio}</a>
                </td>
                <td>{capitalize(QUE[factura.motivo].que(factura))}</td>
                <td className="nota">{factura.detalle}</td>
                <td>
                  <a
                    href={
                      factura.borrador === null
                        ? `${area}/facturasClientes?ver=${factura.id}`
                        : correctIn(area, factura.borrador)
                    }
                  >
                    {QUE[factura.motivo].sigue}
                  </a>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TablaCaja>
    </section>
  );
}
