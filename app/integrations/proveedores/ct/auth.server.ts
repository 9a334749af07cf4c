import { Refused, Unavailable, Uncertain } from '../../errors';
import { exchange } from '../../http.server';
import { AGENTE, esExito, fallaDe, formaDe, jsonDe } from '../llamar.server';
import { fallaPorCodigo, LABEL, noDe } from './no.server';
import { TokenAnswer } from './wire';

export type LlavesCt = { email: string; cliente: string; rfc: string };

/** Counted from the call: whether the time it tells is the issue or the end is not known. */
const VIVE_S = 23 * 3_600;

/** The token of a customer of CT. The e-mail goes as it was typed: its case matters there. */
export function createCtAuth({ baseUrl, timeoutMs = 15_000 }: { baseUrl: string; timeoutMs?: number }) {
  return {
    async login(keys: LlavesCt): Promise<{ token: string; validForSeconds: number }> {
      const what = 'cliente/token';
      const answer = await exchange({
        side: { name: 'ct', root: baseUrl },
        method: 'POST',
        url: `${baseUrl}/cliente/token`,
        headers: { accept: 'application/json', 'user-agent': AGENTE, 'content-type': 'application/json' },
        body: JSON.stringify(keys),
        timeoutMs,
      }).catch((error: unknown) => {
        // An address that CT does not let in gets no answer at all.
        if (error instanceof Uncertain)
          throw new Unavailable(`${LABEL} ${error.message}. ¿Está dada de alta la dirección IP de este servidor?`, {
            cause: error,
          });
        throw error;
      });
      const no = noDe(answer);
      if (no) throw fallaPorCodigo(no, answer);
      if (answer.status === 400 || answer.status === 401)
        throw new Refused(`${LABEL} no reconoce esas llaves`, { status: answer.status, account: true });
      if (!esExito(answer)) throw fallaDe(answer, LABEL, what);
      const { token } = formaDe(TokenAnswer, jsonDe(answer, LABEL, what), LABEL, what);
      return { token, validForSeconds: VIVE_S };
    },
  };
}
