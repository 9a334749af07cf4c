import { Refused } from '../../errors';
import { isExito, fallaOf, formaOf, jsonOf, requestToken } from '../llamar.server';
import { fallaPorCodigo, LABEL, noOf } from './no.server';
import { TokenAnswer } from './wire';

export type LlavesCt = { email: string; cliente: string; rfc: string };

/** Counted from the call: whether the time it tells is the issue or the end is not known. */
const VIVE_S = 23 * 3_600;

/** The token of a customer of CT. The e-mail goes as it was typed: its case matters there. */
export function createCtAuth({ baseUrl, timeoutMs }: { baseUrl: string; timeoutMs?: number }) {
  return {
    async login(keys: LlavesCt): Promise<{ token: string; validForSeconds: number }> {
      const what = 'cliente/token';
      const answer = await requestToken(
        { name: 'ct', baseUrl, label: LABEL },
        {
          url: `${baseUrl}/cliente/token`,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(keys),
          timeoutMs,
        },
        // An address that CT does not let in gets no answer at all.
        '. ¿Está dada de alta la dirección IP de este servidor?',
      );
      const no = noOf(answer);
      if (no) throw fallaPorCodigo(no, answer);
      if (answer.status === 400 || answer.status === 401)
        throw new Refused(`${LABEL} no reconoce esas llaves`, { status: answer.status, account: true });
      if (!isExito(answer)) throw fallaOf(answer, LABEL, what);
      const { token } = formaOf(TokenAnswer, jsonOf(answer, LABEL, what), LABEL, what);
      return { token, validForSeconds: VIVE_S };
    },
  };
}
