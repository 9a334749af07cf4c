import { writeCount } from '~/core/count';
import type { Cifras as Guardadas, CifrasDelDia, Hora } from '~/domain/cierre/reportes/cifrasDelDia.server';
import type { Leida } from '~/platform/hoy/leida.server';
import { formatFecha, formatHora } from '~/ui/Fecha';
import { formatPesos } from '~/ui/Pesos';
import { SinLeer } from './SinLeer';

type Dichas = Omit<Guardadas, 'vendido' | 'utilidad'> & { vendido: string; utilidad: string | null };
type DelDia = Omit<CifrasDelDia, 'hoy' | 'antes'> & { hoy: Dichas; antes: Dichas };
type Props = {
  cifras: Leida<DelDia>;
  ahora: Date;
  /** Address of what tells why the profit of the day changed; null for who may not open it. */
  porQue: string | null;
};

type Cifra = { nombre: string; valor: (cifras: Dichas) => number | null; texto: (cifras: Dichas) => string };

const CIFRAS: (Cifra & {
  /** Words about the figure of today that stand under it. */
  nota?: (cifras: Dichas) => string;
})[] = [
  { nombre: 'Ventas', valor: ({ ventas }) => ventas, texto: ({ ventas }) => writeCount(ventas) },
  { nombre: 'Vendido', valor: ({ vendido }) => Number(vendido), texto: ({ vendido }) => formatPesos(vendido) },
  {
    nombre: 'Utilidad',
    valor: ({ utilidad }) => (utilidad === null ? null : Number(utilidad)),
    texto: ({ utilidad, estimadas }) => pesosOf(utilidad, estimadas > 0),
    nota: ({ ventas, sinSaber }) =>
      sinSaber === 0
        ? ''
        : sinSaber === ventas
          ? ' todavía no se sabe'
          : ` de ${writeCount(ventas - sinSaber)} de ${writeCount(ventas)} ventas`,
  },
  { nombre: 'Facturas', valor: ({ facturas }) => facturas, texto: ({ facturas }) => writeCount(facturas) },
  { nombre: 'Canceladas', valor: ({ canceladas }) => canceladas, texto: ({ canceladas }) => writeCount(canceladas) },
];

/** An amount that may be estimated (≈) or unknown (—). */
const pesosOf = (importe: string | null, estimado: boolean) =>
  importe === null ? '—' : `${estimado ? '≈ ' : ''}${formatPesos(importe)}`;

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
        {CIFRAS.map(({ nombre, valor, texto, nota }) => (
          <div key={nombre}>
            <dt>{nombre}</dt>
            <dd>
              {texto(hoy)}
              {nota && <span className="nota">{nota(hoy)}</span>}
            </dd>
            <dd className="nota">
              {texto(antes)}
              {cambio(valor(hoy), valor(antes))}
              {nota?.(antes)}
            </dd>
          </div>
        ))}
      </dl>
      <PorHora
        nombre="Ordenes"
        {...porHora}
        dia={dia}
        valor={({ ordenes }) => ordenes}
        texto={({ ordenes }) => `${ordenes}`}
      />
      {[...porHora.hoy, ...porHora.antes].some(({ utilidad }) => utilidad !== null) && (
        <PorHora
          nombre="Utilidad"
          {...porHora}
          dia={dia}
          valor={({ utilidad }) => Number(utilidad)}
          texto={({ utilidad, estimada }) => pesosOf(utilidad, estimada)}
        />
      )}
    </>
  );
}

/** Returns the change in per cent; none is told where the earlier figure is close to nothing. */
function cambio(hoy: number | null, antes: number | null): string {
  if (hoy === null || antes === null || antes === 0 || hoy === antes) return '';
  const percent = Math.round((100 * (hoy - antes)) / Math.abs(antes));
  return Math.abs(percent) > MOST_PERCENT ? '' : ` (${percent > 0 ? '+' : ''}${percent} %)`;
}

const MOST_PERCENT = 300;
const ANCHO = 10;
const ALTO = 64;

type DeHora = {
  nombre: string;
  hoy: Hora[];
  antes: Hora[];
  dia: string;
  valor: (hora: Hora) => number;
  texto: (hora: Hora) => string;
};

/** A figure by hour: two paths that the server draws, and their words. What is below zero hangs from the line. */
function PorHora({ nombre, hoy, antes, dia, valor, texto }: DeHora) {
  const valores = [...hoy, ...antes].map(valor);
  const [most, least] = [Math.max(1, ...valores), Math.min(0, ...valores)];
  const px = (n: number) => Math.round((n / (most - least)) * ALTO);
  const linea = px(most);
  const barras = (horas: Hora[], from: number, wide: number) =>
    horas
      .map((una, hour) => {
        const high = px(valor(una));
        return high === 0 ? '' : `M${hour * ANCHO + from} ${linea}v${-high}h${wide}v${high}z`;
      })
      .join('');
  const dichas = (horas: Hora[]) =>
    horas.flatMap((una, hour) => (una.ordenes > 0 ? `a las ${hour}, ${texto(una)}` : [])).join('; ') || 'ninguna';
  return (
    <figure className="por-hora">
      <figcaption>
        <span>{nombre} por hora</span>
        <span className="clave-hoy">hoy</span>
        <span className="clave-antes">{dia}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${24 * ANCHO} ${ALTO}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${nombre} por hora. Hoy: ${dichas(hoy)}. El ${dia}: ${dichas(antes)}.`}
      >
        <path className="antes" d={barras(antes, 0, 9)} />
        <path className="hoy" d={barras(hoy, 2, 5)} />
        {least < 0 && <path className="cero" d={`M0 ${linea}h${24 * ANCHO}`} />}
      </svg>
      <p className="horas" aria-hidden="true">
        <span>0 h</span>
        <span>12 h</span>
        <span>24 h</span>
      </p>
    </figure>
  );
}
