import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Form, Link, useLoaderData, useLocation } from '@remix-run/react';
import { usuarioOf } from '~/access/session.server';
import { SCREENS } from '~/access/screens';
import { useArea, useUsuario } from '~/access/useArea';
import { markUnprocessable } from '~/core/answerStatus.server';
import { writeCount } from '~/core/count';
import type { Rol } from '~/core/usuario';
import { toWire } from '~/core/list';
import { capitalize } from '~/core/text';
import { mesBefore, nombreOfMes } from '~/core/time';
import { nombreCorto } from '~/domain/compras/catalogo/producto';
import { DIFERENCIA } from '~/domain/facturacion/mes/balance';
import { balanceList, readBalance } from '~/domain/facturacion/mes/balance.server';
import { mesOf, mesProblem } from '~/domain/facturacion/mes/mes';
import { EXPEDIENTE } from '~/domain/operacion/expediente.server';
import { ventaUrl } from '~/domain/ventas/ordenes/orden';
import { openAtMes } from '~/http/mesDebido.server';
import { exportsOf } from '~/platform/lists/exportRuns.server';
import { openList } from '~/platform/lists/list.server';
import { EmptyState, PageHeader, Panel } from '~/ui/Blocks';
import { DataTable, type Column } from '~/ui/DataTable';
import { Dato, Datos } from '~/ui/Datos';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { Exports } from '~/ui/lista/Exports';
import { MesPicker } from '~/ui/MesPicker';
import { Pesos } from '~/ui/Pesos';
import { Hidden, Refusal } from '~/ui/useAnswer';
import { db } from '~db/shared.server';
import './facturacionGeneral.css';

