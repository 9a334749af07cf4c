import '@mantine/charts/styles.css';
import { AreaChart, DonutChart } from '@mantine/charts';
import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Link, useLoaderData, useLocation } from '@remix-run/react';
import type { ReactNode } from 'react';
import { z } from 'zod';
import { useArea } from '~/access/useArea';
import { markUnprocessable } from '~/core/answerStatus.server';
import { writeCount } from '~/core/count';
import { currentMonthByMinute, rangoProblem, readRango, toWire, withParams } from '~/core/list';
import { minutoFields } from '~/core/listFields';
import { civilDay, nombreOfMes } from '~/core/time';
import { PedidoDeCambio } from '~/domain/cierre/reportes/cambio';
import { readCambio } from '~/domain/cierre/reportes/cambio.server';
import { readGrafica } from '~/domain/cierre/reportes/grafica.server';
import { EmptyState, PageHeader, Panel } from '~/ui/Blocks';
import { formatFecha } from '~/ui/Fecha';
import { formatPesos, Pesos } from '~/ui/Pesos';
import { RangoFechas } from '~/ui/RangoFechas';
import { TablaCaja } from '~/ui/TablaCaja';
import { useHydrated } from '~/ui/useHydrated';
import { db } from '~db/shared.server';
import { openWithRows } from '~/http/mesDebido.server';
import { readMesConVentas } from '~/domain/cierre/reportes/mesConVentas.server';
import { PorQueCambio } from './PorQueCambio';
import { Queda } from './Queda';
import './reportes.css';

export const meta: MetaFunction = () => [{ title: 'Gráfica' }];

const Filter = z
  .object({ ...minutoFields, paso: z.enum(['dia', 'mes']).catch('dia') })
  .transform((fields) => ({ paso: fields.paso, ...readRango(fields, currentMonthByMinute()) }));

/** The periods whose profit is compared: `cambio` is their length, since the graph has a step of its own. */
const Comparados = z
  .object({
    cambio: PedidoDeCambio.shape.paso.catch('mes'),
    contra: PedidoDeCambio.shape.contra.catch(undefined),
    el: PedidoDeCambio.shape.el.catch(undefined),
  })
  .transform(({ cambio, ...resto }) => ({ paso: cambio, ...resto }));

export async function loader({ request }: LoaderFunctionArgs) {
  await openWithRows(request, 'rango', () => readMesConVentas(db()));
  const search = new URL(request.url).searchParams;
  const now = new Date();
  const asked = Object.fromEntries(search);
  const filtro = Filter.parse(asked);
  const aviso = rangoProblem(search, filtro);
  if (aviso) markUnprocessable(request);
  const [grafica, cambio] = await Promise.all([
    readGrafica(db(), filtro, filtro.paso),
    readCambio(db(), Comparados.parse(asked), now),
  ]);
  return { filtro, aviso, grafica: toWire(grafica), cambio: toWire(cambio), hoy: civilDay(now) };
}

/** Five colours that people who do not tell red from green keep apart; further slices share one grey. */
const COLORES = [1, 2, 3, 4, 5].map((one) => `var(--grafica-${one})`);
const colorAt = (at: number) => COLORES[at] ?? 'var(--grafica-resto)';
const PARTE = new Intl.NumberFormat('es-MX', { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 });
const MILLONES = new Intl.NumberFormat('es-MX', { maximumFractionDigits: 2 });

/** Writes a label of the axis: whole pesos, and millions where the zeros would fill the axis. A loss has its sign before the currency's, as amounts have everywhere. */
function ejePesos(monto: number): string {
  const sinSigno = Math.abs(monto);
  const pesos = sinSigno >= 1_000_000 ? `${MILLONES.format(sinSigno / 1_000_000)} M` : writeCount(sinSigno);
  return `${monto < 0 ? '-' : ''}$${pesos}`;
}

/** Only a picture's height is a number of JavaScript's: the figures beside it are exact. */
const alto = (monto: string) => Number(monto);

