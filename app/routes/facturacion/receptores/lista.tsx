import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { NativeSelect } from '@mantine/core';
import { Form, useLoaderData, useLocation } from '@remix-run/react';
import { usuarioOf } from '~/access/session.server';
import { withParams } from '~/core/list';
import { defineActions, outcome } from '~/http/actions.server';
import { lookUpLugar } from '~/platform/direccion/codigosPostales.server';
import { ClienteEscrito, ClienteFiscalForm } from '~/domain/facturacion/receptores/forms';
import {
  correctClienteFiscal,
  datosFiscalesList,
  readClienteFiscal,
  documentosOfCliente,
} from '~/domain/facturacion/receptores/datosFiscales.server';
import { ORIGEN_LABEL, ORIGENES } from '~/domain/facturacion/receptores/origen';
import { openList } from '~/platform/lists/list.server';
import { Boton } from '~/ui/Boton';
import { ListScreen } from '~/ui/ListScreen';
import { definePanel } from '~/ui/ficha/panel';
import { type Column } from '~/ui/DataTable';
import { Fecha } from '~/ui/Fecha';
import { HiddenParams } from '~/ui/HiddenParams';
import { db } from '~db/shared.server';
import { openRecord } from '~/routes/area/openRecord';
import { clienteOf } from './record';
import { askSaveCliente } from './questions';

export { shouldRevalidate } from '~/ui/ficha/soloFicha';

const PANEL = definePanel('ClienteFicha', {
  load: async () => (await import('./ClienteFicha')).ClienteFicha,
  que: 'Cliente',
  ausente: { titulo: 'No encontre nada para ti', texto: 'El enlace nombra a un cliente que no está aquí.' },
});

export const meta: MetaFunction = () => [{ title: 'Datos Fiscales de Clientes' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const [lista, abierto] = await Promise.all([
    openList(db(), datosFiscalesList, request, usuario),
    openRecord(request, usuario, clienteOf),
  ]);
  return { lista, abierto };
}

export const action = defineActions({
  guardar: {
    schema: ClienteFiscalForm,
    confirm: async (db, { id, ...despues }) => {
      const cliente = await readClienteFiscal(db, id);
      return cliente ? askSaveCliente(cliente, despues, await documentosOfCliente(db, cliente)) : null;
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
      const { lugar, direccion } = await lookUpLugar(db, escrito);
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
  {
    header: 'RFC',
    sort: 'rfc',
    width: 150,
    opens: true,
    tarjeta: 'numero',
    copia: ({ rfc }) => [rfc],
    cell: (cliente) => cliente.rfc,
  },
  {
    header: 'Razón Social',
    tarjeta: 'titulo',
    sort: 'razonSocial',
    cell: (cliente) => <span title={cliente.razonSocial}>{cliente.razonSocial}</span>,
  },
  {
    header: 'CP',
    sort: 'cp',
    width: 80,
    tarjeta: 'factura',
    cell: ({ cp }) => (
      <>
        <span className="en-tarjeta">CP </span>
        {cp}
      </>
    ),
  },
  {
    header: 'Origen',
    width: 104,
    hideUnder: 'sm',
    tarjeta: 'estatus',
    cell: (cliente) => ORIGEN_LABEL[cliente.origen],
  },
  {
    header: 'Teléfono',
    sort: 'telefono',
    width: 130,
    tarjeta: 'fecha',
    cell: (cliente) => cliente.telefono || '—',
  },
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
  const { lista, abierto } = useLoaderData<typeof loader>();
  const { search } = useLocation();
  return (
    <ListScreen
      titulo="Datos Fiscales de Clientes"
      label="Datos fiscales de clientes"
      lista={lista}
      columns={columnsFor(search)}
      rowKey={(cliente) => cliente.id}
      placeholder="RFC, razón social, CP o teléfono"
      vacia={{ nada: 'Todavía no hay clientes. Se guardan con su primera factura.' }}
      panel={PANEL}
      abierta={abierto}
      cancelar={withParams(search, { editar: null })}
      filtros={
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
          <Boton tono="acento" type="submit">
            Buscar
          </Boton>
        </Form>
      }
    />
  );
}
