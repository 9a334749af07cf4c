import { env } from '~/core/env.server';
import { TVC } from '~/integrations/proveedores/tvc/capacidades';
import { expiryOfLlave } from '~/integrations/proveedores/tvc/llave.server';
import { createTvcReader } from '~/integrations/proveedores/tvc/read.server';
import { RECHAZOS_TVC } from '~/integrations/proveedores/tvc/rechazos';
import { USOS_DE_COMPRA } from '../compra';
import { defineProveedor } from './conexionProveedor.server';
import type { ClientOf } from '~/platform/connections/registry.server';

/** TVC as a far side. */
export const tvc = defineProveedor({
  kind: 'tvc',
  label: 'TVC',
  // TVC tells no limit.
  budget: { perSecond: 1, burst: 20, forPeople: 10 },
  rechazos: RECHAZOS_TVC,
  capacidades: TVC,
  compra: { datos: [{ clave: 'usoCfdi', label: 'Uso del CFDI', omision: 'G01', fijas: USOS_DE_COMPRA }] },
  fields: [{ name: 'token', label: 'Token (Mi Perfil, API Clientes)' }],
  leer: (options) => createTvcReader({ baseUrl: env().TVC_URL, ...options }),
  vence: ({ token = '' }) => expiryOfLlave(token),
});

declare module '~/platform/connections/registry.server' {
  interface FarSides {
    tvc: ClientOf<typeof tvc>;
  }
}
