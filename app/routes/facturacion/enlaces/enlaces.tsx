import { TextInput } from '@mantine/core';
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Form, useLoaderData } from '@remix-run/react';
import { useArea } from '~/access/useArea';
import { NotAllowed } from '~/core/errors';
import { Nada } from '~/core/fields';
import { EnlacePorCorreo, EnlacesDe, UnEnlace } from '~/domain/facturacion/enlaces/forms';
import {
  listEnvios,
  sendEnlaceByMail,
  sendEnlaceByMessage,
  listMensajesSinSalir,
} from '~/domain/facturacion/enlaces/enlaceEnvios.server';
import {
  createEnlaceFor,
  listEnlaces,
  readEnlace,
  requireVentaConEnlace,
  revokeEnlace,
} from '~/domain/facturacion/enlaces/enlaces.server';
import { withRechazo } from '~/platform/effects/rechazos.server';
import { defineActions, outcome } from '~/http/actions.server';
import { readQuery } from '~/http/readForm.server';
import { Boton } from '~/ui/Boton';
import { PageHeader, Panel } from '~/ui/Blocks';
import { Confirm } from '~/ui/Confirm';
import { Field } from '~/ui/Field';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Asked, Hidden, Refusal, useAnswer } from '~/ui/useAnswer';
import { db } from '~db/shared.server';
import { Copiar } from './Copiar';
import { SinSalir } from './SinSalir';
import { TablaEnlaces, TablaEnvios } from './Tablas';
import { MERCADOS } from '~/domain/mercados/mercados';
import { askRevoke, askRevokeEnlace } from './questions';

export const meta: MetaFunction = () => [{ title: 'Enlace de facturación' }];

export async function loader({ request }: LoaderFunctionArgs) {
  const { numOrden: numero } = readQuery(request, EnlacesDe);
  if (numero === '')
    return {
      numero,
      venta: null,
      motivo: null,
      enlaces: [],
      envios: [],
      sinSalir: await withRechazo(db(), await listMensajesSinSalir(db())),
    };
  try {
    const venta = await requireVentaConEnlace(db(), numero);
    return {
      numero,
      venta,
      motivo: null,
      enlaces: await listEnlaces(db(), venta.numOrden),
      envios: await listEnvios(db(), venta.numOrden),
      sinSalir: [],
    };
  } catch (error) {
    if (!(error instanceof NotAllowed)) throw error;
    return {
      numero,
      venta: null,
      motivo: error.message,
      enlaces: await listEnlaces(db(), numero),
      envios: await listEnvios(db(), numero),
      sinSalir: [],
    };
  }
}

const ventaOf = ({ request }: ActionFunctionArgs) => readQuery(request, EnlacesDe).numOrden;

export const action = defineActions(ventaOf, {
  crear: {
    schema: Nada,
    run: async (db, _, { id }, { opened: numero }) => outcome({ resultado: await createEnlaceFor(db, numero, id) }),
  },
  correo: {
    schema: EnlacePorCorreo,
    run: (db, { email }, { id: usuarioId }, { opened: numero }) => sendEnlaceByMail(db, { numero, email, usuarioId }),
    aviso: 'El enlace va en camino por correo.',
  },
  mensaje: {
    schema: Nada,
    run: (db, _, { id: usuarioId }, { opened: numero }) => sendEnlaceByMessage(db, { numero, usuarioId }),
    aviso: 'El mensaje con el enlace va en camino.',
  },
  revocar: {
    schema: UnEnlace,
    confirm: async (db, { enlace }) => askRevoke(await readEnlace(db, enlace)),
    run: (db, { enlace }, { id }) => revokeEnlace(db, enlace, id),
    aviso: 'El enlace se revocó.',
  },
});

/** 'Enlace de facturación' of one sale: create and copy, send, withdraw. Sales' rows link here with `?numOrden=`. */
export default function Enlaces() {
  const { numero, venta, motivo, enlaces, envios, sinSalir } = useLoaderData<typeof loader>();
  const creado = useAnswer('crear')?.resultado as { url: string } | undefined;
  const area = useArea();
  return (
    <div className="media">
      <PageHeader
        titulo="Enlace de facturación"
        nota={venta ? <>Orden {venta.numOrden}</> : 'Para que el cliente haga su propia factura.'}
      >
        {venta && (
          <a className="boton" href={`${area}/facturacion?numOrden=${venta.numOrden}`}>
            Facturar aquí
          </a>
        )}
      </PageHeader>
      {!venta && (
        <Form method="get" className="hoja buscar-orden">
          <TextInput
            label="No. Orden"
            name="numOrden"
            defaultValue={numero}
            required
            withAsterisk
            autoComplete="off"
            error={motivo}
          />
          <div className="botones">
            <Boton tono="acento" type="submit">
              Buscar Orden
            </Boton>
          </div>
        </Form>
      )}
      <SinSalir mensajes={sinSalir} area={area} />
      <Asked cancelar={`?numOrden=${numero}`} />
      <Refusal of="revocar" />
      {creado && (
        <Panel tono="ok" titulo="Enlace creado">
          Cópialo ahora: por seguridad no se vuelve a mostrar.
          <Copiar texto={creado.url} />
        </Panel>
      )}
      {venta && (
        <section className="hoja">
          <div className="tres-caminos">
            <Crear />
            <PorCorreo />
            {MERCADOS[venta.market].mensajes && (
              <PorMensaje
                enviado={envios.some(
                  ({ por, state }) => por === 'mensaje' && state !== 'refused' && state !== 'cancelled',
                )}
              />
            )}
          </div>
        </section>
      )}
      {(venta || enlaces.length > 0) && (
        <>
          <TablaEnlaces enlaces={enlaces}>
            {(enlace) => (
              <Form method="post">
                <Hidden intent="revocar" enlace={enlace.id} />
                <Confirm plain="boton" {...askRevokeEnlace({ ...enlace, numOrden: numero })}>
                  Revocar
                </Confirm>
              </Form>
            )}
          </TablaEnlaces>
          <TablaEnvios envios={envios} />
        </>
      )}
    </div>
  );
}

function Crear() {
  const form = useActionForm('crear');
  return (
    <ActionForm of={form} preventScrollReset={false}>
      <h2>Crear y copiar</h2>
      <p className="nota">Un enlace nuevo para mandarlo por donde quieras.</p>
      <Boton tono="acento" type="submit">
        Crear enlace
      </Boton>
    </ActionForm>
  );
}

function PorCorreo() {
  const form = useActionForm<{ email: string }>('correo', { required: { email: true } });
  return (
    <ActionForm of={form} preventScrollReset={false} sinEnter>
      <h2>Por correo</h2>
      <Field field={form.fields.email} label="Email del cliente" type="email" autoComplete="off" mb={8} />
      <Boton type="submit">Enviar por correo</Boton>
    </ActionForm>
  );
}

function PorMensaje({ enviado }: { enviado: boolean }) {
  const form = useActionForm('mensaje');
  return (
    <ActionForm of={form} preventScrollReset={false}>
      <h2>Por mensaje de Mercado Libre</h2>
      <p className="nota">
        {enviado ? 'Esta venta ya tiene su mensaje.' : 'Uno por venta, con las reglas de Mercado Libre.'}
      </p>
      {!enviado && <Boton type="submit">Enviar mensaje</Boton>}
    </ActionForm>
  );
}
