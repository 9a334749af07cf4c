import { sql } from 'kysely';
import type { Cola } from '~/platform/hoy/cola';
import { countCosas, countInSql } from '~/platform/hoy/countCosas.server';
import { DIA, HORA } from '~/platform/hoy/reloj';
import { MERCADOS } from '~/domain/mercados/mercados';
import { listFuentes } from '~/domain/mercados/registro.server';
import { UNREAD } from '../inboxUnread.server';
import { listFreshness, type Freshness } from '../freshness.server';
import { pausedSources } from './pausedSources.server';
import { QUE_AVISO } from '../queAviso';

const PLAZOS = { aviso: 0, mal: DIA };

/** The queue of notices that could not be read, of any marketplace. Until one is read, a sale, a question or a claim may be missing. */
export const ventasSinLeer: Cola = {
  clave: 'ventasSinLeer',
  titulo: 'Avisos sin leer',
  clase: 'dinero',
  icono: 'faltante',
  pantallas: ['tokens'],
  ver: 'Ver cuáles son',
  plazos: PLAZOS,
  necesita: 'ventas',
  mira: (db, mirada) =>
    countInSql(
      db,
      sql`select id::text as id, coalesce(${dicho(QUE_AVISO)} ->> topic, topic) || ' ' || regexp_replace(resource, '^.*/', '') as titulo,
        concat_ws(' · ', coalesce(${dicho(LABELS())} ->> source, source), error) as detalle, 'tokens#sin-leer-' || source as a, received_at as desde, null::timestamptz as vence
        from inbox where ${UNREAD}`,
      PLAZOS,
      mirada,
    ),
};

const dicho = (words: Readonly<Record<string, string>>) => sql`${JSON.stringify(words)}::jsonb`;
const LABELS = () => Object.fromEntries(listFuentes().map(({ source, market }) => [source, MERCADOS[market].label]));

const SILENCIO = { aviso: 0, mal: HORA };

/** Words for each state in which a source brings nothing. */
const QUE: Partial<Record<Freshness['state'], string>> = {
  rota: 'Desconectado: hay que activarlo otra vez',
  atrasada: 'Llega con retraso',
  sinVincular: 'Sin activar',
};

/** The queue of sources that stopped telling. A paused source is left out: whoever paused it knows. */
export const fuentesEnSilencio: Cola = {
  clave: 'fuentesEnSilencio',
  titulo: 'Fuentes en silencio',
  clase: 'dinero',
  icono: 'enchufe',
  pantallas: ['tokens'],
  ver: 'Abrir Activación de API',
  plazos: SILENCIO,
  necesita: 'ventas',
  async mira(db, mirada) {
    const [fuentes, pausadas] = await Promise.all([listFreshness(db, mirada.ahora), pausedSources(db)]);
    const calladas = fuentes.flatMap(({ source, label, state, lastSuccess, error }) => {
      const que = QUE[state];
      if (que === undefined || pausadas.includes(source)) return [];
      return {
        id: `${source}:${lastSuccess?.toISOString() ?? ''}`,
        titulo: label,
        detalle: [que, error].filter(Boolean).join('. '),
        a: 'tokens',
        desde: lastSuccess ?? mirada.ahora,
        vence: null,
      };
    });
    return countCosas(calladas, SILENCIO, mirada);
  },
};
