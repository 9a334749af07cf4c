import { getFormProps, parse, useForm, type DefaultValue, type FormMetadata } from '@conform-to/react';
import { Form, useActionData, useLocation, useMatches, useNavigation, type FormProps } from '@remix-run/react';
import { useState, type ReactNode, type Ref } from 'react';
import { FALLO } from '~/core/errors';
import { checkForm, type FormShape, type Wording } from '~/core/fieldRules';
import { answerTo, type Answer } from '~/core/submission';
import { Choque, useMirarOtraVez } from './Choque';
import { ErrorDialog } from './ErrorDialog';
import { ConfirmStep } from './Confirm';
import { Fallo, FormErrors } from './FormErrors';
import { Prueba } from './Prueba';
import { useEscrito } from './useEscrito';
import { useHydrated } from './useHydrated';

type Typed = Record<string, unknown>;
type Options<Fields extends Typed> = {
  /** When the page has several forms of this intent. */
  id?: string;
  defaultValue?: DefaultValue<Fields>;
  /** It is sent to another screen, which alone may know its schema. */
  elsewhere?: true;
  /** Which fields are marked as required, where that is not what the schema says; false marks none. */
  required?: false | Partial<Record<keyof Fields & string, boolean>>;
  /** A field may be checked when it is left, and not only when the form is sent. */
  shouldValidate?: 'onBlur' | 'onInput';
};

const NO_QUESTION: Wording = { titulo: '', texto: '' };
const NOTHING_KNOWN: FormShape = { fields: {} };

/** What the schemas of the actions on this page allow, as the server described them with it; the screen's own outrank its area's. */
function useShapes(): Record<string, FormShape> {
  const described = useMatches().map(
    ({ data }) => (data as { formularios?: Record<string, FormShape> } | undefined)?.formularios,
  );
  return Object.assign({}, ...described) as Record<string, FormShape>;
}

/**
 * One form of the screen's action: its ids, names, marks, errors and what was typed, all from the schema of its intent, which stays on the server. Without JavaScript the
 * same page says the same with what the action answers. Render it with `ActionForm`.
 */
export function useActionForm<Fields extends Typed>(
  intent: string,
  { id = intent, defaultValue, shouldValidate, required = {}, elsewhere }: Options<Fields> = {},
) {
  const shapes = useShapes();
  const shape = shapes[intent] ?? (elsewhere && NOTHING_KNOWN);
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
    constraint: marksOf(shape, required) as never,
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
    question: shape.question ?? NO_QUESTION,
    /** The intent under way from this form, until the page has its answer. */
    pending: usePending(id),
    /** Whether nothing speaks against sending it. */
    ready: (element: HTMLFormElement) => check(new FormData(element)).status === 'success',
  };
}

/**
 * Which fields are marked, and held to it by browsers without JavaScript. Where everything is required a mark tells nothing, so there is none. What is too long
 * is told and never cut.
 */
function marksOf(
  { fields }: FormShape,
  required: false | Partial<Record<string, boolean>>,
): Record<string, { required: boolean }> {
  const known = Object.entries(fields).map(([name, field]) => [name, field.required !== undefined] as const);
  const bySchema = known.every(([, mark]) => mark) ? {} : Object.fromEntries(known);
  const marks = required ? { ...bySchema, ...required } : {};
  return Object.fromEntries(Object.entries(marks).map(([name, mark]) => [name, { required: mark === true }]));
}

/** The question an intent asks before it acts, for a form without fields. */
export function useQuestion(intent: string): Wording {
  return useShapes()[intent]?.question ?? NO_QUESTION;
}

function usePending(id: string): string | undefined {
  const { state, formData } = useNavigation();
  if (state === 'idle' || !formData) return undefined;
  const sent = formData.getAll('intent').map(String);
  return (formData.get('formulario') ?? sent[0]) === id ? sent.at(-1) : undefined;
}

