import { Refused, UnexpectedShape } from '../../errors';
import { dicho, dichoEn, isExito, fallaOf, jsonOf, requestToken, textoOf } from '../llamar.server';
import { TokenAnswer } from './wire';

/** Name of CVA in texts. */
export const LABEL = 'CVA';

export type LlavesCva = { usuario: string; password: string };

/** Life of a token in seconds. CVA says an hour; other clients keep one for twelve. */
const VIVE_S = 50 * 60;

/** Makes the login of a customer of CVA. */
export function createCvaAuth({ baseUrl, timeoutMs }: { baseUrl: string; timeoutMs?: number }) {
  return {
    async login({ usuario, password }: LlavesCva) {
      const what = 'user/login';
      const answer = await requestToken(
        { name: 'cva', baseUrl, label: LABEL },
        {
          url: `${baseUrl}/user/login`,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ user: usuario, password }),
          timeoutMs,
        },
      );
      const { status } = answer;
      const no = (words: string | undefined) =>
        new Refused(words ? `${LABEL}: ${words}` : `${LABEL} no reconoce esas llaves`, {
          status,
          raw: textoOf(answer),
          account: true,
        });
      if (status === 400 || status === 401 || status === 403) throw no(dichoEn(answer));
      if (!isExito(answer)) throw fallaOf(answer, LABEL, what);
      const json = jsonOf(answer, LABEL, what);
      const read = TokenAnswer.safeParse(json);
      if (read.success)
        return { token: read.data.token, validForSeconds: VIVE_S, cuenta: read.data.usuario.clave_cliente };
      const words = dicho(json);
      // CVA's words for an unknown user are documented nowhere. Other words may be about a failure of its own.
      if (/usuario|contrase|password|credencial/i.test(words ?? '')) throw no(words);
      throw new UnexpectedShape(`${LABEL} no dio un token (${what})`, { status, cause: read.error });
    },
  };
}
