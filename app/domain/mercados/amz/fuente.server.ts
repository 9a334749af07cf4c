import { env } from '~/core/env.server';
import { findCredential } from '~/platform/connections/credentials.server';
import { isPaused } from '~/platform/connections/pause.server';
import { openCola } from './internal/cola.server';
import {
  openAmazon,
  openCatalogoAmz,
  openComisionesAmz,
  openGuiasAmz,
  openPublicacionesAmz,
  regresoAmz,
} from './cuenta.server';
import { createComisionesDeAmazon } from './internal/comisionesAmz.server';
import { readDocumentoAmz } from './internal/documento';
import { liquidacionesAmz } from './internal/liquidaciones.server';
import type { Fuente } from '../mercado';
import { openIsr } from './internal/isr.server';
import { CAPACIDADES_AMZ, createEscaparateAmz, LIMITES_AMZ } from './internal/escaparateAmz.server';
import { efectosAmz } from './internal/efectos.server';
import { createGuiasOfAmazon } from './internal/guiasAmz.server';
import { createMercadoAmz } from './internal/mercadoAmz.server';
import { createPublicadorAmz } from './internal/publicadorAmz.server';

const CONEXION = 'amazon';
const MINUTE = 60_000;

/** Amazon as the registry knows it. Rooms ask `registro.server.ts` for it. */
export const fuenteAmz: Fuente = {
  market: 'amz',
  source: CONEXION,
  // Its search tells cancelled sales with the others.
  kinds: ['sweep'],
  opcional: true,
  // One search in three minutes is all there is, so little is looked at again; a run reviews what a call in two seconds allows, and ten pages take half an hour.
  ritmo: { solapeMs: 15 * MINUTE, repasos: 60, porVentana: 1_000 },
  personales: { venta: ['buyer', 'recipient', 'tax'], envio: ['recipient'] },
  link: async (db) => (await findCredential(db, CONEXION)) ?? undefined,
  isPaused: (db) => isPaused(db, CONEXION),
  open: (db, options) =>
    createMercadoAmz(openAmazon(db, options), { lectura: env().AMAZON_PRECIOS, readIsr: openIsr(db) }),
  cola: openCola,
  regreso: regresoAmz,
  readDocumento: readDocumentoAmz,
  liquidaciones: liquidacionesAmz,
  efectos: efectosAmz,
  comisiones: { open: (db, options) => createComisionesDeAmazon(openComisionesAmz(db, options)) },
  guias: { open: (db, options) => createGuiasOfAmazon(openGuiasAmz(db, options)) },
  publicador: { open: (db, options) => createPublicadorAmz(openCatalogoAmz(db, options)) },
  publicaciones: {
    limites: LIMITES_AMZ,
    capacidades: CAPACIDADES_AMZ,
    open: (db, options) => createEscaparateAmz(openPublicacionesAmz(db, options)),
  },
};
