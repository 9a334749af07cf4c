import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData, useLocation } from '@remix-run/react';
import { can } from '~/access/actions';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { toWire, withParamOf, withParams, type Wire } from '~/core/list';
import { defineActions } from '~/http/actions.server';
import { numeroOfEnvio } from '~/domain/ventas/envios/envio';
import { cotizarList, type CotizarRow } from '~/domain/ventas/envios/listCotizar.server';
import { readPropio } from '~/domain/ventas/envios/propios.server';
import { listEnlaces } from '~/domain/facturacion/enlaces/enlaces.server';
import { openList } from '~/platform/lists/list.server';
import { estatusLabel } from '~/domain/ventas/ordenes/estatus';
import { propioActions } from './actions';
import { ordenActions } from '~/routes/ventas/ordenes/actions';
import { DosLineas, type AccionDeFila, type Column } from '~/ui/DataTable';
import { deferredPart } from '~/ui/deferredPart';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { Pesos } from '~/ui/Pesos';
import { useAsked } from '~/ui/useAnswer';
import { db } from '~db/shared.server';
import {
  COLUMNAS,
  DOBLES,
  folioColumn,
  nombreOfOrden,
  MarcaDePaquete,
  proveedorFacturas,
  sinNumero,
  pagado,
} from '~/routes/ventas/ordenes/columns';
import { ordenIn } from '~/routes/ventas/ordenes/record';
import { OrdenesScreen } from '~/routes/ventas/ordenes/OrdenesScreen';
import './envios.css';

const EnlaceDialog = deferredPart('EnlaceDialog', () =>
  import('./EnlaceDialog').then(({ EnlaceDialog }) => EnlaceDialog),
);
const CostoDialog = deferredPart('CostoDialog', () => import('./PropioDialogs').then(({ CostoDialog }) => CostoDialog));
const PaqueteriaDialog = deferredPart('PaqueteriaDialog', () =>
  import('./PropioDialogs').then(({ PaqueteriaDialog }) => PaqueteriaDialog),
);

export { OrdenError as ErrorBoundary } from '~/routes/ventas/ordenes/OrdenError';

export { shouldRevalidate } from '~/ui/ficha/soloFicha';

export const meta: MetaFunction = () => [{ title: 'Cotizar envios' }];

/** The dialogs of this screen, each opened by the field of the address with its name. */
const DIALOGOS = ['costo', 'paqueteria', 'enlace'] as const;
const CERRADOS = { costo: null, paqueteria: null, enlace: null };

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const search = new URL(request.url).searchParams;
  const puedeOperar = can(usuario, 'ordenes.operar');
  const dialogo = puedeOperar ? DIALOGOS.find((name) => search.has(name)) : undefined;
  const [lista, abierta, propio] = await Promise.all([
    openList(db(), cotizarList, request, usuario),
    ordenIn(request, usuario),
    dialogo && readPropio(db(), search.get(dialogo) ?? ''),
  ]);
  const enlaces = propio && dialogo === 'enlace' ? await listEnlaces(db(), propio.numOrden, 'datosEnvio') : [];
  return { lista, abierta, puedeOperar, dialogo, propio: propio ? toWire(propio) : null, enlaces: toWire(enlaces) };
}

export const action = defineActions({ ...ordenActions, ...propioActions });

type Lista = ReturnType<typeof useLoaderData<typeof loader>>['lista'];
type Fila = Wire<CotizarRow>;

