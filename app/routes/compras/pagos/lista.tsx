import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Link, useLoaderData, useLocation, useNavigate } from '@remix-run/react';
import { useEffect, useRef, useState } from 'react';
import { can } from '~/access/actions';
import { usuarioOf } from '~/access/session.server';
import { toWire, withParams } from '~/core/list';
import { defineActions } from '~/http/actions.server';
import { openList } from '~/platform/lists/list.server';
import { ordenesDePagosList } from '~/domain/compras/pagos/cotizaciones.server';
import { pagosList, semanasOfPagos } from '~/domain/compras/pagos/listPagos.server';
import { listProveedorOptions } from '~/domain/compras/directorio/proveedores.server';
import { ListScreen } from '~/ui/ListScreen';
import { definePanel } from '~/ui/ficha/panel';
import { DosLineas, type Column } from '~/ui/DataTable';
import { Fecha, formatFecha, formatHora } from '~/ui/Fecha';
import { deferredPart } from '~/ui/deferredPart';
import { Pesos } from '~/ui/Pesos';
import { Colgado } from '~/ui/Colgado';
import { TablaCaja } from '~/ui/TablaCaja';
import { db } from '~db/shared.server';
import { FiltroProveedor } from '~/routes/cierre/reportes/FiltroProveedor';
import { openRecord } from '~/routes/area/openRecord';
import { cotizacionActions } from '~/routes/compras/cotizaciones/actions';
import { accionesDePago, DE_LA_VENTA, ElegirPago, nadaPorPagar, PAGO } from '~/routes/compras/cotizaciones/porPagar';
import { cotizacionOf } from '~/routes/compras/cotizaciones/record';
import { ORDEN_AUSENTE } from '~/routes/compras/facturas/textos';
import { DOBLES, nombreOfOrden, tonoOrden } from '~/routes/ventas/ordenes/columns';
import { pagoActions } from './actions';
import { pagoOf } from './record';
import { openPorPagar } from './openPorPagar';
import { PorPagar } from './PorPagar';
import { Queda } from './Queda';

const ComprobanteForm = deferredPart(
  'ComprobanteForm',
  async () => (await import('./ComprobanteForm')).ComprobanteForm,
);
/** The field of the address that opens the form for papers of a transfer. */
const COMPROBANTE = 'comprobante';

export { OrdenError as ErrorBoundary } from '~/routes/ventas/ordenes/OrdenError';

export { shouldRevalidate } from '~/ui/ficha/soloFicha';

const PANEL = definePanel('PagoFicha', {
  load: async () => (await import('./PagoFicha')).PagoFicha,
  que: 'Pago',
  ausente: {
    titulo: 'El pago no existe',
    texto: 'El enlace nombra un pago que no está aquí. Puede que se haya eliminado.',
  },
});

const PANEL_DE_ORDEN = definePanel('CotizacionFicha', {
  load: async () => (await import('../cotizaciones/CotizacionFicha')).CotizacionFicha,
  que: 'Orden',
  ausente: ORDEN_AUSENTE,
});

export const meta: MetaFunction = () => [{ title: 'Pagos a proveedores' }];

/** The field of the address that chooses the table, and its words for the sales that are paid and for the invoices that are to be paid. */
const TABLA = 'tabla';
const ORDENES = 'ordenes';
const POR_PAGAR = 'porPagar';

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const puede = can(usuario, 'pagos.operar');
  const tabla = new URL(request.url).searchParams.get(TABLA);
  if (tabla === POR_PAGAR)
    return { tabla: POR_PAGAR, puede, ...(await openPorPagar(request, usuario, puede)) } as const;
  if (tabla === ORDENES) {
    const [lista, abierta] = await Promise.all([
      openList(db(), ordenesDePagosList, request, usuario),
      openRecord(request, usuario, cotizacionOf),
    ]);
    return { tabla: ORDENES, lista, abierta, puede } as const;
  }
  const [lista, abierta, proveedores] = await Promise.all([
    openList(db(), pagosList, request, usuario),
    openRecord(request, usuario, pagoOf),
    listProveedorOptions(db()),
  ]);
  const semanas = toWire(await semanasOfPagos(db(), lista.filtro));
  return { tabla: 'pagos', lista, abierta, puede, proveedores, semanas } as const;
}

export const action = defineActions({ ...pagoActions, ...cotizacionActions });

type Leido = ReturnType<typeof useLoaderData<typeof loader>>;
type LosPagos = Extract<Leido, { tabla: 'pagos' }>;
type LasOrdenes = Extract<Leido, { tabla: typeof ORDENES }>;
type Lista = LosPagos['lista'];
type Fila = Lista['ventana']['filas'][number];

