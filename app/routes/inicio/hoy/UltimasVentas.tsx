import { CLASE_LABEL, isPagada, ventaUrl } from '~/domain/ventas/ordenes/orden';
import type { Freshness } from '~/domain/sync/freshness.server';
import type { UltimaVenta } from '~/domain/ventas/ordenes/ultimasVentas.server';
import type { Leida } from '~/platform/hoy/leida.server';
import { EmptyState } from '~/ui/Blocks';
import { Estatus } from '~/ui/Estatus';
import { formatHora } from '~/ui/Fecha';
import { formatPesos } from '~/ui/Pesos';
import { SinLeer } from './SinLeer';

type Venta = Omit<UltimaVenta, 'pagado'> & { pagado: string };

type Props = { ventas: Leida<Venta[]>; fuentes: readonly Pick<Freshness, 'state'>[]; area: string };

/** The newest sales, one line of one height each, so that an arrival moves nothing else. */
export function UltimasVentas({ ventas: { valor: ventas, sinLeer }, fuentes, area }: Props) {
  return (
    <section className="carta ventas" aria-labelledby="ultimas">
      <header>
        <h2 id="ultimas">Últimas ventas</h2>
        {sinLeer ? <SinLeer desde={sinLeer.desde} /> : <span className="nota">se actualiza sola</span>}
        <a href={`${area}/ordenes`}>Ver todas</a>
      </header>
      {ventas === null ? null : ventas.length === 0 ? (
        <EmptyState>
          {fuentes.length > 0 && fuentes.every(({ state }) => state === 'sinVincular')
            ? 'Ninguna tienda está activada. Al activar una llegan sus ventas.'
            : fuentes.some(({ state }) => state === 'empezando')
              ? 'Las ventas están llegando. Esta página se actualiza sola.'
              : 'Todavía no hay ventas. Llegan solas en cuanto se venda algo.'}
        </EmptyState>
      ) : (
        <ul>
          {ventas.map((venta) => (
            <UnaVenta key={`${venta.market}-${venta.numOrden}`} venta={venta} area={area} />
          ))}
        </ul>
      )}
    </section>
  );
}

function UnaVenta({ venta, area }: { venta: Venta; area: string }) {
  const { market, numOrden, fecha, titulo, ordenes, pagado, facturable } = venta;
  return (
    <li>
      <a className="numero" href={ventaUrl(market, numOrden)} target="_blank" rel="noopener noreferrer">
        {numOrden}
      </a>
      <time className="hora" dateTime={fecha.toISOString()}>
        {formatHora(fecha)}
      </time>
      <span className="titulo" title={titulo}>
        {titulo}
        {ordenes > 1 && <span className="nota"> y {ordenes - 1} más</span>}
      </span>
      <span className="monto">{formatPesos(pagado)}</span>
      <Clase venta={venta} />
      <Factura venta={venta} area={area} />
      <span className="acciones">
        {facturable && (
          <>
            <a
              className="boton"
              href={`${area}/enlaces?numOrden=${numOrden}`}
              aria-label={`Enlace de facturación de la orden ${numOrden}`}
            >
              Enlace
            </a>
            <a
              className="boton"
              href={`${area}/facturacion?numOrden=${numOrden}`}
              aria-label={`Facturar la orden ${numOrden}`}
            >
              Facturar
            </a>
          </>
        )}
      </span>
    </li>
  );
}

/** The class of a sale; a normal sale has neither colour nor words. */
function Clase({ venta: { clase, situacion, meliResale } }: { venta: Venta }) {
  if (clase === 'cancelada' || clase === 'devuelta') return <Estatus tono="mal">{CLASE_LABEL[clase]}</Estatus>;
  if (!isPagada(situacion)) return <Estatus tono="aviso">Pago por confirmar</Estatus>;
  if (meliResale) return <Estatus>La factura el mercado</Estatus>;
  return clase === 'invalida' ? <Estatus tono="aviso">{CLASE_LABEL[clase]}</Estatus> : <span />;
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
