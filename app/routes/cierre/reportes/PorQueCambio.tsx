import { Form, Link, useLocation } from '@remix-run/react';
import { useArea } from '~/access/useArea';
import { writeCount } from '~/core/count';
import { withParams, type Wire } from '~/core/list';
import { writeDias } from '~/core/periodo';
import { clockAsUtc } from '~/core/time';
import type { Cambio } from '~/domain/cierre/reportes/cambio.server';
import { Boton } from '~/ui/Boton';
import { formatHora } from '~/ui/Fecha';
import { FechaInput } from '~/ui/FechaInput';
import { HiddenParams } from '~/ui/HiddenParams';
import { formatPesos } from '~/ui/Pesos';
import './porQueCambio.css';

type Dicho = Wire<Cambio>;
type Lado = Dicho['ahora'];
type Paso = Cambio['pedido']['paso'];
type Contra = Cambio['pedido']['contra'];
type Causa = Dicho['causas'][number];
type Props = { cambio: Dicho; hoy: string };

/** Lengths of a period, and what each can be compared with. */
const PASOS: readonly { paso: Paso; texto: string; contras: readonly (readonly [Contra, string])[] }[] = [
  {
    paso: 'dia',
    texto: 'Día',
    contras: [
      ['mismoDia', 'El mismo día, una semana antes'],
      ['anterior', 'El día anterior'],
      ['anio', 'Hace un año'],
    ],
  },
  {
    paso: 'semana',
    texto: 'Semana',
    contras: [
      ['anterior', 'La semana anterior'],
      ['anio', 'Hace un año'],
    ],
  },
  {
    paso: 'mes',
    texto: 'Mes',
    contras: [
      ['anterior', 'El mes anterior'],
      ['anio', 'Hace un año'],
    ],
  },
];

/** The words of a cause, and the column by which the sales of a period show it best. */
const CAUSA: Readonly<Record<Causa['causa'], { nombre: string; es: string; orden: string; por: string }>> = {
  precio: {
    nombre: 'Precio',
    es: 'Lo que se cobra por cada pieza, ya sin la comisión que le toca, en los productos que se vendieron en los dos periodos.',
    orden: '-pagado',
    por: 'monto pagado',
  },
  mezcla: {
    nombre: 'Mezcla y cantidad',
    es: 'Cuántas piezas se vendieron y de qué productos, a lo que dejaba cada una antes. Los centavos del redondeo están aquí.',
    orden: '-utilidad',
    por: 'utilidad',
  },
  comision: {
    nombre: 'Comisión',
    es: 'La parte de lo vendido que se quedan el mercado y sus retenciones.',
    orden: '-comision',
    por: 'comisión',
  },
  costo: { nombre: 'Costo', es: 'Lo que cuesta cada pieza.', orden: '-factura', por: 'factura de proveedor' },
  envio: {
    nombre: 'Envío y devoluciones',
    es: 'Lo que cuesta enviar cada pieza, lo que se devolvió de ventas que siguen, y lo que dejaron las canceladas y devueltas.',
    orden: '-envio',
    por: 'envío',
  },
};
const DIA_DE_LA_SEMANA = new Intl.DateTimeFormat('es-MX', { weekday: 'long', timeZone: 'UTC' });

/** Why the profit of a period is not that of another one: five causes that add up to the difference, each with its sales. */
export function PorQueCambio({ cambio, hoy }: Props) {
  return (
    <section className="hoja cambio" id="cambio" aria-labelledby="cambio-titulo">
      <h2 id="cambio-titulo">Por qué cambió la utilidad</h2>
      <Mandos {...cambio.pedido} hoy={hoy} />
      <Respuesta cambio={cambio} />
      {cambio.enCurso && (
        <p className="nota">
          El periodo sigue: se lee hasta las {formatHora(cambio.ahora.leidoHasta)}, y el de antes hasta el mismo punto.
          Los enlaces abren días enteros.
        </p>
      )}
    </section>
  );
}

/** The period and what it is compared with: links, and a form for the day. All of it works without JavaScript. */
function Mandos({ paso, contra, el, hoy }: Dicho['pedido'] & { hoy: string }) {
  const { search } = useLocation();
  const opcion = (texto: string, cambios: Record<string, string | null>, elegida: boolean) => (
    <Link
      key={texto}
      className="boton"
      to={`${withParams(search, cambios)}#cambio`}
      preventScrollReset
      discover="none"
      aria-current={elegida ? 'true' : undefined}
      data-tono={elegida ? 'acento' : undefined}
    >
      {texto}
    </Link>
  );
  return (
    <div className="cambio-mandos">
      <nav aria-label="Periodo que se compara">
        {PASOS.map((uno) => opcion(uno.texto, { cambio: uno.paso, contra: null }, uno.paso === paso))}
      </nav>
      <nav aria-label="Contra qué se compara">
        {PASOS.find((uno) => uno.paso === paso)?.contras.map(([uno, texto]) =>
          opcion(texto, { contra: uno }, uno === contra),
        )}
      </nav>
      <Form method="get" action="#cambio" className="rango" preventScrollReset>
        <HiddenParams search={search} without={['el']} />
        <FechaInput name="el" label="Un día del periodo" defaultValue={el} max={hoy} calendario="Elegir el día" />
        <Boton type="submit">Comparar</Boton>
      </Form>
    </div>
  );
}

