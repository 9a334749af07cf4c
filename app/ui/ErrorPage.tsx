import { isRouteErrorResponse, useLocation } from '@remix-run/react';
import { FALLO } from '~/core/errors';
import { PublicFrame } from './PublicFrame';
import { saidOf } from './said';
import { deferredPart } from './deferredPart';
import { Teapot } from './Teapot';

const LoginForm = deferredPart('LoginForm', () => import('./LoginForm').then(({ LoginForm }) => LoginForm), {
  ahead: false,
});

/** The page for anything that cannot be shown: the words of a refusal, or the number of an incident. A stack is never shown. */
export function ErrorPage({ error, marca, requestId }: { error: unknown; marca: string; requestId?: string }) {
  const { pathname } = useLocation();
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const said = saidOf(error);

  if (status === 404)
    return (
      <PublicFrame marca={marca}>
        <Teapot />
      </PublicFrame>
    );
  const refusal = said.titulo !== undefined && said.texto !== undefined;
  const incidente = said.incidente ?? (refusal ? undefined : requestId);
  return (
    <PublicFrame marca={marca}>
      <div className="angosta apilado">
        <div className="hoja" role="alert">
          <h1>{refusal ? said.titulo : FALLO.titulo}</h1>
          <p>{refusal ? said.texto : FALLO.texto}</p>
          {incidente && (
            <p className="nota">
              Número de incidente: <code>{incidente}</code>
            </p>
          )}
          <p className="botones">
            <a className="boton" href={pathname}>
              Volver a intentar
            </a>
            <a className="boton" href="/login">
              Ir a mi inicio
            </a>
          </p>
        </div>
        {status === 403 && (
          <div className="hoja">
            <h2>Entrar con otro usuario</h2>
            <LoginForm volver={pathname} />
          </div>
        )}
      </div>
    </PublicFrame>
  );
}
