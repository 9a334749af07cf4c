import { NativeSelect } from '@mantine/core';
import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Form, Link, useLoaderData } from '@remix-run/react';
import { changeOwnPassword } from '~/access/ownSession.server';
import { readToken, sesionOf, usuarioOf } from '~/access/session.server';
import { homeOf, inicialesOf, pantallaOf } from '~/access/menu';
import { useArea } from '~/access/useArea';
import type { FormatoDeEtiqueta } from '~/core/formatoDeEtiqueta';
import { env } from '~/core/env.server';
import { askCerrarDemas, askCerrarSesion, askChangePassword, askSaveInformacion } from '~/domain/personal/questions';
import { dispositivoDicho } from '~/domain/personal/navegador';
import type { SegundoFactor as Estado } from '~/domain/personal/segundoFactor';
import { readSegundoFactor } from '~/domain/personal/segundoFactor.server';
import { closeOtherSessions, closeOwnSession, listSesiones } from '~/domain/personal/sesiones.server';
import { ROL_LABEL, type Usuario } from '~/core/usuario';
import { CerrarDemas, CerrarSesion, InformacionGeneral, PasswordPropio } from '~/domain/personal/forms';
import { findUsuario, marcasOfUsuario, updateOwnInformacion } from '~/domain/personal/usuarios.server';
import { defineActions, outcome } from '~/http/actions.server';
import { PageHeader } from '~/ui/Blocks';
import { Visto } from '~/ui/Choque';
import { Confirm } from '~/ui/Confirm';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { Field } from '~/ui/Field';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Asked, Hidden, Refusal } from '~/ui/useAnswer';
import { useFilled } from '~/ui/useFilled';
import { db } from '~db/shared.server';
import { Choice } from '~/routes/area/Apariencia';
import { PasswordForm } from '~/routes/personal/usuarios/PasswordForm';
import './api.css';

export const meta: MetaFunction = () => [{ title: 'Edición de información' }];

