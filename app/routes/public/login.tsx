import { redirect, type HeadersFunction, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { afterPassword, broughtBy } from '~/access/entrada.server';
import { comienzoOf, findSession, signIn } from '~/access/session.server';
import { env } from '~/core/env.server';
import { Credenciales } from '~/domain/personal/forms';
import { isPrimeraOffered } from '~/domain/personal/primeraPersona.server';
import { ROLES } from '~/core/usuario';
import { definePublicActions, outcome } from '~/http/actions.server';
import { LoginForm } from '~/ui/LoginForm';
import { db } from '~db/shared.server';

export const meta: MetaFunction = () => [{ title: 'Entrar' }];

/** Answers Retry-After where the person has to wait. */
export const headers: HeadersFunction = ({ actionHeaders }) => actionHeaders;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const volver = new URL(request.url).searchParams.get('volver');
  const sesion = await findSession(db(), request);
  if (sesion) throw redirect(comienzoOf(sesion.usuario, volver, sesion.preferencias.inicio));
  if (await isPrimeraOffered(db())) throw redirect('/login/primera');
  return { volver, personal: context.personal ?? [], demo: env().DEMO === '1' ? [...ROLES] : null };
}

export const action = definePublicActions(({ request }) => broughtBy(request), {
  entrar: {
    schema: Credenciales,
    status: 401,
    run: async (db, { recordar = false, volver = null, ...typed }, brought, { ip }) => {
      const usuario = await signIn(db, { ...typed, ip, dispositivo: brought.dispositivo });
      return outcome(await afterPassword(db, usuario, brought, { recordar, volver }));
    },
  },
});

export default function Login() {
  const { volver, personal, demo } = useLoaderData<typeof loader>();
  return (
    <div className="columna">
      <div className="hoja">
        <h1>Iniciar sesión</h1>
        <LoginForm volver={volver} />
      </div>
      {/* The script fetches these files once somebody types here, since the staff's page needs them next. */}
      <template data-al-escribir="">
        {personal.map((href) => (
          <link key={href} rel="modulepreload" href={href} />
        ))}
      </template>
      {demo && (
        <details className="nota">
          <summary>Usuarios de la demostración</summary>
          <p>
            {demo.join(', ')}; contraseña <code>Trastienda#1</code>
          </p>
        </details>
      )}
    </div>
  );
}