function Respuesta({ cambio }: { cambio: Dicho }) {
  const { pedido, ahora, antes, diferencia, causas, comunes } = cambio;
  if (ahora.ventas === 0 && antes.ventas === 0)
    return <p className="vacio">Sin ventas en ninguno de los dos periodos.</p>;
  const dias = (lado: Lado) => [
    pedido.paso === 'dia' ? DIA_DE_LA_SEMANA.format(clockAsUtc(lado.desde)) : '',
    writeDias(lado),
  ];
  return (
    <>
      <dl className="cambio-lados">
        {([antes, ahora] as const).map((lado, at) => (
          <div key={at}>
            <dt>{[at === 0 ? 'Antes:' : 'Ahora:', ...dias(lado)].filter(Boolean).join(' ')}</dt>
            <dd>{escrito(lado.queda, lado.estimadas > 0)}</dd>
            <dd className="nota">{deCuantas(lado)}</dd>
          </div>
        ))}
        <div>
          <dt>Cambio</dt>
          <dd className={diferencia?.startsWith('-') ? 'perdida' : undefined}>
            {conSigno(diferencia, ahora.estimadas + antes.estimadas > 0)}
          </dd>
        </div>
      </dl>
      {diferencia === null ? (
        <p className="nota">
          {ahora.queda === null && antes.queda === null
            ? 'De ninguna venta de los dos periodos se sabe la utilidad'
            : `De ninguna venta de ${ahora.queda === null ? 'ahora' : 'antes'} se sabe la utilidad`}
          : no hay qué comparar. Se sabe con la factura del proveedor o con un pedido con precio.
        </p>
      ) : (
        <>
          {comunes === 0 && (
            <p className="nota">
              Ningún producto se vendió en los dos periodos: no hay precios ni costos que comparar, y lo que dejaron las
              ventas es mezcla y cantidad.
            </p>
          )}
          <ul className="causas">
            {causas.map((causa) => (
              <li key={causa.causa}>
                <UnaCausa {...causa} cambio={cambio} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

/** A cause: its amount, and behind it what it is and the sales it is made of. */
function UnaCausa({ causa, importe, estimada, productos, cambio }: Causa & { cambio: Dicho }) {
  const area = useArea();
  const { nombre, es, orden, por } = CAUSA[causa];
  const { ahora, antes, sinPar, devoluciones } = cambio;
  const lista = ({ desde, hasta }: Lado, mas: Record<string, string>) =>
    `${area}/llenarReporte?${new URLSearchParams({ desde, hasta, ...mas }).toString()}`;
  const canceladas = ({ desde, hasta }: Lado) => `${area}/ordenesCanceladas?desde=${desde}&hasta=${hasta}`;
  return (
    <details>
      <summary>
        <span>{nombre}</span>
        <span className={importe.startsWith('-') ? 'pesos perdida' : 'pesos'}>{conSigno(importe, estimada)}</span>
      </summary>
      <p>{es}</p>
      {causa === 'mezcla' && sinPar !== '0.00' && (
        <p>Productos que se vendieron en un solo periodo: {conSigno(sinPar, false)}.</p>
      )}
      {causa === 'envio' && (
        <p>
          Canceladas y devueltas: {conSigno(devoluciones, false)}.{' '}
          <Enlace a={canceladas(ahora)} texto="Ahora" de="las canceladas" />{' '}
          <Enlace a={canceladas(antes)} texto="Antes" de="las canceladas" />
        </p>
      )}
      {productos.length > 0 && (
        <>
          <p className="nota">Los productos que más la movieron, con sus ventas:</p>
          <ul>
            {productos.map(({ titulo, importe: suyo }, at) => (
              <li key={at}>
                <span>{titulo}</span> <span className="pesos">{conSigno(suyo, estimada)}</span>{' '}
                <Enlace a={lista(ahora, { q: palabrasOf(titulo) })} texto="Ahora" de={titulo} />{' '}
                <Enlace a={lista(antes, { q: palabrasOf(titulo) })} texto="Antes" de={titulo} />
              </li>
            ))}
          </ul>
        </>
      )}
      <p className="nota">
        Ninguna lista separa esta causa: estas son todas las ventas, por {por}.{' '}
        <Enlace a={lista(ahora, { orden })} texto="Ahora" de="todas las ventas" />{' '}
        <Enlace a={lista(antes, { orden })} texto="Antes" de="todas las ventas" />
      </p>
    </details>
  );
}

/** The words of a title that a list searches: it takes six, and a hundred characters. */
const palabrasOf = (titulo: string) => titulo.split(/\s+/).slice(0, 6).join(' ').slice(0, 100);

const Enlace = ({ a, texto, de }: { a: string; texto: string; de: string }) => (
  <a className="cambio-enlace" href={a} aria-label={`${texto}: ${de}`}>
    {texto}
  </a>
);

const escrito = (importe: string | null, estimado: boolean) =>
  importe === null ? '—' : `${estimado ? '≈ ' : ''}${formatPesos(importe)}`;

const conSigno = (importe: string | null, estimado: boolean) =>
  importe === null || importe.startsWith('-') || importe === '0.00'
    ? escrito(importe, estimado)
    : `${estimado ? '≈ ' : ''}+${formatPesos(importe)}`;

/** 'de 593 de 598 ventas', and what is not said of the others. */
function deCuantas({ ventas, conUtilidad, estimadas }: Lado): string {
  if (ventas === 0) return 'sin ventas';
  const todas = `de ${writeCount(conUtilidad)} de ${writeCount(ventas)} ${ventas === 1 ? 'venta' : 'ventas'}`;
  const fuera = ventas - conUtilidad;
  return [
    todas,
    fuera > 0 && `${fuera === 1 ? '1 queda' : `${writeCount(fuera)} quedan`} fuera: no se sabe su utilidad`,
    estimadas > 0 && `${writeCount(estimadas)} ${estimadas === 1 ? 'estimada' : 'estimadas'}`,
  ]
    .filter(Boolean)
    .join(' · ');
}
