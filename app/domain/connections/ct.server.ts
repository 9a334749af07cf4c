import { env } from '~/core/env.server';
import { accesoFijo } from '~/integrations/proveedores/acceso';
import { createCtAuth } from '~/integrations/proveedores/ct/auth.server';
import { CT } from '~/integrations/proveedores/ct/capacidades';
import { createCtReader } from '~/integrations/proveedores/ct/read.server';
import { createCtWriter } from '~/integrations/proveedores/ct/write.server';
import type { Keys } from './definition';
import { accesoRenovado, defineProveedor } from './proveedor.server';

const KIND = 'ct';
const LABEL = 'CT';

const login = ({ email = '', cliente = '', rfc = '' }: Keys) =>
  createCtAuth({ baseUrl: env().CT_URL }).login({ email, cliente, rfc });

export const ct = defineProveedor({
  kind: KIND,
  label: LABEL,
  // A hundred a minute are let through.
  budget: { perSecond: 80 / 60, burst: 20, forPeople: 10 },
  capacidades: CT,
  fields: [
    { name: 'email', label: 'Correo (con sus mayúsculas)' },
    { name: 'cliente', label: 'Número de cliente' },
    { name: 'rfc', label: 'RFC' },
  ],
  async identify(keys) {
    const { token } = await login(keys);
    return { account: keys.cliente ?? '', label: LABEL, acceso: accesoFijo(token) };
  },
  acceso: (db) => accesoRenovado(db, KIND, LABEL, login),
  leer: (acceso, options) => createCtReader({ baseUrl: env().CT_URL, acceso, ...options }),
  escribir: (acceso, { trace, timeoutMs }) => {
    const options = { baseUrl: env().CT_URL, acceso, trace, timeoutMs };
    return { ...createCtWriter(options), mirar: createCtReader(options) };
  },
});
