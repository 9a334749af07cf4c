import { env } from '~/core/env.server';
import { TS } from '~/integrations/proveedores/ts/capacidades';
import { createTsReader } from '~/integrations/proveedores/ts/read.server';
import { defineProveedor } from './conexionProveedor.server';
import type { ClientOf } from '~/platform/connections/registry.server';

export const ts = defineProveedor({
  kind: 'ts',
  label: 'TecnoSinergia',
  // Nobody tells a limit. The whole catalogue is one answer, so it is asked for twice an hour at most.
  budget: { perSecond: 1, burst: 20, forPeople: 10 },
  completaCadaMin: 30,
  capacidades: TS,
  fields: [{ name: 'token', label: 'Token' }],
  leer: (options) => createTsReader({ baseUrl: env().TS_URL, ...options }),
});

declare module '~/platform/connections/registry.server' {
  interface FarSides {
    ts: ClientOf<typeof ts>;
  }
}