/** What the action answered to this form, if it did. */
export function useAnswer(id: string): Answer | undefined {
  const answer = answerTo(id, useActionData<Answer>());
  const { key } = useLocation();
  const [last, keep] = useState({ answer, key });
  if (answer && answer !== last.answer) keep({ answer, key });
  // A page that reads its data again by itself loses what its action said; whoever was told is still at it.
  return answer ?? (last.key === key ? last.answer : undefined);
}

type ActionFormProps<Fields extends Typed> = Omit<FormProps, 'method' | 'id'> & {
  of: {
    intent: string;
    form: FormMetadata<Fields, string[]>;
    answer: Answer | undefined;
    pending?: string | undefined;
  };
  formRef?: Ref<HTMLFormElement>;
  /** What it does cannot be undone outside, or destroys something: Enter in a field does not send it. */
  sinEnter?: true;
  /** It says itself what was wrong with it. */
  ownErrors?: true;
  /** After 'Entendido' on a refusal. */
  onUnderstood?: () => void;
  /** For a form that is a list: one row more, at its end. */
  addRow?: () => void;
  children: ReactNode;
};

/**
 * The first submit button of a form whose send cannot be undone. Browsers press the first one when Enter is pressed in a field: this one does nothing,
 * with JavaScript and without it. The form's own button is pressed by a click, by Space or Enter on it, or by Ctrl+Enter.
 */
export function SinEnter() {
  return <button type="submit" disabled hidden />;
}

/** The `<Form>` of `useActionForm`: it says its intent, and shows first what was wrong with it. */
export function ActionForm<Fields extends Typed>({
  of: { intent, form, answer, pending },
  formRef,
  sinEnter,
  ownErrors,
  onUnderstood,
  addRow,
  children,
  ...props
}: ActionFormProps<Fields>) {
  const given = useEscrito(form.id, pending, answer, addRow);
  return (
    <Form preventScrollReset {...getFormProps(form)} {...props} ref={formRef} method="post">
      {sinEnter && <SinEnter />}
      <Hidden intent={intent} {...(form.id !== intent && { formulario: form.id })} />
      <Choque answer={answer} />
      {!ownErrors && !answer?.choque && (
        <FormErrors form={form} answer={answer} {...(onUnderstood && { onClose: onUnderstood })} />
      )}
      {given && (
        <p className="nota" role="status">
          Se recuperó lo que habías escrito y no se había guardado.
        </p>
      )}
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

type RefusalProps = {
  of: string;
  /** Of a refusal that brings no title of its own. */
  titulo?: string;
  /** Fields whose errors stand beside them. */
  shown?: readonly string[];
  onClose?: () => void;
};

/** For forms without fields, as in the rows of a list: the refusal of the business, as the red dialog. */
export function Refusal({ of, titulo = FALLO.titulo, shown = [], onClose }: RefusalProps) {
  const answer = useAnswer(of);
  useMirarOtraVez(answer);
  const untold = Object.entries(answer?.error ?? {}).flatMap(([field, texts]) => (shown.includes(field) ? [] : texts));
  if (!answer || untold.length === 0) return null;
  if (answer.sinRed) return <Fallo />;
  return (
    <ErrorDialog
      key={answer.id}
      titulo={answer.titulo ?? titulo}
      texto={[...new Set(untold)].join(' ')}
      asunto={answer.asunto}
      {...(onClose && { onClose })}
    />
  );
}

/** What the action asks back: its question, as a step of the page where there is no dialog to ask it, and the proof of who sent the form. */
export function Asked({ cancelar }: { cancelar: string }) {
  const answer = useActionData<Answer>();
  return (
    <>
      {answer?.confirmar && <ConfirmStep pending={answer.confirmar} cancelar={cancelar} />}
      <Prueba cancelar={cancelar} />
    </>
  );
}

/** Whether `Asked` shows a step of the page: the dialogs of the page leave it the room. A proof asked with JavaScript stands over them, and what was typed in them stays. */
export function useAsked(): boolean {
  const answer = useActionData<Answer>();
  const hydrated = useHydrated();
  return Boolean(answer?.confirmar) || (Boolean(answer?.probar) && !hydrated);
}
