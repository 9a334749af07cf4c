import { routeOf } from './ruta';

/** Answers of one route of a far side since they were taken last, and how many of them were 4xx. */
export type Answered = { side: string; route: string; answered: number; refused: number };

/** Most routes counted between two takings. The answers of further routes are counted together. */
const ROUTES = 500;
const OTHERS = '(otras)';

const counted = new Map<string, Answered>();

/** Counts an answer of a far side in this process. Refused is every 4xx: far sides that block an application count so. */
export function countAnswer(side: { name: string; root: string }, method: string, url: string, status: number): void {
  const route = `${method} ${routeOf(url, side.root).split('?')[0]!}`;
  add({ side: side.name, route, answered: 1, refused: status >= 400 && status < 500 ? 1 : 0 });
}

/** Returns what was counted, and counts anew from here. */
export function takeAnswers(): Answered[] {
  const taken = [...counted.values()];
  counted.clear();
  return taken;
}

/** Adds to what is counted, such as answers that were taken and could not be kept. */
export function giveBackAnswers(answers: readonly Answered[]): void {
  answers.forEach(add);
}

function add({ side, route, answered, refused }: Answered): void {
  const named = counted.has(`${side} ${route}`) || counted.size < ROUTES ? route : OTHERS;
  const before = counted.get(`${side} ${named}`);
  counted.set(`${side} ${named}`, {
    side,
    route: named,
    answered: answered + (before?.answered ?? 0),
    refused: refused + (before?.refused ?? 0),
  });
}
