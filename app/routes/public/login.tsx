import { parseWithZod } from '@conform-to/zod/v4';
import {
  redirect,
  type ActionFunctionArgs,
  type HeadersFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
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
import { NotAllowed } from '~/core/errors';
import { invalid, refused } from '~/http/submit.server';
import { closeSession, openSession, rememberDispositivo } from '~/domain/cuentas/sesiones.server';
import { ROLES } from '~/domain/cuentas/usuario';
import { Credenciales, LoginForm } from '~/ui/LoginForm';
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

export async function action({ request, context }: ActionFunctionArgs) {
  const form = await request.clone().formData();
  const submission = parseWithZod(form, { schema: Credenciales });
  const hideFields = ['password'];
  if (submission.status !== 'success') return invalid(submission, { hideFields });
  const { recordar = false, volver = null } = submission.value;
  try {
    const usuario = await signIn(db(), request, context.ip);
    // Whatever token the browser brought is not the one it leaves with.
    const before = await readToken(request);
    if (before) await closeSession(db(), before);
    const known = await readDispositivo(request);
    const [token, dispositivo] = await db()
      .transaction()
      .execute(async (trx) => [
        await openSession(trx, usuario, recordar),
        await rememberDispositivo(trx, usuario.id, known),
      ]);
    const headers = new Headers({ 'Set-Cookie': await sessionCookie(token, recordar) });
    headers.append('Set-Cookie', await dispositivoCookie(dispositivo));
    return redirect(landingOf(usuario, volver), { headers });
  } catch (error) {
    if (!(error instanceof NotAllowed)) throw error;
    return refused(submission, error, { hideFields, status: 401 });
  }
}

export default function Login() {
  const { volver, demo } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return (
    <div className="angosta" style={{ paddingTop: '6vh' }}>
      <div className="hoja">
        <h1 style={{ marginBottom: 12 }}>Iniciar sesión</h1>
        <LoginForm volver={volver} answer={answer} />
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
