import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Form, Link, useLoaderData } from '@remix-run/react';
import { usuarioOf } from '~/access/session.server';
import { can } from '~/access/actions';
import { useArea, useUsuario } from '~/access/useArea';
import { alcancesEnTexto, porAsunto, USO_LABEL } from '~/api/alcances';
import { alcancesOf } from '~/api/catalog.server';
import { createClaveApi, listClavesApi, revokeClaveApi } from '~/domain/personal/clavesApi.server';
import { askRevokeClave, askRevokeToken } from '~/domain/personal/questions';
import { createTokenApi, listTokensApi, revokeTokenApi } from '~/domain/personal/tokensApi.server';
import { NewClaveApi, NewTokenApi, UnaClaveApi, UnTokenApi } from '~/domain/personal/forms';
import { VIDA_LABEL, VIDAS } from '~/domain/personal/vidasDeToken';
import { defineActions, outcome } from '~/http/actions.server';
import { Boton } from '~/ui/Boton';
import { EmptyState, PageHeader } from '~/ui/Blocks';
import { Confirm } from '~/ui/Confirm';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { Field, SelectField } from '~/ui/Field';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Asked, Hidden, Refusal, useAnswer } from '~/ui/useAnswer';
import { db } from '~db/shared.server';
import { SecretoUnaVez } from './SecretoUnaVez';
import './api.css';

export const meta: MetaFunction = () => [{ title: 'Tokens de API' }];

