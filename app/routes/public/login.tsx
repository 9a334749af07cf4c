import {
  redirect,
  type ActionFunctionArgs,
  type HeadersFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import {
  dispositivoCookie,
  findSession,
  landingOf,
  readDispositivo,
  readToken,
  sessionCookie,
  signIn,
} from '~/access/session.server';
import { env } from '~/core/env.server';
import { Credenciales } from '~/domain/cuentas/credenciales';
import { closeSession, openSession, rememberDispositivo } from '~/domain/cuentas/sesiones.server';
import { ROLES } from '~/domain/cuentas/usuario';
import { definePublicActions, outcome } from '~/http/actions.server';
import { LoginForm } from '~/ui/LoginForm';
import { db } from '~db/shared.server';

export const meta: MetaFunction = () => [{ title: 'Entrar' }];

/** How long to wait, when one has to. */
export const headers: HeadersFunction = ({ actionHeaders }) => actionHeaders;

export async function loader({ request }: LoaderFunctionArgs) {
  const volver = new URL(request.url).searchParams.get('volver');
  const sesion = await findSession(db(), request);
  if (sesion) throw redirect(landingOf(sesion.usuario, volver));
  return { volver, demo: env().DEMO === '1' ? [...ROLES] : null };
}

/** What this browser brings: a session, and the mark of somebody having entered with it before. */
const broughtBy = async ({ request }: ActionFunctionArgs) => ({
  token: await readToken(request),
  dispositivo: await readDispositivo(request),
});

export const action = definePublicActions(broughtBy, {
  entrar: {
    schema: Credenciales,
    status: 401,
    run: async (db, { recordar = false, volver = null, ...typed }, { token: before, dispositivo: known }, { ip }) => {
      const usuario = await signIn(db, { ...typed, ip, dispositivo: known });
      // Whatever token the browser brought is not the one it leaves with.
      if (before) await closeSession(db, before);
      const [token, dispositivo] = await db
        .transaction()
        .execute(async (trx) => [
          await openSession(trx, usuario, recordar),
          await rememberDispositivo(trx, usuario.id, known),
        ]);
      return outcome({
        to: landingOf(usuario, volver),
        headers: [
          ['Set-Cookie', await sessionCookie(token, recordar)],
          ['Set-Cookie', await dispositivoCookie(dispositivo)],
        ],
      });
    },
  },
});

export default function Login() {
  const { volver, demo } = useLoaderData<typeof loader>();
  return (
    <div className="angosta" style={{ paddingTop: '6vh' }}>
      <div className="hoja">
        <h1 style={{ marginBottom: 12 }}>Iniciar sesión</h1>
        <LoginForm volver={volver} />
      </div>
      {demo && (
        <details className="nota" style={{ marginTop: 12 }}>
          <summary>Usuarios de la demostración</summary>
          <p>
            {demo.join(', ')}; contraseña <code>Trastienda#1</code>
          </p>
        </details>
      )}
    </div>
  );
}
