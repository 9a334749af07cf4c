import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Link, useLoaderData, useLocation } from '@remix-run/react';
import { useArea } from '~/access/useArea';
import { markUnprocessable } from '~/core/answerStatus.server';
import { writeCount } from '~/core/count';
import { rangoProblem, toWire, withParams, type Wire } from '~/core/list';
import { MARKET_LABEL } from '~/core/market';
import { POR, VER } from '~/domain/cierre/reportes/utilidadPor';
import { PedidoDeUtilidad, readUtilidadPor, type FilaDeUtilidad } from '~/domain/cierre/reportes/utilidadPor.server';
import { EmptyState, PageHeader, Panel } from '~/ui/Blocks';
import { formatPesos, Pesos } from '~/ui/Pesos';
import { usePantalla } from '~/ui/Pantallas';
import { RangoFechas } from '~/ui/RangoFechas';
import { TablaCaja } from '~/ui/TablaCaja';
import { db } from '~db/shared.server';
import { openWithRows } from '~/http/mesDebido.server';
import { readMesConVentas } from '~/domain/cierre/reportes/mesConVentas.server';
import { Queda } from './Queda';
import './reportes.css';

export const meta: MetaFunction = () => [{ title: 'Utilidad por producto' }];

/** Rows that a page shows; the sheet has all. */
const FILAS = 50;

export async function loader({ request }: LoaderFunctionArgs) {
  await openWithRows(request, 'rango', () => readMesConVentas(db()));
  const search = new URL(request.url).searchParams;
  const filtro = PedidoDeUtilidad.parse(Object.fromEntries(search));
  const aviso = rangoProblem(search, filtro);
  if (aviso) markUnprocessable(request);
  return { filtro, aviso, ...toWire(await readUtilidadPor(db(), filtro, FILAS)) };
}

type Fila = Wire<FilaDeUtilidad>;
/** Sales that came back, and what they left. */
function Volvieron({
  volvieron,
  conVolvieron,
  quedaVolvieron,
}: Pick<Fila, 'volvieron' | 'conVolvieron' | 'quedaVolvieron'>) {
  if (volvieron === 0) return <>—</>;
  return (
    <>
      {writeCount(volvieron)}
      <div className="nota">
        {quedaVolvieron === null ? 'no se sabe qué dejaron' : `dejaron ${formatPesos(quedaVolvieron)}`}
        {quedaVolvieron !== null && conVolvieron < volvieron && ` (${conVolvieron} de ${volvieron})`}
      </div>
    </>
  );
}

export default function UtilidadPor() {
  const { filtro, aviso, filas, todas, total } = useLoaderData<typeof loader>();
  const { por, ver, desde, hasta } = filtro;
  const { search } = useLocation();
  const area = useArea();
  const costos = usePantalla('costosPropios');
  const opcion = (texto: string, cambio: Record<string, string>, elegida: boolean) => (
    <Link
      key={texto}
      to={withParams(search, cambio)}
      preventScrollReset
      discover="none"
      aria-current={elegida ? 'page' : undefined}
    >
      {texto}
    </Link>
  );
  return (
    <>
      <PageHeader titulo="Utilidad por producto" nota="Lo que dejaron las ventas de un periodo, por día de la venta.">
        <nav className="pestanas" aria-label="Por qué se divide">
          {Object.entries(POR).map(([uno, texto]) => opcion(`Por ${texto.toLowerCase()}`, { por: uno }, uno === por))}
        </nav>
        {filas.length > 0 && (
          <a
            className="boton"
            href={`${area}/descargas/utilidadPor?${new URLSearchParams({ por, ver, desde, hasta })}`}
            download
          >
            Excel
          </a>
        )}
      </PageHeader>
      {aviso && <Panel tono="aviso">{aviso}</Panel>}
      <div className="barra-reporte">
        <RangoFechas desde={desde} hasta={hasta} rango={filtro.rango} />
        <nav className="pestanas" aria-label="Cuáles primero">
          {Object.entries(VER).map(([uno, texto]) => opcion(texto, { ver: uno }, uno === ver))}
        </nav>
      </div>
      {filas.length === 0 ? (
        <div className="hoja">
          <EmptyState>
            {total.ventas === 0
              ? 'Sin ventas en este periodo.'
              : ver === 'devueltos'
                ? 'Nada volvió ni se canceló en este periodo.'
                : 'De todas las ventas de este periodo se sabe cuánto dejaron.'}
          </EmptyState>
        </div>
      ) : (
        <section>
          <TablaCaja nombre={`Utilidad por ${POR[por].toLowerCase()}`}>
            <table className="tabla tablero">
              <thead>
                <tr>
                  <th>{POR[por]}</th>
                  <th className="num">Ventas</th>
                  <th className="pesos">Monto pagado</th>
                  <th className="pesos">Queda</th>
                  <th className="num">Volvieron</th>
                </tr>
              </thead>
              <tbody>
                {filas.map((fila) => (
                  <tr key={`${fila.market} ${fila.clave}`}>
                    <td className="titular">
                      {por === 'producto' ? (
                        <a
                          href={`${area}/ordenes?${new URLSearchParams({ desde, hasta, q: palabrasOf(fila.nombre) })}`}
                          aria-label={`Ventas de ${fila.nombre}`}
                        >
                          {fila.nombre}
                        </a>
                      ) : (
                        fila.nombre
                      )}
                      <div className="nota">
                        {[por !== 'mercado' && fila.market && MARKET_LABEL[fila.market], fila.sku]
                          .filter(Boolean)
                          .join(' · ')}
                        {costos && fila.sku && fila.conUtilidad < fila.ventas && (
                          <>
                            {' '}
                            <a href={`${costos}?${new URLSearchParams({ sku: fila.sku })}`}>Costo propio</a>
                          </>
                        )}
                      </div>
                    </td>
                    <td className="num" data-campo="Ventas">
                      {writeCount(fila.ventas)}
                      {por === 'producto' && fila.piezas > fila.ventas && (
                        <div className="nota">{writeCount(fila.piezas)} piezas</div>
                      )}
                    </td>
                    <td className="pesos" data-campo="Monto pagado">
                      <Pesos valor={fila.pagado} />
                    </td>
                    <td className="pesos" data-campo="Queda">
                      <Queda {...fila} />
                    </td>
                    <td className="num" data-campo="Volvieron">
                      <Volvieron {...fila} />
                    </td>
                  </tr>
                ))}
              </tbody>
              <tfoot>
                <tr>
                  <th>Todo el periodo</th>
                  <td className="num" data-campo="Ventas">
                    {writeCount(total.ventas)}
                  </td>
                  <td className="pesos" data-campo="Monto pagado">
                    <Pesos valor={total.pagado} />
                  </td>
                  <td className="pesos" data-campo="Queda">
                    <Queda {...total} />
                  </td>
                  <td className="num" data-campo="Volvieron">
                    <Volvieron {...total} />
                  </td>
                </tr>
              </tfoot>
            </table>
          </TablaCaja>
          {todas > filas.length && (
            <p className="nota">
              Se muestran {writeCount(filas.length)} de {writeCount(todas)}: el Excel las trae todas.
            </p>
          )}
          <p className="nota">
            Una venta de varios artículos cuenta entera, como canasta: el mercado cobra y liquida la venta.
          </p>
        </section>
      )}
    </>
  );
}

/** The words of a title that a list searches: it takes six, and a hundred characters. */
const palabrasOf = (titulo: string) => titulo.split(/\s+/).slice(0, 6).join(' ').slice(0, 100);
