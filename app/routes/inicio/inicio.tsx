import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { screensOf } from '~/access/screens';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { env } from '~/core/env.server';
import { toWire } from '~/core/list';
import { facturasPorAtender } from '~/domain/cancelacion/porAtender.server';
import { listMensajesSinSalir } from '~/domain/enlaces/mensajesSinSalir.server';
import { CLASE_LABEL, isPagada, ventaUrl } from '~/domain/ordenes/orden';
import type { Freshness } from '~/domain/sync/freshness.server';
import { readPortada } from '~/domain/sync/portada.server';
import type { UltimaVenta } from '~/domain/ordenes/ultimasVentas.server';
import { EmptyState, PageHeader, Panel } from '~/ui/Blocks';
import { Estatus, type Tono } from '~/ui/Estatus';
import { Fecha, Hace } from '~/ui/Fecha';
import { Pesos } from '~/ui/Pesos';
import { useFresh } from '~/ui/useFresh';
import { db } from '~db/shared.server';
import { Pausadas } from '../parts/conexiones/Pausadas';
import { PorAtender } from '../catalogos/facturasClientes/PorAtender';
import { avisosSinLeer, SinLeer } from '../configuracion/tokens/SinLeer';

/** A new sale is on the screen within these seconds of being in the database. */
const LOOK_MS = 2_000;

export const meta: MetaFunction = () => [{ title: 'Inicio' }];

export async function loader({ context }: LoaderFunctionArgs) {
  const { rol } = usuarioOf(context);
  const [{ ventas, ...portada }, sinSalir, porAtender] = await Promise.all([
    readPortada(db()),
    listMensajesSinSalir(db()),
    facturasPorAtender(db()),
  ]);
  return {
    ...portada,
    ventas: ventas.map((venta) => ({ ...venta, pagado: String(venta.pagado) })),
    sandbox: env().SANDBOX_URL,
    sinSalir: sinSalir.length,
    porAtender: toWire(porAtender),
    puedeActivar: screensOf(rol).some(([key]) => key === 'empresas'),
    puedeReintentar: screensOf(rol).some(([key]) => key === 'tokens'),
  };
}

type Venta = Omit<UltimaVenta, 'pagado'> & { pagado: string };

export default function Inicio() {
  const { ahora, fuentes, pausadas, sinSalir, porAtender, ventas, marca, sandbox, puedeActivar, puedeReintentar } =
    useLoaderData<typeof loader>();
  const area = useArea();
  useFresh(`${area}/novedades`, marca, LOOK_MS);
  return (
    <>
      <PageHeader
        titulo="Últimas ventas"
        nota={<Fuentes fuentes={fuentes} pausadas={pausadas.map(({ conexion }) => conexion)} ahora={ahora} />}
      >
        {sandbox && (
          <a className="boton" href={`${sandbox}/#mercadolibre`} target="_blank" rel="noopener noreferrer">
            Simular venta
          </a>
        )}
        <a className="boton" data-tono="acento" href={`${area}/facturacion`}>
          Facturar una orden
        </a>
      </PageHeader>
      <Pausadas pausadas={pausadas} area={area} puedeActivar={puedeActivar} />
      {fuentes
        .filter(({ source }) => !pausadas.some(({ conexion }) => conexion === source))
        .map((fuente) => (
          <Problema key={fuente.source} fuente={fuente} area={area} />
        ))}
      {fuentes.map(({ source, label, sinLeer, motivo }) => (
        <SinLeer
          key={source}
          de={label}
          sinLeer={sinLeer}
          motivo={motivo}
          area={area}
          puedeReintentar={puedeReintentar}
        />
      ))}
      {sinSalir > 0 && (
        <Panel
          tono="aviso"
          titulo={
            sinSalir === 1
              ? 'Un mensaje con el enlace de facturación no salió'
              : `${sinSalir} mensajes con el enlace de facturación no salieron`
          }
        >
          Mercado Libre no los dejó pasar. <a href={`${area}/enlaces`}>Ver el motivo y enviarlos de otra forma</a>.
        </Panel>
      )}
      <PorAtender facturas={porAtender} area={area} puede />
      {ventas.length === 0 ? <SinVentas fuentes={fuentes} /> : <Tabla ventas={ventas} area={area} />}
    </>
  );
}

const FUENTE: Record<Freshness['state'], { tono: Tono; texto: string }> = {
  alDia: { tono: 'ok', texto: 'al día' },
  incompleta: { tono: 'aviso', texto: 'con avisos sin leer' },
  atrasada: { tono: 'aviso', texto: 'atrasada' },
  empezando: { tono: 'neutro', texto: 'trayendo las primeras ventas' },
  sinVincular: { tono: 'neutro', texto: 'sin activar' },
  rota: { tono: 'mal', texto: 'desconectada' },
};

