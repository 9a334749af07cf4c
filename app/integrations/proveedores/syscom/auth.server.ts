import { Refused, Unavailable, Uncertain } from '../../errors';
import { exchange } from '../../http.server';
import { AGENTE, dichoEn, esExito, fallaDe, formaDe, jsonDe } from '../llamar.server';
import { TokenAnswer } from './wire';

export type LlavesSyscom = { idUsuario: string; secret: string };

/** The token of an application of Syscom. `tokenUrl` is a setting: two addresses are seen in use. */
export function createSyscomAuth({ tokenUrl, timeoutMs = 15_000 }: { tokenUrl: string; timeoutMs?: number }) {
  return {
    async login({ idUsuario, secret }: LlavesSyscom): Promise<{ token: string; validForSeconds: number }> {
      const what = 'oauth/token';
      const answer = await exchange({
        side: { name: 'syscom', root: tokenUrl },
        method: 'POST',
        url: tokenUrl,
        headers: {
          accept: 'application/json',
          'user-agent': AGENTE,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: new URLSearchParams({
          client_id: idUsuario,
          client_secret: secret,
          grant_type: 'client_credentials',
        }).toString(),
        timeoutMs,
      }).catch((error: unknown) => {
        // Another token than the one that was lost costs nothing.
        if (error instanceof Uncertain) throw new Unavailable(`Syscom ${error.message}`, { cause: error });
        throw error;
      });
      const { status } = answer;
      if (status === 400 || status === 401)
        throw new Refused(dichoEn(answer) ?? 'Syscom no reconoce esas llaves', { status, account: true });
      // The filter in front of it, or a permission of the application: the keys may be good.
      if (status === 403) throw new Unavailable('Syscom no dejó pasar la llamada (403, oauth/token)', { status });
      if (!esExito(answer)) throw fallaDe(answer, 'Syscom', what);
      const read = formaDe(TokenAnswer, jsonDe(answer, 'Syscom', what), 'Syscom', what);
      return { token: read.access_token, validForSeconds: read.expires_in };
    },
  };
}
