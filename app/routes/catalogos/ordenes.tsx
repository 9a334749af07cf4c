import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Link, useLoaderData, useLocation } from '@remix-run/react';
import { can } from '~/access/actions';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { withParams } from '~/core/list';
import { defineActions } from '~/http/actions.server';
import { isViva } from '~/domain/envios/envio';
import { openList } from '~/domain/lists/list.server';
import { ordenesList } from '~/domain/ordenes/listOrdenes.server';
import { destinatariosDe, type Directorio } from '~/domain/proveedores/directorio';
import { readDirectorio } from '~/domain/proveedores/directorio.server';
import { PageHeader } from '~/ui/Blocks';
import { DataTable, type Column } from '~/ui/DataTable';
import { Dialog } from '~/ui/Dialog';
import { Pesos } from '~/ui/Pesos';
import { RangoFechas } from '~/ui/RangoFechas';
import { db } from '~db/shared.server';
import { ordenActions } from '../parts/ordenes/actions';
import { CorreoProveedor } from '../parts/ordenes/CorreoProveedor';
import {
  COLUMNAS,
  DOBLES,
  EnviarLink,
  facturaColumn,
  pagado,
  proveedorFacturasDobles,
  tonoOrden,
  type Fila,
} from '../parts/ordenes/columns';
import { dialogosIn } from '../parts/ordenes/dialogos';
import { useFichaDeOrden } from '../parts/ordenes/FichaDeOrden';
import { accionesDe } from '../parts/lotes';
import { DESCARGAR } from '../parts/ordenes/preguntas';
import { OrdenesAround } from '../parts/ordenes/Screen';
import { proveedorFacturaActions } from '../parts/proveedores/actions';
import { ABRE } from '../parts/proveedores/textos';

export { OrdenError as ErrorBoundary } from '../parts/ordenes/OrdenError';

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
    acciones: accionesDe(ordenesList.lista, usuario),
  };
}

export const action = defineActions({ ...ordenActions, ...proveedorFacturaActions() });

type Lista = ReturnType<typeof useLoaderData<typeof loader>>['lista'];

function columnsFor({
  puedeOperar,
  search,
  directorio,
}: {
  puedeOperar: boolean;
  search: string;
  directorio: Directorio;
}): Column<Fila, Lista['totales']>[] {
  const con = (changes: Record<string, string>) => withParams(search, { ver: null, descargar: null, ...changes });
  return [
    DOBLES.fecha,
    DOBLES.numero,
    DOBLES.titulo,
    { ...pagado, total: (totales) => <Pesos valor={totales.pagado} /> },
    COLUMNAS.estatus,
    facturaColumn((facturaId) => con({ descargar: facturaId })),
    { ...proveedorFacturasDobles, total: (totales) => <Pesos valor={totales.facturado} /> },
    {
      header: 'Administración',
      width: 152,
      className: 'fija',
      cell: (orden) => (
        <div className="acciones-dobles">
          <a className="boton" href={con({ ver: orden.id })} aria-label={`Ver la orden ${orden.numOrden}`}>
            Ver
          </a>
          <a
            className="boton"
            href={con({ [ABRE]: orden.id })}
            aria-label={`Facturas de proveedor de la orden ${orden.numOrden}`}
          >
            Facturas
          </a>
          {puedeOperar && orden.envio && isViva(orden) && (
            <CorreoProveedor orden={orden} destinatarios={destinatariosDe(directorio, orden.proveedores)}>
              Correo
            </CorreoProveedor>
          )}
          {puedeOperar && <EnviarLink orden={orden} />}
        </div>
      ),
    },
  ];
}

export default function Ordenes() {
  const { lista, abierta, deProveedor, directorio, puedeOperar, acciones } = useLoaderData<typeof loader>();
  const { search } = useLocation();
  const area = useArea();
  const ficha = useFichaDeOrden(lista, abierta);
  const descargar = new URLSearchParams(search).get('descargar');
  return (
    <OrdenesAround deProveedor={deProveedor}>
      <PageHeader titulo="Ordenes" />
      <DataTable
        lista={lista}
        columns={columnsFor({ puedeOperar, search, directorio })}
        rowKey={(orden) => orden.id}
        tone={tonoOrden}
        lines={2}
        label="Ordenes"
        placeholder="No. de orden, título, RFC o folio"
        area={area}
        opens
        ficha={ficha}
        acciones={acciones}
      >
        <RangoFechas {...lista.filtro} />
      </DataTable>
      {descargar && (
        <Descargar
          archivo={`${area}/descargas/factura/${encodeURIComponent(descargar)}`}
          cerrar={withParams(search, { descargar: null })}
        />
      )}
    </OrdenesAround>
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