export async function loader({ context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const [encontrado, segundoFactor, abiertas] = await Promise.all([
    findUsuario(db(), usuario, usuario.id),
    readSegundoFactor(db(), usuario),
    listSesiones(db(), usuario.id, sesionOf(context).token),
  ]);
  const guardado = encontrado!;
  return {
    marca: env().MARCA,
    usuario,
    version: guardado.version,
    sesiones: guardado.sesiones,
    visto: marcasOfUsuario(guardado),
    segundoFactor,
    etiquetas: sesionOf(context).preferencias.etiquetas,
    inicio: sesionOf(context).preferencias.inicio,
    home: homeOf(usuario.rol),
    iniciales: inicialesOf(usuario.rol).map((entrada) => ({ clave: pantallaOf(entrada), label: entrada.label })),
    abiertas: abiertas.map(({ navegador, ...sesion }) => ({ ...sesion, dispositivo: dispositivoDicho(navegador) })),
  };
}

/** Nobody changes their own role, so no session ends. */
const NINGUNA = { sesiones: 0 };

export const action = defineActions({
  informacion: {
    schema: InformacionGeneral,
    confirm: (_, despues, usuario) => askSaveInformacion(usuario, despues, NINGUNA),
    commit: (trx, informacion, usuario) => updateOwnInformacion(trx, usuario, informacion),
    aviso: 'Se modifico la información general correctamente.',
  },
  password: {
    schema: PasswordPropio,
    confirm: async (db, _, usuario) => {
      const quien = await findUsuario(db, usuario, usuario.id);
      return quien && askChangePassword(usuario.usuario, { ...quien, propia: true });
    },
    run: async (db, cambio, usuario, at) =>
      outcome({ headers: [['Set-Cookie', await changeOwnPassword(db, at, usuario, cambio)]] }),
    aviso: 'Se cambio la contraseña correctamente.',
  },
  cerrarSesion: {
    schema: CerrarSesion,
    right: 'cuenta.sesiones',
    confirm: async (db, { sesion }, usuario) => {
      const una = (await listSesiones(db, usuario.id, null)).find(({ id }) => id === sesion);
      return una ? askCerrarSesion(dispositivoDicho(una.navegador), una.direccion) : null;
    },
    commit: async (trx, { sesion }, usuario, at) =>
      closeOwnSession(trx, usuario.id, sesion, await readToken(at.request)),
    aviso: 'Se cerró la sesión.',
  },
  cerrarDemas: {
    schema: CerrarDemas,
    right: 'cuenta.sesiones',
    confirm: async (db, _, usuario) => askCerrarDemas((await listSesiones(db, usuario.id, null)).length - 1),
    commit: async (trx, _, usuario, at) => closeOtherSessions(trx, usuario.id, await readToken(at.request)),
    aviso: 'Se cerraron tus demás sesiones.',
  },
});

export default function DatosUsuario() {
  const { marca, usuario, version, sesiones, visto, segundoFactor, etiquetas, inicio, home, iniciales, abiertas } =
    useLoaderData<typeof loader>();
  return (
    <div className="dos-hojas">
      <PageHeader titulo="Edición de información" nota={`Rol: ${ROL_LABEL[usuario.rol]}`} />
      <Asked cancelar="" />
      <section className="hoja">
        <h2>Información general</h2>
        <InformacionForm key={`informacion-${version}`} usuario={usuario} version={version} />
      </section>
      <section className="hoja">
        <h2>Contraseña</h2>
        <PasswordForm key={`password-${version}`} own usuario={usuario.usuario} visto={visto} sesiones={sesiones} />
      </section>
      <SegundoFactor segundoFactor={segundoFactor} />
      <Inicio inicio={inicio} home={home} iniciales={iniciales} />
      <Etiquetas now={etiquetas} />
      <Programas />
      <Sesiones abiertas={abiertas} />
      <p className="pie">© {marca}</p>
    </div>
  );
}

function SegundoFactor({ segundoFactor: { confirmadoEn, quedan } }: { segundoFactor: Estado }) {
  const area = useArea();
  return (
    <section className="hoja">
      <h2>Verificación en dos pasos</h2>
      <p>
        {confirmadoEn ? (
          <>
            <Estatus tono="ok">Activa</Estatus> <span className="nota">desde</span> <Fecha valor={confirmadoEn} />
          </>
        ) : (
          'Pide un código de tu teléfono además de tu contraseña.'
        )}
      </p>
      {confirmadoEn && quedan <= 2 && (
        <p>
          <Estatus tono="aviso">
            {quedan === 1 ? 'Queda 1 código de recuperación' : `Quedan ${quedan} códigos de recuperación`}
          </Estatus>
        </p>
      )}
      <div className="botones">
        <Link className="boton" to={`${area}/segundoFactor`}>
          {confirmadoEn ? 'Cambiar' : 'Activar'}
        </Link>
      </div>
    </section>
  );
}

type InicioProps = {
  inicio: string | null;
  /** Name of the home of the role. */
  home: string;
  iniciales: { clave: string; label: string }[];
};

/** The screen that a session of this person begins on. */
function Inicio({ inicio, home, iniciales }: InicioProps) {
  const area = useArea();
  return (
    <section className="hoja" id="inicio">
      <h2>Página de inicio</h2>
      <p>La pantalla que se abre cuando entras.</p>
      <Refusal of="inicio" />
      <Form method="post" action={`${area}/preferencias`} replace preventScrollReset className="botones">
        <Hidden intent="inicio" volver={`${area}/datosUsuario`} />
        <NativeSelect
          key={inicio}
          name="inicio"
          defaultValue={inicio ?? ''}
          aria-label="Página de inicio"
          data={[
            { value: '', label: `${home}, la de tu rol` },
            ...iniciales.map(({ clave, label }) => ({ value: clave, label })),
          ]}
        />
        <button type="submit" className="boton">
          Guardar página de inicio
        </button>
      </Form>
    </section>
  );
}

const FORMATO: [FormatoDeEtiqueta, string][] = [
  ['pdf', 'PDF'],
  ['zpl', 'ZPL'],
];

/** In what format labels are printed for this person. */
function Etiquetas({ now }: { now: FormatoDeEtiqueta }) {
  const area = useArea();
  return (
    <section className="hoja" id="etiquetas">
      <h2>Etiquetas y guías</h2>
      <p>El PDF sale por cualquier impresora. El ZPL es un archivo para impresoras de etiquetas de 203 puntos.</p>
      <Choice area={area} campo="etiquetas" label="Formato de las etiquetas" now={now} choices={FORMATO} />
    </section>
  );
}

type Abierta = {
  id: string;
  dispositivo: string;
  direccion: string | null;
  creadaEn: Date;
  vistaEn: Date;
  esta: boolean;
};

function Sesiones({ abiertas }: { abiertas: Abierta[] }) {
  return (
    <section className="hoja">
      <h2>Tus sesiones</h2>
      <Refusal of="cerrarSesion" />
      <table className="llamadas">
        <thead>
          <tr>
            <th scope="col">Dispositivo</th>
            <th scope="col">Lugar en la red</th>
            <th scope="col">Último uso</th>
            <th scope="col">Desde</th>
            <th scope="col">
              <span className="oculto">Acciones</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {abiertas.map(({ id, dispositivo, direccion, creadaEn, vistaEn, esta }) => (
            <tr key={id}>
              <td>
                {dispositivo} {esta && <Estatus tono="ok">Esta</Estatus>}
              </td>
              <td data-de="Lugar en la red">{direccion ?? 'Sin dato'}</td>
              <td data-de="Último uso">
                <Fecha valor={vistaEn} />
              </td>
              <td data-de="Desde">
                <Fecha valor={creadaEn} />
              </td>
              <td>
                {!esta && (
                  <Form method="post" preventScrollReset>
                    <Hidden intent="cerrarSesion" sesion={id} />
                    <Confirm plain="boton" {...askCerrarSesion(dispositivo, direccion)}>
                      Cerrar
                    </Confirm>
                  </Form>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {abiertas.length > 1 && <CerrarLasDemas otras={abiertas.length - 1} />}
    </section>
  );
}

function CerrarLasDemas({ otras }: { otras: number }) {
  const form = useActionForm<CerrarDemas>('cerrarDemas');
  return (
    <ActionForm of={form} className="botones">
      <Confirm {...askCerrarDemas(otras)} ready={form.ready}>
        Cerrar las demás
      </Confirm>
    </ActionForm>
  );
}

function Programas() {
  const area = useArea();
  return (
    <section className="hoja">
      <h2>API</h2>
      <p>Un token deja entrar a un programa tuyo con los permisos que le des.</p>
      <div className="botones">
        <Link className="boton" to={`${area}/tokensApi`}>
          Tokens de API
        </Link>
        <Link className="boton" to={`${area}/api`}>
          Leer la API
        </Link>
      </div>
    </section>
  );
}

function InformacionForm({ usuario, version }: { usuario: Usuario; version: number }) {
  const [filled, { ref, ...watch }] = useFilled('nombre', 'apellidos', 'usuario', 'email');
  const form = useActionForm<InformacionGeneral>('informacion', { defaultValue: usuario });
  const { fields, ready } = form;
  return (
    <ActionForm of={form} {...watch} formRef={ref} className="apilado">
      <Visto of={form} marcas={{ version }} />
      <div className="campos">
        <Field field={fields.nombre} label="Nombre" autoComplete="given-name" />
        <Field field={fields.apellidos} label="Apellidos" autoComplete="family-name" />
        <Field
          field={fields.usuario}
          label="Usuario"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
        />
        <Field field={fields.email} label="Email" type="email" autoComplete="email" />
      </div>
      <div className="botones">
        <Confirm {...askSaveInformacion(usuario, form.form.value ?? {}, NINGUNA)} disabled={!filled} ready={ready}>
          Guardar información
        </Confirm>
      </div>
    </ActionForm>
  );
}
