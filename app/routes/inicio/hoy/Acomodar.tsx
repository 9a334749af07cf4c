import { Form, Link, useLocation } from '@remix-run/react';
import { useEffect, useRef } from 'react';
import { withParams } from '~/core/list';
import type { Hacia } from '~/platform/hoy/acomodo';
import { focusOn, giveBackFocus } from '~/ui/foco';
import { Icono } from '~/ui/Icono';
import { Hidden, Refusal } from '~/ui/useAnswer';
import type { EnColumna } from './Cartas';

type Una = Pick<EnColumna, 'clave' | 'titulo' | 'icono' | 'columna'>;
type Props = { cartas: readonly Una[]; otras: readonly Una[]; area: string };

/** The cards of 'Hoy' as this person arranges them: each moves within its column, or stands aside. Every press is a form of its own. */
export function Acomodar({ cartas, otras, area }: Props) {
  const { pathname, search } = useLocation();
  const pulsado = useRef<{ clave: string; hacia: Hacia } | { sigue: string | undefined } | null>(null);
  const orden = cartas.map(({ clave }) => clave).join();
  useEffect(() => {
    const { current } = pulsado;
    pulsado.current = null;
    if (current === null) return;
    // A card that went aside took its button along, so the focus waits at the title of its neighbour.
    if ('sigue' in current) {
      focusOn(document.getElementById(current.sigue === undefined ? 'acomodar' : `carta-${current.sigue}`));
      return;
    }
    // The button that was pressed moves with its card, and a moved element loses the focus.
    const { clave, hacia } = current;
    const boton = [hacia, hacia === 'arriba' ? 'abajo' : 'arriba'].map((una) =>
      document.getElementById(`${una}-${clave}`),
    );
    giveBackFocus(boton.find((uno) => uno !== null));
  }, [orden]);
  const envio = { method: 'post', action: `${area}/preferencias`, replace: true, preventScrollReset: true } as const;
  const volver = pathname + search;
  const leave = (grupo: readonly Una[], at: number) => {
    pulsado.current = { sigue: (grupo[at + 1] ?? grupo[at - 1])?.clave };
  };
  return (
    <section className="acomodar" aria-labelledby="acomodar">
      <header>
        <h2 id="acomodar" tabIndex={-1}>
          Acomodar las tarjetas
        </h2>
        <p className="nota">
          Muévelas dentro de su columna, o aparta las que no son tuyas: su cuenta se sigue viendo abajo.
        </p>
        <div className="botones">
          <Form {...envio}>
            <Hidden intent="ordenDeLaCasa" volver={volver} />
            <button type="submit" className="boton">
              Volver al orden de la casa
            </button>
          </Form>
          <Link className="boton" data-tono="acento" to={withParams(search, { acomodar: null })}>
            Listo
          </Link>
        </div>
      </header>
      <Refusal of="moverCarta" />
      <Refusal of="apartarCarta" />
      <Refusal of="ordenDeLaCasa" />
      <div className="cartas">
        {cartas.map(({ clave, titulo, icono, columna }, at) => {
          const isVecina = (una: Una) => una.columna === columna;
          const sentidos: [Hacia, boolean, string][] = [
            ['arriba', cartas.slice(0, at).some(isVecina), 'Subir'],
            ['abajo', cartas.slice(at + 1).some(isVecina), 'Bajar'],
          ];
          return (
            <div key={clave} className="carta" data-columna={columna}>
              <header>
                <Icono nombre={icono} />
                <h3 id={`carta-${clave}`}>{titulo}</h3>
                <Form {...envio}>
                  <Hidden intent="moverCarta" carta={clave} volver={volver} />
                  {sentidos.map(([hacia, puede, verbo]) =>
                    puede ? (
                      <button
                        key={hacia}
                        id={`${hacia}-${clave}`}
                        type="submit"
                        className="accion"
                        name="hacia"
                        value={hacia}
                        aria-label={`${verbo}: ${titulo}`}
                        title={verbo}
                        onClick={() => (pulsado.current = { clave, hacia })}
                      >
                        <Icono nombre={hacia} />
                      </button>
                    ) : (
                      <span key={hacia} className="accion" aria-hidden="true" />
                    ),
                  )}
                </Form>
                <Aparte {...{ envio, volver, clave, titulo }} aparte onPress={() => leave(cartas, at)}>
                  Apartar
                </Aparte>
              </header>
            </div>
          );
        })}
      </div>
      {otras.length > 0 && (
        <>
          <h3>Apartadas</h3>
          <div className="cartas">
            {otras.map(({ clave, titulo, icono }, at) => (
              <div key={clave} className="carta">
                <header>
                  <Icono nombre={icono} />
                  <h3 id={`carta-${clave}`}>{titulo}</h3>
                  <Aparte {...{ envio, volver, clave, titulo }} aparte={false} onPress={() => leave(otras, at)}>
                    Mostrar
                  </Aparte>
                </header>
              </div>
            ))}
          </div>
        </>
      )}
    </section>
  );
}

type AparteProps = {
  envio: { method: 'post'; action: string };
  volver: string;
  clave: string;
  titulo: string;
  aparte: boolean;
  onPress: () => void;
  children: string;
};

function Aparte({ envio, volver, clave, titulo, aparte, onPress, children }: AparteProps) {
  return (
    <Form {...envio}>
      <Hidden intent="apartarCarta" carta={clave} aparte={aparte} volver={volver} />
      <button type="submit" className="boton" aria-label={`${children}: ${titulo}`} onClick={onPress}>
        {children}
      </button>
    </Form>
  );
}
