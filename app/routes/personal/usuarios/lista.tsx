import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData, useLocation } from '@remix-run/react';
import { changeOwnPassword } from '~/access/ownSession.server';
import { usuarioOf } from '~/access/session.server';
import { withParamOf, withParams } from '~/core/list';
import { defineActions, outcome } from '~/http/actions.server';
import {
  askChangeEstatus,
  askChangePassword,
  askSaveInformacion,
  askRemoveSegundoFactorOf,
} from '~/domain/personal/questions';
import { dropSegundoFactor } from '~/domain/personal/segundoFactor.server';
import {
  QuitarSegundoFactor,
  EstatusDeUsuario,
  InformacionDeUsuario,
  NewUsuario,
  PasswordDeUsuario,
} from '~/domain/personal/forms';
import { assignableRoles, ROL_LABEL, type Usuario } from '~/core/usuario';
import { usuariosList } from '~/domain/personal/usuariosList.server';
import {
  changePassword,
  createUsuario,
  findUsuario,
  setActivo,
  updateUsuario,
} from '~/domain/personal/usuarios.server';
import { openList } from '~/platform/lists/list.server';
import { ListScreen } from '~/ui/ListScreen';
import { definePanel } from '~/ui/ficha/panel';
import { Agregar } from '~/ui/Agregar';
import { NombreDe, type AccionDeFila, type Column } from '~/ui/DataTable';
import { Dialog } from '~/ui/Dialog';
import { deferredPart } from '~/ui/deferredPart';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { useAsked } from '~/ui/useAnswer';
import { db } from '~db/shared.server';
import { openRecord } from '~/routes/area/openRecord';
import { usuarioOfUrl } from './record';

export { shouldRevalidate } from '~/ui/ficha/soloFicha';

const UsuarioForm = deferredPart('UsuarioForm', () => import('./UsuarioForm').then(({ UsuarioForm }) => UsuarioForm));

const PANEL = definePanel('UsuarioFicha', {
  load: async () => (await import('./UsuarioFicha')).UsuarioFicha,
  que: 'Usuario',
  ausente: { titulo: 'No encontre nada para ti', texto: 'El enlace nombra a un usuario que no está aquí.' },
  edita: true,
});

