import { useId } from 'react';
import { enPesos } from '~/core/importe';
import { writeCount } from '~/core/count';
import type { Moneda } from '~/core/moneda';
import { toInstant } from '~/core/time';
import { formatFecha } from '~/ui/Fecha';
import { Piezas, PrecioProveedor } from './Precio';
import { ALTO, ANCHO, trazo, type Punto } from './trazo';

type Cambio = { en: string; precio: string | null; moneda: Moneda | null; existencia: number | null };

const MOSTRADOS = 20;

/**
 * The movement of price and stock: a drawing of each, with its own scale over the same days, and the list of changes. An unreadable value is a gap. A price in
 * another currency is told below and not drawn.
 */
export function Historia({
  historia,
  moneda,
  hasta,
}: {
  historia: Cambio[];
  moneda: Moneda | null;
  hasta: string | null;
}) {
  // A single reading shows no movement.
  if (historia.length < 2)
    return (
      <p className="nota">
        {historia.length === 0
          ? 'Todavía no hay cambios de precio ni de existencia.'
          : `Sin cambios desde el ${formatFecha(historia[0]!.en)}.`}
      </p>
    );
  const desde = historia[0]!.en;
  const fin = hasta !== null && hasta > historia.at(-1)!.en ? hasta : historia.at(-1)!.en;
  const precios = historia.map(({ en, precio, moneda: suya }) => ({
    en,
    valor: precio !== null && suya === (moneda ?? suya) ? Number(precio) : null,
  }));
  const piezas = historia.map(({ en, existencia }) => ({ en, valor: existencia }));
  const enPrecio = (valor: number) => (moneda === 'USD' ? 'US' : '') + enPesos(valor);
  return (
    <>
      <div className="historias">
        <Dibujo titulo="Precio" puntos={precios} desde={desde} hasta={fin} color="--grafica-1" escribe={enPrecio} />
        <Dibujo
          titulo="Existencia"
          puntos={piezas}
          desde={desde}
          hasta={fin}
          color="--grafica-3"
          escribe={writeCount}
        />
      </div>
      <details className="cambios">
        <summary>{writeCount(historia.length)} cambios en 180 días</summary>
        <table className="tabla">
          <thead>
            <tr>
              <th>Desde</th>
              <th className="pesos">Precio</th>
              <th className="pesos">Existencia</th>
            </tr>
          </thead>
          <tbody>
            {historia
              .slice(-MOSTRADOS)
              .toReversed()
              .map(({ en, existencia, ...precio }) => (
                <tr key={en}>
                  <td>{formatFecha(en)}</td>
                  <td className="pesos">
                    {precio.precio === null ? '—' : <PrecioProveedor {...precio} sinPrecio={null} />}
                  </td>
                  <td className="pesos">
                    <Piezas existencia={existencia} tope={false} />
                  </td>
                </tr>
              ))}
          </tbody>
        </table>
      </details>
    </>
  );
}

type DibujoProps = {
  titulo: string;
  puntos: Punto[];
  desde: string;
  hasta: string;
  color: string;
  escribe: (valor: number) => string;
};

/** A line of steps: a value holds until a later reading differs. */
function Dibujo({ titulo, puntos, desde, hasta, color, escribe }: DibujoProps) {
  const id = useId();
  const valores = puntos.flatMap(({ valor }) => (valor === null ? [] : [valor]));
  const [menor, mayor] = [Math.min(...valores), Math.max(...valores)];
  const ultimo = puntos.findLast(({ valor }) => valor !== null)?.valor ?? null;
  return (
    <figure className="historia" aria-labelledby={id}>
      <figcaption id={id}>
        <strong>{titulo}</strong>{' '}
        {ultimo === null ? (
          'sin dato'
        ) : (
          <>
            {escribe(ultimo)}
            {menor < mayor && (
              <span className="nota">
                entre {escribe(menor)} y {escribe(mayor)}
              </span>
            )}
          </>
        )}
      </figcaption>
      <svg viewBox={`0 0 ${ANCHO} ${ALTO}`} preserveAspectRatio="none" role="presentation" focusable="false">
        <path
          d={trazo(puntos, { desde: toInstant(desde).getTime(), hasta: toInstant(hasta).getTime(), menor, mayor })}
          fill="none"
          style={{ stroke: `var(${color})` }}
          strokeWidth="2"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <div className="dias">
        <span>{formatFecha(desde, { hora: false })}</span>
        <span>{formatFecha(hasta, { hora: false })}</span>
      </div>
    </figure>
  );
}
