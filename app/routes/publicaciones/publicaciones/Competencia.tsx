import { Form } from '@remix-run/react';
import { Money } from '~/core/money';
import { MERCADOS } from '~/domain/mercados/mercados';
import { Dato, Datos } from '~/ui/Datos';
import { Edad } from '~/ui/Edad';
import { Estatus } from '~/ui/Estatus';
import { formatPesos, Pesos } from '~/ui/Pesos';
import { Hidden } from '~/ui/useAnswer';
import type { PublicacionAbierta } from './record';

type Vista = NonNullable<PublicacionAbierta['competencia']>;

/** How a listing stands against the other sellers of its page, at which price it would win, and what would be left at that price. It changes nothing. */
export function Competencia({ publicacion }: { publicacion: PublicacionAbierta }) {
  const { id, market, precio, competencia, puede } = publicacion;
  if (!competencia) return null;
  const { estado, porque, razones, paraGanar, ganador, comparten, leidaEn, error, quedaria, sePregunta } = competencia;
  return (
    <>
      <h3>Precio contra el mercado</h3>
      <Datos>
        <Dato de="Lugar" ancha={porque !== null || razones.length > 0}>
          {estado ? <Estatus tono={estado.tono}>{estado.label}</Estatus> : '—'}{' '}
          <span className="nota">{[porque, ...razones].filter(Boolean).join(' ')}</span>
        </Dato>
        <Dato de="Nuestro precio">
          <Pesos valor={precio} />
        </Dato>
        {leidaEn !== null && (
          <>
            <Dato de="Precio para ganar">
              <Pesos valor={paraGanar} />
            </Dato>
            <Dato de="Precio de quien gana">
              <Pesos valor={ganador} />
            </Dato>
            {comparten !== null && comparten > 0 && <Dato de="Comparten el primer lugar">{`${comparten} más`}</Dato>}
            <Dato ancha de={quedaria?.de === 'ganador' ? 'Al precio de quien gana' : 'Al precio para ganar'}>
              {quedaria && <Quedaria quedaria={quedaria} />}
            </Dato>
            <Dato de="Leído">
              <Edad valor={leidaEn} vieja={error !== null} />{' '}
              {error !== null && <span className="nota">La última lectura no salió: {error}</span>}
            </Dato>
          </>
        )}
      </Datos>
      {puede.leer && sePregunta && (
        <Form method="post" className="botones" preventScrollReset>
          <Hidden intent="leerCompetencia" id={id} />
          <button type="submit" className="boton" title={`Pregunta a ${MERCADOS[market].label}`}>
            Leer ahora
          </button>
        </Form>
      )}
    </>
  );
}

/** What would be left at a price: '—' with the reason where the cost is unknown, and '≈' with the reason where it is estimated. */
function Quedaria({ quedaria }: { quedaria: NonNullable<Vista['quedaria']> }) {
  if ('porque' in quedaria)
    return (
      <>
        — <span className="nota">{quedaria.porque}</span>
      </>
    );
  const { queda, margen, estima } = quedaria;
  const pierde = queda.startsWith('-');
  return (
    <>
      <span className={pierde ? 'publicacion-pierde' : undefined}>
        {pierde ? 'Se perderían' : 'Quedarían'} {estima.length > 0 && '≈ '}
        {formatPesos(pierde ? queda.slice(1) : queda)} ({Money.of(margen).times(100).toFixed(1)} %)
      </span>{' '}
      {estima.length > 0 && <span className="nota">Estimado {estima.join(', ')}.</span>}
    </>
  );
}
