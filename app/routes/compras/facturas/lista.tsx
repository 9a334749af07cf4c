import { data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { Link, useLoaderData, useLocation } from '@remix-run/react';
import { z } from 'zod';
import { can } from '~/access/actions';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { toWire, withParamOf, withParams } from '~/core/list';
import { defineActions } from '~/http/actions.server';
import { openList } from '~/platform/lists/list.server';
import { ventaUrl } from '~/domain/ventas/ordenes/orden';
import { listCfdisPendientes } from '~/domain/compras/facturas/cfdis.server';
import { proveedorFacturasList } from '~/domain/compras/facturas/lists.server';
import { readProveedorFactura } from '~/domain/compras/facturas/proveedorFacturas.server';
import { listProveedores } from '~/domain/compras/directorio/proveedores.server';
import { ListScreen } from '~/ui/ListScreen';
import { EmptyState } from '~/ui/Blocks';
import { type AccionDeFila, type Column } from '~/ui/DataTable';
import { Dialog } from '~/ui/Dialog';
import { deferredPart } from '~/ui/deferredPart';
import { Fecha } from '~/ui/Fecha';
import { Pesos } from '~/ui/Pesos';
import { useAsked } from '~/ui/useAnswer';
import { db } from '~db/shared.server';
import { proveedorFacturaActions } from './actions';
import { FolioProveedor } from './FolioProveedor';
import { removeFactura } from './textos';
import { XmlDrop } from './XmlDrop';

const ProveedorFacturaForm = deferredPart('ProveedorFacturaForm', () =>
  import('./ProveedorFacturaForm').then(({ ProveedorFacturaForm }) => ProveedorFacturaForm),
);
const RepartoForm = deferredPart('RepartoForm', () => import('./RepartoForm').then(({ RepartoForm }) => RepartoForm));

export { OrdenError as ErrorBoundary } from '~/routes/ventas/ordenes/OrdenError';

export const meta: MetaFunction = () => [{ title: 'Facturas de proveedores' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const search = new URL(request.url).searchParams;
  const puedeEditar = can(usuario, 'proveedorFacturas.editar');
  const ver = search.get('ver');
  const subir = puedeEditar && search.get('xml') === '1';
  const [lista, abierta, proveedores, cfdis] = await Promise.all([
    openList(db(), proveedorFacturasList, request, usuario),
    ver ? findFactura(ver) : undefined,
    puedeEditar ? listProveedores(db()) : [],
    subir ? listCfdisPendientes(db()) : [],
  ]);
  return { lista, abierta: abierta && toWire(abierta), proveedores, cfdis: toWire(cfdis), subir, puedeEditar };
}

async function findFactura(ver: string) {
  const id = z.uuid().safeParse(ver).data;
  const factura = id && (await readProveedorFactura(db(), id));
  if (!factura)
    throw data(
      {
        titulo: 'La factura no existe',
        texto: 'El enlace nombra una factura que no está aquí. Puede que se haya eliminado.',
      },
      { status: 404 },
    );
  return factura;
}

export const action = defineActions(proveedorFacturaActions('ver', 'proveedorFacturas.editar'));

type Lista = ReturnType<typeof useLoaderData<typeof loader>>['lista'];
type Row = Lista['ventana']['filas'][number];

const COLUMNS: Column<Row, Lista['totales']>[] = [
  {
    header: 'Fecha de creación',
    tarjeta: 'fecha',
    sort: 'fecha',
    width: 150,
    cell: (factura) => <Fecha valor={factura.fechaCreacion} />,
  },
  { header: 'Proveedor', sort: 'proveedor', width: 120, tarjeta: 'titulo', cell: (factura) => factura.proveedorLabel },
  { header: 'Folio', sort: 'folio', tarjeta: 'estatus', cell: (factura) => <FolioProveedor factura={factura} /> },
  {
    header: 'Monto',
    tarjeta: 'monto',
    sort: 'monto',
    width: 118,
    align: 'right',
    cell: (factura) => <Pesos valor={factura.monto} />,
    total: ({ monto }) => <Pesos valor={monto} />,
  },
  {
    header: 'No. Orden',
    tarjeta: 'numero',
    width: 168,
    copia: ({ numOrden }) => [numOrden],
    cell: ({ market, numOrden }) => (
      <a href={ventaUrl(market, numOrden)} target="_blank" rel="noopener noreferrer">
        {numOrden}
      </a>
    ),
  },
  { header: 'Nombre', width: 110, cell: (factura) => factura.nombre },
  { header: 'Apellidos', width: 150, hideUnder: 'md', cell: (factura) => factura.apellidos },
];

const accionesOf = (
  factura: Row,
  { area, con, puedeEditar }: { area: string; con: ReturnType<typeof withParamOf>; puedeEditar: boolean },
): AccionDeFila[] => {
  const { id, version, folio, cfdiId } = factura;
  const xml: AccionDeFila[] = cfdiId
    ? [{ texto: 'XML', nombre: `XML de ${folio}`, href: `${area}/descargas/proveedorXml/${cfdiId}`, download: true }]
    : [];
  if (!puedeEditar) return xml;
  return [
    { texto: 'Editar', nombre: `Editar ${folio}`, href: con('ver', id) },
    ...xml,
    {
      texto: 'Eliminar',
      nombre: `Eliminar ${folio}`,
      tono: 'mal',
      envia: { intent: 'eliminarFactura', id, version },
      pregunta: () => removeFactura(factura),
    },
  ];
};

export default function FacturasProveedores() {
  const { lista, abierta, proveedores, cfdis, subir, puedeEditar } = useLoaderData<typeof loader>();
  const asked = useAsked();
  const { search } = useLocation();
  const area = useArea();
  const cerrar = withParams(search, { ver: null, xml: null, cfdi: null });
  const con = withParamOf(search, { ver: null, xml: null, menu: null });

  return (
    <ListScreen
      titulo="Facturas de proveedores"
      botones={
        puedeEditar && (
          <Link
            className="boton"
            data-tono="acento"
            to={withParams(search, { xml: '1', ver: null })}
            preventScrollReset
          >
            Subir XML
          </Link>
        )
      }
      lista={lista}
      rango={lista.filtro}
      columns={COLUMNS}
      rowKey={(factura) => factura.id}
      nombra={({ folio }) => `la factura ${folio}`}
      placeholder="Folio, proveedor u orden"
      vacia={{ nada: 'Todavía no hay facturas de proveedores. Se agregan en su orden, o al subir su XML.' }}
      opens={puedeEditar}
      enFila={{ ancho: 120, tarjeta: 'menu', de: (factura) => accionesOf(factura, { area, con, puedeEditar }) }}
      refusals={['eliminarFactura']}
    >
      {abierta && puedeEditar && !asked && (
        <Dialog key={abierta.id} titulo={`Factura ${abierta.folio} · Orden ${abierta.numOrden}`} cerrar={cerrar}>
          <ProveedorFacturaForm
            key={abierta.version}
            proveedores={proveedores}
            factura={abierta}

            cerrar={cerrar}
          />
        </Dialog>
      )}
      {subir && !asked && (
        <Dialog titulo="Facturas en XML" cerrar={cerrar} ancho="grande">
          <XmlDrop />
          {cfdis.length === 0 ? (
            <EmptyState>No hay facturas por repartir.</EmptyState>
          ) : (
            cfdis.map((cfdi) => (
              <RepartoForm key={`${cfdi.id}-${cfdi.restante}`} cfdi={cfdi} proveedores={proveedores} />
            ))
          )}
        </Dialog>
      )}
    </ListScreen>
  );
}