export const meta: MetaFunction = () => [{ title: 'Usuarios' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const actor = usuarioOf(context);
  const [lista, abierto] = await Promise.all([
    openList(db(), usuariosList, request, actor),
    openRecord(request, actor, usuarioOfUrl),
  ]);
  const agregar = new URL(request.url).searchParams.get('agregar') === '1';
  return { actor, lista, abierto, agregar, roles: assignableRoles(actor) };
}

export const action = defineActions({
  agregar: {
    schema: NewUsuario,
    right: 'usuarios.editar',
    commit: (trx, nuevo, actor) => createUsuario(trx, actor, nuevo),
    to: (_, { search }) => close(search),
    aviso: 'Se agrego al usuario correctamente.',
  },
  informacion: {
    schema: InformacionDeUsuario,
    right: 'usuarios.editar',
    confirm: async (db, { id, ...despues }, actor) => {
      const antes = await findUsuario(db, actor, id);
      return antes && askSaveInformacion(antes, despues, antes);
    },
    commit: (trx, informacion, actor) => updateUsuario(trx, actor, informacion),
    aviso: 'Se modifico la información general correctamente.',
  },
  password: {
    schema: PasswordDeUsuario,
    right: 'usuarios.editar',
    confirm: async (db, { id }, actor) => {
      const quien = await findUsuario(db, actor, id);
      return quien && askChangePassword(quien.usuario, { ...quien, propia: id === actor.id });
    },
    run: async (db, { id, ...cambio }, actor, at) => {
      if (id !== actor.id)
        return db.transaction().execute((trx) => changePassword(trx, actor, id, cambio.password, cambio));
      return outcome({ headers: [['Set-Cookie', await changeOwnPassword(db, at, actor, cambio)]] });
    },
    aviso: 'Se cambio la contraseña correctamente.',
  },
  estatus: {
    schema: EstatusDeUsuario,
    right: 'usuarios.editar',
    confirm: async (db, { id, activo }, actor) => {
      const quien = await findUsuario(db, actor, id);
      return quien && askChangeEstatus(quien, activo);
    },
    commit: async (trx, estatus, actor) => {
      const { usuario } = await setActivo(trx, actor, estatus);
      return outcome({ aviso: `El estatus del usuario ${usuario} se cambio correctamente.` });
    },
  },
  quitarSegundoFactor: {
    schema: QuitarSegundoFactor,
    right: 'usuarios.segundoFactor',
    confirm: async (db, { id }, actor) => {
      const quien = await findUsuario(db, actor, id);
      return quien && askRemoveSegundoFactorOf(quien);
    },
    commit: (trx, { id }, actor) => dropSegundoFactor(trx, actor, id),
    aviso: 'Se quitó la verificación en dos pasos. Sus sesiones terminaron.',
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
    width: 142,
    hideUnder: 'md',
    cell: (usuario) => <Fecha valor={usuario.fechaCreacion} />,
  },
  {
    header: 'Usuario',
    sort: 'usuario',
    width: 124,
    opens: true,
    tarjeta: 'numero',
    cell: (usuario) => usuario.usuario,
  },
  {
    header: 'Nombre',
    sort: 'nombre',
    width: 120,
    tarjeta: 'titulo',
    cell: ({ nombre, apellidos }) => <NombreDe nombre={nombre} apellidos={apellidos} />,
  },
  { header: 'Apellidos', sort: 'apellidos', width: 140, cell: (usuario) => usuario.apellidos },
  { header: 'Email', sort: 'email', cell: (usuario) => <span title={usuario.email}>{usuario.email}</span> },
  {
    header: 'Estatus',
    tarjeta: 'estatus',
    sort: 'estatus',
    width: 100,
    cell: ({ activo }) => <Estatus tono={activo ? 'ok' : 'mal'}>{activo ? 'Activo' : 'Inactivo'}</Estatus>,
  },
  { header: 'Rol', sort: 'rol', width: 130, tarjeta: 'factura', cell: ({ rol }) => ROL_LABEL[rol] },
];

/** The actions of a row; nobody can deactivate their own account. */
const accionesOf = (usuario: Row, actor: Usuario, con: ReturnType<typeof withParamOf>): AccionDeFila[] => {
  const { id, version, activo } = usuario;
  const cambia = activo ? 'Desactivar' : 'Activar';
  return [
    { texto: 'Editar', nombre: `Editar a ${usuario.usuario}`, href: con('ver', id) },
    ...(id === actor.id
      ? []
      : [
          {
            texto: cambia,
            nombre: `${cambia} a ${usuario.usuario}`,
            envia: { intent: 'estatus', id, version, activo: !activo },
            pregunta: () => askChangeEstatus(usuario, !activo),
          },
        ]),
  ];
};

export default function Usuarios() {
  const { actor, lista, abierto, agregar, roles } = useLoaderData<typeof loader>();
  const asked = useAsked();
  const { search } = useLocation();
  const cerrado = close(search);
  const con = withParamOf(search, { ver: null, agregar: null, menu: null });
  return (
    <ListScreen
      titulo="Usuarios"
      botones={<Agregar />}
      lista={lista}
      columns={COLUMNS}
      rowKey={(usuario) => usuario.id}
      nombra={({ usuario }) => usuario}
      placeholder="Usuario, nombre o email"
      vacia={{ oculta: actor.rol === 'sa' ? undefined : 'Tu rol no ve las cuentas de Super Usuario.' }}
      enFila={{ ancho: 120, tarjeta: 'menu', de: (usuario) => accionesOf(usuario, actor, con) }}
      panel={PANEL}
      abierta={abierto}
      cancelar={cerrado}
      refusals={['estatus', 'quitarSegundoFactor']}
    >
      {agregar && !asked && (
        <Dialog titulo="Agregar usuario" cerrar={cerrado} ancho="grande">
          <UsuarioForm actor={actor} roles={roles} cerrar={cerrado} />
        </Dialog>
      )}
    </ListScreen>
  );
}
