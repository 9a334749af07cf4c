import { Form, Link, useLocation } from '@remix-run/react';
import { writeCount } from '~/core/count';
import { withParams } from '~/core/list';
import type { Carta } from '~/platform/hoy/hoy.server';
import { EmptyState } from '~/ui/Blocks';
import { Fecha } from '~/ui/Fecha';
import { Hidden, Refusal } from '~/ui/useAnswer';
import { LoteDe, UnaLinea, type Props } from './Cartas';
import type { Lotes } from './pagina';

/** One queue in full, with the things put aside and the reasons. */
export function Cola({ carta, lotes, area, yo }: Props & { carta: Carta; lotes: Lotes }) {
  const { search } = useLocation();
  const { clave, titulo, total, lineas, ver, lista } = carta;
  const todas = lineas.filter(({ pospuesta }) => pospuesta === null);
  // Things stand the latest first.
  const atrasadas = new URLSearchParams(search).has('atrasadas');
  const esperan = atrasadas ? todas.slice(0, carta.atrasadas) : todas;
  const cuantas = atrasadas ? carta.atrasadas : total;
  const pospuestas = lineas.filter(({ pospuesta }) => pospuesta !== null);
  return (
    <>
      <div className="botones">
        <Link className="boton" to={withParams(search, { cola: null, cosa: null, atrasadas: null })}>
          Volver a Hoy
        </Link>
        {atrasadas && (
          <Link className="boton" to={withParams(search, { atrasadas: null })}>
            Ver las {writeCount(total)}
          </Link>
        )}
        {lista !== null && (
          <a className="boton" href={`${area}/${lista}`}>
            {ver}
          </a>
        )}
        {atrasadas && carta.atrasadas > 0 && <LoteDe carta={carta} lotes={lotes} area={area} />}
      </div>
      <section className="carta" aria-labelledby="cola">
        <header>
          <h2 id="cola" tabIndex={-1}>
            {titulo}
          </h2>
          {atrasadas && <span className="nota">desde hace más de dos semanas</span>}
          <strong className="cuantas">{writeCount(cuantas)}</strong>
          {carta.cuenta && <span className="nota">{carta.cuenta[cuantas === 1 ? 0 : 1]}</span>}
        </header>
        {esperan.length === 0 && <EmptyState>No espera nada. Lo que llegue aparece aquí solo.</EmptyState>}
        <ul>
          {esperan.map((linea) => (
            <UnaLinea key={linea.id} {...{ clave, linea, area, yo, sola: carta.sola }} />
          ))}
        </ul>
      </section>
      {cuantas > esperan.length && <p className="nota">Se ven las {writeCount(esperan.length)} más urgentes.</p>}
      <Refusal of="reanudar" />
      {pospuestas.length > 0 && (
        <section className="carta" aria-labelledby="pospuestas">
          <header>
            <h2 id="pospuestas">Pospuestas</h2>
            <strong className="cuantas">{writeCount(pospuestas.length)}</strong>
          </header>
          <ul>
            {pospuestas.map(({ id, titulo, detalle, a, pospuesta }) => (
              <li key={id}>
                <a className="que" href={`${area}/${a}`}>
                  <span className="titulo">{titulo}</span>
                  <span className="detalle">
                    {detalle} · Hasta el <Fecha valor={pospuesta!.hasta} />
                    {pospuesta!.por && `, por ${pospuesta!.por}`}: {pospuesta!.motivo}
                  </span>
                </a>
                <Form method="post" preventScrollReset>
                  <Hidden intent="reanudar" cola={clave} cosa={id} />
                  <button className="boton" type="submit" aria-label={`Volver a mostrar: ${titulo}, ${detalle}`}>
                    Volver a mostrar
                  </button>
                </Form>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
