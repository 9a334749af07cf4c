import { toInstant } from '~/core/time';
import type { Serie } from '~/domain/operacion/mantenimiento/estado.server';
import { formatFecha, formatHora } from '~/ui/Fecha';

/** One line of a drawing. */
export type Linea = { nombre: string; serie: Serie };
type Props = {
  titulo: string;
  lineas: readonly Linea[];
  desde: string;
  ahora: string;
  /** Writes a value with its unit. */
  escribe(valor: number): string;
  /** Said where no line has a value. */
  vacio: string;
};

/** Lines that colours tell apart; a table beside the drawing has the others. */
const MAX_LINEAS = 5;
const ALTO = 100;

/**
 * Lines over the last day as the server drew them, so no script is needed. A point without data is a gap of its line. The table behind the drawing has each hour
 * for whom no picture helps.
 */
export function Trazos({ titulo, lineas, desde, ahora, escribe, vacio }: Props) {
  const dibujadas = lineas.filter(({ serie }) => serie.some((valor) => valor !== null)).slice(0, MAX_LINEAS);
  const most = Math.max(...dibujadas.flatMap(({ serie }) => serie.map((valor) => valor ?? 0)), 0);
  if (dibujadas.length === 0)
    return (
      <figure className="trazos">
        <figcaption>{titulo}</figcaption>
        <p className="vacio">{vacio}</p>
      </figure>
    );
  const puntos = dibujadas[0]!.serie.length;
  const alto = (valor: number) => ALTO - 2 - (most === 0 ? 0 : (valor / most) * (ALTO - 6));
  return (
    <figure className="trazos">
      <figcaption>{titulo}</figcaption>
      <ul className="trazos-leyenda">
        {dibujadas.map(({ nombre, serie }, at) => (
          <li key={nombre}>
            <span className="muestra" style={{ background: `var(--grafica-${at + 1})` }} /> {nombre}{' '}
            <span className="nota">hasta {escribe(Math.max(...serie.map((valor) => valor ?? 0)))}</span>
          </li>
        ))}
      </ul>
      <div className="trazos-lienzo">
        <span className="trazos-tope">{escribe(most)}</span>
        <svg viewBox={`0 0 ${puntos} ${ALTO}`} preserveAspectRatio="none" aria-hidden="true">
          <line x1="0" x2={puntos} y1={ALTO - 2} y2={ALTO - 2} className="trazos-suelo" />
          {Array.from({ length: puntos }, (_, at) =>
            dibujadas.every(({ serie }) => serie[at] === null) ? (
              <rect key={at} x={at} width="1" y="0" height={ALTO} className="trazos-hueco" />
            ) : null,
          )}
          {dibujadas.map(({ nombre, serie }, at) => (
            <path key={nombre} d={pathOf(serie, alto)} stroke={`var(--grafica-${at + 1})`} />
          ))}
        </svg>
      </div>
      <p className="trazos-horas" aria-hidden="true">
        <span>{formatFecha(desde)}</span>
        {dibujadas.every(({ serie }) => serie.some((valor) => valor === null)) && <span>gris: sin datos</span>}
        <span>{formatHora(ahora)}</span>
      </p>
      <details>
        <summary>Por hora</summary>
        <div className="tabla-caja" role="group" aria-label={`${titulo}, por hora`} tabIndex={0}>
          <table className="tabla">
            <thead>
              <tr>
                <th>Desde</th>
                {dibujadas.map(({ nombre }) => (
                  <th key={nombre} className="num">
                    {nombre}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {Array.from({ length: Math.ceil(puntos / POR_HORA) }, (_, hora) => (
                <tr key={hora}>
                  <td>{formatHora(new Date(toInstant(desde).getTime() + hora * 3_600_000))}</td>
                  {dibujadas.map(({ nombre, serie }) => (
                    <td key={nombre} className="num">
                      {masDe(serie.slice(hora * POR_HORA, (hora + 1) * POR_HORA), escribe)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}

/** Points of an hour. */
const POR_HORA = 4;

function masDe(puntos: Serie, escribe: (valor: number) => string): string {
  const dichos = puntos.filter((valor) => valor !== null);
  return dichos.length === 0 ? 'sin datos' : escribe(Math.max(...dichos));
}

/** Returns the path of a line; a point between two gaps is a short line, so that it is seen. */
function pathOf(serie: Serie, alto: (valor: number) => number): string {
  return serie
    .map((valor, at) => {
      if (valor === null) return '';
      const y = alto(valor).toFixed(1);
      return (serie[at - 1] ?? null) === null ? `M${at} ${y}h0.9` : `L${at + 0.5} ${y}`;
    })
    .join('');
}
