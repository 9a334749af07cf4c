import { sql } from 'kysely';
import type { Cola } from '~/domain/hoy/cola';
import { contar, contarEnSql } from '~/domain/hoy/contar.server';
import { DIA, HORA } from '~/domain/hoy/reloj';
import { listPausadas } from '~/domain/cuentas/empresas.server';
import { UNREAD } from './inboxUnread.server';
import { listFreshness, type Freshness } from './freshness.server';

const PLAZOS = { aviso: 0, mal: DIA };

/** Sales and shipments that were announced and could not be read: until they are, a sale may be missing. */
export const ventasSinLeer: Cola = {
  clave: 'ventasSinLeer',
  titulo: 'Ventas sin leer',
  icono: 'faltante',
  pantallas: ['tokens'],
  ver: 'Ver cuáles son',
  plazos: PLAZOS,
  mira: (db, mirada) =>
    contarEnSql(
      db,
      sql`select id::text as id, case topic when 'orders_v2' then 'Venta ' when 'shipments' then 'Envío ' when 'questions' then 'Pregunta ' when 'post_purchase' then 'Reclamo ' when 'items' then 'Publicación ' else topic || ' ' end || regexp_replace(resource, '^.*/', '') as titulo,
        coalesce(error, '') as detalle, 'tokens#sin-leer' as a, received_at as desde, null::timestamptz as vence
        from inbox where ${UNREAD}`,
      PLAZOS,
      mirada,
    ),
};

const SILENCIO = { aviso: 0, mal: HORA };

/** What somebody has to do about a source that brings nothing. */
const QUE: Partial<Record<Freshness['state'], string>> = {
  rota: 'Desconectado: hay que activarlo otra vez',
  atrasada: 'Llega con retraso',
  sinVincular: 'Sin activar',
};

/** Sources of sales that stopped telling. Who paused one knows. */
export const fuentesEnSilencio: Cola = {
  clave: 'fuentesEnSilencio',
  titulo: 'Fuentes en silencio',
  icono: 'enchufe',
  pantallas: ['tokens'],
  ver: 'Abrir Activación de API',
  plazos: SILENCIO,
  async mira(db, mirada) {
    const [fuentes, pausadas] = await Promise.all([listFreshness(db, mirada.ahora), listPausadas(db)]);
    const calladas = fuentes.flatMap(({ source, label, state, lastSuccess, error }) => {
      const que = QUE[state];
      if (que === undefined || pausadas.some(({ conexion }) => conexion === source)) return [];
      return {
        id: `${source}:${lastSuccess?.toISOString() ?? ''}`,
        titulo: label,
        detalle: [que, error].filter(Boolean).join('. '),
        a: 'tokens',
        desde: lastSuccess ?? mirada.ahora,
        vence: null,
      };
    });
    return contar(calladas, SILENCIO, mirada);
  },
};
