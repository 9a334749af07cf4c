import { getFormProps, parse, useForm, type DefaultValue, type FormMetadata } from '@conform-to/react';
import { Form, useActionData, useLoaderData, useNavigation, type FormProps } from '@remix-run/react';
import type { ReactNode, Ref } from 'react';
import { FALLO } from '~/core/errors';
import { checkForm, type FormShape, type Question } from '~/core/fieldRules';
import { answerTo, type Answer } from '~/core/submission';
import { ErrorDialog } from './ErrorDialog';
import { ConfirmStep } from './Confirm';
import { FormErrors } from './FormErrors';

type Typed = Record<string, unknown>;
type Options<Fields extends Typed> = {
  /** When the page has several forms of this intent. */
  id?: string;
  defaultValue?: DefaultValue<Fields>;
  /** A field may be checked when it is left, and not only when the form is sent. */
  shouldValidate?: 'onBlur' | 'onInput';
};

/** What the schemas of this screen's action allow, as the server described them with the page. */
function useShapes(): Record<string, FormShape> {
  const { formularios = {} } = (useLoaderData() ?? {}) as { formularios?: Record<string, FormShape> };
  return formularios;
}

/**
 * One form of the screen's action: its ids, names, marks, errors and what was typed, all from the schema of its intent, which stays on the server. Without JavaScript the
 * same page says the same with what the action answers. Render it with `ActionForm`.
 */
export function useActionForm<Fields extends Typed>(
  intent: string,
  { id = intent, defaultValue, shouldValidate }: Options<Fields> = {},
) {
  const shapes = useShapes();
  const shape = shapes[intent];
  if (!shape) throw new Error(`no action of this screen takes the intent ${intent}`);
  const answer = useAnswer(id);
  const check = (formData: FormData) => {
    // Another button of the same form may stand for another intent.
    const pressed = shapes[String(formData.getAll('intent').at(-1))] ?? shape;
    return parse<Fields, string[]>(formData, {
      resolve: (payload) => {
        const error = checkForm(pressed, payload);
        return error ? { error } : { value: payload as Fields };
      },
    });
  };
  const [form, fields] = useForm<Fields, Fields, string[]>({
    id,
    lastResult: answer,
    ...(defaultValue !== undefined && { defaultValue }),
    constraint: marksOf(shape) as never,
    ...(shouldValidate && { shouldValidate }),
    shouldRevalidate: 'onInput',
    onValidate: ({ formData }) => check(formData),
  });
  return {
    intent,
    form,
    fields,
    answer,
    /** The question the server asks before it acts, for `Confirm`. */
    question: shape.question ?? ({ titulo: '', texto: '' } satisfies Question),
    /** The intent under way from this form, until the page has its answer. */
    pending: usePending(id),
    /** Whether nothing speaks against sending it. */
    ready: (element: HTMLFormElement) => check(new FormData(element)).status === 'success',
  };
}

/** Which fields have to be filled, for their marks and for browsers without JavaScript. What is too long is told and never cut. */
function marksOf(shape: FormShape): Record<string, { required: true }> {
  return Object.fromEntries(
    Object.entries(shape.fields).flatMap(([name, { required }]) =>
      required === undefined ? [] : [[name, { required: true }]],
    ),
  );
}

function usePending(id: string): string | undefined {
  const { state, formData } = useNavigation();
  if (state === 'idle' || !formData) return undefined;
  const sent = formData.getAll('intent').map(String);
  return (formData.get('formulario') ?? sent[0]) === id ? sent.at(-1) : undefined;
}

/** What the action answered to this form, if it did. */
export function useAnswer(id: string): Answer | undefined {
  return answerTo(id, useActionData<Answer>());
}

type ActionFormProps<Fields extends Typed> = Omit<FormProps, 'method' | 'id'> & {
  of: { intent: string; form: FormMetadata<Fields, string[]>; answer: Answer | undefined };
  formRef?: Ref<HTMLFormElement>;
  /** After 'Entendido' on a refusal. */
  onUnderstood?: () => void;
  children: ReactNode;
};

/** The `<Form>` of `useActionForm`: it says its intent, and shows first what was wrong with it. */
export function ActionForm<Fields extends Typed>({
  of: { intent, form, answer },
  formRef,
  onUnderstood,
  children,
  ...props
}: ActionFormProps<Fields>) {
  return (
    <Form preventScrollReset {...props} {...getFormProps(form)} ref={formRef} method="post">
      <Hidden intent={intent} {...(form.id !== intent && { formulario: form.id })} />
      <FormErrors form={form} answer={answer} {...(onUnderstood && { onClose: onUnderstood })} />
      {children}
    </Form>
  );
}

/** What a form sends that nobody types. */
export function Hidden(values: Record<string, string | number | boolean | null | undefined>) {
  return Object.entries(values).map(
    ([name, value]) =>
      value !== undefined &&
      value !== null && (
        <input key={name} type="hidden" name={name} value={value === true ? '1' : value === false ? '0' : value} />
      ),
  );
}

/** For forms without fields, as in the rows of a list: the refusal of the business, as the red dialog. */
export function Refusal({ of, onClose }: { of: string; onClose?: () => void }) {
  const answer = useAnswer(of);
  if (!answer?.error) return null;
  return (
    <ErrorDialog
      key={answer.id}
      titulo={answer.titulo ?? FALLO.titulo}
      texto={[...new Set(Object.values(answer.error).flat())].join(' ')}
      asunto={answer.asunto}
      {...(onClose && { onClose })}
    />
  );
}

/** What the action asks back, as a step of the page, where there is no dialog to ask it. */
export function Asked({ cancelar }: { cancelar: string }) {
  const answer = useActionData<Answer>();
  return answer?.confirmar ? <ConfirmStep pending={answer.confirmar} cancelar={cancelar} /> : null;
}

/** Whether `Asked` shows a question: the dialogs of the page leave it the room. */
export function useAsked(): boolean {
  return Boolean(useActionData<Answer>()?.confirmar);
}
