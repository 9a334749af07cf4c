import { markUnprocessable } from '~/core/answerStatus.server';
import { isMes } from '~/domain/mes/mes';

/** Why the month that an address asks for is not the one the page shows, whose answer is then a 422; null when it is. */
export function mesProblem(request: Request, instead: string): string | null {
  const mes = new URL(request.url).searchParams.get('mes');
  if (!mes || isMes(mes)) return null;
  markUnprocessable(request);
  return `El mes no es válido. ${instead}`;
}
