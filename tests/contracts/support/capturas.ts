import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Captured, Shape } from '~/integrations/captura.server';

/** What an impostor sends, held against what the real one was seen to send. */
export type Difference = {
  /** 'mercadolibre GET /orders/{} 200' */
  answer: string;
  /** 'payments[].id' */
  field: string;
  /**
   * `invented`: the impostor sends what the real one never did, which hides faults. `otherKind`: both send it, as other things. `unknown`: the real one sends what
   * the impostor does not: nothing breaks, and something may be there to be read.
   */
  what: 'invented' | 'otherKind' | 'unknown';
  impostor: string;
  real: string;
};

export function readCaptures(folder: string): Captured[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Captured);
}

/** Only of answers that both were seen to give. */
export function compareCaptures(real: Captured[], impostor: Captured[]): Difference[] {
  const [seen, played] = [fieldsByAnswer(real), fieldsByAnswer(impostor)];
  return [...played].flatMap(([answer, fields]) => {
    const known = seen.get(answer);
    if (!known) return [];
    const names = [...new Set([...known.keys(), ...fields.keys()])].sort();
    return names.flatMap((field): Difference[] => {
      const [ours, theirs] = [fields.get(field), known.get(field)];
      const told = { answer, field, impostor: wordsOf(ours), real: wordsOf(theirs) };
      // Of a field that the real one never sends, and that itself has fields, the field alone is told.
      if (!theirs) return isBelowUnknown(field, known) ? [] : [{ ...told, what: 'invented' }];
      if (!ours) return isBelowUnknown(field, fields) ? [] : [{ ...told, what: 'unknown' }];
      return [...ours].some((kind) => !theirs.has(kind)) ? [{ ...told, what: 'otherKind' }] : [];
    });
  });
}

/** Answers that the real one gives and nobody has played, and the other way round. */
export function onlyOneHas(real: Captured[], impostor: Captured[]) {
  const [seen, played] = [new Set(real.map(answerOf)), new Set(impostor.map(answerOf))];
  return {
    notPlayed: [...seen].filter((answer) => !played.has(answer)).sort(),
    notCaptured: [...played].filter((answer) => !seen.has(answer)).sort(),
  };
}

const answerOf = ({ side, method, route, status }: Captured) => `${side} ${method} ${route.split('?')[0]} ${status}`;

function fieldsByAnswer(captures: Captured[]): Map<string, Map<string, Set<string>>> {
  const answers = new Map<string, Map<string, Set<string>>>();
  for (const captured of captures) {
    const fields = answers.get(answerOf(captured)) ?? new Map<string, Set<string>>();
    answers.set(answerOf(captured), fields);
    collect(captured.shape, '', fields);
  }
  return answers;
}

function collect(shape: Shape, at: string, fields: Map<string, Set<string>>): void {
  fields.set(at, (fields.get(at) ?? new Set()).add(kindOf(shape)));
  if (Array.isArray(shape)) for (const item of shape) collect(item, `${at}[]`, fields);
  else if (typeof shape === 'object')
    for (const [key, item] of Object.entries(shape)) collect(item, at === '' ? key : `${at}.${key}`, fields);
}

/** A number told as text is another kind; how many decimals it has is not. */
function kindOf(shape: Shape): string {
  if (Array.isArray(shape)) return 'lista';
  if (typeof shape === 'object') return 'objeto';
  if (shape === 'entero' || shape === 'decimal') return 'número';
  return shape.startsWith('texto') ? 'texto' : shape;
}

const wordsOf = (kinds: Set<string> | undefined) => (kinds ? [...kinds].sort().join(' o ') : 'nunca');

function isBelowUnknown(field: string, known: ReadonlyMap<string, unknown>): boolean {
  const above = field.endsWith('[]') ? field.slice(0, -2) : field.slice(0, Math.max(0, field.lastIndexOf('.')));
  return above !== '' && !known.has(above);
}
