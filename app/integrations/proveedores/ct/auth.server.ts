import { Refused } from '../../errors';
import { isExito, fallaOf, formaOf, jsonOf, requestToken, textoOf } from '../llamar.server';
import { fallaPorCodigo, LABEL, noOf } from './no.server';
import { TokenAnswer } from './wire';

export type LlavesCt = { email: string; cliente: string; rfc: string };

/** Life of a token in seconds, counted from the call. Nobody knows whether the time in CT's answer is its start or its end. */
const VIVE_S = 23 * 3_600;

/** Makes the login of a customer of CT. The e-mail is sent as it was typed, since CT minds its case. */
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
        // CT does not answer addresses that it does not know.
        '. ¿Está dada de alta la dirección IP de este servidor?',
      );
      const no = noOf(answer);
      if (no) throw fallaPorCodigo(no, answer);
      if (answer.status === 400 || answer.status === 401)
        throw new Refused(`${LABEL} no reconoce esas llaves`, {
          status: answer.status,
          raw: textoOf(answer),
          account: true,
        });
      if (!isExito(answer)) throw fallaOf(answer, LABEL, what);
      const { token } = formaOf(TokenAnswer, jsonOf(answer, LABEL, what), LABEL, what);
      return { token, validForSeconds: VIVE_S };
    },
  };
}
