import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { SCREENS } from '~/access/screens';
import { usuarioOf } from '~/access/session.server';
import { useArea, useUsuario } from '~/access/useArea';
import { markUnprocessable } from '~/core/answerStatus.server';
import { monthOf, monthRange, nombreOfMes } from '~/core/time';
import { defineActions } from '~/http/actions.server';
import { mesOf, mesProblem } from '~/domain/facturacion/mes/mes';
import { openList } from '~/platform/lists/list.server';
import { listProveedorOptions } from '~/domain/compras/directorio/proveedores.server';
import { mensualList } from '~/domain/cierre/reportes/utilidadLists.server';
import type { Rol } from '~/core/usuario';
import { ordenActions } from '~/routes/ventas/ordenes/actions';
import { proveedorFacturaActions } from '~/routes/compras/facturas/actions';
import { MesPicker } from '~/ui/MesPicker';
import { db } from '~db/shared.server';
import { dialogosIn } from '~/routes/ventas/ordenes/record';
import { OrdenesScreen } from '~/routes/ventas/ordenes/OrdenesScreen';
import { ABRE } from '~/routes/compras/facturas/textos';
import { COLUMNS, tonoFila } from './columns';
import { FiltroProveedor } from './FiltroProveedor';
import { openWithRows } from '~/http/mesDebido.server';
import { readMesConVentas } from '~/domain/cierre/reportes/mesConVentas.server';

export { OrdenError as ErrorBoundary } from '~/routes/ventas/ordenes/OrdenError';

export { shouldRevalidate } from '~/ui/ficha/soloFicha';

export const meta: MetaFunction = () => [{ title: 'Mensual' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const [lista, dialogos, proveedores] = await Promise.all([
    openList(db(), mensualList, request, usuario),
    dialogosIn(request, usuario),
    listProveedorOptions(db()),
  ]);
  await openWithRows(request, 'mes', () => readMesConVentas(db()));
  const aviso = mesProblem(new URL(request.url).searchParams.get('mes'), 'Se muestra el mes en curso.');
  if (aviso) markUnprocessable(request);
  return { lista: { ...lista, aviso }, hoy: mesOf(new Date()), ...dialogos, proveedores };
}

export const action = defineActions({ ...ordenActions, ...proveedorFacturaActions() });

const CANCELADAS: readonly Rol[] = SCREENS.ordenesCanceladas.roles;

/** The month, sale by sale. */
export default function Mensual() {
  const { lista, hoy, abierta, deProveedor, proveedores } = useLoaderData<typeof loader>();
  const area = useArea();
  const { rol } = useUsuario();
  const { mes } = lista.filtro;
  const { first, last } = monthOf(monthRange(mes).from);
  return (
    <OrdenesScreen
      titulo="Mensual"
      label={`Ventas de ${nombreOfMes(mes)}`}
      nota={`Reporte de ${nombreOfMes(mes)}`}
      botones={
        CANCELADAS.includes(rol) && (
          <a className="boton" href={`${area}/ordenesCanceladas?desde=${first}&hasta=${last}`}>
            Abrir Cancelados
          </a>
        )
      }
      lista={lista}
      filtros={
        <MesPicker mes={mes} max={hoy} boton="Generar Reporte" without={['proveedor']}>
          <FiltroProveedor valor={lista.filtro.proveedor} proveedores={proveedores} />
        </MesPicker>
      }
      columns={COLUMNS}
      rowKey={(orden) => orden.id}
      tone={tonoFila}
      placeholder="Orden, comprador o título"
      excel="Bajar Excel"
      resumen
      opens={ABRE}
      abierta={abierta}
      deProveedor={deProveedor}
    />
  );
}
