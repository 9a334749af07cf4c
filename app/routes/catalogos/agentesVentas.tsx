import { getFormProps, useForm } from '@conform-to/react';
import { parseWithZod } from '@conform-to/zod/v4';
import { Button } from '@mantine/core';
import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { Form, Link, useActionData, useLoaderData, useLocation } from '@remix-run/react';
import { requireRight } from '~/access/actions';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { askFirst, isConfirmed } from '~/core/confirm';
import { withParams } from '~/core/list';
import { answerTo, type Answer } from '~/core/submission';
import { invalid, submit } from '~/http/submit.server';
import type { Usuario } from '~/domain/cuentas/usuario';
import { openList } from '~/domain/lists/list.server';
import { agentesList, createAgente, findAgente, setAgenteActivo } from '~/domain/proveedores/agentes.server';
import { EstatusDeAgente, NewAgente } from '~/domain/proveedores/agenteForm';
import { listProveedores } from '~/domain/proveedores/proveedores.server';
import { PageHeader } from '~/ui/Blocks';
import { Confirm, ConfirmStep } from '~/ui/Confirm';
import { DataTable, type Column } from '~/ui/DataTable';
import { Dialog } from '~/ui/Dialog';
import { ErrorDialog } from '~/ui/ErrorDialog';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { Field, SelectField } from '~/ui/Field';
import { FormErrors } from '~/ui/FormErrors';
import { db } from '~db/shared.server';

export const meta: MetaFunction = () => [{ title: 'Venta Agentes' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const [lista, proveedores] = await Promise.all([
    openList(db(), agentesList, request, usuarioOf(context)),
    listProveedores(db()),
  ]);
  const offered = proveedores.filter(({ activo }) => activo).map(({ value, label }) => ({ value, label }));
  return { lista, proveedores: offered, agregar: new URL(request.url).searchParams.get('agregar') === '1' };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const usuario = usuarioOf(context);
  requireRight(usuario, 'proveedores.editar');
  const form = await request.formData();
  const cerrado = withParams(new URL(request.url).search, { agregar: null });
  return form.get('accion') === 'agregar' ? agregar(usuario, form, cerrado) : cambiarEstatus(usuario, form, cerrado);
}

async function agregar(usuario: Usuario, form: FormData, cerrado: string) {
  const submission = parseWithZod(form, { schema: NewAgente });
  const reply = { formId: 'agente' };
  if (submission.status !== 'success') return invalid(submission, reply);
  const { value } = submission;
  return submit(
    submission,
    () =>
      db()
        .transaction()
        .execute((trx) => createAgente(trx, value, usuario.id)),
    cerrado,
    { ...reply, aviso: 'Se agrego al agente correctamente.' },
  );
}

async function cambiarEstatus(usuario: Usuario, form: FormData, cerrado: string) {
  const submission = parseWithZod(form, { schema: EstatusDeAgente });
  const reply = { formId: 'estatus' };
  if (submission.status !== 'success') return invalid(submission, reply);
  const { value } = submission;
  const agente = await findAgente(db(), value.id);
  if (!isConfirmed(form))
    return data<Answer>(askFirst(form, preguntaEstatus(value.activo, agente ? nombreDe(agente) : '')));
  return submit(
    submission,
    () =>
      db()
        .transaction()
        .execute((trx) => setAgenteActivo(trx, value, usuario.id)),
    cerrado,
    {
      ...reply,
      aviso: `El estatus del agente ${agente ? nombreDe(agente) : ''} se cambio correctamente.`,
    },
  );
}

const nombreDe = ({ nombre, apellidos }: { nombre: string; apellidos: string }) => `${nombre} ${apellidos}`;

const preguntaEstatus = (activo: boolean, name: string) => ({
  titulo: activo ? 'Activar agente' : 'Desactivar agente',
  texto: `¿Esta seguro/a que desea ${activo ? 'Activar' : 'Desactivar'} al agente ${name}?`,
});

type Lista = ReturnType<typeof useLoaderData<typeof loader>>['lista'];
type Row = Lista['ventana']['filas'][number];

const columns: Column<Row, Lista['totales']>[] = [
  {
    header: 'Fecha de creación',
    sort: 'fecha',
    width: 150,
    hideUnder: 'md',
    cell: (agente) => <Fecha valor={agente.fechaCreacion} />,
  },
  { header: 'Nombre', sort: 'nombre', width: 150, cell: (agente) => agente.nombre },
  { header: 'Apellidos', sort: 'apellidos', width: 170, cell: (agente) => agente.apellidos },
  { header: 'Email', sort: 'email', cell: (agente) => agente.email },
  { header: 'Proveedor', sort: 'proveedor', width: 140, cell: (agente) => agente.proveedor },
  {
    header: 'Estatus',
    sort: 'estatus',
    width: 100,
    cell: ({ activo }) => <Estatus tono={activo ? 'ok' : 'mal'}>{activo ? 'Activo' : 'Inactivo'}</Estatus>,
  },
  { header: 'Administración', width: 130, cell: (agente) => <EstatusForm agente={agente} /> },
];

function EstatusForm({ agente }: { agente: Row }) {
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="id" value={agente.id} />
      <input type="hidden" name="version" value={agente.version} />
      <input type="hidden" name="activo" value={agente.activo ? '0' : '1'} />
      <Confirm plain="boton" {...preguntaEstatus(!agente.activo, nombreDe(agente))}>
        {agente.activo ? 'Desactivar' : 'Activar'}
      </Confirm>
    </Form>
  );
}

