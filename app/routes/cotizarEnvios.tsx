import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Form, Link, useActionData, useLoaderData, useLocation } from '@remix-run/react';
import { can } from '~/access/actions';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { toWire, withParams, type Wire } from '~/core/list';
import { cotizarList, type CotizarRow } from '~/domain/envios/listCotizar.server';
import { readPropio } from '~/domain/envios/propios.server';
import { openList } from '~/domain/lists/list.server';
import { estatusLabel } from '~/domain/ordenes/estatus';
import { PageHeader, Panel } from '~/ui/Blocks';
import { DataTable, type Column } from '~/ui/DataTable';
import { Estatus } from '~/ui/Estatus';
import { Pesos } from '~/ui/Pesos';
import { RangoFechas } from '~/ui/RangoFechas';
import { db } from '~db/shared.server';
import { Copiar } from './enlaces/Copiar';
import { actOnPropio, isPropioIntent, type PropioAnswer } from './envios/actOnPropio.server';
import { CostoDialog, PaqueteriaDialog } from './envios/PropioDialogs';
import { actOnOrden } from './ordenes/actOnOrden.server';
import { COLUMNAS, folioColumn, pagado, proveedorFacturas } from './ordenes/columns';
import { openOrden } from './ordenes/openOrden.server';
import { OrdenesAround } from './ordenes/Screen';

export { OrdenError as ErrorBoundary } from './ordenes/OrdenError';

export const meta: MetaFunction = () => [{ title: 'Cotizar envios' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const search = new URL(request.url).searchParams;
  const [costo, paqueteria] = [search.get('costo'), search.get('paqueteria')];
  const [lista, abierta, propio] = await Promise.all([openList(db(), cotizarList, request, usuario), openOrden(request, usuario), readPropio(db(), costo ?? paqueteria ?? '')]);
  return { lista, abierta, propio: propio ? toWire(propio) : null, dialogo: costo ? 'costo' as const : 'paqueteria' as const, puedeOperar: can(usuario, 'ordenes.operar') };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const usuario = usuarioOf(context);
  const form = await request.clone().formData();
  const intent = form.get('intent');
  return isPropioIntent(intent) ? actOnPropio(request, form, intent, usuario) : actOnOrden(request, usuario);
}

type Lista = ReturnType<typeof useLoaderData<typeof loader>>['lista'];
type Fila = Wire<CotizarRow>;

function columnsFor({ puedeOperar, search, area }: { puedeOperar: boolean; search: string; area: string }): Column<Fila, Lista['totales']>[] {
  const con = (changes: Record<string, string>) => withParams(search, { ver: null, costo: null, paqueteria: null, ...changes });
  return [
    COLUMNAS.fecha, COLUMNAS.numero, { ...COLUMNAS.titulo, width: undefined }, COLUMNAS.paquete, COLUMNAS.envio,
    { ...pagado, total: (totales) => <Pesos valor={totales.pagado} /> },
    { header: 'Costo envio', width: 110, align: 'right', cell: ({ costo }) => <Pesos valor={costo} />, total: (totales) => <Pesos valor={totales.costo} /> },
    { header: 'Estatus', width: 136, cell: ({ estatus }) => <Estatus tono={estatus === 'cobroRequerido' ? 'mal' : 'ok'}>{estatusLabel(estatus)}</Estatus> },
    { ...folioColumn((facturaId) => `${area}/descargas/factura/${facturaId}/pdf`), header: 'Estatus de la Factura', width: 150 },
    { ...proveedorFacturas, width: 150, hideUnder: 'md' },
    {
      header: 'Administración', width: puedeOperar ? 262 : 80, className: 'fija',
      cell: (orden) => (
        <>
          {puedeOperar && (hasCosto(orden)
            ? <Link className="boton" data-tono="aviso" to={con({ paqueteria: orden.id })} preventScrollReset discover="none" aria-label={`Datos paqueteria de la orden ${orden.numOrden}`}>datos paqueteria</Link>
            : <Link className="boton" data-tono="ok" to={con({ costo: orden.id })} preventScrollReset discover="none" aria-label={`Costo del envio de la orden ${orden.numOrden}`}>costo del envio</Link>)}
          {puedeOperar && (
            <Form method="post" preventScrollReset>
              <input type="hidden" name="orden" value={orden.id} />
              <button type="submit" name="intent" value="enlaceEnvio" className="boton" aria-label={`Crear el enlace de datos de envío de la orden ${orden.numOrden}`}>Enlace</button>
            </Form>
          )}
          <Link className="boton" to={con({ ver: orden.id })} preventScrollReset discover="none" aria-label={`Ver la orden ${orden.numOrden}`}>Ver</Link>
        </>
      ),
    },
  ];
}

const hasCosto = ({ costo }: Fila) => costo !== null && /[1-9]/.test(costo);

/** Sales that we send ourselves: what it costs, who carries it, and where it goes. */
export default function CotizarEnvios() {
  const { lista, abierta, propio, dialogo, puedeOperar } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>() as PropioAnswer | undefined;
  const { search } = useLocation();
  const area = useArea();
  const cerrar = withParams(search, { costo: null, paqueteria: null });
  return (
    <OrdenesAround abierta={abierta} area={area}>
      <PageHeader titulo="Cotizar envios" nota="Ventas de Mercado Libre con envío propio." />
      {answer?.creado && (
        <Panel tono="ok" titulo={`Enlace de datos de envío de la orden ${answer.creado.numOrden}`}>
          Cópialo ahora y mándalo al cliente: por seguridad no se vuelve a mostrar.
          <Copiar texto={answer.creado.url} etiqueta="Enlace de datos de envío" />
        </Panel>
      )}
      <DataTable lista={lista} columns={columnsFor({ puedeOperar, search, area })} rowKey={(orden) => orden.id} label="Cotizar envios" placeholder="No. de orden, título, RFC o folio" area={area} opens>
        <RangoFechas {...lista.filtro} />
      </DataTable>
      {propio && puedeOperar && (dialogo === 'costo'
        ? <CostoDialog key={propio.id} orden={propio} answer={answer} cerrar={cerrar} />
        : <PaqueteriaDialog key={`${propio.id}-${propio.huella}`} orden={propio} answer={answer} cerrar={cerrar} />)}
    </OrdenesAround>
  );
}
