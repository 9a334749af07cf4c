import { env } from '~/core/env.server';
import { accesoFijo } from '~/integrations/proveedores/acceso';
import { TS } from '~/integrations/proveedores/ts/capacidades';
import { createTsReader } from '~/integrations/proveedores/ts/read.server';
import { accesoGuardado, defineProveedor, huellaDe } from './proveedor.server';

const KIND = 'ts';
const LABEL = 'TecnoSinergia';

export const ts = defineProveedor({
  kind: KIND,
  label: LABEL,
  // Nobody tells a limit. The whole catalogue is one answer, so it is asked for twice an hour at most.
  budget: { perSecond: 1, burst: 20, forPeople: 10 },
  completaCadaMin: 30,
  capacidades: TS,
  fields: [{ name: 'token', label: 'Token' }],
  identify: ({ token = '' }) => Promise.resolve({ account: huellaDe(token), label: LABEL, acceso: accesoFijo(token) }),
  acceso: (db) => accesoGuardado(db, KIND, LABEL),
  leer: (acceso, options) => createTsReader({ baseUrl: env().TS_URL, acceso, ...options }),
});
