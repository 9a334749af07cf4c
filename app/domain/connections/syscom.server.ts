import { env } from '~/core/env.server';
import { accesoFijo } from '~/integrations/proveedores/acceso';
import { createSyscomAuth } from '~/integrations/proveedores/syscom/auth.server';
import { SYSCOM } from '~/integrations/proveedores/syscom/capacidades';
import { createSyscomReader } from '~/integrations/proveedores/syscom/read.server';
import { createSyscomWriter } from '~/integrations/proveedores/syscom/write.server';
import type { Keys } from './definition';
import { accesoRenovado, defineProveedor } from './proveedor.server';

const KIND = 'syscom';
const LABEL = 'Syscom';

const login = ({ idUsuario = '', secret = '' }: Keys) => {
  const { SYSCOM_URL, SYSCOM_TOKEN_URL } = env();
  return createSyscomAuth({ tokenUrl: SYSCOM_TOKEN_URL || `${SYSCOM_URL}/oauth/token` }).login({ idUsuario, secret });
};

export const syscom = defineProveedor({
  kind: KIND,
  label: LABEL,
  // Sixty a minute are let through. What comes in a minute and what the bucket holds stay within them.
  budget: { perSecond: 50 / 60, burst: 10, forPeople: 5 },
  capacidades: SYSCOM,
  fields: [
    { name: 'idUsuario', label: 'idUsuario' },
    { name: 'secret', label: 'secret' },
  ],
  async identify(keys) {
    const { token } = await login(keys);
    return { account: keys.idUsuario ?? '', label: LABEL, acceso: accesoFijo(token) };
  },
  acceso: (db) => accesoRenovado(db, KIND, LABEL, login),
  leer: (acceso, options) => createSyscomReader({ baseUrl: env().SYSCOM_URL, acceso, ...options }),
  escribir: (acceso, { trace, timeoutMs }) => {
    const options = { baseUrl: env().SYSCOM_URL, acceso, trace, timeoutMs };
    return { ...createSyscomWriter(options), mirar: createSyscomReader(options) };
  },
});