export const meta: MetaFunction = () => [{ title: 'Balance fiscal' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  openAtMes(request, mesBefore(mesOf(new Date())));
  const lista = await openList(db(), balanceList, request, usuario);
  const { mes } = lista.filtro;
  const aviso = mesProblem(new URL(request.url).searchParams.get('mes'), 'Elige otro.');
  if (aviso) markUnprocessable(request);
  const [balance, expedientes] = await Promise.all([
    mes === '' ? null : readBalance(db(), mes),
    exportsOf(db(), usuario.id, EXPEDIENTE),
  ]);
  return {
    hoy: mesOf(new Date()),
    lista,
    aviso,
    balance: balance && toWire(balance),
    expedientes: { lista: EXPEDIENTE, exportaciones: expedientes },
  };
}

type Lista = ReturnType<typeof useLoaderData<typeof loader>>['lista'];
type Row = Lista['ventana']['filas'][number];

/** The closing of a month is no screen of the accountant's: there the remedy is named, and who has it presses. */
const CIERRAN: readonly Rol[] = SCREENS.facturacionGeneral.roles;

const columnsOf = (area: string, mes: string, rol: Rol): Column<Row, Lista['totales']>[] => [
  {
    header: 'Fecha',
    tarjeta: 'fecha',
    sort: 'fecha',
    width: 136,
    cell: ({ fechaCreacion }) => <Fecha valor={fechaCreacion} />,
  },
  {
    header: 'No. Orden',
    tarjeta: 'numero',
    sort: 'orden',
    width: 168,
    copia: ({ numOrden }) => [numOrden],
    cell: ({ market, numOrden }) => (
      <a href={ventaUrl(market, numOrden)} target="_blank" rel="noopener noreferrer">
        {numOrden}
      </a>
    ),
  },
  {
    header: 'Titulo',
    tarjeta: 'titulo',
    hideUnder: 'md',
    cell: ({ titulo }) => <span title={titulo}>{nombreCorto(titulo)}</span>,
  },
  {
    header: 'Pagado',
    sort: 'pagado',
    width: 106,
    align: 'right',
    cell: ({ pagado }) => <Pesos valor={pagado} />,
    total: ({ pagado }) => <Pesos valor={pagado} />,
  },
  {
    header: 'Cobrado',
    sort: 'cobrado',
    width: 106,
    align: 'right',
    cell: ({ cobrado }) => <Pesos valor={cobrado} />,
    total: ({ cobrado }) => <Pesos valor={cobrado} />,
  },
  {
    header: 'Acreditado',
    sort: 'acreditado',
    width: 106,
    align: 'right',
    cell: ({ acreditado }) => <Pesos valor={acreditado} />,
    total: ({ acreditado }) => <Pesos valor={acreditado} />,
  },
  {
    header: 'Diferencia',
    tarjeta: 'monto',
    sort: 'diferencia',
    width: 112,
    align: 'right',
    cell: ({ diferencia }) => <Pesos valor={diferencia} />,
    total: ({ diferencia }) => <Pesos valor={diferencia} />,
  },
  {
    header: 'Motivo',
    tarjeta: 'estatus',
    width: 162,
    cell: ({ motivo }) => <Estatus tono={DIFERENCIA[motivo].tono}>{DIFERENCIA[motivo].label}</Estatus>,
  },
  {
    header: 'Remedio',
    tarjeta: 'factura',
    width: 132,
    cell: ({ motivo, numOrden }) => {
      const { tabla, remedio } = DIFERENCIA[motivo];
      if (tabla && !CIERRAN.includes(rol)) return remedio;
      const to = tabla
        ? `${area}/facturacionGeneral?mes=${mes}&tabla=${tabla}`
        : `${area}/facturasClientes?q=${encodeURIComponent(numOrden)}`;
      return (
        <Link to={to} discover="none">
          {remedio}
        </Link>
      );
    },
  },
];

/** The fiscal balance of a month: charged in CFDI, less credited, is what stayed paid; each sale that breaks it, with the way out. */
export default function BalanceFiscal() {
  const { hoy, lista, aviso, balance, expedientes } = useLoaderData<typeof loader>();
  const { pathname, search } = useLocation();
  const area = useArea();
  const { rol } = useUsuario();
  const { mes } = lista.filtro;
  const elegir = <MesPicker mes={mes} max={hoy} without={['q', 'orden']} />;

  return (
    <>
      <PageHeader
        titulo="Balance fiscal"
        nota="Lo cobrado en CFDI menos lo acreditado es lo que se quedó pagado: aquí está lo que no cuadra."
      >
        {balance !== null && balance.ventas > 0 && (
          <Form method="post" action={`${area}/exportaciones`} preventScrollReset>
            <Hidden intent="expediente" mes={mes} volver={pathname + search} />
            <button
              type="submit"
              className="boton"
              title="Un ZIP con lo que prueba cada venta del mes, y un índice de lo que falta"
            >
              Expediente del mes
            </button>
          </Form>
        )}
      </PageHeader>
      <Refusal of="expediente" />
      <Exports {...expedientes} area={area} que="expediente" />
      {aviso && (
        <p className="panel" data-tono="aviso" role="alert">
          {aviso}
        </p>
      )}
      {balance !== null && balance.descuadradas > 0 ? (
        <>
          <DataTable
            lista={lista}
            columns={columnsOf(area, mes, rol)}
            rowKey={({ id }) => id}
            label="Ventas que no cuadran"
            placeholder="Orden, comprador o título"
            area={area}
          >
            {elegir}
          </DataTable>
          <section className="hoja mes-balance" aria-labelledby="todo-el-mes">
            <h2 id="todo-el-mes">{capitalize(nombreOfMes(mes))}</h2>
            <Sumas {...balance} />
          </section>
        </>
      ) : (
        <>
          <div className="mes-barra">{elegir}</div>
          {balance === null ? (
            <EmptyState>Selecciona un mes para ver su balance.</EmptyState>
          ) : (
            <>
              <div className="hoja mes-balance">
                <Sumas {...balance} />
              </div>
              <Panel tono="ok">El mes cuadra: cada venta tiene cobrado en CFDI lo que se quedó pagado.</Panel>
            </>
          )}
        </>
      )}
    </>
  );
}

type Balance = NonNullable<ReturnType<typeof useLoaderData<typeof loader>>['balance']>;

/** The sums of the whole month; those of the sales that break it are in the foot of their list. */
const Sumas = ({ ventas, pagado, cobrado, acreditado, diferencia }: Balance) => (
  <Datos>
    <Dato de="Ventas">{writeCount(ventas)}</Dato>
    <Dato de="Pagado">
      <Pesos valor={pagado} />
    </Dato>
    <Dato de="Cobrado en CFDI">
      <Pesos valor={cobrado} />
    </Dato>
    <Dato de="Acreditado">
      <Pesos valor={acreditado} />
    </Dato>
    <Dato de="Diferencia">
      <strong>
        <Pesos valor={diferencia} />
      </strong>
    </Dato>
  </Datos>
);
