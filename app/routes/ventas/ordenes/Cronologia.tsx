import { Form } from '@remix-run/react';
import { porDia } from '~/domain/ventas/ordenes/porDia';
import { Confirm } from '~/ui/Confirm';
import { Fecha, formatFecha, Hora } from '~/ui/Fecha';
import { formatPesos, Pesos } from '~/ui/Pesos';
import { Rechazado } from '~/ui/Rechazado';
import { Hidden } from '~/ui/useAnswer';
import type { OrdenAbierta } from './record';
import { askRetry } from './questions';

type Suceso = OrdenAbierta['cronologia'][number];
type Props = { numOrden: string; sucesos: Suceso[]; puedeReintentar: boolean; area: string };

/**
 * The history of a sale, newest first and by day. A refusal of the far side stands in its own words and can be retried here. Repeated events of a machine are
 * one line that opens.
 */
export function Cronologia({ sucesos, ...rest }: Props) {
  return (
    <>
      <h3>Cronología</h3>
      <div className="cronologia">
        {porDia(sucesos).map(({ dia, renglones }) => (
          <section key={dia} aria-label={formatFecha(dia)}>
            <h4>
              <Fecha valor={dia} />
            </h4>
            <ol>
              {renglones.map(({ id, de, titulo }) =>
                titulo === null ? (
                  <Renglon key={id} suceso={de[0]!} {...rest} />
                ) : (
                  <li key={id} data-varios="">
                    <details>
                      <summary>
                        <Hora valor={de[0]!.en} /> <strong>{titulo}</strong>
                      </summary>
                      <ol>
                        {de.map((suceso) => (
                          <Renglon key={suceso.id} suceso={suceso} {...rest} />
                        ))}
                      </ol>
                    </details>
                  </li>
                ),
              )}
            </ol>
          </section>
        ))}
      </div>
    </>
  );
}

function Renglon({ suceso, numOrden, puedeReintentar, area }: Omit<Props, 'sucesos'> & { suceso: Suceso }) {
  return (
    <li data-tono={suceso.tono}>
      <span className="cuando">
        <Hora valor={suceso.en} />
      </span>
      <div>
        <strong>{suceso.titulo}</strong>
        {suceso.monto && (
          <>
            {' '}
            <Pesos valor={suceso.monto} />
          </>
        )}
        {suceso.rechazo ? <Rechazado rechazo={suceso.rechazo} /> : suceso.detalle && <p>{suceso.detalle}</p>}
        <p className="nota">{suceso.quien ?? suceso.fuente}</p>
        {suceso.proximo && (
          <p className="nota">
            Siguiente intento: <Fecha valor={suceso.proximo} />
          </p>
        )}
        {suceso.decidir && puedeReintentar && (
          <p>
            <a className="boton" href={`${area}/pendientes?ver=${suceso.decidir}`}>
              Decidir en Pendientes
            </a>
          </p>
        )}
        {suceso.reintentar && puedeReintentar && (
          <Form method="post" preventScrollReset>
            <Hidden intent="reintentar" efecto={suceso.reintentar} />
            <Confirm
              plain="boton"
              {...askRetry(`Orden ${numOrden}`, suceso.titulo, suceso.monto && formatPesos(suceso.monto))}
            >
              Reintentar
            </Confirm>
          </Form>
        )}
      </div>
    </li>
  );
}
