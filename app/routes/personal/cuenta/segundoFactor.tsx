import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Form, Link, useLoaderData } from '@remix-run/react';
import { landingOf, sesionOf, usuarioOf } from '~/access/session.server';
import { useArea, useUsuario } from '~/access/useArea';
import { Nada } from '~/core/fields';
import { askRenewCodigos, askRemoveSegundoFactor } from '~/domain/personal/questions';
import { qrOf } from '~/domain/personal/qr.server';
import { inFours } from '~/domain/personal/segundoFactor';
import {
  confirmSegundoFactor,
  dropOwnSegundoFactor,
  readNuevo,
  readSegundoFactor,
  renewCodigos,
  startSegundoFactor,
} from '~/domain/personal/segundoFactor.server';
import { ConfirmarSegundoFactor } from '~/domain/personal/forms';
import { defineActions, outcome } from '~/http/actions.server';
import { Boton } from '~/ui/Boton';
import { PageHeader, Panel } from '~/ui/Blocks';
import { CodigoField } from '~/ui/CodigoField';
import { Confirm } from '~/ui/Confirm';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Asked, Hidden, Refusal, useAnswer } from '~/ui/useAnswer';
import { useFilled } from '~/ui/useFilled';
import { db } from '~db/shared.server';
import './segundoFactor.css';

