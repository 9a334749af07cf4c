import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData, useLocation } from '@remix-run/react';
import { usuarioOf } from '~/access/session.server';
import { withParamOf, withParams } from '~/core/list';
import { defineActions, outcome } from '~/http/actions.server';
import { askChangeEstatusDeEmpresa } from '~/domain/personal/questions';
import { EmpresaEditada, EstatusDeEmpresa, NewEmpresa } from '~/domain/personal/forms';
import {
  createEmpresa,
  empresasList,
  findEmpresa,
  renameEmpresa,
  setEmpresaActiva,
} from '~/domain/personal/empresas.server';
import { openList } from '~/platform/lists/list.server';
import { ListScreen } from '~/ui/ListScreen';
import { definePanel } from '~/ui/ficha/panel';
import { Agregar } from '~/ui/Agregar';
import { type AccionDeFila, type Column } from '~/ui/DataTable';
import { Dialog } from '~/ui/Dialog';
import { deferredPart } from '~/ui/deferredPart';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { db } from '~db/shared.server';
import { openRecord } from '~/routes/area/openRecord';
import { empresaOf } from './record';

export { shouldRevalidate } from '~/ui/ficha/soloFicha';

const EmpresaForm = deferredPart('EmpresaForm', () => import('./EmpresaForm').then(({ EmpresaForm }) => EmpresaForm));

const PANEL = definePanel('EmpresaFicha', {
  load: async () => (await import('./EmpresaFicha')).EmpresaFicha,
  que: 'Empresa',
  ausente: { titulo: 'No encontre nada para ti', texto: 'El enlace nombra una empresa que no está aquí.' },
  edita: true,
});

export const meta: MetaFunction = () => [{ title: 'Empresas' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const [lista, abierta] = await Promise.all([
    openList(db(), empresasList, request, usuario),
    openRecord(request, usuario, empresaOf),
  ]);
  return { lista, abierta, agregar: new URL(request.url).searchParams.get('agregar') === '1' };
}

export const action = defineActions({
  agregar: {
    schema: NewEmpresa,
    commit: (trx, { nombre }, actor) => createEmpresa(trx, actor, nombre),
    to: (_, { search }) => close(search),
    aviso: 'Se agrego la empresa correctamente.',
  },
  editar: {
    schema: EmpresaEditada,
    commit: (trx, empresa, actor) => renameEmpresa(trx, actor, empresa),
    aviso: 'Se modifico la empresa correctamente.',
  },
  estatus: {
    schema: EstatusDeEmpresa,
    confirm: async (db, { id, activo }) => {
      const empresa = await findEmpresa(db, id);
      return empresa ? askChangeEstatusDeEmpresa({ ...empresa, activo: !activo }) : null;
    },
    commit: async (trx, estatus, actor) => {
      const nombre = await setEmpresaActiva(trx, actor, estatus);
      return outcome({ aviso: `El estatus de la empresa ${nombre} se cambio correctamente.` });
    },
  },
});

const close = (search: string) => withParams(search, { agregar: null });

type Lista = ReturnType<typeof useLoaderData<typeof loader>>['lista'];
type Row = Lista['ventana']['filas'][number];

const COLUMNS: Column<Row, Lista['totales']>[] = [
  {
    header: 'Fecha de creación',
    tarjeta: 'fecha',
    sort: 'fecha',
    width: 160,
    hideUnder: 'sm',
    cell: (empresa) => <Fecha valor={empresa.fechaCreacion} />,
  },
  { header: 'Empresa', sort: 'nombre', opens: true, tarjeta: 'titulo', cell: (empresa) => empresa.nombre },
  {
    header: 'Integración',
    width: 300,
    hideUnder: 'sm',
    tarjeta: 'numero',
    cell: (empresa) => <Integracion empresa={empresa} />,
  },
  {
    header: 'Estatus',
    tarjeta: 'estatus',
    sort: 'estatus',
    width: 110,
    cell: ({ activo }) => <Estatus tono={activo ? 'ok' : 'mal'}>{activo ? 'Activa' : 'Inactiva'}</Estatus>,
  },
];

const accionesOf = (empresa: Row, con: ReturnType<typeof withParamOf>): AccionDeFila[] => {
  const { id, version, nombre, activo } = empresa;
  const cambia = activo ? 'Desactivar' : 'Activar';
  return [
    { texto: 'Editar', nombre: `Editar ${nombre}`, href: con('ver', id) },
    {
      texto: cambia,
      nombre: `${cambia} ${nombre}`,
      envia: { intent: 'estatus', id, version, activo: !activo },
      pregunta: () => askChangeEstatusDeEmpresa(empresa),
    },
  ];
};

/** The state of a company that is one of our integrations: working or paused, and the amount of waiting work. */
function Integracion({ empresa: { conexion, pausedAt, enEspera } }: { empresa: Row }) {
  if (conexion === null) return <>—</>;
  const esperan = enEspera === 0 ? '' : ` · ${enEspera} en espera`;
  return pausedAt === null ? (
    <>En marcha{esperan}</>
  ) : (
    <Estatus tono="aviso">
      En pausa desde <Fecha valor={pausedAt} />
      {esperan}
    </Estatus>
  );
}

export default function Empresas() {
  const { lista, abierta, agregar } = useLoaderData<typeof loader>();
  const { search } = useLocation();
  const cerrado = close(search);
  const con = withParamOf(search, { ver: null, agregar: null, menu: null });
  return (
    <ListScreen
      titulo="Empresas"
      botones={<Agregar />}
      lista={lista}
      columns={COLUMNS}
      rowKey={(empresa) => empresa.id}
      nombra={({ nombre }) => nombre}
      placeholder="Empresa"
      vacia={{ nada: 'Todavía no hay empresas: agrega la primera.' }}
      enFila={{ ancho: 120, tarjeta: 'menu', de: (empresa) => accionesOf(empresa, con) }}
      panel={PANEL}
      abierta={abierta}
      cancelar={cerrado}
      refusals={['estatus']}
    >
      {agregar && (
        <Dialog titulo="Agregar empresa" cerrar={cerrado}>
          <EmpresaForm cerrar={cerrado} />
        </Dialog>
      )}
    </ListScreen>
  );
}
