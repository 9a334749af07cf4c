import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { can } from '~/access/actions';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { markUnprocessable } from '~/core/answerStatus.server';
import { writeCount } from '~/core/count';
import { toWire } from '~/core/list';
import { isMes } from '~/core/text';
import { mesBefore, nombreOfMes } from '~/core/time';
import { readDiot } from '~/domain/compras/pagos/diot.server';
import { mesOf, mesProblem } from '~/domain/facturacion/mes/mes';
import { EmptyState, PageHeader } from '~/ui/Blocks';
import { Dato, Datos } from '~/ui/Datos';
import { MesPicker } from '~/ui/MesPicker';
import { formatPesos, Pesos } from '~/ui/Pesos';
import { db } from '~db/shared.server';
import { Faltas } from './Faltas';
import { Terceros } from './Terceros';
import './diot.css';

export const meta: MetaFunction = () => [{ title: 'DIOT' }];

/** Without a month in the address the page shows the last whole one, which is the one to declare. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const hoy = mesOf(new Date());
  const dicho = new URL(request.url).searchParams.get('mes');
  const mes = dicho && isMes(dicho) ? dicho : mesBefore(hoy);
  const aviso = mesProblem(dicho, `Se muestra ${nombreOfMes(mes)}.`);
  if (aviso) markUnprocessable(request);
  const diot = await readDiot(db(), mes);
  return {
    hoy,
    mes,
    aviso,
    puede: can(usuario, 'pagos.operar') && can(usuario, 'proveedorFacturas.editar'),
    diot: toWire(diot),
  };
}

/** Names what is in no figure; `todo` is null where the amount of a part of it is unknown. */
function loQueFalta(todo: string | null, alMenos: string): string {
  if (todo === null && alMenos === '0.00') return 'Hay pagos cuyo importe no se conoce';
  const deCuanto = `De ${formatPesos(alMenos)} pagados no se sabe el IVA`;
  return todo === null ? `${deCuanto}, y de otros pagos tampoco el importe` : deCuanto;
}

/** What was paid to each supplier in a month, with its IVA by rate, as the SAT asks it of the accountant. */
export default function LaDiot() {
  const { hoy, mes, aviso, puede, diot } = useLoaderData<typeof loader>();
  const { filas, faltas, totales, sinSaber, sinSaberAlMenos, conocidos, lineas } = diot;
  const area = useArea();
  const txt = `${area}/descargas/diot/${mes}`;
  const nada = filas.length === 0 && faltas.length === 0;
  return (
    <>
      <PageHeader
        titulo="DIOT"
        nota="Lo que se pagó a cada proveedor en el mes, con su IVA: lo que el SAT pide declarar."
      >
        {filas.length > 0 && (
          <a className="boton" href={`${area}/descargas/diotExcel/${mes}`} download>
            Excel
          </a>
        )}
        {lineas > 0 && (
          <a className="boton" data-tono="acento" href={txt} download>
            Archivo TXT
          </a>
        )}
      </PageHeader>
      {aviso && (
        <p className="panel" data-tono="aviso" role="alert">
          {aviso}
        </p>
      )}
      <div className="barra-reporte">
        <MesPicker mes={mes} max={hoy} />
        {!nada && (
          <Datos>
            <Dato de="Proveedores">
              {conocidos === filas.length
                ? writeCount(filas.length)
                : `${writeCount(conocidos)} de ${writeCount(filas.length)}`}
            </Dato>
            <Dato de="Pagado">
              <Pesos valor={conocidos === 0 ? null : totales.pagado} />
            </Dato>
            <Dato de="IVA al 16 %">
              <Pesos valor={conocidos === 0 ? null : totales.iva16} />
            </Dato>
            <Dato de="IVA al 8 %">
              <Pesos valor={conocidos === 0 ? null : totales.iva8} />
            </Dato>
            <Dato de="IVA retenido">
              <Pesos valor={conocidos === 0 ? null : totales.ivaRetenido} />
            </Dato>
            <Dato de="Sin saber su IVA">
              <Pesos valor={sinSaber} />
            </Dato>
          </Datos>
        )}
      </div>
      {nada ? (
        <EmptyState>En {nombreOfMes(mes)} no hay pagos a proveedores.</EmptyState>
      ) : (
        <>
          <Terceros filas={filas} totales={totales} />
          {sinSaber !== '0.00' && (
            <p className="panel diot-falta" data-tono="aviso">
              {loQueFalta(sinSaber, sinSaberAlMenos)}: el archivo no los lleva.
            </p>
          )}
          {faltas.length > 0 && <Faltas faltas={faltas} puede={puede} />}
          <p className="nota diot-nota">
            Las notas de crédito de proveedores ya están restadas. Aquí no están los gastos que no son compras de una
            venta.
          </p>
          {lineas > 0 && (
            <details className="hoja diot-forma">
              <summary>Si el SAT no acepta el archivo</summary>
              <p className="nota">
                Los importes van en pesos enteros: hasta 50 centavos bajan y desde 51 suben. Dónde va un cero y si el
                archivo lleva una marca al principio se ha visto de dos maneras:
              </p>
              <ul>
                <li>
                  <a href={`${txt}?vacios=1`} download>
                    Sin ceros: vacío donde no hay importe
                  </a>
                </li>
                <li>
                  <a href={`${txt}?marca=1`} download>
                    Con marca de UTF-8 (BOM)
                  </a>
                </li>
                <li>
                  <a href={`${txt}?vacios=1&marca=1`} download>
                    Sin ceros y con marca
                  </a>
                </li>
              </ul>
            </details>
          )}
        </>
      )}
    </>
  );
}
