import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Button, NativeSelect } from '@mantine/core';
import { Form, useLoaderData, useLocation } from '@remix-run/react';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { toWire, withParams } from '~/core/list';
import { defineActions, outcome } from '~/http/actions.server';
import { catalogNotices, readClaves } from '~/domain/catalogo/catalogos.server';
import { lugarBuscado } from '~/domain/catalogo/codigosPostales.server';
import { ClienteEscrito, ClienteFiscalForm } from '~/domain/receptores/clienteFiscal';
import {
  correctClienteFiscal,
  datosFiscalesList,
  readClienteFiscal,
  readClientePorVenta,
} from '~/domain/receptores/datosFiscales.server';
import { ORIGEN_LABEL, ORIGENES } from '~/domain/receptores/origenCliente';
import { documentosDeCliente } from '~/domain/receptores/documentosDeCliente.server';
import { openList } from '~/domain/lists/list.server';
import { PageHeader } from '~/ui/Blocks';
import { DataTable, type Column } from '~/ui/DataTable';
import { diferida } from '~/ui/diferida';
import { Fecha } from '~/ui/Fecha';
import { HiddenParams } from '~/ui/HiddenParams';
import { Asked, useAsked } from '~/ui/useAnswer';
import { db } from '~db/shared.server';
import { ClienteDialog } from './datosFiscales/ClienteDialog';
import { PorVentaDialog } from './datosFiscales/PorVentaDialog';
import { guardarCliente } from './datosFiscales/preguntas';

const ClienteForm = diferida('ClienteForm', () =>
  import('./datosFiscales/ClienteForm').then(({ ClienteForm }) => ClienteForm),
);

export const meta: MetaFunction = () => [{ title: 'Datos Fiscales de Clientes' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const search = new URL(request.url).searchParams;
  const ver = search.get('ver') ?? '';
  const [lista, abierto, porVenta] = await Promise.all([
    openList(db(), datosFiscalesList, request, usuarioOf(context)),
    readClienteFiscal(db(), ver),
    readClientePorVenta(db(), ver),
  ]);
  const editar = search.get('editar') === '1' && !abierto?.fijo;
  const [regimenes, usos, sinCargar] =
    abierto || porVenta
      ? await Promise.all([
          readClaves(db(), 'regimenes'),
          readClaves(db(), 'usos'),
          catalogNotices(db(), editar ? ['regimenes'] : []),
        ])
      : [[], [], []];
  const fijos = abierto && editar ? await documentosDeCliente(db(), abierto) : null;
  return {
    lista,
    porVenta: porVenta ? toWire(porVenta) : null,
    abierto: abierto ? toWire(abierto) : null,
    editar,
    regimenes,
    usos,
    sinCargar,
    fijos,
  };
}

export const action = defineActions({
  guardar: {
    schema: ClienteFiscalForm,
    confirm: async (db, { id, ...despues }) => {
      const cliente = await readClienteFiscal(db, id);
      return cliente ? guardarCliente(cliente, despues, await documentosDeCliente(db, cliente)) : null;
    },
    run: async (db, cliente, usuario) => {
      const done = await correctClienteFiscal(db, cliente, usuario.id);
      return outcome({
        aviso: done
          ? 'Éxito, la información fue guardada correctamente.'
          : 'factura.com todavía no confirma; los datos cambian aquí en cuanto lo haga.',
      });
    },
    to: (_, { search }) => withParams(search, { editar: null }),
  },
  buscarCp: {
    schema: ClienteEscrito,
    run: async (db, escrito) => {
      const { lugar, direccion } = await lugarBuscado(db, escrito);
      return outcome({ resultado: lugar, valores: { ...escrito, ...direccion } });
    },
  },
});

type Lista = ReturnType<typeof useLoaderData<typeof loader>>['lista'];
type Row = Lista['ventana']['filas'][number];

const columnsFor = (search: string): Column<Row, Lista['totales']>[] => [
  {
    header: 'Fecha de creación',
    sort: 'fecha',
    width: 160,
    hideUnder: 'sm',
    cell: (cliente) => <Fecha valor={cliente.fechaCreacion} />,
  },
  { header: 'RFC', sort: 'rfc', width: 150, opens: true, cell: (cliente) => cliente.rfc },
  {
    header: 'Razón Social',
    sort: 'razonSocial',
    cell: (cliente) => <span title={cliente.razonSocial}>{cliente.razonSocial}</span>,
  },
  { header: 'CP', sort: 'cp', width: 80, cell: (cliente) => cliente.cp },
  { header: 'Origen', width: 104, hideUnder: 'sm', cell: (cliente) => ORIGEN_LABEL[cliente.origen] },
  { header: 'Teléfono', sort: 'telefono', width: 130, cell: (cliente) => cliente.telefono || '—' },
  {
    header: 'Administración',
    width: 130,
    cell: (cliente) => (
      <a
        className="boton"
        href={withParams(search, { ver: cliente.id, editar: null })}
        aria-label={`Mostrar ${cliente.razonSocial}`}
      >
        <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
          <path
            d="M1 8s2.6-4.5 7-4.5S15 8 15 8s-2.6 4.5-7 4.5S1 8 1 8Z"
            fill="none"
            stroke="currentColor"
            strokeWidth="1.3"
          />
          <circle cx="8" cy="8" r="2" fill="currentColor" />
        </svg>
        Mostrar
      </a>
    ),
  },
];

export default function DatosFiscales() {
  const { lista, abierto, porVenta, editar, regimenes, usos, sinCargar, fijos } = useLoaderData<typeof loader>();
  const asked = useAsked();
  const { search } = useLocation();
  const area = useArea();
  const cerrar = withParams(search, { ver: null, editar: null });
  const mostrar = withParams(search, { editar: null });
  return (
    <>
      <PageHeader titulo="Datos Fiscales de Clientes" />
      <Asked cancelar={mostrar} />
      <DataTable
        lista={lista}
        columns={columnsFor(search)}
        rowKey={(cliente) => cliente.id}
        vacia={{ nada: 'Todavía no hay clientes. Se guardan con su primera factura.' }}
        label="Datos fiscales de clientes"
        placeholder="RFC, razón social, CP o teléfono"
        area={area}
        opens
      >
        <Form method="get" className="rango" preventScrollReset>
          <HiddenParams search={search} without={['origen', 'pagina', 'ver', 'editar']} />
          <NativeSelect
            key={lista.filtro.origen ?? ''}
            name="origen"
            label="Origen"
            defaultValue={lista.filtro.origen ?? ''}
            data={[
              { value: '', label: 'Todos' },
              ...ORIGENES.map((origen) => ({ value: origen, label: ORIGEN_LABEL[origen] })),
            ]}
          />
          <Button type="submit">Buscar</Button>
        </Form>
      </DataTable>
      {porVenta && (
        <PorVentaDialog key={porVenta.id} cliente={porVenta} regimenes={regimenes} cerrar={cerrar} area={area} />
      )}
      {abierto && !editar && (
        <ClienteDialog
          key={abierto.id}
          cliente={abierto}
          regimenes={regimenes}
          usos={usos}
          cerrar={cerrar}
          editar={withParams(search, { editar: '1' })}
        />
      )}
      {abierto && editar && !asked && (
        <ClienteForm
          key={`${abierto.id}-${abierto.version}`}
          cliente={abierto}
          avisos={sinCargar}
          fijos={fijos}
          cerrar={mostrar}
        />
      )}
    </>
  );
}
