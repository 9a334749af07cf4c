import { parseWithZod } from '@conform-to/zod/v4';
import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { Form, Link, useActionData, useLoaderData, useLocation } from '@remix-run/react';
import { z } from 'zod';
import { requireRight } from '~/access/actions';
import { keepingOwnSession } from '~/access/ownSession.server';
import { usuarioOf } from '~/access/session.server';
import { askFirst, isConfirmed } from '~/core/confirm';
import { NotAllowed } from '~/core/errors';
import { withParams } from '~/core/list';
import type { Answer } from '~/core/submission';
import { invalid, refused, submit } from '~/http/submit.server';
import { assignableRoles, ROL_LABEL, type Usuario } from '~/domain/cuentas/usuario';
import { usuariosList } from '~/domain/cuentas/usuariosList.server';
import { EstatusDeUsuario, InformacionDeUsuario, NewUsuario, PasswordDeUsuario } from '~/domain/cuentas/usuarioForm';
import { changePassword, createUsuario, findUsuario, setActivo, updateUsuario } from '~/domain/cuentas/usuarios.server';
import { openList } from '~/domain/lists/list.server';
import { PageHeader } from '~/ui/Blocks';
import { Confirm, ConfirmStep } from '~/ui/Confirm';
import { DataTable, type Column } from '~/ui/DataTable';
import { Dialog } from '~/ui/Dialog';
import { ErrorDialog } from '~/ui/ErrorDialog';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { db } from '~db/shared.server';
import { PasswordForm } from './usuarios/PasswordForm';
import { CAMBIAR, GUARDAR, UsuarioForm } from './usuarios/UsuarioForm';

