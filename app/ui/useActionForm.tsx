import { getFormProps, parse, useForm, type DefaultValue, type FormMetadata } from '@conform-to/react';
import { Form, type FormProps } from '@remix-run/react';
import { useState, type ReactNode, type Ref } from 'react';
import { checkForm, type FormShape } from '~/core/fieldRules';
import type { Answer } from '~/core/submission';
import { Choque } from './Choque';
import { FormErrors } from './FormErrors';
import { SinEnter } from './SinEnter';
import { Hidden, NO_QUESTION, useAnswer, usePending, useShapes } from './useAnswer';
import { useEscrito } from './useEscrito';

type Typed = Record<string, unknown>;
type Options<Fields extends Typed> = {
  /** When the page has several forms of this intent. */
  id?: string;
  defaultValue?: DefaultValue<Fields>;
  /** It is sent to another screen, which alone may know its schema. */
  elsewhere?: true;
  /** Which fields are marked as required, where that is not what the schema says; false marks none. */
  required?: false | Partial<Record<keyof Fields & string, boolean>>;
};

const NOTHING_KNOWN: FormShape = { fields: {} };

/**
 * One form of the screen's action: its ids, names, marks, errors and what was typed, all from the schema of its intent, which stays on the server. Without JavaScript the
 * same page says the same with what the action answers. Render it with `ActionForm`.
 */
export function useActionForm<Fields extends Typed>(
  intent: string,
  { id = intent, defaultValue, required = {}, elsewhere }: Options<Fields> = {},
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
    // When it is left, and never while it is typed for the first time.
    shouldValidate: 'onBlur',
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
    asks: shape.asks === true,
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

/** The form keeps what it was refused for when the page forgets the answer. What `Choque` has told is not told again as something else. */
function useToldByChoque(answer: Answer | undefined, errors: string[] | undefined): boolean {
  const [last, keep] = useState(answer);
  if (answer && answer !== last) keep(answer);
  if (answer) return Boolean(answer.choque);
  return Boolean(last?.choque && errors && errors.join() === last.error?.['']?.join());
}

type ActionFormProps<Fields extends Typed> = Omit<FormProps, 'method' | 'id'> & {
  of: {
    intent: string;
    form: FormMetadata<Fields, string[]>;
    answer: Answer | undefined;
    pending?: string | undefined;
    /** It asks before it acts. */
    asks?: boolean;
  };
  formRef?: Ref<HTMLFormElement>;
  /** It asks nothing, and what it does cannot be undone outside: Enter in a field does not send it. Of a form that asks this holds without saying so. */
  sinEnter?: true;
  /** It says itself what was wrong with it. */
  ownErrors?: true;
  /** After 'Entendido' on a refusal. */
  onUnderstood?: () => void;
  /** For a form that is a list: one row more, at its end. */
  addRow?: () => void;
  children: ReactNode;
};

/** The `<Form>` of `useActionForm`: it says its intent, and shows first what was wrong with it. */
export function ActionForm<Fields extends Typed>({
  of: { intent, form, answer, pending, asks },
  formRef,
  sinEnter,
  ownErrors,
  onUnderstood,
  addRow,
  children,
  ...props
}: ActionFormProps<Fields>) {
  const given = useEscrito(form.id, pending, answer, addRow);
  const toldByChoque = useToldByChoque(answer, form.errors);
  return (
    <Form preventScrollReset {...getFormProps(form)} {...props} ref={formRef} method="post">
      {(sinEnter || asks) && <SinEnter />}
      <Hidden intent={intent} {...(form.id !== intent && { formulario: form.id })} />
      <Choque answer={answer} />
      {!ownErrors && !toldByChoque && (
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
