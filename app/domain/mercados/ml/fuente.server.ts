import { findCredential } from '~/platform/connections/credentials.server';
import { openCategorias, openMercadolibre, regresoMl } from './cuenta.server';
import { readDocumentoMl } from './internal/documento';
import { liquidacionesMl } from './internal/liquidaciones.server';
import { isPaused } from '~/platform/connections/pause.server';
import type { Fuente } from '../mercado';
import { efectosMl } from './internal/efectos.server';
import { askWithCondicion } from './internal/condicion.server';
import { chooseAlmacen, readAlmacenes, readCuentaMl, refreshCuentaMl, refreshReglas } from './internal/cuentaMl.server';
import { createPublicadorMl } from './internal/publicadorMl';
import { CAPACIDADES_ML, createEscaparateMl, LIMITES_ML } from './internal/escaparateMl.server';
import { createMercadoMl } from './internal/mercadoMl.server';

const CONEXION = 'mercadolibre';

/** Mercado Libre as the registry knows it. Rooms ask `registro.server.ts` for it; the door of its notices alone imports it. */
export const fuenteMl: Fuente = {
  market: 'ml',
  source: CONEXION,
  // The search leaves cancelled sales out unless they are asked for, and Mercado Libre keeps the notices that nobody answered.
  kinds: ['sweep', 'cancelled', 'missed', 'atencion'],
  personales: {
    venta: ['buyer', 'receiver', 'billing_info', 'shipping_address'],
    envio: ['receiver_address', 'destination', 'receiver_name', 'sender_address', 'origin'],
  },
  link: async (db) => (await findCredential(db, CONEXION)) ?? undefined,
  isPaused: (db) => isPaused(db, CONEXION),
  open: (db, options) => createMercadoMl(openMercadolibre(db, options)),
  regreso: regresoMl,
  readDocumento: readDocumentoMl,
  liquidaciones: liquidacionesMl,
  efectos: efectosMl,
  publicador: {
    open(db, options) {
      const ml = openCategorias(db, options);
      return createPublicadorMl(ml, {
        cuenta: () => refreshCuentaMl(db, ml.cuenta),
        guardada: () => readCuentaMl(db),
        conCondicion: (cuerpo, ask) => askWithCondicion(db, cuerpo, ask, (causas) => causas),
      });
    },
  },
  almacenes: {
    read: readAlmacenes,
    refresh: async (db, options) => void (await refreshCuentaMl(db, openMercadolibre(db, options).cuenta)),
    choose: chooseAlmacen,
  },
  publicaciones: {
    limites: LIMITES_ML,
    capacidades: CAPACIDADES_ML,
    async antesDeTodas(db) {
      const { cuenta } = openMercadolibre(db);
      await refreshCuentaMl(db, cuenta);
      await refreshReglas(db, cuenta);
    },
    open: (db, options) =>
      createEscaparateMl(openMercadolibre(db, options), () => readCuentaMl(db), {
        // A person does not stand until the next minute.
        espera: options?.timeoutMs === undefined,
      }),
  },
};