function columnsFor(area: string): Column<Fila, Lista['totales']>[] {
  const folio = folioColumn((facturaId) => `${area}/descargas/factura/${facturaId}/pdf`);
  return [
    {
      header: 'No. Orden / Fecha',
      tarjeta: 'numero',
      className: 'con-fecha',
      sort: 'fecha',
      width: 156,
      cell: (orden) => (
        <DosLineas
          debajo={
            <>
              <Fecha valor={orden.fechaCreacion} />
              <MarcaDePaquete packId={orden.packId} />
            </>
          }
        >
          {COLUMNAS.numero.cell(orden)}
        </DosLineas>
      ),
    },
    DOBLES.titulo,
    {
      header: 'Envio',
      width: 124,
      cell: (orden) => (
        <DosLineas
          debajo={
            orden.cp === null ? 'falta dirección' : `CP ${orden.cp}${orden.municipio ? `, ${orden.municipio}` : ''}`
          }
        >
          {orden.envio ? numeroOfEnvio(orden.envio) : sinNumero(orden)}
        </DosLineas>
      ),
    },
    { ...pagado, width: 114, total: (totales) => <Pesos valor={totales.pagado} /> },
    {
      header: 'Costo envio',
      width: 100,
      align: 'right',
      cell: ({ costo }) => <Pesos valor={costo} />,
      total: (totales) => <Pesos valor={totales.costo} />,
    },
    {
      header: 'Estatus',
      tarjeta: 'estatus',
      width: 130,
      cell: ({ estatus }) => (
        <Estatus tono={estatus === 'cobroRequerido' ? 'mal' : 'ok'}>{estatusLabel(estatus)}</Estatus>
      ),
    },
    {
      header: 'Estatus de la Factura',
      head: 'Factura',
      tarjeta: 'factura',
      width: 122,
      cell: (orden) => (
        <DosLineas debajo={orden.proveedorFacturas.length > 0 && proveedorFacturas.cell(orden)}>
          {folio.cell(orden)}
        </DosLineas>
      ),
    },
  ];
}

/** The two buttons have the agreed words and colours. */
function accionesOf({ id, numOrden, costo }: Fila, con: ReturnType<typeof withParamOf>): AccionDeFila[] {
  const precio: AccionDeFila = hasCosto(costo)
    ? {
        texto: 'datos paqueteria',
        nombre: `Datos paqueteria de la orden ${numOrden}`,
        tono: 'aviso',
        href: con('paqueteria', id),
      }
    : {
        texto: 'costo del envio',
        nombre: `Costo del envio de la orden ${numOrden}`,
        tono: 'ok',
        href: con('costo', id),
      };
  return [
    precio,
    {
      texto: 'Enlace de datos de envío',
      nombre: `Enlace de datos de envío de la orden ${numOrden}`,
      href: con('enlace', id),
    },
  ];
}

const hasCosto = (costo: string | null) => costo !== null && /[1-9]/.test(costo);

/** The screen of sales that we send ourselves: cost, carrier, and address. */
export default function CotizarEnvios() {
  const { lista, abierta, propio, enlaces, dialogo, puedeOperar } = useLoaderData<typeof loader>();
  const asked = useAsked();
  const { search } = useLocation();
  const area = useArea();
  const cerrar = withParams(search, CERRADOS);
  const con = withParamOf(search, { ...CERRADOS, ver: null, menu: null });
  return (
    <OrdenesScreen
      titulo="Cotizar envios"
      nota="Ventas de Mercado Libre con envío propio."
      lista={lista}
      rango={{ ...lista.filtro, conHora: true }}
      columns={columnsFor(area)}
      rowKey={(orden) => orden.id}
      nombra={nombreOfOrden}
      lines={2}
      placeholder="Orden, comprador, título, RFC o folio"
      vacia={{ nada: 'Ninguna venta espera su envío propio.', fuentes: true }}
      enFila={puedeOperar ? { ancho: 180, tarjeta: 'debajo', de: (orden) => accionesOf(orden, con) } : undefined}
      abierta={abierta}
    >
      {propio && !asked && dialogo === 'costo' && <CostoDialog key={propio.id} orden={propio} cerrar={cerrar} />}
      {propio && !asked && dialogo === 'paqueteria' && (
        <PaqueteriaDialog key={`${propio.id}-${propio.huella}`} orden={propio} cerrar={cerrar} />
      )}
      {propio && !asked && dialogo === 'enlace' && (
        <EnlaceDialog key={propio.id} orden={propio} enlaces={enlaces} cerrar={cerrar} />
      )}
    </OrdenesScreen>
  );
}