export const meta: MetaFunction = () => [{ title: 'Verificación en dos pasos' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const [estado, nuevo] = await Promise.all([readSegundoFactor(db(), usuario), readNuevo(db(), usuario)]);
  return {
    estado,
    nuevo: nuevo && { secreto: nuevo.secreto, uri: nuevo.uri, qr: qrOf(nuevo.uri) },
    debeActivar: sesionOf(context).debeActivar,
    plazo: sesionOf(context).plazoSegundoFactor,
    sigue: landingOf(usuario, new URL(request.url).searchParams.get('volver')),
  };
}

export const action = defineActions(({ context }) => sesionOf(context), {
  empezar: {
    schema: Nada,
    right: 'cuenta.segundoFactor',
    commit: (trx, _, usuario) => startSegundoFactor(trx, usuario),
  },
  confirmar: {
    schema: ConfirmarSegundoFactor,
    commit: async (trx, { codigo }, usuario, { opened: { token } }) =>
      outcome({ resultado: { codigos: await confirmSegundoFactor(trx, usuario, token, codigo) } }),
  },
  renovar: {
    schema: Nada,
    right: 'cuenta.segundoFactor',
    confirm: async (db, _, usuario) => askRenewCodigos(await readSegundoFactor(db, usuario)),
    commit: async (trx, _, usuario) => outcome({ resultado: { codigos: await renewCodigos(trx, usuario) } }),
  },
  quitar: {
    schema: Nada,
    right: 'cuenta.segundoFactor',
    confirm: async (db, _, usuario) => askRemoveSegundoFactor(await readSegundoFactor(db, usuario)),
    commit: (trx, _, usuario) => dropOwnSegundoFactor(trx, usuario),
    aviso: 'Se quitó la verificación en dos pasos.',
  },
});

type Datos = ReturnType<typeof useLoaderData<typeof loader>>;

export default function SegundoFactor() {
  const { estado, nuevo, debeActivar, plazo, sigue } = useLoaderData<typeof loader>();
  const area = useArea();
  const [confirmado, renovado] = [useAnswer('confirmar'), useAnswer('renovar')];
  const { codigos } = ((confirmado ?? renovado)?.resultado ?? {}) as { codigos?: string[] };
  return (
    <div className="media">
      <PageHeader titulo="Verificación en dos pasos" nota="Un código de tu teléfono, además de tu contraseña." />
      <Asked cancelar="?" />
      {['empezar', 'renovar', 'quitar'].map((intent) => (
        <Refusal key={intent} of={intent} />
      ))}
      {debeActivar && (
        <Panel tono="aviso" titulo="Tu rol necesita la verificación en dos pasos.">
          Actívala para continuar. Toma un minuto y necesitas tu teléfono.
        </Panel>
      )}
      {plazo && !codigos && (
        <Panel tono="aviso" titulo="Tu rol necesita la verificación en dos pasos.">
          Actívala antes del <Fecha valor={plazo} />. Después, hasta activarla, no se abre otra pantalla. Si un programa
          entra con tu contraseña, hazle antes una contraseña de API en{' '}
          <Link to={`${area}/tokensApi`}>Tokens de API</Link>.
        </Panel>
      )}
      {codigos ? (
        <Codigos codigos={codigos} sigue={sigue} />
      ) : nuevo ? (
        <Nuevo nuevo={nuevo} cambio={estado.confirmadoEn !== null} />
      ) : estado.confirmadoEn ? (
        <Activada estado={estado} />
      ) : (
        <Empezar />
      )}
    </div>
  );
}

function Empezar() {
  return (
    <section className="hoja">
      <h2>Sin activar</h2>
      <p>
        Quien conozca tu contraseña no podrá entrar sin tu teléfono. Usa la aplicación de códigos que prefieras: Google
        Authenticator, Microsoft Authenticator, Aegis, la de tu administrador de contraseñas o cualquier otra.
      </p>
      <Form method="post" preventScrollReset className="botones">
        <Hidden intent="empezar" />
        <Boton tono="acento" type="submit">
          Activar
        </Boton>
      </Form>
    </section>
  );
}

function Nuevo({ nuevo: { secreto, uri, qr }, cambio }: { nuevo: NonNullable<Datos['nuevo']>; cambio: boolean }) {
  const [filled, { ref, ...watch }] = useFilled('codigo');
  const form = useActionForm<{ codigo: string }>('confirmar', { required: false });
  const margen = 4;
  const lado = qr.lado + 2 * margen;
  return (
    <section className="hoja">
      <h2>1. Agrega la cuenta a tu aplicación</h2>
      <div className="con-qr">
        <svg viewBox={`0 0 ${lado} ${lado}`} role="img" aria-label="Código QR de tu cuenta" shapeRendering="crispEdges">
          <rect width={lado} height={lado} fill="var(--qr-claro)" />
          <path d={qr.path} transform={`translate(${margen} ${margen})`} fill="var(--qr-oscuro)" />
        </svg>
        <div>
          <p>Escanea este código con la aplicación.</p>
          <p>
            ¿No puedes escanearlo? Escribe esta clave: <code className="clave">{inFours(secreto)}</code>
          </p>
          <p>
            <a href={uri}>Abrirla en este teléfono</a>
          </p>
        </div>
      </div>
      <h2>2. Escribe el código que muestra</h2>
      <ActionForm of={form} {...watch} formRef={ref} className="apilado">
        <CodigoField field={form.fields.codigo} />
        <div className="botones">
          <Boton tono="acento" type="submit" disabled={!filled}>
            {cambio ? 'Cambiar de teléfono' : 'Activar'}
          </Boton>
        </div>
      </ActionForm>
      <p className="nota">
        {cambio
          ? 'El teléfono de antes sirve hasta que escribas el código del nuevo. '
          : 'No queda activada hasta que escribas el primer código. '}
        La clave vence en 15 minutos.
      </p>
    </section>
  );
}

function Codigos({ codigos, sigue }: { codigos: string[]; sigue: string }) {
  const lineas = codigos.map(inFours);
  const { usuario } = useUsuario();
  const archivo = `Códigos de recuperación de ${usuario}. Cada uno sirve una vez.\r\n\r\n${lineas.join('\r\n')}\r\n`;
  return (
    <section className="hoja">
      <h2>Guarda tus códigos de recuperación</h2>
      <p>
        Con uno de ellos entras si pierdes tu teléfono. Cada uno sirve una vez. Guárdalos donde no esté tu contraseña:{' '}
        <strong>no se vuelven a mostrar.</strong>
      </p>
      <ul className="codigos-recuperacion">
        {lineas.map((linea) => (
          <li key={linea}>
            <code>{linea}</code>
          </li>
        ))}
      </ul>
      <div className="botones entre">
        <a
          className="boton"
          download="codigos-de-recuperacion.txt"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(archivo)}`}
        >
          Descargar
        </a>
        <Link className="boton grande" data-tono="acento" to={sigue}>
          Ya los guardé
        </Link>
      </div>
    </section>
  );
}

function Activada({ estado }: { estado: Datos['estado'] }) {
  const { confirmadoEn, quedan, obligado } = estado;
  const area = useArea();
  return (
    <section className="hoja">
      <h2>Activada</h2>
      <p>
        <Estatus tono="ok">Activa</Estatus> <span className="nota">desde</span> <Fecha valor={confirmadoEn!} />
      </p>
      <p>
        <Estatus tono={quedan > 2 ? 'neutro' : 'aviso'}>
          {quedan === 1 ? 'Queda 1 código de recuperación' : `Quedan ${quedan} códigos de recuperación`}
        </Estatus>
      </p>
      <div className="botones">
        <Form method="post" preventScrollReset>
          <Hidden intent="empezar" />
          <button type="submit" className="boton">
            Cambiar de teléfono
          </button>
        </Form>
        <Form method="post" preventScrollReset>
          <Hidden intent="renovar" />
          <Confirm plain="boton" {...askRenewCodigos(estado)}>
            Hacer códigos nuevos
          </Confirm>
        </Form>
        {!obligado && (
          <Form method="post" preventScrollReset>
            <Hidden intent="quitar" />
            <Confirm plain="boton" {...askRemoveSegundoFactor(estado)} data-tono="mal">
              Quitar
            </Confirm>
          </Form>
        )}
      </div>
      <p className="nota">
        Si pierdes tu teléfono, entra con un código de recuperación y cambia de teléfono aquí.{' '}
        <Link to={`${area}/datosUsuario`}>Editar Datos</Link>
      </p>
    </section>
  );
}
