import { env } from '~/core/env.server';
import { createCvaAuth } from '~/integrations/proveedores/cva/auth.server';
import { CVA } from '~/integrations/proveedores/cva/capacidades';
import { createCvaReader } from '~/integrations/proveedores/cva/read.server';
import { createCvaEnsayo, createCvaWriter } from '~/integrations/proveedores/cva/write.server';
import { RECHAZOS_CVA } from '~/integrations/proveedores/cva/rechazos';
import { defineProveedor } from './conexionProveedor.server';
import { horasAt } from './horasDeSandbox.server';
import type { ClientOf } from '~/platform/connections/registry.server';

/** Clock by which CVA opens and closes. */
const reloj = () => horasAt(env().CVA_URL);

/** CVA as a far side. */
export const cva = defineProveedor({
  kind: 'cva',
  label: 'CVA',
  // CVA tells no limit but its hours.
  budget: { perSecond: 1, burst: 20, forPeople: 10 },
  horario: 'De 9:00 a 19:00 no responde su catálogo completo ni sus búsquedas por texto.',
  rechazos: RECHAZOS_CVA,
  capacidades: CVA,
  compra: { datos: [], lugar: { label: 'Sucursal', porNombre: true } },
  // Without the extra token of CVA, labels go by letter.
  segunLlaves: ({ tokenGuias = '' }) => (tokenGuias === '' ? { enviarGuia: 'correo' } : {}),
  fields: [
    { name: 'usuario', label: 'Usuario' },
    { name: 'password', label: 'Contraseña' },
    { name: 'tokenGuias', label: 'Token de guías (si CVA te lo dio)', opcional: true },
  ],
  cuenta: 'usuario',
  login: ({ usuario = '', password = '' }) => createCvaAuth({ baseUrl: env().CVA_URL }).login({ usuario, password }),
  leer(options) {
    const all = { baseUrl: env().CVA_URL, reloj, ...options };
    return { ...createCvaReader(all), ...createCvaEnsayo(all) };
  },
  escribir({ guardado, trace, acceso, timeoutMs }) {
    const options = { baseUrl: env().CVA_URL, reloj, trace, acceso, timeoutMs };
    return { ...createCvaWriter({ ...options, guias: guardado('tokenGuias') }), mirar: createCvaReader(options) };
  },
});

declare module '~/platform/connections/registry.server' {
  interface FarSides {
    cva: ClientOf<typeof cva>;
  }
}
