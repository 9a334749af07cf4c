import { useActionData, useLocation, useMatches, useNavigation } from '@remix-run/react';
import { useState } from 'react';
import { FALLO } from '~/core/errors';
import type { FormShape, Wording } from '~/core/fieldRules';
import { answerTo, type Answer } from '~/core/submission';
import { useLookAgain } from './useLookAgain';
import { Preguntada } from './Confirm';
import { ErrorDialog } from './ErrorDialog';
import { Fallo } from './Fallo';
import { useLugar } from './lugar';
import { Prueba } from './Prueba';
import { useDicho } from './useDicho';
import { openAnewAfter } from './otraVersion';
import { useHydrated } from './useHydrated';

export const NO_QUESTION: Wording = { titulo: '', texto: '' };

/** Returns the shapes of the schemas of this page's actions, as the server described them. The screen's shapes outrank the area's. */
export function useShapes(): Record<string, FormShape> {
  const described = useMatches().map(
    ({ data }) => (data as { formularios?: Record<string, FormShape> } | undefined)?.formularios,
  );
  return Object.assign({}, ...described) as Record<string, FormShape>;
}

/** The question an intent asks before it acts, for a form without fields. */
export function useQuestion(intent: string): Wording {
  return useShapes()[intent]?.question ?? NO_QUESTION;
}

/** The intent under way from a form, until the page has its answer. */
export function usePending(id: string): string | undefined {
  const navigation = useNavigation();
  const { state, formData } = useLugar() ?? navigation;
  if (state === 'idle' || !formData) return undefined;
  const sent = formData.getAll('intent').map(String);
  return (formData.get('formulario') ?? sent[0]) === id ? sent.at(-1) : undefined;
}

/** Returns the action's answer to a form; undefined without one. */
export function useAnswer(id: string): Answer | undefined {
  const lugar = useLugar();
  const ofScreen = useActionData<Answer>();
  const answer = answerTo(id, lugar ? lugar.answer : ofScreen);
  const { key } = useLocation();
  const [last, keep] = useState({ answer, key });
  // The answer comes a moment before the place it belongs to.
  if (answer && (answer !== last.answer || key !== last.key)) keep({ answer, key });
  // A page that reads its data again loses the action's answer, while the person still reads it.
  return answer ?? (last.key === key ? last.answer : undefined);
}

/** Hidden fields of a form. True is sent as '1', false as '0'; null and undefined are left out. */
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
  /** The title of a refusal that brings none. */
  titulo?: string;
  /** Fields that show their own errors. */
  shown?: readonly string[];
  onClose?: () => void;
};

/** For forms without fields, as in the rows of a list: the refusal of the business, as the red dialog. */
export function Refusal({ of, titulo = FALLO.titulo, shown = [], onClose }: RefusalProps) {
  const answer = useAnswer(of);
  useLookAgain(answer);
  const untold = Object.entries(answer?.error ?? {}).flatMap(([field, texts]) => (shown.includes(field) ? [] : texts));
  if (!answer || untold.length === 0) return null;
  if (answer.sinRed) return <Fallo />;
  return (
    <ErrorDialog
      key={answer.id}
      titulo={answer.titulo ?? titulo}
      texto={[...new Set(untold)].join(' ')}
      asunto={answer.asunto}
      rechazo={answer.rechazo}
      onClose={() => {
        openAnewAfter(answer);
        onClose?.();
      }}
    />
  );
}

/** The dialogs by which the action asks back: its question, and the proof of identity. */
export function Asked({ cancelar }: { cancelar: string }) {
  const answer = useDicho();
  return (
    <>
      {answer?.confirmar && <Preguntada pending={answer.confirmar} />}
      <Prueba cancelar={cancelar} />
    </>
  );
}

/**
 * Returns true while `Asked` shows a step of the page, which replaces the page's dialogs. With JavaScript the question stands over the dialogs, whose typed
 * text stays.
 */
export function useAsked(): boolean {
  const answer = useDicho();
  const script = useHydrated();
  const [last, keep] = useState({ answer, script });
  if (answer !== last.answer) keep({ answer, script });
  return Boolean(answer?.confirmar ?? answer?.probar) && !last.script;
}