export async function loader({ context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const [tokens, claves] = await Promise.all([listTokensApi(db(), usuario.id), listClavesApi(db(), usuario.id)]);
  return { tokens, claves, alcances: alcancesOf(usuario.rol) };
}

export const action = defineActions({
  crear: {
    schema: NewTokenApi,
    right: 'cuenta.tokens',
    commit: async (trx, form, usuario) =>
      outcome({
        resultado: { token: await createTokenApi(trx, usuario, form, alcancesOf(usuario.rol)) },
        // The form begins empty again after a token was made.
        valores: { vida: form.vida },
      }),
  },
  revocar: {
    schema: UnTokenApi,
    confirm: async (db, { token }, usuario) => {
      const found = (await listTokensApi(db, usuario.id)).find(({ id }) => id === token);
      return found ? askRevokeToken(found) : null;
    },
    commit: (trx, { token }, usuario) => revokeTokenApi(trx, usuario, token),
    aviso: 'El token se revocó.',
  },
  crearClave: {
    schema: NewClaveApi,
    right: 'cuenta.tokens',
    commit: async (trx, form, usuario) =>
      outcome({ resultado: { clave: await createClaveApi(trx, usuario, form) }, valores: {} }),
  },
  revocarClave: {
    schema: UnaClaveApi,
    confirm: async (db, { clave }, usuario) => {
      const found = (await listClavesApi(db, usuario.id)).find(({ id }) => id === clave);
      return found ? askRevokeClave(found) : null;
    },
    commit: (trx, { clave }, usuario) => revokeClaveApi(trx, usuario, clave),
    aviso: 'La contraseña de API se revocó.',
  },
});

type Datos = ReturnType<typeof useLoaderData<typeof loader>>;

/** The tokens of a person's programs: made with no more than their role may, shown once, ended at once. */
export default function TokensApi() {
  const { tokens, claves, alcances } = useLoaderData<typeof loader>();
  const { token } = (useAnswer('crear')?.resultado ?? {}) as { token?: string };
  const { clave } = (useAnswer('crearClave')?.resultado ?? {}) as { clave?: string };
  const area = useArea();
  const { rol } = useUsuario();
  return (
    <div className="media">
      <PageHeader titulo="Tokens de API" nota="Dejan entrar a tus programas con los permisos que les des.">
        <Link className="boton" to={`${area}/api`}>
          Leer la API
        </Link>
        {can({ rol }, 'ganchos.editar') && (
          <Link className="boton" to={`${area}/ganchos`}>
            Webhooks
          </Link>
        )}
      </PageHeader>
      <Asked cancelar="?" />
      <Refusal of="revocar" />
      <Refusal of="revocarClave" />
      {clave && <SecretoUnaVez titulo="Contraseña de API creada" copia="Cópiala" secreto={clave} />}
      {token && <SecretoUnaVez titulo="Token creado" secreto={token} />}
      <Crear key={tokens.length} alcances={alcances} />
      <section className="hoja">
        <h2>Tus tokens</h2>
        {tokens.length === 0 ? <EmptyState>Todavía no tienes ninguno.</EmptyState> : <Tokens tokens={tokens} />}
        <p className="nota">Terminan todos cuando cambia tu rol o tu contraseña, o cuando tu usuario se desactiva.</p>
      </section>
      <Claves key={`claves-${claves.length}`} claves={claves} />
    </div>
  );
}

function Crear({ alcances }: { alcances: string[] }) {
  const form = useActionForm<{ nombre: string; vida: string; alcances: string[] }>('crear', {
    defaultValue: { vida: '90' },
  });
  const { fields } = form;
  const elegidos = form.answer?.initialValue?.alcances as string | string[] | undefined;
  return (
    <section className="hoja">
      <h2>Nuevo token</h2>
      <ActionForm of={form} className="apilado">
        <div className="campos">
          <Field field={fields.nombre} label="Nombre del programa" autoComplete="off" />
          <SelectField
            field={fields.vida}
            label="Dura"
            data={VIDAS.map((vida) => ({ value: vida, label: VIDA_LABEL[vida] }))}
          />
        </div>
        <fieldset className="permisos" aria-describedby={`${fields.alcances.id}-error`}>
          <legend>Permisos</legend>
          {porAsunto(alcances).map(({ de, label, usos }) => (
            <div key={de} className="permiso" role="group" aria-label={label}>
              <span>{label}</span>
              {usos.map((uso) => (
                <label key={uso} data-uso={uso}>
                  <input
                    className="casilla"
                    type="checkbox"
                    name="alcances"
                    value={`${de}:${uso}`}
                    defaultChecked={[elegidos ?? []].flat().includes(`${de}:${uso}`)}
                  />{' '}
                  {USO_LABEL[uso]}
                </label>
              ))}
            </div>
          ))}
          <p id={`${fields.alcances.id}-error`} className="error" role="alert">
            {fields.alcances.errors?.[0]}
          </p>
        </fieldset>
        <div className="botones">
          <Boton tono="acento" type="submit">
            Crear token
          </Boton>
        </div>
      </ActionForm>
    </section>
  );
}

/** Passwords for programs that know only a name and a password: no screen takes them. */
function Claves({ claves }: Pick<Datos, 'claves'>) {
  const form = useActionForm<{ nombreClave: string }>('crearClave');
  return (
    <section className="hoja">
      <h2>Contraseñas de API</h2>
      <p>
        Para un programa que entra con usuario y contraseña por las llamadas anteriores. No abren ninguna pantalla y
        sirven también con la verificación en dos pasos.
      </p>
      <ActionForm of={form} className="apilado">
        <div className="campos">
          <Field field={form.fields.nombreClave} label="Programa que la usará" autoComplete="off" />
        </div>
        <div className="botones">
          <Boton type="submit">Crear contraseña de API</Boton>
        </div>
      </ActionForm>
      {claves.length === 0 ? (
        <EmptyState>Todavía no tienes ninguna.</EmptyState>
      ) : (
        <table className="llamadas">
          <thead>
            <tr>
              <th scope="col">Programa</th>
              <th scope="col">Creada</th>
              <th scope="col">Último uso</th>
              <th scope="col">
                <span className="oculto">Acciones</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {claves.map(({ id, nombre, pista, creadaEn, usadaEn, revocadaEn }) => (
              <tr key={id}>
                <td>
                  {nombre} <span className="nota">…{pista}</span>
                </td>
                <td data-de="Creada">
                  <Fecha valor={creadaEn} />
                </td>
                <td data-de="Último uso">{usadaEn ? <Fecha valor={usadaEn} /> : 'Nunca'}</td>
                <td>
                  {revocadaEn ? (
                    <Estatus tono="neutro">Revocada</Estatus>
                  ) : (
                    <Form method="post" preventScrollReset>
                      <Hidden intent="revocarClave" clave={id} />
                      <Confirm plain="boton" {...askRevokeClave({ nombre, pista })}>
                        Revocar
                      </Confirm>
                    </Form>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className="nota">
        Terminan todas cuando cambia tu rol o tu contraseña, o cuando tu usuario se desactiva. Quedan cuando activas la
        verificación en dos pasos.
      </p>
    </section>
  );
}

function Tokens({ tokens }: { tokens: Datos['tokens'] }) {
  return (
    <table className="llamadas">
      <thead>
        <tr>
          <th scope="col">Nombre</th>
          <th scope="col">Permisos</th>
          <th scope="col">Último uso</th>
          <th scope="col">Vence</th>
          <th scope="col">
            <span className="oculto">Acciones</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {tokens.map(({ id, nombre, pista, alcances, usadoEn, venceEn, revocadoEn, vivo }) => (
          <tr key={id}>
            <td>
              {nombre} <span className="nota">…{pista}</span>
            </td>
            <td data-de="Permisos">{alcancesEnTexto(alcances)}</td>
            <td data-de="Último uso">{usadoEn ? <Fecha valor={usadoEn} /> : 'Nunca'}</td>
            <td data-de="Vence">
              {vivo ? (
                <Fecha valor={venceEn} />
              ) : (
                <Estatus tono="neutro">{revocadoEn ? 'Revocado' : 'Vencido'}</Estatus>
              )}
            </td>
            <td>
              {vivo && (
                <Form method="post" preventScrollReset>
                  <Hidden intent="revocar" token={id} />
                  <Confirm plain="boton" {...askRevokeToken({ nombre, pista })}>
                    Revocar
                  </Confirm>
                </Form>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
