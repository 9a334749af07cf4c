import { env } from '~/core/env.server';
import { createSyscomAuth } from '~/integrations/proveedores/syscom/auth.server';
import { SYSCOM } from '~/integrations/proveedores/syscom/capacidades';
import { leerListaSyscom } from '~/integrations/proveedores/syscom/lista';
import { createSyscomReader } from '~/integrations/proveedores/syscom/read.server';
import { createSyscomEnsayo, createSyscomWriter } from '~/integrations/proveedores/syscom/write.server';
import { RECHAZOS_SYSCOM } from '~/integrations/proveedores/syscom/rechazos';
import { USOS_DE_COMPRA } from '../compra';
import { defineProveedor } from './conexionProveedor.server';
import type { ClientOf } from '~/platform/connections/registry.server';

/** Syscom as a far side. */
export const syscom = defineProveedor({
  kind: 'syscom',
  label: 'Syscom',
  // Syscom lets sixty calls a minute through. The rate and the bucket together stay within them.
  budget: { perSecond: 50 / 60, burst: 10, forPeople: 5 },
  rechazos: RECHAZOS_SYSCOM,
  capacidades: SYSCOM,
  compra: {
    datos: [
      { clave: 'metodoPago', label: 'Forma de pago' },
      { clave: 'fletera', label: 'Fletera' },
      { clave: 'usoCfdi', label: 'Uso del CFDI', omision: 'G01', fijas: USOS_DE_COMPRA },
    ],
  },
  fields: [
    { name: 'idUsuario', label: 'idUsuario' },
    { name: 'secret', label: 'secret' },
  ],
  cuenta: 'idUsuario',
  login({ idUsuario = '', secret = '' }) {
    const { SYSCOM_URL, SYSCOM_TOKEN_URL } = env();
    return createSyscomAuth({ tokenUrl: SYSCOM_TOKEN_URL || `${SYSCOM_URL}/oauth/token` }).login({ idUsuario, secret });
  },
  lista: leerListaSyscom,
  leer(options) {
    const all = { baseUrl: env().SYSCOM_URL, ...options };
    return { ...createSyscomReader(all), ...createSyscomEnsayo(all) };
  },
  escribir({ trace, acceso, timeoutMs, takeCall }) {
    const options = { baseUrl: env().SYSCOM_URL, trace, acceso, timeoutMs };
    return { ...createSyscomWriter(options), mirar: createSyscomReader({ ...options, takeCall }) };
  },
});

declare module '~/platform/connections/registry.server' {
  interface FarSides {
    syscom: ClientOf<typeof syscom>;
  }
}
