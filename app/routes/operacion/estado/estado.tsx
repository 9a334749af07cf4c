import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { SCREENS } from '~/access/screens';
import { writeCount } from '~/core/count';
import { toWire, type Wire } from '~/core/list';
import { rowOf, tableOf } from '~/core/table';
import { VITALES } from '~/core/vital';
import { type Estado as Leido, readEstado } from '~/domain/operacion/mantenimiento/estado.server';
import { readPromesas } from '~/domain/operacion/mantenimiento/promesas.server';
import { PageHeader, Panel } from '~/ui/Blocks';
import { Estatus } from '~/ui/Estatus';
import { Fecha, formatFecha } from '~/ui/Fecha';
import { TablaCaja } from '~/ui/TablaCaja';
import { db } from '~db/shared.server';
import { duracion } from './duracion';
import { Promesas } from './Promesas';
import { Trazos } from './Trazos';
import './estado.css';

export const meta: MetaFunction = () => [{ title: 'Estado' }];

export async function loader() {
  const [estado, promesas] = await Promise.all([readEstado(db()), readPromesas(db())]);
  return { ...toWire(estado), promesas: toWire(promesas) };
}

type Dicho = Wire<Leido>;
type Nombres = Readonly<Record<string, string>>;

const CLASES: Nombres = tableOf({
  paginas: 'Páginas',
  partes: 'Partes de una página',
  envios: 'Formularios',
  api: 'API',
  avisos: 'Avisos que llegan',
});
const ESTADOS: Nombres = tableOf({
  queued: 'Por salir',
  sending: 'Saliendo',
  unknown: 'Sin respuesta, se busca',
  manual: 'Espera una decisión',
});
const LLAMADAS: Nombres = tableOf({ send: 'escribir', look: 'buscar', read: 'leer' });
const LECTURAS: Nombres = tableOf({
  sweep: 'Ventas',
  cancelled: 'Canceladas',
  missed: 'Las que faltaron',
  atencion: 'Preguntas y reclamos',
  publicaciones: 'Publicaciones',
  publicacionesNuevas: 'Publicaciones nuevas',
  competencia: 'Precios del mercado',
  promociones: 'Promociones del mercado',
  liquidacion: 'Liquidaciones',
  catalogo: 'Catálogo',
});
const DISPOSITIVO: Nombres = tableOf({ escritorio: 'Escritorio', telefono: 'Teléfono' });
const LIBROS: Nombres = tableOf({ ventas: 'Libro de ventas', stock: 'Movimientos de stock' });
const QUIENES = {
  web: 'La web no dice cómo está',
  worker: 'El worker no dice cómo está',
  instalacion: 'Nadie mide la cola, los efectos ni los otros lados',
};

const nombreOf = (nombres: Nombres, clave: string) => nombres[clave] ?? clave;
const ms = (valor: number) => (valor < 1_000 ? `${Math.round(valor)} ms` : `${(valor / 1_000).toFixed(1)} s`);
const mb = (valor: number) => `${writeCount(Math.round(valor))} MB`;
const SIN = 'sin datos';

const siHay = (valor: number | null, escribe: (valor: number) => string) => (valor === null ? SIN : escribe(valor));