const COLUMNS: Column<Fila, Lista['totales']>[] = [
  {
    header: 'Fecha creacion',
    tarjeta: 'fecha',
    sort: 'fecha',
    width: 118,
    cell: ({ creadoEn }) => (
      <DosLineas debajo={formatHora(creadoEn)}>
        <Fecha valor={creadoEn} hora={false} />
      </DosLineas>
    ),
  },
  {
    header: 'Folio',
    tarjeta: 'titulo',
    sort: 'folio',
    opens: true,
    copia: ({ folio, claveRastreo }) => [folio, claveRastreo],
    cell: ({ folio, claveRastreo, banco }) => (
      <DosLineas debajo={[claveRastreo, banco].filter(Boolean).join(' · ')}>{folio}</DosLineas>
    ),
  },
  {
    header: 'Proveedor',
    tarjeta: 'numero',
    sort: 'proveedor',
    width: 156,
    cell: ({ proveedorLabel, fecha }) => (
      <DosLineas debajo={fecha && `pagado el ${formatFecha(fecha)}`}>{proveedorLabel}</DosLineas>
    ),
  },
  {
    header: 'Ordenes',
    width: 116,
    hideUnder: 'md',
    cell: ({ ordenes, archivos }) => (
      <DosLineas debajo={archivos === 1 ? '1 archivo' : `${archivos} archivos`}>
        {ordenes === 1 ? '1 orden' : `${ordenes} ordenes`}
      </DosLineas>
    ),
  },
  {
    header: 'Total',
    tarjeta: 'monto',
    sort: 'total',
    width: 124,
    align: 'right',
    cell: ({ total }) => <Pesos valor={total} />,
    total: ({ total }) => <Pesos valor={total} />,
  },
  {
    header: 'Facturas',
    width: 124,
    align: 'right',
    hideUnder: 'sm',
    cell: ({ aplicado }) => <Pesos valor={aplicado} />,
    total: ({ aplicado }) => <Pesos valor={aplicado} />,
  },
  {
    header: 'Queda',
    tarjeta: 'estatus',
    width: 148,
    cell: (pago) => <Queda restante={pago.restante} />,
    total: ({ restante }) => <Pesos valor={restante} />,
  },
  { header: 'Usuario alta', width: 116, hideUnder: 'md', cell: ({ usuario }) => usuario ?? 'Automático' },
];

/** The screen of payments to suppliers: the payments, the invoices to be paid, and the sales whose supplier is paid. */
export default function PagosProveedores() {
  const leido = useLoaderData<typeof loader>();
  if (leido.tabla === POR_PAGAR) return <PorPagar {...leido} vistas={<Vistas tabla={POR_PAGAR} />} />;
  return leido.tabla === ORDENES ? <Ordenes {...leido} /> : <Pagos {...leido} />;
}

/** Under which title the tables of the screen go. */
const VISTAS = [
  { tabla: null, titulo: 'Pagos' },
  { tabla: POR_PAGAR, titulo: 'Por pagar' },
  { tabla: ORDENES, titulo: 'Ordenes' },
] as const;

function Vistas({ tabla }: { tabla: (typeof VISTAS)[number]['tabla'] }) {
  return (
    <nav className="vistas" aria-label="Tablas">
      {VISTAS.map((vista) => (
        <Link
          key={vista.titulo}
          to={vista.tabla ? `?${TABLA}=${vista.tabla}` : '?'}
          aria-current={vista.tabla === tabla ? 'page' : undefined}
        >
          {vista.titulo}
        </Link>
      ))}
    </nav>
  );
}

const COLUMNAS_DE_ORDEN = [...DE_LA_VENTA, { ...DOBLES.titulo, hideUnder: 'md' as const }, PAGO];

/** The sales of a range with the files and folios of their payments. */
function Ordenes({ lista, abierta, puede }: LasOrdenes) {
  const { search } = useLocation();
  return (
    <ListScreen
      titulo="Pagos a proveedores"
      label="Ordenes por pagar"
      nota="Cada venta con los pagos a su proveedor, sus folios y sus archivos."
      botones={<Vistas tabla={ORDENES} />}
      lista={lista}
      plegados
      rango={{ ...lista.filtro, without: ['pago', 'canceladas', 'editar'], children: <ElegirPago {...lista.filtro} /> }}
      columns={COLUMNAS_DE_ORDEN}
      rowKey={(orden) => orden.id}
      nombra={nombreOfOrden}
      tone={tonoOrden}
      lines={2}
      placeholder="Orden, comprador, cotización o folio"
      vacia={{ nada: nadaPorPagar(lista.filtro) }}
      enFila={{ ancho: 132, tarjeta: 'menu', de: accionesDePago(search, puede) }}
      panel={PANEL_DE_ORDEN}
      abierta={abierta}
      cancelar={withParams(search, { editar: null })}
    />
  );
}

