import { getFormProps, parse, useForm, type DefaultValue, type FormMetadata } from '@conform-to/react';
import { Form, type FormProps } from '@remix-run/react';
import { useState, type ReactNode, type Ref } from 'react';
import { checkForm, type FormShape } from '~/core/fieldRules';
import { EN_SU_LUGAR, FORMA, type Answer } from '~/core/submission';
import { rowOf } from '~/core/table';
import { Choque } from './Choque';
import { FormErrors } from './FormErrors';
import { useLugar } from './lugar';
import { openAnewAfter } from './otraVersion';
import { SinEnter } from './SinEnter';
import { Hidden, NO_QUESTION, useAnswer, usePending, useShapes } from './useAnswer';
import { useEscrito } from './useEscrito';

type Typed = Record<string, unknown>;
type Options<Fields extends Typed> = {
  /** The id of this form where the page has several forms of the intent. */
  id?: string;
  defaultValue?: DefaultValue<Fields>;
  /** Set for a form that goes to another screen, whose schema this page may not know. */
  elsewhere?: true;
  /** The fields marked as required, where the marks differ from the schema; false marks none. */
  required?: false | Partial<Record<keyof Fields & string, boolean>>;
};

const NOTHING_KNOWN: FormShape = { fields: {} };

/**
 * Returns one form of the screen's action: ids, names, marks, errors and typed values, all from the schema of its intent, which stays on the server. Without
 * JavaScript the page tells the same from the action's answer. Rendered by `ActionForm`.
 */
export function useActionForm<Fields extends Typed>(
  intent: string,
  { id = intent, defaultValue, required = {}, elsewhere }: Options<Fields> = {},
) {
  const shapes = useShapes();
  const shape = rowOf(shapes, intent) ?? (elsewhere && NOTHING_KNOWN);
  if (!shape) throw new Error(`no action takes ${intent}`);
  const answer = useAnswer(id);
  const check = (formData: FormData) => {
    // Another button of the same form may carry another intent.
    const pressed = rowOf(shapes, String(formData.getAll('intent').at(-1))) ?? shape;
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
    // A field is checked when it is left, and never while it is typed for the first time.
    shouldValidate: 'onBlur',
    shouldRevalidate: 'onInput',
    onValidate: ({ formData }) => check(formData),
    // Marks and intents stand in no default value, and nobody typed them.
    shouldDirtyConsider: (name) => name in (defaultValue ?? {}),
  });
  return {
    intent,
    form,
    fields,
    answer,
    /** The question the server asks before it acts, for `Confirm`. */
    question: shape.question ?? NO_QUESTION,
    asks: shape.asks === true,
    /** The mark of the fields that this page knows of the form. */
    forma: elsewhere ? undefined : shape.forma,
    /** The intent under way from this form, until the page has its answer. */
    pending: usePending(id),
    /** True where no rule refuses the form. */
    ready: (element: HTMLFormElement) => check(new FormData(element)).status === 'success',
  };
}

/**
 * Returns the marks of the fields, which browsers enforce without JavaScript. Where every field is required no field is marked. A text that is too long is told
 * and never cut.
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

/** True where `Choque` has told these errors already; the form then leaves them out. The form keeps its errors when the page forgets the answer. */
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
    /** The form asks before it acts. */
    asks?: boolean;
    forma?: string | undefined;
  };
  formRef?: Ref<HTMLFormElement>;
  /** Set for a form that asks nothing and acts outside for good: Enter in a field does not send it. A form that asks behaves so without this. */
  sinEnter?: true;
  /** The form shows its own errors. */
  ownErrors?: true;
  /** After 'Entendido' on a refusal. */
  onUnderstood?: () => void;
  /** Adds a row at the end of a form that is a list. */
  addRow?: () => void;
  children: ReactNode;
};

/** The `<Form>` of `useActionForm`. The form carries its intent and shows its errors first. */
export function ActionForm<Fields extends Typed>({
  of: { intent, form, answer, pending, asks, forma },
  formRef,
  sinEnter,
  ownErrors,
  onUnderstood,
  addRow,
  children,
  ...props
}: ActionFormProps<Fields>) {
  const lugar = useLugar();
  const given = useEscrito(form.id, pending, answer, addRow);
  const toldByChoque = useToldByChoque(answer, form.errors);
  const { onSubmit, ...own } = getFormProps(form);
  const close = () => {
    openAnewAfter(answer);
    onUnderstood?.();
  };
  const Sent = (lugar?.Form ?? Form) as typeof Form;
  return (
    <Sent
      preventScrollReset
      // A field that is left tells its error, which would move the pressed button away from under the pointer.
      onMouseDown={(event) => (event.target as Element).closest('.botones') && event.preventDefault()}
      {...own}
      {...props}
      {...(lugar && { action: lugar.action })}
      // A press while the answer to the one before is under way would take that answer away.
      onSubmit={(event) => (lugar && lugar.state !== 'idle' ? event.preventDefault() : onSubmit(event))}
      ref={formRef}
      method="post"
    >
      {(sinEnter || asks) && <SinEnter />}
      <Hidden intent={intent} {...(form.id !== intent && { formulario: form.id })} />
      <Hidden {...(lugar ? { [EN_SU_LUGAR]: true } : { [FORMA]: forma })} />
      <Choque answer={answer} />
      {!ownErrors && !toldByChoque && <FormErrors form={form} answer={answer} onClose={close} />}
      {given && (
        <p className="nota" role="status">
          Se recuperó lo que habías escrito y no se había guardado.
        </p>
      )}
      {children}
    </Sent>
  );
}
