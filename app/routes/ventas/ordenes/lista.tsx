import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Link, useLoaderData, useLocation } from '@remix-run/react';
import { can } from '~/access/actions';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { withParamOf, withParams } from '~/core/list';
import { defineActions } from '~/http/actions.server';
import { openList } from '~/platform/lists/list.server';
import { ordenesList } from '~/domain/ventas/ordenes/listOrdenes.server';
import { readDirectorio } from '~/domain/compras/directorio/proveedores.server';
import { ordenActions } from './actions';
import { proveedorFacturaActions } from '~/routes/compras/facturas/actions';
import { type Column } from '~/ui/DataTable';
import { Dialog } from '~/ui/Dialog';
import { usePantalla } from '~/ui/Pantallas';
import { Pesos } from '~/ui/Pesos';
import { db } from '~db/shared.server';
import { viewFacturas, invoice, sendCorreo, sendLink } from './acciones';
import {
  cotizacionColumn,
  DOBLES,
  nombreOfOrden,
  tonoOrden,
  type Fila,
  COLUMNAS,
  facturaColumn,
  pagado,
  proveedorFacturasDobles,
} from './columns';
import { dialogosIn } from './record';
import { accionesOfList } from '~/routes/operacion/lotes/lotes';
import { DESCARGAR } from './questions';
import { OrdenesScreen } from './OrdenesScreen';
import { ABRE } from '~/routes/compras/facturas/textos';

export { OrdenError as ErrorBoundary } from './OrdenError';

export { shouldRevalidate } from '~/ui/ficha/soloFicha';

export const meta: MetaFunction = () => [{ title: 'Ordenes' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const [lista, dialogos, directorio] = await Promise.all([
    openList(db(), ordenesList, request, usuario),
    dialogosIn(request, usuario),
    readDirectorio(db()),
  ]);
  return {
    lista,
    ...dialogos,
    directorio,
    puedeOperar: can(usuario, 'ordenes.operar'),
    acciones: accionesOfList(ordenesList.lista, usuario),
  };
}

export const action = defineActions({ ...ordenActions, ...proveedorFacturaActions() });

type Lista = ReturnType<typeof useLoaderData<typeof loader>>['lista'];

const CERRADOS = { ver: null, descargar: null, menu: null, [ABRE]: null };

function columnsFor(search: string, cotizaciones: string | undefined): Column<Fila, Lista['totales']>[] {
  const con = withParamOf(search, CERRADOS);
  return [
    DOBLES.fecha,
    { ...DOBLES.numero, width: 160 },
    DOBLES.titulo,
    cotizacionColumn(cotizaciones),
    { ...pagado, width: 110, total: (totales) => <Pesos valor={totales.pagado} /> },
    { ...COLUMNAS.estatus, width: 148, hideUnder: 'sm' },
    { ...facturaColumn((facturaId) => con('descargar', facturaId)), width: 120, hideUnder: 'sm' },
    {
      ...proveedorFacturasDobles,
      width: 116,
      hideUnder: 'sm',
      total: (totales) => <Pesos valor={totales.facturado} />,
    },
  ];
}

export default function Ordenes() {
  const { lista, abierta, deProveedor, directorio, puedeOperar, acciones } = useLoaderData<typeof loader>();
  const { search } = useLocation();
  const area = useArea();
  const cotizaciones = usePantalla('cotizaciones');
  const descargar = new URLSearchParams(search).get('descargar');
  const con = withParamOf(search, CERRADOS);
  return (
    <OrdenesScreen
      titulo="Ordenes"
      lista={lista}
      rango={lista.filtro}
      columns={columnsFor(search, cotizaciones)}
      rowKey={(orden) => orden.id}
      nombra={nombreOfOrden}
      tone={tonoOrden}
      lines={2}
      placeholder="No. de orden, título, RFC o folio"
      vacia={{ nada: 'Todavía no hay ventas. Llegan solas en cuanto se vende algo.', fuentes: true }}
      enFila={{
        ancho: 120,
        de: (orden) => [
          viewFacturas(orden, con),
          ...(puedeOperar ? [...invoice(orden, area), ...sendCorreo(orden, directorio), ...sendLink(orden)] : []),
        ],
      }}
      acciones={acciones}
      abierta={abierta}
      deProveedor={deProveedor}
    >
      {descargar && (
        <Descargar
          archivo={`${area}/descargas/factura/${encodeURIComponent(descargar)}`}
          cerrar={withParams(search, { descargar: null })}
        />
      )}
    </OrdenesScreen>
  );
}

function Descargar({ archivo, cerrar }: { archivo: string; cerrar: string }) {
  return (
    <Dialog titulo="Descargar factura" cerrar={cerrar}>
      <p>{DESCARGAR}</p>
      <div className="botones">
        <Link className="boton" to={cerrar} preventScrollReset>
          No
        </Link>
        <a className="boton" href={`${archivo}/xml`} download>
          Descargar XML
        </a>
        <a className="boton" data-tono="acento" href={`${archivo}/pdf`} download>
          Descargar PDF
        </a>
      </div>
    </Dialog>
  );
}
