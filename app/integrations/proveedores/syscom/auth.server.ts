import { Refused, Unavailable } from '../../errors';
import { dichoEn, isExito, fallaOf, formaOf, jsonOf, requestToken, textoOf } from '../llamar.server';
import { TokenAnswer } from './wire';

export type LlavesSyscom = { idUsuario: string; secret: string };

/** Makes the login of an application of Syscom. `tokenUrl` is a setting, since two addresses are in use. */
export function createSyscomAuth({ tokenUrl, timeoutMs }: { tokenUrl: string; timeoutMs?: number }) {
  return {
    async login({ idUsuario, secret }: LlavesSyscom): Promise<{ token: string; validForSeconds: number }> {
      const what = 'oauth/token';
      const form = { client_id: idUsuario, client_secret: secret, grant_type: 'client_credentials' };
      const answer = await requestToken(
        { name: 'syscom', baseUrl: tokenUrl, label: 'Syscom' },
        {
          url: tokenUrl,
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams(form).toString(),
          timeoutMs,
        },
      );
      const { status } = answer;
      if (status === 400 || status === 401)
        throw new Refused(dichoEn(answer) ?? 'Syscom no reconoce esas llaves', {
          status,
          raw: textoOf(answer),
          account: true,
        });
      // The keys may be good: the edge filter, or a permission of the application, answers so too.
      if (status === 403) throw new Unavailable('Syscom no dejó pasar la llamada (403, oauth/token)', { status });
      if (!isExito(answer)) throw fallaOf(answer, 'Syscom', what);
      const read = formaOf(TokenAnswer, jsonOf(answer, 'Syscom', what), 'Syscom', what);
      return { token: read.access_token, validForSeconds: read.expires_in };
    },
  };
}
