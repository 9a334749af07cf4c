import { Form } from '@remix-run/react';
import type { Unread } from '~/domain/sync/inboxUnread.server';
import { queAviso } from '~/domain/sync/queAviso';
import { Fecha } from '~/ui/Fecha';
import { TablaCaja } from '~/ui/TablaCaja';
import { abrirTo } from './Tarjeta';

export const avisosSinLeer = (n: number) => (n === 1 ? '1 aviso sin leer' : `${n} avisos sin leer`);

type Props = { de: string; source: string; avisos: Unread[]; total: number };

/** The notices that could not be read, each with a retry and a way to put it aside. */
export function AvisosSinLeer({ de, source, avisos, total }: Props) {
  if (total === 0) return null;
  const id = `sin-leer-${source}`;
  return (
    <section className="apilado" aria-labelledby={id}>
      <h3 id={id}>{avisosSinLeer(total)}</h3>
      <p className="nota">
        {de} los anunció y no se pudieron leer. Se intentan otra vez, cada vez con más espera y después cada día durante
        un mes.
      </p>
      <TablaCaja nombre="Avisos sin leer">
        <table className="tabla tablero">
          <thead>
            <tr>
              <th>Aviso</th>
              <th>Motivo</th>
              <th>
                <span className="oculto">Administración</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {avisos.map(({ id, topic, resource, receivedAt, error, attempts, nextAt }) => (
              <tr key={id}>
                <td>
                  <span className="sin-corte">
                    {queAviso(topic)} {resource.split('/').at(-1)}
                  </span>
                  <br />
                  <span className="nota">
                    <Fecha valor={receivedAt} />
                  </span>
                </td>
                <td>
                  {error}
                  <br />
                  <span className="nota">
                    {attempts === 1 ? '1 intento' : `${attempts} intentos`}
                    {nextAt && (
                      <>
                        {'; el siguiente, '}
                        <Fecha valor={nextAt} />
                      </>
                    )}
                  </span>
                </td>
                <td>
                  <Form method="post" action={abrirTo(source)} className="acciones">
                    <input type="hidden" name="aviso" value={id} />
                    <button
                      className="boton"
                      type="submit"
                      name="intent"
                      value="descartarAviso"
                      aria-label={`Descartar el aviso ${resource}`}
                    >
                      Descartar
                    </button>
                  </Form>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TablaCaja>
      {total > avisos.length && <p className="nota">Se ven los {avisos.length} más recientes.</p>}
      <Form method="post" action={abrirTo(source)} className="botones">
        <button className="boton" type="submit" name="intent" value="avisos">
          Intentar ahora
        </button>
      </Form>
    </section>
  );
}
