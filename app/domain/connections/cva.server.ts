import { env } from '~/core/env.server';
import { accesoFijo } from '~/integrations/proveedores/acceso';
import { createCvaAuth } from '~/integrations/proveedores/cva/auth.server';
import { CVA } from '~/integrations/proveedores/cva/capacidades';
import { createCvaReader } from '~/integrations/proveedores/cva/read.server';
import { createCvaWriter } from '~/integrations/proveedores/cva/write.server';
import type { Keys } from './definition';
import { accesoRenovado, defineProveedor } from './proveedor.server';

const KIND = 'cva';
const LABEL = 'CVA';

const login = ({ usuario = '', password = '' }: Keys) =>
  createCvaAuth({ baseUrl: env().CVA_URL }).login({ usuario, password });

export const cva = defineProveedor({
  kind: KIND,
  label: LABEL,
  // Nobody tells a limit but the hours.
  budget: { perSecond: 1, burst: 20, forPeople: 10 },
  capacidades: CVA,
  fields: [
    { name: 'usuario', label: 'Usuario' },
    { name: 'password', label: 'Contraseña' },
    { name: 'tokenGuias', label: 'Token de guías (si CVA te lo dio)', opcional: true },
  ],
  async identify(keys) {
    const { token, cuenta } = await login(keys);
    return { account: cuenta ?? keys.usuario ?? '', label: LABEL, acceso: accesoFijo(token) };
  },
  acceso: (db) => accesoRenovado(db, KIND, LABEL, login),
  leer: (acceso, options) => createCvaReader({ baseUrl: env().CVA_URL, acceso, ...options }),
  escribir: (acceso, { guardado, trace, timeoutMs }) => {
    const options = { baseUrl: env().CVA_URL, acceso, trace, timeoutMs };
    return { ...createCvaWriter({ ...options, guias: guardado('tokenGuias') }), mirar: createCvaReader(options) };
  },
});
