import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Form, Link, useLoaderData } from '@remix-run/react';
import { usuarioOf } from '~/access/session.server';
import { can } from '~/access/actions';
import { useArea, useUsuario } from '~/access/useArea';
import { alcancesEnTexto, porAsunto, USO_LABEL } from '~/api/alcances';
import { alcancesOf } from '~/api/catalog.server';
import { askRevokeToken } from '~/domain/personal/questions';
import { createTokenApi, listTokensApi, revokeTokenApi } from '~/domain/personal/tokensApi.server';
import { NewTokenApi, UnTokenApi } from '~/domain/personal/forms';
import { VIDA_LABEL, VIDAS } from '~/domain/personal/vidasDeToken';
import { defineActions, outcome } from '~/http/actions.server';
import { Boton } from '~/ui/Boton';
import { EmptyState, PageHeader, Panel } from '~/ui/Blocks';
import { Confirm } from '~/ui/Confirm';
import { Copiar } from '~/ui/Copiar';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { Field, SelectField } from '~/ui/Field';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Asked, Hidden, Refusal, useAnswer } from '~/ui/useAnswer';
import { db } from '~db/shared.server';
import './api.css';

export const meta: MetaFunction = () => [{ title: 'Tokens de API' }];

export async function loader({ context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  return { tokens: await listTokensApi(db(), usuario.id), alcances: alcancesOf(usuario.rol) };
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
});

type Datos = ReturnType<typeof useLoaderData<typeof loader>>;

/** The tokens of a person's programs: made with no more than their role may, shown once, ended at once. */
export default function TokensApi() {
  const { tokens, alcances } = useLoaderData<typeof loader>();
  const { token } = (useAnswer('crear')?.resultado ?? {}) as { token?: string };
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
      {token && (
        <Panel tono="ok" titulo="Token creado">
          <p>Cópialo ahora: no se vuelve a mostrar.</p>
          <p className="secreto">
            <code>{token}</code> <Copiar texto={token} />
          </p>
        </Panel>
      )}
      <Crear key={tokens.length} alcances={alcances} />
      <section className="hoja">
        <h2>Tus tokens</h2>
        {tokens.length === 0 ? <EmptyState>Todavía no tienes ninguno.</EmptyState> : <Tokens tokens={tokens} />}
        <p className="nota">Terminan todos cuando cambia tu rol o tu contraseña, o cuando tu usuario se desactiva.</p>
      </section>
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
