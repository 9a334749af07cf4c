import { parseWithZod } from '@conform-to/zod/v4';
import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { Form, Link, useActionData, useLoaderData, useLocation } from '@remix-run/react';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { askFirst, isConfirmed } from '~/core/confirm';
import { withParams } from '~/core/list';
import type { Answer } from '~/core/submission';
import { invalid, submit } from '~/http/submit.server';
import { EmpresaEditada, EstatusDeEmpresa, NewEmpresa, preguntaEstatus } from '~/domain/cuentas/empresa';
import {
  createEmpresa,
  empresasList,
  findEmpresa,
  renameEmpresa,
  setEmpresaActiva,
} from '~/domain/cuentas/empresas.server';
import type { Usuario } from '~/domain/cuentas/usuario';
import { openList } from '~/domain/lists/list.server';
import { PageHeader } from '~/ui/Blocks';
import { Confirm, ConfirmStep } from '~/ui/Confirm';
import { DataTable, type Column } from '~/ui/DataTable';
import { Dialog } from '~/ui/Dialog';
import { ErrorDialog } from '~/ui/ErrorDialog';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { db } from '~db/shared.server';
import { EmpresaForm } from './empresas/EmpresaForm';

export const meta: MetaFunction = () => [{ title: 'Empresas' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const search = new URL(request.url).searchParams;
  const [lista, abierta] = await Promise.all([
    openList(db(), empresasList, request, usuarioOf(context)),
    findEmpresa(db(), search.get('ver') ?? ''),
  ]);
  return { lista, abierta: abierta ?? null, agregar: search.get('agregar') === '1' };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const actor = usuarioOf(context);
  const form = await request.formData();
  const cerrado = withParams(new URL(request.url).search, { ver: null, agregar: null });
  switch (form.get('accion')) {
    case 'agregar':
      return agregar(actor, form, cerrado);
    case 'editar':
      return editar(actor, form, cerrado);
    default:
      return cambiarEstatus(actor, form, cerrado);
  }
}

async function agregar(actor: Usuario, form: FormData, cerrado: string) {
  const submission = parseWithZod(form, { schema: NewEmpresa });
  const formId = 'empresa';
  if (submission.status !== 'success') return invalid(submission, { formId });
  const { nombre } = submission.value;
  return submit(
    submission,
    () =>
      db()
        .transaction()
        .execute((trx) => createEmpresa(trx, actor, nombre)),
    cerrado,
    { formId, aviso: 'Se agrego la empresa correctamente.' },
  );
}

async function editar(actor: Usuario, form: FormData, cerrado: string) {
  const submission = parseWithZod(form, { schema: EmpresaEditada });
  const formId = 'empresa';
  if (submission.status !== 'success') return invalid(submission, { formId });
  const { value } = submission;
  return submit(
    submission,
    () =>
      db()
        .transaction()
        .execute((trx) => renameEmpresa(trx, actor, value)),
    cerrado,
    { formId, aviso: 'Se modifico la empresa correctamente.' },
  );
}

async function cambiarEstatus(actor: Usuario, form: FormData, cerrado: string) {
  const submission = parseWithZod(form, { schema: EstatusDeEmpresa });
  const formId = 'estatus';
  if (submission.status !== 'success') return invalid(submission, { formId });
  const { value } = submission;
  const empresa = await findEmpresa(db(), value.id);
  if (empresa && !isConfirmed(form))
    return data<Answer>(askFirst(form, preguntaEstatus({ ...empresa, activo: !value.activo })));
  return submit(
    submission,
    () =>
      db()
        .transaction()
        .execute((trx) => setEmpresaActiva(trx, actor, value)),
    cerrado,
    {
      formId,
      aviso: (nombre) => `El estatus de la empresa ${nombre} se cambio correctamente.`,
    },
  );
}

type Lista = ReturnType<typeof useLoaderData<typeof loader>>['lista'];
type Row = Lista['ventana']['filas'][number];

const columnsFor = (search: string): Column<Row, Lista['totales']>[] => [
  {
    header: 'Fecha de creación',
    sort: 'fecha',
    width: 160,
    hideUnder: 'sm',
    cell: (empresa) => <Fecha valor={empresa.fechaCreacion} />,
  },
  { header: 'Empresa', sort: 'nombre', opens: true, cell: (empresa) => empresa.nombre },
  { header: 'Integración', width: 300, hideUnder: 'sm', cell: (empresa) => <Integracion empresa={empresa} /> },
  {
    header: 'Estatus',
    sort: 'estatus',
    width: 110,
    cell: ({ activo }) => <Estatus tono={activo ? 'ok' : 'mal'}>{activo ? 'Activa' : 'Inactiva'}</Estatus>,
  },
  {
    header: 'Administración',
    width: 176,
    cell: (empresa) => (
      <div className="acciones">
        <Link
          className="boton"
          to={withParams(search, { ver: empresa.id, agregar: null })}
          discover="none"
          preventScrollReset
          aria-label={`Editar ${empresa.nombre}`}
        >
          Editar
        </Link>
        <Form method="post" preventScrollReset>
          <input type="hidden" name="accion" value="estatus" />
          <input type="hidden" name="id" value={empresa.id} />
          <input type="hidden" name="version" value={empresa.version} />
          <input type="hidden" name="activo" value={empresa.activo ? '0' : '1'} />
          <Confirm plain="boton" {...preguntaEstatus(empresa)}>
            {empresa.activo ? 'Desactivar' : 'Activar'}
          </Confirm>
        </Form>
      </div>
    ),
  },
];

/** Of a company that is one of our integrations: whether it works or is paused, and how much waits for it. */
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
  const answer = useActionData<typeof action>();
  const { search } = useLocation();
  const area = useArea();
  const cerrado = withParams(search, { ver: null, agregar: null });
  const denied = answer?.formId === 'estatus' ? answer : undefined;
  return (
    <>
      <PageHeader titulo="Empresas">
        <Link
          className="boton"
          data-tono="acento"
          to={withParams(search, { agregar: '1', ver: null })}
          preventScrollReset
        >
          Agregar
        </Link>
      </PageHeader>
      {answer?.confirmar && <ConfirmStep pending={answer.confirmar} cancelar={cerrado} />}
      {denied?.error && (
        <ErrorDialog
          key={denied.id}
          titulo={denied.titulo ?? ''}
          texto={Object.values(denied.error).flat().join(' ')}
        />
      )}
      <DataTable
        lista={lista}
        columns={columnsFor(search)}
        rowKey={(empresa) => empresa.id}
        label="Empresas"
        placeholder="Empresa"
        area={area}
        opens
      />
      {agregar && (
        <Dialog titulo="Agregar empresa" cerrar={cerrado}>
          <EmpresaForm answer={answer} cerrar={cerrado} />
        </Dialog>
      )}
      {abierta && (
        <Dialog key={abierta.id} titulo="Editar empresa" cerrar={cerrado}>
          <EmpresaForm key={abierta.version} empresa={abierta} answer={answer} cerrar={cerrado} />
        </Dialog>
      )}
    </>
  );
}
