import { getFormProps, useForm } from '@conform-to/react';
import { parseWithZod } from '@conform-to/zod/v4';
import { Button, TextInput } from '@mantine/core';
import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { Form, useActionData, useLoaderData } from '@remix-run/react';
import { z } from 'zod';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { askFirst, isConfirmed } from '~/core/confirm';
import { NotAllowed } from '~/core/errors';
import { answerTo, type Answer } from '~/core/submission';
import { invalid, refused, submit } from '~/http/submit.server';
import { listEnvios, sendEnlaceByMail, sendEnlaceByMessage } from '~/domain/enlaces/enlaceEnvios.server';
import { createEnlaceFor, listEnlaces, requireVentaConEnlace, revokeEnlace } from '~/domain/enlaces/enlaces.server';
import { listMensajesSinSalir } from '~/domain/enlaces/mensajesSinSalir.server';
import { PageHeader, Panel } from '~/ui/Blocks';
import { Confirm, ConfirmStep } from '~/ui/Confirm';
import { Field } from '~/ui/Field';
import { FormErrors } from '~/ui/FormErrors';
import { db } from '~db/shared.server';
import { Copiar } from './enlaces/Copiar';
import { SinSalir } from './enlaces/SinSalir';
import { TablaEnlaces, TablaEnvios } from './enlaces/Tablas';
import { MERCADOS } from '~/domain/mercados/mercados';

export const meta: MetaFunction = () => [{ title: 'Enlace de facturación' }];

const REQUERIDO = 'Este dato es requerido';
const Correo = z.object({ email: z.string({ error: REQUERIDO }).trim() });
const Accion = z.object({ enlace: z.string().optional() });
const REVOCAR = {
  titulo: 'Revocar enlace',
  texto: '¿Estas seguro de revocar el enlace? El cliente ya no podrá abrirlo.',
} as const;

export async function loader({ request }: LoaderFunctionArgs) {
  const numero = new URL(request.url).searchParams.get('numOrden')?.trim() ?? '';
  if (numero === '')
    return { numero, venta: null, motivo: null, enlaces: [], envios: [], sinSalir: await listMensajesSinSalir(db()) };
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

export async function action({ request, context }: ActionFunctionArgs) {
  const usuario = usuarioOf(context);
  const { searchParams, search } = new URL(request.url);
  const numero = searchParams.get('numOrden') ?? '';
  const form = await request.formData();
  const libre = parseWithZod(form, { schema: Accion });
  switch (form.get('intent')) {
    case 'crear':
      try {
        return data({ creado: await createEnlaceFor(db(), numero, usuario.id) });
      } catch (error) {
        if (error instanceof NotAllowed) return refused(libre, error, { formId: 'crear' });
        throw error;
      }
    case 'correo': {
      const submission = parseWithZod(form, { schema: Correo });
      if (submission.status !== 'success') return invalid(submission, { formId: 'correo' });
      return submit(
        submission,
        () => sendEnlaceByMail(db(), { numero, email: submission.value.email, usuarioId: usuario.id }),
        search,
        { formId: 'correo', aviso: 'El enlace va en camino por correo.' },
      );
    }
    case 'mensaje':
      return submit(libre, () => sendEnlaceByMessage(db(), { numero, usuarioId: usuario.id }), search, {
        formId: 'mensaje',
        aviso: 'El mensaje con el enlace va en camino.',
      });
    case 'revocar':
      if (!isConfirmed(form)) return askFirst(form, REVOCAR);
      return submit(libre, () => revokeEnlace(db(), String(form.get('enlace') ?? ''), usuario.id), search, {
        formId: 'revocar',
        aviso: 'El enlace se revocó.',
      });
    default:
      throw data({ titulo: 'Error.', texto: 'Esta pantalla no conoce esa acción.' }, { status: 400 });
  }
}

/** 'Enlace de facturación' of one sale: create and copy, send, withdraw. Sales' rows link here with `?numOrden=`. */
export default function Enlaces() {
  const { numero, venta, motivo, enlaces, envios, sinSalir } = useLoaderData<typeof loader>();
  const respuesta = useActionData<typeof action>() as Answer | { creado: { url: string } } | undefined;
  const creado = respuesta && 'creado' in respuesta ? respuesta.creado : undefined;
  const answer = respuesta && 'creado' in respuesta ? undefined : respuesta;
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
            <Button type="submit">Buscar Orden</Button>
          </div>
        </Form>
      )}
      <SinSalir mensajes={sinSalir} area={area} />
      {answer?.confirmar && <ConfirmStep pending={answer.confirmar} cancelar={`?numOrden=${numero}`} />}
      {creado && (
        <Panel tono="ok" titulo="Enlace creado">
          Cópialo ahora: por seguridad no se vuelve a mostrar.
          <Copiar texto={creado.url} />
        </Panel>
      )}
      {venta && (
        <section className="hoja">
          <div className="tres-caminos">
            <Crear answer={answerTo('crear', answer)} />
            <PorCorreo answer={answerTo('correo', answer)} />
            {MERCADOS[venta.market].mensajes && (
              <PorMensaje
                answer={answerTo('mensaje', answer)}
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
          <TablaEnlaces enlaces={enlaces} answer={answerTo('revocar', answer)}>
            {(id) => (
              <Form method="post">
                <input type="hidden" name="enlace" value={id} />
                <input type="hidden" name="intent" value="revocar" />
                <Confirm plain="boton" {...REVOCAR}>
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

function Crear({ answer }: { answer?: Answer }) {
  const [form] = useForm({ id: 'crear', lastResult: answer });
  return (
    <Form method="post" {...getFormProps(form)}>
      <FormErrors form={form} answer={answer} />
      <h2>Crear y copiar</h2>
      <p className="nota">Un enlace nuevo para mandarlo por donde quieras.</p>
      <Button type="submit" name="intent" value="crear">
        Crear enlace
      </Button>
    </Form>
  );
}

function PorCorreo({ answer }: { answer?: Answer }) {
  const [form, fields] = useForm({
    id: 'correo',
    lastResult: answer,
    constraint: { email: { required: true } },
    onValidate: ({ formData }) => parseWithZod(formData, { schema: Correo }),
  });
  return (
    <Form method="post" {...getFormProps(form)}>
      <FormErrors form={form} answer={answer} />
      <h2>Por correo</h2>
      <Field field={fields.email} label="Email del cliente" type="email" autoComplete="off" mb={8} />
      <Button type="submit" name="intent" value="correo" variant="default">
        Enviar por correo
      </Button>
    </Form>
  );
}

function PorMensaje({ answer, enviado }: { answer?: Answer; enviado: boolean }) {
  const [form] = useForm({ id: 'mensaje', lastResult: answer });
  return (
    <Form method="post" {...getFormProps(form)}>
      <FormErrors form={form} answer={answer} />
      <h2>Por mensaje de Mercado Libre</h2>
      <p className="nota">
        {enviado ? 'Esta venta ya tiene su mensaje.' : 'Uno por venta, con las reglas de Mercado Libre.'}
      </p>
      {!enviado && (
        <Button type="submit" name="intent" value="mensaje" variant="default">
          Enviar mensaje
        </Button>
      )}
    </Form>
  );
}
