import { env } from '~/core/env.server';
import { accesoFijo } from '~/integrations/proveedores/acceso';
import { TVC } from '~/integrations/proveedores/tvc/capacidades';
import { venceLlave } from '~/integrations/proveedores/tvc/llave.server';
import { createTvcReader } from '~/integrations/proveedores/tvc/read.server';
import { accesoGuardado, defineProveedor, huellaDe } from './proveedor.server';

const KIND = 'tvc';
const LABEL = 'TVC';

export const tvc = defineProveedor({
  kind: KIND,
  label: LABEL,
  // Nobody tells a limit.
  budget: { perSecond: 1, burst: 20, forPeople: 10 },
  capacidades: TVC,
  fields: [{ name: 'token', label: 'Token (Mi Perfil, API Clientes)' }],
  identify: ({ token = '' }) => Promise.resolve({ account: huellaDe(token), label: LABEL, acceso: accesoFijo(token) }),
  acceso: (db) => accesoGuardado(db, KIND, LABEL),
  leer: (acceso, options) => createTvcReader({ baseUrl: env().TVC_URL, acceso, ...options }),
  vence: ({ token = '' }) => venceLlave(token),
});
