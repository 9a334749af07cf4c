import { writeCount } from '~/core/count';
import type { Cifras as Guardadas, CifrasDelDia } from '~/domain/cierre/reportes/cifrasDelDia.server';
import type { Leida } from '~/platform/hoy/leida.server';
import { formatFecha, formatHora } from '~/ui/Fecha';
import { formatPesos } from '~/ui/Pesos';
import { SinLeer } from './SinLeer';

type Dichas = Omit<Guardadas, 'vendido'> & { vendido: string };
type DelDia = Omit<CifrasDelDia, 'hoy' | 'antes'> & { hoy: Dichas; antes: Dichas };
type Props = {
  cifras: Leida<DelDia>;
  ahora: Date;
  /** Address of what tells why the profit of the day changed; null for who may not open it. */
  porQue: string | null;
};

const CIFRAS: { nombre: string; valor: (cifras: Dichas) => number; texto: (cifras: Dichas) => string }[] = [
  { nombre: 'Ventas', valor: ({ ventas }) => ventas, texto: ({ ventas }) => writeCount(ventas) },
  { nombre: 'Vendido', valor: ({ vendido }) => Number(vendido), texto: ({ vendido }) => formatPesos(vendido) },
  { nombre: 'Facturas', valor: ({ facturas }) => facturas, texto: ({ facturas }) => writeCount(facturas) },
  { nombre: 'Canceladas', valor: ({ canceladas }) => canceladas, texto: ({ canceladas }) => writeCount(canceladas) },
];

/** The day so far beside the same weekday at the same hour. */
export function Cifras({ cifras: { valor, sinLeer }, ahora, porQue }: Props) {
  return (
    <section className="hoja cifras" aria-labelledby="cifras">
      <h2 id="cifras">El día</h2>
      {sinLeer && (
        <p>
          <SinLeer desde={sinLeer.desde} />
        </p>
      )}
      {valor && <DelDia dia={valor} hasta={sinLeer?.desde ?? ahora} />}
      {porQue && (
        <p className="nota">
          <a href={porQue}>Por qué cambió la utilidad</a>
        </p>
      )}
    </section>
  );
}

function DelDia({ dia: { hoy, antes, diaDeAntes, porHora }, hasta }: { dia: DelDia; hasta: Date }) {
  const dia = formatFecha(diaDeAntes).slice(0, 5);
  return (
    <>
      <p className="nota">
        Hasta las {formatHora(hasta)}; debajo, el {dia} a esta hora.
      </p>
      <dl>
        {CIFRAS.map(({ nombre, valor, texto }) => (
          <div key={nombre}>
            <dt>{nombre}</dt>
            <dd>{texto(hoy)}</dd>
            <dd className="nota">
              {texto(antes)}
              {cambio(valor(hoy), valor(antes))}
            </dd>
          </div>
        ))}
      </dl>
      <PorHora {...porHora} dia={dia} />
    </>
  );
}

/** Returns the change in per cent; none is told where the earlier figure is close to nothing. */
function cambio(hoy: number, antes: number): string {
  if (antes === 0 || hoy === antes) return '';
  const percent = Math.round((100 * (hoy - antes)) / antes);
  return Math.abs(percent) > MOST_PERCENT ? '' : ` (${percent > 0 ? '+' : ''}${percent} %)`;
}

const MOST_PERCENT = 300;
const ANCHO = 10;
const ALTO = 64;

/** Sales by hour: two paths that the server draws, and their words. */
function PorHora({ hoy, antes, dia }: { hoy: number[]; antes: number[]; dia: string }) {
  const most = Math.max(1, ...hoy, ...antes);
  const barras = (horas: number[], from: number, wide: number) =>
    horas
      .map((n, hour) => {
        const high = Math.round((n / most) * ALTO);
        return high === 0 ? '' : `M${hour * ANCHO + from} ${ALTO}v-${high}h${wide}v${high}z`;
      })
      .join('');
  const mejor = antes.indexOf(Math.max(...antes));
  return (
    <figure className="por-hora">
      <svg
        viewBox={`0 0 ${24 * ANCHO} ${ALTO}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Ordenes por hora: hoy ${hoy.join(', ')}. El ${dia}, la hora con más fue las ${mejor}, con ${antes[mejor] ?? 0}.`}
      >
        <path className="antes" d={barras(antes, 0, 9)} />
        <path className="hoy" d={barras(hoy, 2, 5)} />
      </svg>
      <figcaption>
        <span>0 h</span>
        <span className="clave-hoy">hoy</span>
        <span className="clave-antes">{dia}</span>
        <span>24 h</span>
      </figcaption>
    </figure>
  );
}