export default function AgentesVentas() {
  const { lista, proveedores, agregar } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>() as Answer | undefined;
  const { search } = useLocation();
  const area = useArea();
  const cerrado = withParams(search, { agregar: null });
  const denied = answer?.formId === 'estatus' ? answer : undefined;

  return (
    <>
      <PageHeader titulo="Venta Agentes">
        <Link className="boton" to={`${area}/proveedores`}>
          Proveedores
        </Link>
        <Link className="boton" data-tono="acento" to={withParams(search, { agregar: '1' })} preventScrollReset>
          Crear agente
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
        columns={columns}
        rowKey={(agente) => agente.id}
        label="Venta Agentes"
        placeholder="Nombre, email o proveedor"
        area={area}
      />
      {agregar && (
        <Dialog titulo="Crear agente" cerrar={cerrado}>
          <AgenteForm proveedores={proveedores} answer={answer} cerrar={cerrado} />
        </Dialog>
      )}
    </>
  );
}

type Fields = Partial<{ nombre: string; apellidos: string; email: string; proveedor: string }>;

/** The spec gives agents no client checks: what is missing is told by the server. */
function AgenteForm({
  proveedores,
  answer,
  cerrar,
}: {
  proveedores: { value: string; label: string }[];
  answer?: Answer;
  cerrar: string;
}) {
  const mine = answerTo('agente', answer);
  const [form, fields] = useForm<Fields>({ id: 'agente', lastResult: mine });
  return (
    <Form {...getFormProps(form)} method="post" className="apilado" preventScrollReset>
      <FormErrors form={form} answer={mine} />
      <input type="hidden" name="accion" value="agregar" />
      <div className="campos">
        <Field field={fields.nombre} label="Nombre" autoComplete="off" />
        <Field field={fields.apellidos} label="Apellidos" autoComplete="off" />
        <Field field={fields.email} label="Email" type="email" autoComplete="off" />
        <SelectField
          field={fields.proveedor}
          label="Proveedor"
          data={[{ value: '', label: 'Selecciona un proveedor' }, ...proveedores]}
        />
      </div>
      <div className="botones">
        <Link className="boton" to={cerrar} preventScrollReset>
          Cancelar
        </Link>
        <Button type="submit">Aceptar</Button>
      </div>
    </Form>
  );
}
