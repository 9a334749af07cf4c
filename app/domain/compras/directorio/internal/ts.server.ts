import { env } from '~/core/env.server';
import { TS } from '~/integrations/proveedores/ts/capacidades';
import { createTsReader } from '~/integrations/proveedores/ts/read.server';
import { RECHAZOS_TS } from '~/integrations/proveedores/ts/rechazos';
import { USOS_DE_COMPRA } from '../compra';
import { defineProveedor } from './conexionProveedor.server';
import type { ClientOf } from '~/platform/connections/registry.server';

/** TecnoSinergia as a far side. */
export const ts = defineProveedor({
  kind: 'ts',
  label: 'TecnoSinergia',
  // TecnoSinergia tells no limit. The whole catalogue is one answer, so it is asked for at most twice an hour.
  budget: { perSecond: 1, burst: 20, forPeople: 10 },
  completaCadaMin: 30,
  rechazos: RECHAZOS_TS,
  capacidades: TS,
  compra: { datos: [{ clave: 'usoCfdi', label: 'Uso del CFDI', omision: 'G01', fijas: USOS_DE_COMPRA }] },
  fields: [{ name: 'token', label: 'Token' }],
  leer: (options) => createTsReader({ baseUrl: env().TS_URL, ...options }),
});

declare module '~/platform/connections/registry.server' {
  interface FarSides {
    ts: ClientOf<typeof ts>;
  }
}
