import { Form } from '@remix-run/react';
import { Confirm } from '~/ui/Confirm';
import { Fecha } from '~/ui/Fecha';
import { formatPesos, Pesos } from '~/ui/Pesos';
import { Hidden } from '~/ui/useAnswer';
import type { OrdenAbierta } from './dialogos';
import { reintentar } from './preguntas';

/** Everything that happened to a sale, newest first. What the far side refused is said in its own words, and asked for again from here. */
export function Cronologia({
  sucesos,
  numOrden,
  puedeReintentar,
  area,
}: {
  numOrden: string;
  sucesos: OrdenAbierta['cronologia'];
  puedeReintentar: boolean;
  area: string;
}) {
  return (
    <>
      <h3>Cronología</h3>
      <ol className="cronologia">
        {sucesos.map((suceso) => (
          <li key={suceso.id} data-tono={suceso.tono}>
            <span className="cuando">
              <Fecha valor={suceso.en} />
            </span>
            <div>
              <strong>{suceso.titulo}</strong>
              {suceso.monto && (
                <>
                  {' '}
                  <Pesos valor={suceso.monto} />
                </>
              )}
              {suceso.detalle && <p>{suceso.detalle}</p>}
              {suceso.quien && <p className="nota">{suceso.quien}</p>}
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
                    {...reintentar(`Orden ${numOrden}`, suceso.titulo, suceso.monto && formatPesos(suceso.monto))}
                  >
                    Reintentar
                  </Confirm>
                </Form>
              )}
            </div>
          </li>
        ))}
      </ol>
    </>
  );
}
