import { Checkbox } from '@mantine/core';
import { redirect, type HeadersFunction, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import { broughtBy, enter } from '~/access/entrada.server';
import { readEntrada } from '~/access/session.server';
import { withVuelta } from '~/core/vuelta';
import { findEntrada, passCodigo, passRecuperacion } from '~/domain/personal/signIn.server';
import { CODIGO_RECORDADO_DIAS } from '~/domain/personal/segundoFactor';
import { EntrarConCodigo, EntrarConRecuperacion } from '~/domain/personal/forms';
import { definePublicActions, outcome } from '~/http/actions.server';
import { Boton } from '~/ui/Boton';
import { CodigoField } from '~/ui/CodigoField';
import { Field } from '~/ui/Field';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden, useAnswer } from '~/ui/useAnswer';
import { db } from '~db/shared.server';

export const meta: MetaFunction = () => [{ title: 'Código de verificación' }];

/** Answers Retry-After where the person has to wait. */
export const headers: HeadersFunction = ({ actionHeaders }) => actionHeaders;

/** Without a password that was just accepted, the way in begins at the login page. */
export async function loader({ request }: LoaderFunctionArgs) {
  const token = await readEntrada(request);
  const volver = new URL(request.url).searchParams.get('volver');
  if (!token || !(await findEntrada(db(), token))) throw redirect(withVuelta('/login', volver));
  return { volver };
}

export const action = definePublicActions(
  async ({ request }, { volver }) => {
    const brought = await broughtBy(request);
    const entrada = brought.entrada && (await findEntrada(db(), brought.entrada));
    if (!entrada) throw redirect(withVuelta('/login', volver));
    return { brought, entrada };
  },
  {
    entrar: {
      schema: EntrarConCodigo,
      status: 401,
      run: async (db, { codigo, dispositivo = false, volver = null }, { brought, entrada }, { ip }) => {
        await passCodigo(db, entrada, codigo, { ip, dispositivo: brought.dispositivo });
        const shown = { ...entrada, segundoFactorEn: 'ahora' } as const;
        return outcome(await enter(db, shown, brought, { volver, recordarCodigo: dispositivo }));
      },
    },
    recuperar: {
      schema: EntrarConRecuperacion,
      status: 401,
      run: async (db, { recuperacion, volver = null }, { brought, entrada }, { ip }) => {
        const quedan = await passRecuperacion(db, entrada, recuperacion, { ip, dispositivo: brought.dispositivo });
        const shown = { ...entrada, segundoFactorEn: 'ahora' } as const;
        return outcome({ ...(await enter(db, shown, brought, { volver })), aviso: avisoOf(quedan) });
      },
    },
  },
);

const avisoOf = (quedan: number) =>
  quedan === 0
    ? 'Era tu último código de recuperación. Haz nuevos en «Editar Datos».'
    : `Te ${quedan === 1 ? 'queda 1 código' : `quedan ${quedan} códigos`} de recuperación.`;

export default function Codigo() {
  const { volver } = useLoaderData<typeof loader>();
  const perdido = useAnswer('recuperar') !== undefined;
  return (
    <div className="columna">
      <div className="hoja">
        <h1>Código de verificación</h1>
        <CodigoForm volver={volver} />
      </div>
      <details className="nota" open={perdido || undefined}>
        <summary>No tengo mi teléfono</summary>
        <RecuperacionForm volver={volver} />
        <p>
          Si tampoco tienes tus códigos de recuperación, un Super Usuario puede quitar tu verificación en dos pasos en
          «Usuarios». Quien administra el servidor puede hacerlo por cualquiera.
        </p>
      </details>
      <p className="nota">
        <Link to={withVuelta('/login', volver)}>Entrar con otro usuario</Link>
      </p>
    </div>
  );
}

function CodigoForm({ volver }: { volver: string | null }) {
  const form = useActionForm<{ codigo: string }>('entrar', { required: false });
  return (
    <ActionForm of={form} data-llenos="codigo" className="apilado">
      <Hidden volver={volver} />
      <CodigoField field={form.fields.codigo} autoFocus />
      <Checkbox
        name="dispositivo"
        value="on"
        label="Recordar este dispositivo"
        description={`No pide código aquí durante ${CODIGO_RECORDADO_DIAS} días. No lo marques en una computadora que usan otros.`}
      />
      <Boton tono="acento" type="submit" ancho>
        Entrar
      </Boton>
    </ActionForm>
  );
}

function RecuperacionForm({ volver }: { volver: string | null }) {
  const form = useActionForm<{ recuperacion: string }>('recuperar', { required: false });
  return (
    <ActionForm of={form} data-llenos="recuperacion" className="apilado" style={{ marginBlock: 12 }}>
      <Hidden volver={volver} />
      <Field
        field={form.fields.recuperacion}
        label="Código de recuperación"
        description="Uno de los diez que guardaste. Cada uno sirve una vez."
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
      />
      <div className="botones">
        <Boton type="submit">Entrar con este código</Boton>
      </div>
    </ActionForm>
  );
}
