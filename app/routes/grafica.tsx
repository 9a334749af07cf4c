import '@mantine/charts/styles.css';
import { AreaChart, DonutChart } from '@mantine/charts';
import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Link, useLoaderData, useLocation } from '@remix-run/react';
import { z } from 'zod';
import { markUnprocessable } from '~/core/answerStatus.server';
import { currentMonth, rangoFields, rangoProblem, readRango, toWire, withParams } from '~/core/list';
import { readGrafica } from '~/domain/reportes/grafica.server';
import { nombreDelMes } from '~/domain/facturas/mes';
import { EmptyState, PageHeader, Panel } from '~/ui/Blocks';
import { formatFecha } from '~/ui/Fecha';
import { formatPesos, Pesos } from '~/ui/Pesos';
import { RangoFechas } from '~/ui/RangoFechas';
import { useHydrated } from '~/ui/useHydrated';
import { db } from '~db/shared.server';

export const meta: MetaFunction = () => [{ title: 'Gráfica' }];

const Filter = z.object({ ...rangoFields, paso: z.enum(['dia', 'mes']).catch('dia') }).transform((fields) => ({ paso: fields.paso, ...readRango(fields, currentMonth()) }));

export async function loader({ request }: LoaderFunctionArgs) {
  const search = new URL(request.url).searchParams;
  const filtro = Filter.parse(Object.fromEntries(search));
  const aviso = rangoProblem(search, filtro);
  if (aviso) markUnprocessable(request);
  return { filtro, aviso, grafica: toWire(await readGrafica(db(), filtro, filtro.paso)) };
}

/** Colours that stay apart for those who do not tell red from green. */
const COLORES = ['#2f5fad', '#e08a1e', '#1c7a43', '#8a4fbf', '#b42318', '#3a9ab8', '#7a6a4f', '#556070'];
const CUENTA = new Intl.NumberFormat('es-MX');

/** Only a picture's height is a number of JavaScript's: the figures beside it are exact. */
const alto = (monto: string) => Number(monto);

export default function Grafica() {
  const { filtro, aviso, grafica } = useLoaderData<typeof loader>();
  const { search } = useLocation();
  const hydrated = useHydrated();
  const etiqueta = (periodo: string) => (filtro.paso === 'mes' ? nombreDelMes(periodo) : formatFecha(periodo, { hora: false }));
  const puntos = grafica.puntos.map(({ periodo, monto, ordenes }) => ({ periodo: etiqueta(periodo), Monto: alto(monto), Ordenes: ordenes }));
  return (
    <>
      <PageHeader titulo="Gráfica" nota="Ventas sin cancelaciones ni devoluciones.">
        {(['dia', 'mes'] as const).map((paso) => (
          <Link key={paso} className="boton" to={withParams(search, { paso })} preventScrollReset aria-current={filtro.paso === paso ? 'true' : undefined} data-tono={filtro.paso === paso ? 'acento' : undefined}>
            {paso === 'dia' ? 'Diaria' : 'Mensual'}
          </Link>
        ))}
      </PageHeader>
      {aviso && <Panel tono="aviso">{aviso}</Panel>}
      <div className="hoja"><RangoFechas desde={filtro.desde} hasta={filtro.hasta} /></div>
      {grafica.ordenes === 0 ? <div className="hoja"><EmptyState /></div> : (
        <>
          <section className="hoja par">
            <div>
              <h2>Ventas por proveedor</h2>
              {hydrated && (
                <DonutChart
                  data={grafica.proveedores.map(({ label, monto }, at) => ({ name: label, value: alto(monto), color: COLORES[at % COLORES.length]! }))}
                  size={200} thickness={34} mx="auto" withTooltip valueFormatter={(monto) => formatPesos(monto.toFixed(2))}
                />
              )}
            </div>
            <div className="tabla-caja">
              <table className="tabla">
                <thead><tr><th>Proveedor</th><th className="num">Ordenes</th><th className="num">Monto</th></tr></thead>
                <tbody>
                  {grafica.proveedores.map(({ proveedor, label, monto, ordenes }, at) => (
                    <tr key={proveedor ?? ''}>
                      <td><span className="muestra" style={{ background: COLORES[at % COLORES.length] }} />{label}</td>
                      <td className="num">{CUENTA.format(ordenes)}</td>
                      <td className="pesos"><Pesos valor={monto} /></td>
                    </tr>
                  ))}
                </tbody>
                <tfoot><tr><th>Total</th><td className="num">{CUENTA.format(grafica.ordenes)}</td><td className="pesos"><strong><Pesos valor={grafica.monto} /></strong></td></tr></tfoot>
              </table>
            </div>
          </section>
          <section className="hoja par">
            <div>
              <h2>Monto vendido</h2>
              <div className="lienzo">{hydrated && <AreaChart h={220} data={puntos} dataKey="periodo" series={[{ name: 'Monto', color: 'tinta.7' }]} curveType="monotone" withDots={false} valueFormatter={(monto) => formatPesos(monto.toFixed(2))} />}</div>
              <h2>Ordenes</h2>
              <div className="lienzo">{hydrated && <AreaChart h={220} data={puntos} dataKey="periodo" series={[{ name: 'Ordenes', color: 'orange.7' }]} curveType="monotone" withDots={false} />}</div>
            </div>
            <div className="tabla-caja alta">
              <table className="tabla">
                <thead><tr><th>{filtro.paso === 'mes' ? 'Mes' : 'Día'}</th><th className="num">Ordenes</th><th className="num">Monto</th></tr></thead>
                <tbody>
                  {grafica.puntos.map(({ periodo, monto, ordenes }) => (
                    <tr key={periodo}><td>{etiqueta(periodo)}</td><td className="num">{CUENTA.format(ordenes)}</td><td className="pesos"><Pesos valor={monto} /></td></tr>
                  ))}
                </tbody>
              </table>
            </div>
          </section>
        </>
      )}
    </>
  );
}
