import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData, useLocation } from '@remix-run/react';
import { useEffect, useRef } from 'react';
import { can } from '~/access/actions';
import { usuarioOf } from '~/access/session.server';
import { withParamOf, withParams } from '~/core/list';
import { defineActions } from '~/http/actions.server';
import { openList } from '~/platform/lists/list.server';
import { cotizacionesList } from '~/domain/compras/pagos/cotizaciones.server';
import { FILTRO_LABEL, type FiltroDePago } from '~/domain/compras/pagos/pago';
import { ORDEN_AUSENTE } from '~/routes/compras/facturas/textos';
import { definePanel } from '~/ui/ficha/panel';
import { ListScreen } from '~/ui/ListScreen';
import { DosLineas, type AccionDeFila, type Column } from '~/ui/DataTable';
import { Estatus } from '~/ui/Estatus';
import { Pesos } from '~/ui/Pesos';
import { db } from '~db/shared.server';
import { openRecord } from '~/routes/area/openRecord';
import { cotizacionOf } from './record';
import { cotizacionActions } from './actions';
import { accionesOfList } from '~/routes/operacion/lotes/lotes';
import {
  COLUMNAS,
  DOBLES,
  nombreOfOrden,
  tonoOrden,
  type Fila,
  proveedorFacturasDobles,
} from '~/routes/ventas/ordenes/columns';
import './cotizaciones.css';

export { OrdenError as ErrorBoundary } from '~/routes/ventas/ordenes/OrdenError';

export { shouldRevalidate } from '~/ui/ficha/soloFicha';

const PANEL = definePanel('CotizacionFicha', {
  load: async () => (await import('./CotizacionFicha')).CotizacionFicha,
  que: 'Orden',
  ausente: ORDEN_AUSENTE,
});

export const meta: MetaFunction = () => [{ title: 'Cotizaciones' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const [lista, abierta] = await Promise.all([
    openList(db(), cotizacionesList, request, usuario),
    openRecord(request, usuario, cotizacionOf),
  ]);
  return {
    lista,
    abierta,
    puedeOperar: can(usuario, 'pagos.operar'),
    acciones: accionesOfList(cotizacionesList.lista, usuario),
  };
}

export const action = defineActions(cotizacionActions);

type Lista = ReturnType<typeof useLoaderData<typeof loader>>['lista'];

const COLUMNS: Column<Fila, Lista['totales']>[] = [
  { ...DOBLES.fecha, header: 'Fecha de Creación', width: 108 },
  {
    header: 'Id de la Venta',
    tarjeta: 'numero',
    sort: 'orden',
    width: 158,
    copia: ({ numOrden }) => [numOrden],
    cell: (orden) => <DosLineas debajo={orden.packId && 'Paquete'}>{COLUMNAS.numero.cell(orden)}</DosLineas>,
  },
  { ...COLUMNAS.envio, header: 'Numero de envio', width: 140 },
  {
    header: 'Cotización',
    width: 130,
    hideUnder: 'md',
    copia: ({ cotizacion }) => [cotizacion],
    cell: ({ cotizacion }) => cotizacion ?? '—',
  },
  DOBLES.titulo,
  { ...proveedorFacturasDobles, hideUnder: 'md', total: (totales) => <Pesos valor={totales.facturado} /> },
  {
    header: 'Pago',
    tarjeta: 'estatus',
    width: 112,
    cell: ({ pagos, conArchivos }) => (
      <DosLineas debajo={pagos > 0 && (conArchivos ? 'con archivo' : 'sin archivo')}>
        <Estatus tono={pagos > 0 ? 'ok' : 'aviso'}>{pagos > 0 ? 'Pagado' : 'Sin pago'}</Estatus>
      </DosLineas>
    ),
  },
];

const FILTROS: readonly FiltroDePago[] = ['todos', 'sinPago', 'pagado'];

/** The screen of sales whose suppliers are to be paid or were paid, with the files that prove each payment. */
export default function Cotizaciones() {
  const { lista, abierta, puedeOperar, acciones } = useLoaderData<typeof loader>();
  const { search } = useLocation();
  const con = withParamOf(search, { ver: null, editar: null, menu: null });
  const { pago } = lista.filtro;
  const accionesOf = ({ id, numOrden }: Fila): AccionDeFila[] => [
    { texto: 'Ver archivos', corto: 'Archivos', nombre: `Ver archivos de la orden ${numOrden}`, href: con('ver', id) },
    ...(puedeOperar
      ? [
          {
            texto: 'Subir archivo',
            corto: 'Subir',
            nombre: `Subir archivo a la orden ${numOrden}`,
            href: `${con('ver', id)}&editar=subir`,
          },
        ]
      : []),
  ];
  return (
    <ListScreen
      titulo="Cotizaciones"
      nota="Lo que se paga a los proveedores por cada venta, con su comprobante."
      lista={lista}
      rango={{ ...lista.filtro, without: ['pago', 'canceladas', 'editar'], children: <ElegirPago {...lista.filtro} /> }}
      columns={COLUMNS}
      rowKey={(orden) => orden.id}
      nombra={nombreOfOrden}
      tone={tonoOrden}
      lines={2}
      placeholder="Orden, título, cotización o folio del pago"
      vacia={{ nada: pago === 'sinPago' ? 'Todo lo de estas fechas está pagado.' : 'No hay ventas en estas fechas.' }}
      enFila={{ ancho: 132, tarjeta: 'menu', de: accionesOf }}
      acciones={acciones}
      panel={PANEL}
      abierta={abierta}
      cancelar={withParams(search, { editar: null })}
    />
  );
}

/** The radio buttons of payment and the box of cancelled sales; a change sends their form, also one that was made before the page listened. */
function ElegirPago({ pago, canceladas }: Pick<Lista['filtro'], 'pago' | 'canceladas'>) {
  const fieldset = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    const inputs = fieldset.current?.querySelectorAll('input') ?? [];
    if ([...inputs].some((input) => input.checked !== input.defaultChecked)) fieldset.current?.form?.requestSubmit();
  }, [pago, canceladas]);
  return (
    <fieldset
      ref={fieldset}
      key={`${pago}${canceladas}`}
      className="elige-pago"
      onChange={({ currentTarget }) => currentTarget.form?.requestSubmit()}
    >
      <legend className="oculto">Pago</legend>
      {FILTROS.map((filtro) => (
        <label key={filtro}>
          <input type="radio" name="pago" value={filtro} defaultChecked={pago === filtro} />
          {FILTRO_LABEL[filtro]}
        </label>
      ))}
      <label>
        <input type="checkbox" name="canceladas" value="1" defaultChecked={canceladas === '1'} />
        Canceladas
      </label>
    </fieldset>
  );
}