export default function Grafica() {
  const { filtro, aviso, grafica, cambio, hoy } = useLoaderData<typeof loader>();
  const { search } = useLocation();
  const hydrated = useHydrated();
  const utilidadPor = `${useArea()}/utilidadPor`;
  const etiqueta = (periodo: string) =>
    filtro.paso === 'mes' ? nombreOfMes(periodo) : formatFecha(periodo, { hora: false });
  // Points of the future are left out, since a day that has not come is not a day without sales.
  const pasados = grafica.puntos.filter(
    ({ periodo, ordenes }) => periodo <= hoy.slice(0, periodo.length) || ordenes > 0,
  );
  const puntos = pasados.map(({ periodo, monto, ordenes, queda }) => ({
    periodo: etiqueta(periodo),
    Monto: alto(monto),
    Ordenes: ordenes,
    Utilidad: queda === null ? null : alto(queda),
  }));
  const conocida = grafica.utilidad.conUtilidad > 0;
  const dibujo = {
    h: 220,
    data: puntos,
    dataKey: 'periodo',
    curveType: 'linear',
    withDots: puntos.length < 2,
    strokeWidth: 2,
    xAxisProps: {
      minTickGap: 28,
      tickFormatter: (texto: string) =>
        filtro.paso === 'dia' ? texto.slice(0, 5) : `${texto.slice(0, 3)} ${texto.slice(-2)}`,
    },
  } as const;
  return (
    <>
      <PageHeader
        titulo="Gráfica"
        nota="Ventas sin cancelaciones ni devoluciones; la utilidad cuenta también lo que esas costaron."
      >
        {(['dia', 'mes'] as const).map((paso) => (
          <Link
            key={paso}
            className="boton"
            to={withParams(search, { paso })}
            preventScrollReset
            aria-current={filtro.paso === paso ? 'true' : undefined}
            data-tono={filtro.paso === paso ? 'acento' : undefined}
          >
            {paso === 'dia' ? 'Diaria' : 'Mensual'}
          </Link>
        ))}
        <a className="boton" href={utilidadPor}>
          Utilidad por producto
        </a>
        <a className="boton" href="#cambio">
          Por qué cambió
        </a>
      </PageHeader>
      {aviso && <Panel tono="aviso">{aviso}</Panel>}
      <div className="hoja">
        <RangoFechas desde={filtro.desde} hasta={filtro.hasta} conHora />
      </div>
      {grafica.ordenes === 0 ? (
        <div className="hoja">
          <EmptyState />
        </div>
      ) : (
        <>
          <section className="hoja par">
            <div>
              <h2>Ventas por proveedor</h2>
              <SinDibujo />
              <div className="lienzo">
                {hydrated && (
                  <DonutChart
                    data={grafica.proveedores.map(({ label, monto }, at) => ({
                      name: label,
                      value: alto(monto),
                      color: colorAt(at),
                    }))}
                    size={220}
                    thickness={36}
                    strokeColor="var(--papel)"
                    strokeWidth={2}
                    mx="auto"
                    withTooltip
                    chartLabel={formatPesos(grafica.monto)}
                    valueFormatter={(monto) => formatPesos(monto.toFixed(2))}
                  />
                )}
              </div>
            </div>
            <TablaCaja nombre="Parte de cada proveedor">
              <table className="tabla">
                <thead>
                  <tr>
                    <th>Proveedor</th>
                    <th className="num">Ordenes</th>
                    <th className="num">Monto</th>
                    <th className="num parte">Parte</th>
                  </tr>
                </thead>
                <tbody>
                  {grafica.proveedores.map(({ proveedor, label, monto, ordenes }, at) => (
                    <tr key={proveedor ?? ''}>
                      <td>
                        <span className="muestra" style={{ background: colorAt(at) }} />
                        {label}
                      </td>
                      <td className="num">{writeCount(ordenes)}</td>
                      <td className="pesos">
                        <Pesos valor={monto} />
                      </td>
                      <td className="num parte">{PARTE.format(alto(monto) / Math.max(1, alto(grafica.monto)))}</td>
                    </tr>
                  ))}
                </tbody>
                <PieDeVentas {...grafica}>
                  <td className="parte" />
                </PieDeVentas>
              </table>
            </TablaCaja>
          </section>
          <section className="hoja par">
            <div>
              <h2>Monto vendido</h2>
              <SinDibujo />
              <div className="lienzo">
                {hydrated && (
                  <AreaChart
                    {...dibujo}
                    series={[{ name: 'Monto', color: colorAt(0) }]}
                    yAxisProps={{ width: 76, tickFormatter: ejePesos }}
                    valueFormatter={(monto) => formatPesos(monto.toFixed(2))}
                  />
                )}
              </div>
              <h2>Utilidad</h2>
              {conocida || <p className="nota">Todavía no se sabe qué dejan estas ventas.</p>}
              <div className={conocida ? 'lienzo' : undefined}>
                {hydrated && conocida && (
                  <AreaChart
                    {...dibujo}
                    series={[{ name: 'Utilidad', color: colorAt(2) }]}
                    connectNulls={false}
                    yAxisProps={{ width: 76, tickFormatter: ejePesos }}
                    valueFormatter={(queda) => formatPesos(queda.toFixed(2))}
                  />
                )}
              </div>
              <h2>Ordenes</h2>
              <div className="lienzo">
                {hydrated && (
                  <AreaChart
                    {...dibujo}
                    series={[{ name: 'Ordenes', color: colorAt(3) }]}
                    yAxisProps={{ width: 76, allowDecimals: false }}
                    valueFormatter={writeCount}
                  />
                )}
              </div>
            </div>
            <div
              className="tabla-caja alta"
              role="region"
              aria-label={filtro.paso === 'mes' ? 'Ventas por mes' : 'Ventas por día'}
              tabIndex={0}
            >
              <table className="tabla">
                <thead>
                  <tr>
                    <th>{filtro.paso === 'mes' ? 'Mes' : 'Día'}</th>
                    <th className="num">Ordenes</th>
                    <th className="num">Monto</th>
                    <th className="num">Utilidad</th>
                  </tr>
                </thead>
                <tbody>
                  {pasados.map(({ periodo, monto, ordenes, ...utilidad }) => (
                    <tr key={periodo}>
                      <td>{etiqueta(periodo)}</td>
                      <td className="num">{writeCount(ordenes)}</td>
                      <td className="pesos">
                        <Pesos valor={monto} />
                      </td>
                      <td className="pesos">
                        {utilidad.conUtilidad > 0 ? <Queda {...utilidad} /> : utilidad.ventas > 0 && '—'}
                      </td>
                    </tr>
                  ))}
                </tbody>
                <PieDeVentas {...grafica}>
                  <td className="pesos">
                    <strong>
                      <Queda {...grafica.utilidad} />
                    </strong>
                  </td>
                </PieDeVentas>
              </table>
            </div>
          </section>
        </>
      )}
      <PorQueCambio cambio={cambio} hoy={hoy} />
    </>
  );
}

/** The foot of a table of what was sold; `children` is the cell of its last column. */
function PieDeVentas({ ordenes, monto, children }: { ordenes: number; monto: string; children: ReactNode }) {
  return (
    <tfoot>
      <tr>
        <th>Total</th>
        <td className="num">{writeCount(ordenes)}</td>
        <td className="pesos">
          <strong>
            <Pesos valor={monto} />
          </strong>
        </td>
        {children}
      </tr>
    </tfoot>
  );
}

/** The browser draws the pictures; the figures stand beside them in any case. */
function SinDibujo() {
  return (
    <noscript>
      <p className="nota">La gráfica se dibuja con JavaScript. Sus cifras están en la tabla.</p>
    </noscript>
  );
}
