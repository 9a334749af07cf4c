import { env } from '~/core/env.server';
import { createCtAuth } from '~/integrations/proveedores/ct/auth.server';
import { ALMACENES } from '~/integrations/proveedores/ct/almacenes';
import { CT, TIPOS_DE_PAGO } from '~/integrations/proveedores/ct/capacidades';
import { createCtReader } from '~/integrations/proveedores/ct/read.server';
import { createCtWriter } from '~/integrations/proveedores/ct/write.server';
import { RECHAZOS_CT } from '~/integrations/proveedores/ct/rechazos';
import { USOS_DE_COMPRA } from '../compra';
import { defineProveedor } from './conexionProveedor.server';
import type { ClientOf } from '~/platform/connections/registry.server';

/** CT as a far side. */
export const ct = defineProveedor({
  kind: 'ct',
  label: 'CT',
  // CT lets a hundred calls a minute through.
  budget: { perSecond: 80 / 60, burst: 20, forPeople: 10 },
  rechazos: RECHAZOS_CT,
  capacidades: CT,
  compra: {
    datos: [
      { clave: 'tipoPago', label: 'Forma de pago', omision: '99', fijas: TIPOS_DE_PAGO },
      { clave: 'usoCfdi', label: 'Uso del CFDI', omision: 'G01', fijas: USOS_DE_COMPRA },
    ],
    lugar: {
      label: 'Almacén',
      fijas: Object.entries(ALMACENES).map(([clave, nombre]) => ({ clave, nombre })),
    },
  },
  fields: [
    { name: 'email', label: 'Correo (con sus mayúsculas)' },
    { name: 'cliente', label: 'Número de cliente' },
    { name: 'rfc', label: 'RFC' },
  ],
  cuenta: 'cliente',
  login: ({ email = '', cliente = '', rfc = '' }) =>
    createCtAuth({ baseUrl: env().CT_URL }).login({ email, cliente, rfc }),
  leer: (options) => createCtReader({ baseUrl: env().CT_URL, archivos: env().CT_CATALOGO_URL, ...options }),
  escribir({ trace, acceso, timeoutMs }) {
    const options = { baseUrl: env().CT_URL, trace, acceso, timeoutMs };
    return { ...createCtWriter(options), mirar: createCtReader(options) };
  },
});

declare module '~/platform/connections/registry.server' {
  interface FarSides {
    ct: ClientOf<typeof ct>;
  }
}