function Fuentes({ fuentes, pausadas, ahora }: { fuentes: Freshness[]; pausadas: string[]; ahora: Date }) {
  return fuentes.map(({ source, label, state, lastSuccess, sinLeer }) =>
    pausadas.includes(source) ? (
      <Estatus key={source} tono="aviso">
        <span>{label}: en pausa</span>
      </Estatus>
    ) : (
      <Estatus key={source} tono={FUENTE[state].tono}>
        <span>
          {label}: {state === 'incompleta' ? avisosSinLeer(sinLeer) : FUENTE[state].texto}
          {lastSuccess && state !== 'empezando' && (
            <>
              , <Hace valor={lastSuccess} ahora={ahora} />
            </>
          )}
        </span>
      </Estatus>
    ),
  );
}

/** Only what somebody has to know or do. */
function Problema({ fuente, area }: { fuente: Freshness; area: string }) {
  const { state, label, error, lastSuccess } = fuente;
  if (state === 'rota') {
    return (
      <Panel tono="mal" titulo={`${label} está desconectado`}>
        {error} <a href={`${area}/tokens`}>Activar otra vez</a>. Lo que ves es lo que llegó hasta{' '}
        <Fecha valor={lastSuccess} />.
      </Panel>
    );
  }
  if (state === 'atrasada') {
    return (
      <Panel tono="aviso" titulo={`Las ventas de ${label} llegan con retraso`}>
        Lo que ves está completo hasta <Fecha valor={lastSuccess} />. {error}
      </Panel>
    );
  }
  if (state === 'sinVincular')
    return (
      <Panel tono="aviso" titulo={`${label} no está activado`}>
        <a href={`${area}/tokens`}>Activar Mercado Libre</a> para que las ventas lleguen solas.
      </Panel>
    );
  return null;
}

function SinVentas({ fuentes }: { fuentes: Freshness[] }) {
  const coming = fuentes.some(({ state }) => state === 'empezando');
  return (
    <section className="hoja">
      <EmptyState>
        {coming ? 'Las ventas están llegando. Esta página se actualiza sola.' : 'Todavía no hay ventas.'}
      </EmptyState>
    </section>
  );
}

function Tabla({ ventas, area }: { ventas: Venta[]; area: string }) {
  return (
    <div className="tabla-caja">
      <table className="tabla ventas">
        <thead>
          <tr>
            <th>No. Orden</th>
            <th>Fecha</th>
            <th>Titulo</th>
            <th className="num">Monto Pagado</th>
            <th>Venta</th>
            <th>Factura</th>
            <th>
              <span className="oculto">Administración</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {ventas.map((venta) => (
            <tr key={`${venta.market}-${venta.numOrden}`}>
              <td>
                <a
                  href={ventaUrl(venta.market, venta.numOrden)}
                  target="_blank"
                  rel="noopener noreferrer"
                  className="sin-corte"
                >
                  {venta.numOrden}
                </a>
              </td>
              <td>
                <Fecha valor={venta.fecha} />
              </td>
              <td>
                {venta.titulo}
                {venta.ordenes > 1 && <span className="nota sin-corte"> y {venta.ordenes - 1} más</span>}
              </td>
              <td className="pesos">
                <Pesos valor={venta.pagado} />
              </td>
              <td>
                <Clase venta={venta} />
              </td>
              <td>
                <Factura venta={venta} area={area} />
              </td>
              <td>
                <div className="acciones">
                  {venta.facturable && (
                    <a
                      className="boton"
                      href={`${area}/enlaces?numOrden=${venta.numOrden}`}
                      aria-label={`Enlace de facturación de la orden ${venta.numOrden}`}
                    >
                      Enlace
                    </a>
                  )}
                  {venta.facturable && (
                    <a
                      className="boton"
                      href={`${area}/facturacion?numOrden=${venta.numOrden}`}
                      aria-label={`Facturar la orden ${venta.numOrden}`}
                    >
                      Facturar
                    </a>
                  )}
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Clase({ venta: { clase, situacion, meliResale } }: { venta: Venta }) {
  if (clase === 'cancelada' || clase === 'devuelta') return <Estatus tono="mal">{CLASE_LABEL[clase]}</Estatus>;
  if (!isPagada(situacion)) return <Estatus tono="aviso">Pago por confirmar</Estatus>;
  if (meliResale) return <Estatus>Reventa de Mercado Libre</Estatus>;
  return <Estatus tono={clase === 'invalida' ? 'aviso' : 'ok'}>{CLASE_LABEL[clase]}</Estatus>;
}

function Factura({ venta: { factura, folio, facturaId }, area }: { venta: Venta; area: string }) {
  if (factura === 'enProceso') return <Estatus tono="aviso">En proceso</Estatus>;
  if (factura === 'sinFactura') return <Estatus>No Facturado</Estatus>;
  return (
    <Estatus tono="ok">
      <a href={`${area}/facturasClientes?ver=${facturaId}`}>{factura === 'global' ? `Global ${folio}` : folio}</a>
    </Estatus>
  );
}