export const meta: MetaFunction = () => [{ title: 'Usuarios' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const actor = usuarioOf(context);
  const search = new URL(request.url).searchParams;
  const ver = z.uuid().safeParse(search.get('ver')).data;
  const [lista, abierto] = await Promise.all([
    openList(db(), usuariosList, request, actor),
    ver ? findUsuario(db(), actor, ver) : null,
  ]);
  return { actor, lista, abierto, agregar: search.get('agregar') === '1', roles: assignableRoles(actor, abierto?.rol) };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const actor = usuarioOf(context);
  requireRight(actor, 'usuarios.editar');
  const form = await request.formData();
  const cerrado = withParams(new URL(request.url).search, { ver: null, agregar: null });
  switch (form.get('accion')) {
    case 'agregar':
      return agregar(actor, form, cerrado);
    case 'informacion':
      return guardar(actor, form);
    case 'password':
      return cambiarPassword(actor, form, request);
    default:
      return cambiarEstatus(actor, form, cerrado);
  }
}

async function agregar(actor: Usuario, form: FormData, cerrado: string) {
  const submission = parseWithZod(form, { schema: NewUsuario });
  const reply = { formId: 'usuario', hideFields: ['password', 'confirmar'] };
  if (submission.status !== 'success') return invalid(submission, reply);
  const { value } = submission;
  return submit(
    submission,
    () =>
      db()
        .transaction()
        .execute((trx) => createUsuario(trx, actor, value)),
    cerrado,
    {
      ...reply,
      aviso: 'Se agrego al usuario correctamente.',
    },
  );
}

async function guardar(actor: Usuario, form: FormData) {
  const submission = parseWithZod(form, { schema: InformacionDeUsuario });
  const formId = 'usuario';
  if (submission.status !== 'success') return invalid(submission, { formId });
  if (!isConfirmed(form)) return data<Answer>(askFirst(form, GUARDAR));
  const { value } = submission;
  return submit(
    submission,
    () =>
      db()
        .transaction()
        .execute((trx) => updateUsuario(trx, actor, value)),
    '',
    {
      formId,
      aviso: 'Se modifico la información general correctamente.',
    },
  );
}

async function cambiarPassword(actor: Usuario, form: FormData, request: Request) {
  const submission = parseWithZod(form, { schema: PasswordDeUsuario });
  const reply = { formId: 'password', hideFields: ['password', 'confirmar'] };
  if (submission.status !== 'success') return invalid(submission, reply);
  if (!isConfirmed(form)) return refused(submission, new NotAllowed(CAMBIAR.titulo, CAMBIAR.texto), reply);
  const { id, password } = submission.value;
  const change = () =>
    db()
      .transaction()
      .execute(async (trx) => {
        if (id === actor.id)
          return keepingOwnSession(trx, request, actor, () => changePassword(trx, actor, id, password));
        return changePassword(trx, actor, id, password);
      });
  return submit(submission, change, '', {
    ...reply,
    headers: (cookie) => (cookie ? [['Set-Cookie', cookie]] : []),
    aviso: 'Se cambio la contraseña correctamente.',
  });
}

async function cambiarEstatus(actor: Usuario, form: FormData, cerrado: string) {
  const submission = parseWithZod(form, { schema: EstatusDeUsuario });
  const formId = 'estatus';
  if (submission.status !== 'success') return invalid(submission, { formId });
  const { value } = submission;
  const target = await findUsuario(db(), actor, value.id);
  if (!isConfirmed(form)) return data<Answer>(askFirst(form, preguntaEstatus(value.activo, target?.usuario ?? '')));
  return submit(
    submission,
    () =>
      db()
        .transaction()
        .execute((trx) => setActivo(trx, actor, value)),
    cerrado,
    {
      formId,
      aviso: ({ usuario }) => `El estatus del usuario ${usuario} se cambio correctamente.`,
    },
  );
}

const preguntaEstatus = (activo: boolean, usuario: string) => ({
  titulo: activo ? 'Activar usuario' : 'Desactivar usuario',
  texto: `¿Esta seguro que desea ${activo ? 'activar' : 'desactivar'} al usuario ${usuario}?`,
});

type Lista = ReturnType<typeof useLoaderData<typeof loader>>['lista'];
type Row = Lista['ventana']['filas'][number];

const columnsFor = (actor: Usuario, search: string): Column<Row, Lista['totales']>[] => [
  {
    header: 'Fecha de creación',
    sort: 'fecha',
    width: 142,
    hideUnder: 'md',
    cell: (usuario) => <Fecha valor={usuario.fechaCreacion} />,
  },
  { header: 'Usuario', sort: 'usuario', width: 106, opens: true, cell: (usuario) => usuario.usuario },
  { header: 'Nombre', sort: 'nombre', width: 120, cell: (usuario) => usuario.nombre },
  { header: 'Apellidos', sort: 'apellidos', width: 140, cell: (usuario) => usuario.apellidos },
  { header: 'Email', sort: 'email', cell: (usuario) => <span title={usuario.email}>{usuario.email}</span> },
  {
    header: 'Estatus',
    sort: 'estatus',
    width: 100,
    cell: ({ activo }) => <Estatus tono={activo ? 'ok' : 'mal'}>{activo ? 'Activo' : 'Inactivo'}</Estatus>,
  },
  { header: 'Rol', sort: 'rol', width: 130, cell: ({ rol }) => ROL_LABEL[rol] },
  {
    header: 'Administración',
    width: 176,
    cell: (usuario) => (
      <div className="acciones">
        <Link
          className="boton"
          to={withParams(search, { ver: usuario.id, agregar: null })}
          discover="none"
          preventScrollReset
          aria-label={`Editar a ${usuario.usuario}`}
        >
          Editar
        </Link>
        <EstatusForm usuario={usuario} disabled={usuario.id === actor.id} />
      </div>
    ),
  },
];

function EstatusForm({ usuario, disabled }: { usuario: Row; disabled: boolean }) {
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="accion" value="estatus" />
      <input type="hidden" name="id" value={usuario.id} />
      <input type="hidden" name="version" value={usuario.version} />
      <input type="hidden" name="activo" value={usuario.activo ? '0' : '1'} />
      <Confirm plain="boton" {...preguntaEstatus(!usuario.activo, usuario.usuario)} disabled={disabled}>
        {usuario.activo ? 'Desactivar' : 'Activar'}
      </Confirm>
    </Form>
  );
}

export default function Usuarios() {
  const { actor, lista, abierto, agregar, roles } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { search } = useLocation();
  const cerrado = withParams(search, { ver: null, agregar: null });
  const denied = answer?.formId === 'estatus' ? answer : undefined;

  return (
    <>
      <PageHeader titulo="Usuarios">
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
        columns={columnsFor(actor, search)}
        rowKey={(usuario) => usuario.id}
        label="Usuarios"
        placeholder="Usuario, nombre o email"
        area={`/${actor.rol}`}
        opens
      />
      {agregar && (
        <Dialog titulo="Agregar usuario" cerrar={cerrado} ancho="grande">
          <UsuarioForm actor={actor} roles={roles} answer={answer} cerrar={cerrado} />
        </Dialog>
      )}
      {abierto && (
        <Dialog key={abierto.id} titulo={`Usuario ${abierto.usuario}`} cerrar={cerrado} ancho="grande">
          <h3>Información general</h3>
          <UsuarioForm
            key={`informacion-${abierto.version}`}
            actor={actor}
            usuario={abierto}
            roles={roles}
            answer={answer}
            cerrar={cerrado}
          />
          <h3>Cambiar contraseña</h3>
          <PasswordForm
            key={`password-${abierto.version}`}
            schema={PasswordDeUsuario}
            id={abierto.id}
            answer={answer}
            usuario={abierto.usuario}
            pregunta={CAMBIAR}
          />
        </Dialog>
      )}
    </>
  );
}