/** How the installation was in its last day, by its own samples. What nobody told is said, and no zero. */
export default function Estado() {
  const estado = useLoaderData<typeof loader>();
  const { desde, ahora, silencios, esquema, procesos } = estado;
  const tramo = { desde, ahora };
  return (
    <>
      <PageHeader
        titulo="Estado"
        nota="Las últimas 24 horas de esta instalación, medidas cada minuto por sus procesos."
      />
      {silencios.map(({ quien, desde: callado }) => (
        <Panel key={quien} tono="mal" titulo={`${QUIENES[quien]}.`}>
          {callado ? (
            <>
              Sin datos desde el <Fecha valor={callado} />.
            </>
          ) : (
            'Sin datos en las últimas 24 horas.'
          )}
        </Panel>
      ))}
      <div className="estado">
        <Promesas promesas={estado.promesas} />
        <Peticiones {...estado} />
        <Vistas vistas={estado.vistas} />
        <section className="hoja">
          <h2>Trabajos por carril</h2>
          <Trazos
            {...tramo}
            titulo="Vencidos"
            lineas={estado.carriles.map(({ nombre, serie }) => ({ nombre, serie }))}
            escribe={writeCount}
            vacio="Ningún trabajo esperó, hasta donde hay datos."
          />
          <Colas colas={estado.carriles} de="Carril" nombre={(clave) => clave} />
        </section>
        <section className="hoja">
          <h2>Efectos sin terminar</h2>
          <Trazos
            {...tramo}
            titulo="Abiertos por estado"
            lineas={estado.efectos.map(({ nombre, serie }) => ({ nombre: nombreOf(ESTADOS, nombre), serie }))}
            escribe={writeCount}
            vacio="Ningún efecto esperó, hasta donde hay datos."
          />
          <Colas colas={estado.efectos} de="Estado" nombre={(clave) => nombreOf(ESTADOS, clave)} />
        </section>
        <Lados lados={estado.lados} />
        <Fuentes fuentes={estado.fuentes} />
        <Cuadres cuadres={estado.cuadres} />
        <Acarreos acarreos={estado.acarreos} />
        <section className="hoja entera">
          <h2>Procesos</h2>
          <div className="trazos-par">
            <Trazos
              {...tramo}
              titulo="Memoria"
              lineas={procesos.map(({ proceso, memoria }) => ({ nombre: proceso, serie: memoria }))}
              escribe={mb}
              vacio="Sin datos: ningún proceso ha dicho su memoria."
            />
            <Trazos
              {...tramo}
              titulo="Atraso del ciclo de eventos, p99"
              lineas={procesos.map(({ proceso, atraso }) => ({ nombre: proceso, serie: atraso }))}
              escribe={ms}
              vacio="Sin datos: ningún proceso ha dicho su atraso."
            />
          </div>
          <TablaCaja nombre="Procesos de la instalación">
            <table className="tabla">
              <thead>
                <tr>
                  <th>Proceso</th>
                  <th>Construcción</th>
                  <th className="num">Memoria</th>
                  <th className="num">Atraso p99</th>
                  <th className="num">Atraso mayor</th>
                  <th>Visto</th>
                </tr>
              </thead>
              <tbody>
                {procesos.map((uno) => (
                  <tr key={uno.proceso}>
                    <td className="largo">{uno.proceso}</td>
                    <td className="largo">{uno.construccion}</td>
                    <td className="num">{uno.calla ? '—' : siHay(uno.memoriaMb, mb)}</td>
                    <td className="num">{uno.calla ? '—' : siHay(uno.atrasoP99Ms, ms)}</td>
                    <td className="num">{uno.calla ? '—' : siHay(uno.atrasoMaxMs, ms)}</td>
                    <td>{uno.calla ? `sin datos desde el ${formatFecha(uno.visto)}` : 'ahora'}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </TablaCaja>
          <p className="nota">Esquema de la base: {esquema ?? SIN}.</p>
        </section>
      </div>
    </>
  );
}

function Peticiones({ desde, ahora, peticiones, fallas }: Pick<Dicho, 'desde' | 'ahora' | 'peticiones' | 'fallas'>) {
  return (
    <section className="hoja entera">
      <h2>Peticiones</h2>
      <div className="trazos-par">
        <Trazos
          desde={desde}
          ahora={ahora}
          titulo="Duración de 95 de cada 100"
          lineas={peticiones.map(({ clase, serie }) => ({ nombre: nombreOf(CLASES, clase), serie }))}
          escribe={ms}
          vacio="Sin datos: ninguna web ha contado peticiones."
        />
        <Trazos
          desde={desde}
          ahora={ahora}
          titulo="Errores (5xx)"
          lineas={[{ nombre: 'Errores', serie: fallas }]}
          escribe={writeCount}
          vacio="Sin datos: ninguna web ha contado peticiones."
        />
      </div>
      {peticiones.length > 0 && (
        <TablaCaja nombre="Peticiones por clase">
          <table className="tabla">
            <thead>
              <tr>
                <th>Clase</th>
                <th className="num">Cuántas</th>
                <th className="num">p50</th>
                <th className="num">p95</th>
                <th className="num">Errores</th>
              </tr>
            </thead>
            <tbody>
              {peticiones.map(({ clase, cuantas, p50, p95, fallas: suyas }) => (
                <tr key={clase}>
                  <td>{nombreOf(CLASES, clase)}</td>
                  <td className="num">{writeCount(cuantas)}</td>
                  <td className="num">{siHay(p50, ms)}</td>
                  <td className="num">{siHay(p95, ms)}</td>
                  <td className="num">{writeCount(suyas)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TablaCaja>
      )}
    </section>
  );
}

/** How pages were for who used them, by what their browsers measured. */
function Vistas({ vistas }: Pick<Dicho, 'vistas'>) {
  return (
    <section className="hoja entera">
      <h2>Lo que viven las personas</h2>
      <p className="nota">
        De 75 de cada 100 veces, no más que esto: hasta ver lo principal (LCP), hasta que responde una pulsación (INP) y
        cuánto se movió lo que ya estaba (CLS).
      </p>
      {vistas.length === 0 ? (
        <p>Sin datos: ningún navegador ha contado nada todavía.</p>
      ) : (
        <TablaCaja nombre="Lo que viven las personas">
          <table className="tabla tablero">
            <thead>
              <tr>
                <th>Pantalla</th>
                <th>En</th>
                <th className="num">Vistas</th>
                <th className="num">LCP</th>
                <th className="num">INP</th>
                <th className="num">CLS</th>
              </tr>
            </thead>
            <tbody>
              {vistas.map(({ pantalla, dispositivo, cuantas, lcp, inp, cls }) => (
                <tr key={`${pantalla} ${dispositivo}`}>
                  <td className="titular">{rowOf(SCREENS, pantalla)?.label ?? pantalla}</td>
                  <td data-campo="En">{nombreOf(DISPOSITIVO, dispositivo)}</td>
                  <td className="num" data-campo="Vistas">
                    {writeCount(cuantas)}
                  </td>
                  <Vital vital="lcp" valor={lcp} escribe={ms} />
                  <Vital vital="inp" valor={inp} escribe={ms} />
                  <Vital vital="cls" valor={cls} escribe={(milesimas) => (milesimas / 1_000).toFixed(3)} />
                </tr>
              ))}
            </tbody>
          </table>
        </TablaCaja>
      )}
    </section>
  );
}

type VitalProps = { vital: keyof typeof VITALES; valor: number | null; escribe: (valor: number) => string };

/** One measure, marked where it is worse than good. */
function Vital({ vital, valor, escribe }: VitalProps) {
  const peor = valor !== null && valor > VITALES[vital]!;
  return (
    <td className="num" data-campo={vital.toUpperCase()}>
      {peor ? <Estatus tono="aviso">{escribe(valor)}</Estatus> : siHay(valor, escribe)}
    </td>
  );
}

/** What waits now, and its oldest. */
function Colas({ colas, de, nombre }: { colas: Dicho['carriles']; de: string; nombre(clave: string): string }) {
  if (colas.length === 0) return null;
  return (
    <TablaCaja nombre={`${de}: lo que espera`}>
      <table className="tabla">
        <thead>
          <tr>
            <th>{de}</th>
            <th className="num">Ahora</th>
            <th className="num">El más viejo</th>
            <th className="num">Lo más</th>
          </tr>
        </thead>
        <tbody>
          {colas.map(({ nombre: clave, ahora, edad, mas }) => (
            <tr key={clave}>
              <td>{nombre(clave)}</td>
              <td className="num">{siHay(ahora, writeCount)}</td>
              <td className="num">{edad === null ? '—' : duracion(edad)}</td>
              <td className="num">{writeCount(mas)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TablaCaja>
  );
}

function Lados({ lados }: Pick<Dicho, 'lados'>) {
  return (
    <section className="hoja">
      <h2>Otros lados</h2>
      {lados === null || lados.length === 0 ? (
        <p className="vacio">{lados === null ? 'Sin datos: no se pudieron leer.' : 'Todavía no se llama a ninguno.'}</p>
      ) : (
        <TablaCaja nombre="Otros lados en 24 horas">
          <table className="tabla">
            <thead>
              <tr>
                <th>Lado</th>
                <th className="num">Llamadas</th>
                <th className="num">Rechazadas</th>
                <th>Descansa</th>
              </tr>
            </thead>
            <tbody>
              {lados.map(({ lado, contestadas, rechazadas, pausas }) => (
                <tr key={lado}>
                  <td>{lado}</td>
                  <td className="num">{siHay(contestadas, writeCount)}</td>
                  <td className="num">{siHay(rechazadas, writeCount)}</td>
                  <td>{pausas.length === 0 ? 'no' : pausas.map((una) => nombreOf(LLAMADAS, una)).join(', ')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TablaCaja>
      )}
    </section>
  );
}

function Fuentes({ fuentes }: Pick<Dicho, 'fuentes'>) {
  return (
    <section className="hoja">
      <h2>Frescura de cada fuente</h2>
      {fuentes === null || fuentes.length === 0 ? (
        <p className="vacio">
          {fuentes === null ? 'Sin datos: no se pudo leer.' : 'Ninguna fuente se ha leído bien todavía.'}
        </p>
      ) : (
        <TablaCaja nombre="Última lectura buena de cada fuente">
          <table className="tabla">
            <thead>
              <tr>
                <th>Fuente</th>
                <th>Lectura</th>
                <th className="num">Leída hace</th>
              </tr>
            </thead>
            <tbody>
              {fuentes.map(({ fuente, lectura, hace }) => (
                <tr key={`${fuente} ${lectura}`}>
                  <td>{fuente}</td>
                  <td>{nombreOf(LECTURAS, lectura)}</td>
                  <td className="num">{duracion(hace)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TablaCaja>
      )}
    </section>
  );
}

/** What an upgrade left to a job, while there is or was any in the last days. */
function Acarreos({ acarreos }: Pick<Dicho, 'acarreos'>) {
  if (acarreos.length === 0) return null;
  return (
    <section className="hoja entera">
      <h2>Lo que dejó la actualización</h2>
      <p className="nota">Se hace por partes junto al trabajo de cada día; si se corta, sigue donde iba.</p>
      <TablaCaja nombre="Lo que dejó la actualización">
        <table className="tabla">
          <thead>
            <tr>
              <th>Qué</th>
              <th className="num">Hechas</th>
              <th className="num">Quedan</th>
              <th className="num">Por minuto</th>
              <th className="num">Termina en</th>
            </tr>
          </thead>
          <tbody>
            {acarreos.map(({ tarea, nombre, quedan, eran, porMinuto, faltan }) => (
              <tr key={tarea}>
                <td>{nombre}</td>
                <td className="num">
                  {siHay(quedan, (n) => `${writeCount(Math.round(eran - n))} de ${writeCount(eran)}`)}
                </td>
                <td className="num">{siHay(quedan, writeCount)}</td>
                <td className="num">{porMinuto === null ? '—' : writeCount(Math.round(porMinuto))}</td>
                <td className="num">
                  {quedan === 0
                    ? 'terminado'
                    : porMinuto === 0
                      ? 'no avanza'
                      : siHay(faltan, (minutos) => duracion(minutos * 60))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TablaCaja>
    </section>
  );
}

function Cuadres({ cuadres }: Pick<Dicho, 'cuadres'>) {
  return (
    <section className="hoja">
      <h2>Diferencias de los libros</h2>
      {cuadres === null || cuadres.length === 0 ? (
        <p className="vacio">
          {cuadres === null ? 'Sin datos: no se pudieron leer.' : 'Sin datos: todavía no se comparan; es cada noche.'}
        </p>
      ) : (
        <TablaCaja nombre="Última comparación de cada libro">
          <table className="tabla">
            <thead>
              <tr>
                <th>Libro</th>
                <th className="num">No cuadran</th>
                <th className="num">Comparado hace</th>
              </tr>
            </thead>
            <tbody>
              {cuadres.map(({ libro, diferencias, hace }) => (
                <tr key={libro}>
                  <td>{nombreOf(LIBROS, libro)}</td>
                  <td className="num">{writeCount(diferencias)}</td>
                  <td className="num">{siHay(hace, duracion)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TablaCaja>
      )}
    </section>
  );
}