/** The payments against the supplier invoices of the sales they pay. */
function Pagos({ lista, abierta, proveedores, puede, semanas }: LosPagos) {
  const navigate = useNavigate();
  const [soltados, setSoltados] = useState<FileList | null>(null);
  const { search } = useLocation();
  const abrir = withParams(search, { [COMPROBANTE]: '1', ver: null });
  useDroppedFiles(puede, (files) => {
    setSoltados(files);
    navigate(abrir, { preventScrollReset: true });
  });
  return (
    <ListScreen
      titulo="Pagos a proveedores"
      nota="Cada pago contra las facturas de las ordenes que paga."
      botones={
        <>
          <Vistas tabla={null} />
          {semanas.length > 0 && <PorSemana semanas={semanas} />}
          {puede && (
            <Link className="boton" data-tono="acento" to={abrir} preventScrollReset>
              Subir comprobante
            </Link>
          )}
        </>
      }
      lista={lista}
      rango={{
        ...lista.filtro,
        without: ['proveedor'],
        children: <FiltroProveedor valor={lista.filtro.proveedor} proveedores={proveedores} />,
      }}
      columns={COLUMNS}
      rowKey={(pago) => pago.id}
      nombra={({ folio }) => `el pago ${folio}`}
      lines={2}
      placeholder="Folio, clave de rastreo, banco u orden"
      vacia={{ nada: 'Ningún pago en estas fechas. Se registran en «Ordenes», con su archivo y su folio.' }}
      resumen
      panel={PANEL}
      abierta={abierta}
      cancelar={withParams(search, { editar: null })}
      refusals={['quitarOrden', 'eliminarPago']}
    >
      {puede && new URLSearchParams(search).has(COMPROBANTE) && (
        <ComprobanteForm
          proveedores={proveedores}
          cerrar={withParams(search, { [COMPROBANTE]: null })}
          soltados={soltados}
        />
      )}
    </ListScreen>
  );
}

type Semanas = LosPagos['semanas'];

/** The payments to each supplier, week by week. */
function PorSemana({ semanas }: { semanas: Semanas }) {
  return (
    <Colgado boton="Por proveedor y semana">
      <TablaCaja nombre="Pagos por proveedor y semana">
        <table className="tabla tablero">
          <thead>
            <tr>
              <th>Semana del</th>
              <th>Proveedor</th>
              <th className="num">Pagos</th>
              <th className="pesos">Total</th>
              <th className="pesos">Facturas</th>
              <th className="pesos">Queda</th>
            </tr>
          </thead>
          <tbody>
            {semanas.map(({ semana, label, pagos, total, aplicado, restante }) => (
              <tr key={`${semana}${label}`}>
                <td data-campo="Semana del">{formatFecha(semana)}</td>
                <td className="titular">{label}</td>
                <td className="num" data-campo="Pagos">
                  {pagos}
                </td>
                <td className="pesos" data-campo="Total">
                  <Pesos valor={total} />
                </td>
                <td className="pesos" data-campo="Facturas">
                  <Pesos valor={aplicado} />
                </td>
                <td className="pesos" data-campo="Queda">
                  <Pesos valor={restante} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TablaCaja>
    </Colgado>
  );
}

/** Takes files that are dropped anywhere on the page. Without this listener the browser would leave the page and open the file. */
function useDroppedFiles(puede: boolean, toma: (files: FileList) => void) {
  const ultimo = useRef(toma);
  ultimo.current = toma;
  useEffect(() => {
    if (!puede) return;
    const encima = (event: DragEvent) => event.preventDefault();
    const soltar = (event: DragEvent) => {
      const files = event.dataTransfer?.files;
      // An open form takes its own files.
      if (event.defaultPrevented || !files || files.length === 0) return;
      event.preventDefault();
      ultimo.current(files);
    };
    document.addEventListener('dragover', encima);
    document.addEventListener('drop', soltar);
    return () => {
      document.removeEventListener('dragover', encima);
      document.removeEventListener('drop', soltar);
    };
  }, [puede]);
}
