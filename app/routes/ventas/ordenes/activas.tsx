import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { can } from '~/access/actions';
import { usuarioOf } from '~/access/session.server';
import { defineActions } from '~/http/actions.server';
import { openList } from '~/platform/lists/list.server';
import { tonoActiva } from '~/domain/ventas/ordenes/activas';
import { ACORDADA } from '~/domain/ventas/ordenes/estatus';
import { activasList } from '~/domain/ventas/ordenes/listOrdenes.server';
import { readDirectorio } from '~/domain/compras/directorio/proveedores.server';
import { ordenActions } from './actions';
import { deliver, sendCorreo } from './acciones';
import { proveedorFacturaActions } from '~/routes/compras/facturas/actions';
import { DosLineas, type Column } from '~/ui/DataTable';
import { Hace } from '~/ui/Fecha';
import { usePantalla } from '~/ui/Pantallas';
import { db } from '~db/shared.server';
import { accionesOfList } from '~/routes/operacion/lotes/lotes';
import { cotizacionColumn } from './Cotizacion';
import { COLUMNAS, DOBLES, nombreOfOrden, type Fila } from './columns';
import { dialogosIn } from './record';
import { OrdenesScreen } from './OrdenesScreen';

export { OrdenError as ErrorBoundary } from './OrdenError';

export { shouldRevalidate } from '~/ui/ficha/soloFicha';

export const meta: MetaFunction = () => [{ title: 'Ordenes activas' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const [lista, dialogos, directorio] = await Promise.all([
    openList(db(), activasList, request, usuario),
    dialogosIn(request, usuario),
    readDirectorio(db()),
  ]);
  return {
    lista,
    ...dialogos,
    directorio,
    puedeOperar: can(usuario, 'ordenes.operar'),
    acciones: accionesOfList(activasList.lista, usuario),
    ahora: new Date().toISOString(),
  };
}

export const action = defineActions({ ...ordenActions, ...proveedorFacturaActions() });

type Lista = ReturnType<typeof useLoaderData<typeof loader>>['lista'];

const columnsAt = (ahora: string, cotizaciones: string | undefined): Column<Fila, Lista['totales']>[] => [
  DOBLES.fecha,
  {
    header: 'Antigüedad',
    width: 104,
    tarjeta: 'monto',
    cell: ({ fechaCreacion }) => <Hace valor={fechaCreacion} ahora={ahora} />,
  },
  DOBLES.titulo,
  COLUMNAS.numero,
  cotizacionColumn(cotizaciones),
  {
    ...COLUMNAS.estatus,
    width: 152,
    cell: (orden) =>
      orden.acordada ? (
        <DosLineas debajo={ACORDADA}>{COLUMNAS.estatus.cell(orden)}</DosLineas>
      ) : (
        COLUMNAS.estatus.cell(orden)
      ),
  },
];

/** The screen of sales still to be sent; older ones are more urgent. */
export default function OrdenesActivas() {
  const { lista, abierta, deProveedor, directorio, puedeOperar, acciones, ahora } = useLoaderData<typeof loader>();
  const cotizaciones = usePantalla('cotizaciones');
  const agentes = usePantalla('agentesVentas');
  const accionesOf = (orden: Fila) => [...deliver(orden, ahora), ...sendCorreo(orden, directorio, agentes)];
  return (
    <OrdenesScreen
      titulo="Ordenes activas"
      nota="En preparación. Ámbar: más de 24 horas; rojo: más de 48 horas."
      lista={lista}
      rango={lista.filtro}
      columns={columnsAt(ahora, cotizaciones)}
      rowKey={(orden) => orden.id}
      nombra={nombreOfOrden}
      lines={2}
      tone={(orden) => tonoActiva(orden, ahora)}
      placeholder="Orden, comprador, título, RFC o folio"
      vacia={{ nada: 'Nada está en preparación.', fuentes: true }}
      enFila={puedeOperar ? { ancho: 120, tarjeta: 'debajo', de: accionesOf } : undefined}
      acciones={acciones}
      abierta={abierta}
      deProveedor={deProveedor}
    />
  );
}
