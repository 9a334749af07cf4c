import { getFormProps, useForm } from '@conform-to/react';
import { parseWithZod } from '@conform-to/zod/v4';
import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { Form, useActionData, useLoaderData } from '@remix-run/react';
import { keepingOwnSession } from '~/access/ownSession.server';
import { usuarioOf } from '~/access/session.server';
import { askFirst, isConfirmed } from '~/core/confirm';
import { NotAllowed } from '~/core/errors';
import { answerTo, type Answer } from '~/core/submission';
import { invalid, refused, submit } from '~/http/submit.server';
import { ROL_LABEL, type Usuario } from '~/domain/cuentas/usuario';
import { InformacionGeneral, PasswordPropio } from '~/domain/cuentas/usuarioForm';
import { changePassword, findUsuario, updateOwnInformacion } from '~/domain/cuentas/usuarios.server';
import { PageHeader } from '~/ui/Blocks';
import { Confirm, ConfirmStep } from '~/ui/Confirm';
import { Field } from '~/ui/Field';
import { FormErrors } from '~/ui/FormErrors';
import { useFilled } from '~/ui/useFilled';
import { db } from '~db/shared.server';
import { PasswordForm } from '../catalogos/usuarios/PasswordForm';

const GUARDAR = { titulo: 'Guardar información', texto: '¿Esta seguro que desea guardar la información?' };
const CAMBIAR = { titulo: 'Cambiar contraseña', texto: '¿Esta seguro que desea cambiar la contraseña?' };

export const meta: MetaFunction = () => [{ title: 'Edición de información' }];

export async function loader({ context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const { version } = (await findUsuario(db(), usuario, usuario.id))!;
  return { usuario, version };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const usuario = usuarioOf(context);
  const form = await request.formData();
  return form.get('accion') === 'password' ? savePassword(request, form, usuario) : saveInformacion(form, usuario);
}

async function saveInformacion(form: FormData, usuario: Usuario) {
  const submission = parseWithZod(form, { schema: InformacionGeneral });
  const formId = 'informacion';
  if (submission.status !== 'success') return invalid(submission, { formId });
  if (!isConfirmed(form)) return data<Answer>(askFirst(form, GUARDAR));
  const { value } = submission;
  return submit(
    submission,
    () =>
      db()
        .transaction()
        .execute((trx) => updateOwnInformacion(trx, usuario, value)),
    '',
    {
      formId,
      aviso: 'Se modifico la información general correctamente.',
    },
  );
}

async function savePassword(request: Request, form: FormData, usuario: Usuario) {
  const submission = parseWithZod(form, { schema: PasswordPropio });
  const reply = { formId: 'password', hideFields: ['password', 'confirmar'] };
  if (submission.status !== 'success') return invalid(submission, reply);
  if (!isConfirmed(form)) return refused(submission, new NotAllowed(CAMBIAR.titulo, CAMBIAR.texto), reply);
  const { password } = submission.value;
  const change = () =>
    db()
      .transaction()
      .execute((trx) =>
        keepingOwnSession(trx, request, usuario, () => changePassword(trx, usuario, usuario.id, password)),
      );
  return submit(submission, change, '', {
    ...reply,
    headers: (cookie) => [['Set-Cookie', cookie]],
    aviso: 'Se cambio la contraseña correctamente.',
  });
}

export default function DatosUsuario() {
  const { usuario, version } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return (
    <div className="media">
      <PageHeader titulo="Edición de información" nota={`Rol: ${ROL_LABEL[usuario.rol]}`} />
      {answer?.confirmar && <ConfirmStep pending={answer.confirmar} cancelar="" />}
      <section className="hoja">
        <h2>Información general</h2>
        <InformacionForm key={`informacion-${version}`} answer={answer} usuario={usuario} version={version} />
      </section>
      <section className="hoja">
        <h2>Contraseña</h2>
        <PasswordForm
          key={`password-${version}`}
          schema={PasswordPropio}
          answer={answer}
          usuario={usuario.usuario}
          pregunta={CAMBIAR}
        />
      </section>
    </div>
  );
}

function InformacionForm({ answer, usuario, version }: { answer?: Answer; usuario: Usuario; version: number }) {
  const mine = answerTo('informacion', answer);
  const [filled, watch] = useFilled('nombre', 'apellidos', 'usuario', 'email');
  const check = (formData: FormData) => parseWithZod(formData, { schema: InformacionGeneral });
  const [form, fields] = useForm({
    id: 'informacion',
    lastResult: mine,
    defaultValue: usuario,
    onValidate: ({ formData }) => check(formData),
    shouldRevalidate: 'onInput',
  });
  return (
    <Form {...getFormProps(form)} {...watch} method="post" className="apilado">
      <FormErrors form={form} answer={mine} />
      <input type="hidden" name="version" value={version} />
      <div className="campos">
        <Field field={fields.nombre} label="Nombre" autoComplete="given-name" />
        <Field field={fields.apellidos} label="Apellidos" autoComplete="family-name" />
        <Field
          field={fields.usuario}
          label="Usuario"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
        />
        <Field field={fields.email} label="Email" type="email" autoComplete="email" />
      </div>
      <div className="botones">
        <Confirm {...GUARDAR} disabled={!filled} ready={(element) => check(new FormData(element)).status === 'success'}>
          Guardar información
        </Confirm>
      </div>
    </Form>
  );
}
