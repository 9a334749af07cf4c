import { sql } from 'kysely';
import { enPesos } from '~/core/importe';
import { rowOf, tableOf } from '~/core/table';
import type { Db } from '~db/client.server';
import { MOTIVOS } from '../cancelacion';

/** An event of a factura: its instant, its author, and the answer of the other side. */
export type Hito = {
  at: Date;
  quien: string;
  texto: string;
  detalle: string | null;
  tono: 'ok' | 'mal' | 'aviso' | null;
};

type Fila = {
  at: Date;
  quien: string | null;
  clase: 'hecho' | 'intento';
  que: string;
  tipo: string | null;
  datos: Record<string, unknown>;
};

const HECHO: Record<string, { texto: string; tono?: Hito['tono'] }> = tableOf({
  timbrar: { texto: 'Timbrada', tono: 'ok' },
  'adoptar del PAC': { texto: 'Adoptada de factura.com al restaurar un respaldo', tono: 'ok' },
  'timbrar global': { texto: 'Factura global timbrada', tono: 'ok' },
  'correo enviado': { texto: 'Correo enviado', tono: 'ok' },
  'subir a Mercado Libre': { texto: 'Subida a su venta de Mercado Libre', tono: 'ok' },
  'enviar por Amazon': { texto: 'Enviada al comprador por mensaje de Amazon', tono: 'ok' },
  'nota de crédito': { texto: 'Nota de crédito emitida' },
  'abrir corrección': { texto: 'El cliente empezó a corregir sus datos' },
  sustituida: { texto: 'Se timbró la factura que la sustituye' },
  'pedir cancelación': { texto: 'Cancelación solicitada' },
  'cancelación en proceso': { texto: 'El SAT recibió la solicitud', tono: 'aviso' },
  'cancelación rechazada': { texto: 'Cancelación rechazada', tono: 'mal' },
  'cancelación sin noticia': { texto: 'El SAT no tiene la solicitud de cancelación', tono: 'mal' },
  cancelada: { texto: 'Cancelada', tono: 'mal' },
  'recuperar ventas': { texto: 'Las ventas vuelven a esta factura', tono: 'aviso' },
  'dos vigentes': { texto: 'Dos facturas vigentes de la misma venta', tono: 'mal' },
});

const INTENTO: Record<string, { texto: string; tono: Hito['tono'] }> = tableOf({
  answered: { texto: 'contestó', tono: null },
  refused: { texto: 'rechazó', tono: 'mal' },
  account: { texto: 'no aceptó la cuenta', tono: 'mal' },
  'not-sent': { texto: 'no recibió la solicitud', tono: 'aviso' },
  unclear: { texto: 'no contestó con claridad', tono: 'aviso' },
  found: { texto: 'lo encontró', tono: null },
  absent: { texto: 'dice que no existe', tono: 'aviso' },
});
const ASUNTO: Record<string, string> = tableOf({
  'cfdi.stamp': 'Timbrado',
  'cfdi.global': 'Timbrado',
  'cfdi.notaCredito': 'Timbrado',
  'cfdi.cancel': 'Cancelación',
  'factura.mail': 'Correo',
  'ml.fiscalDocument': 'CFDI en su venta',
  'amz.invoice': 'CFDI al comprador',
});

const DEL_OTRO_LADO: Record<string, string> = tableOf({
  'factura.mail': 'Servidor de correo',
  'ml.fiscalDocument': 'Mercado Libre',
  'amz.invoice': 'Amazon',
});

/** The types of effects about a factura that are events of it; its stamp is found by the factura itself. */
const OF_FACTURA = ['cfdi.cancel', 'factura.mail', 'ml.fiscalDocument', 'amz.invoice'];

/** Most events that are shown, the latest: a global may have hundreds of credit notes. */
const MOST = 200;

/** The events of a factura, oldest first: entries of the bitacora, and each call to the other side with its answer. */
export async function lineaOfFactura(db: Db, facturaId: string): Promise<Hito[]> {
  const { rows } = await sql<Fila>`
    with efectos as (
      select id, type from effect where id = (select effect_id from factura where id = ${facturaId})
      union
      select e.id, e.type from effect_subject s join effect e on e.id = s.effect_id
      where s.entidad = 'factura' and s.entidad_id = ${facturaId} and e.type = any(${OF_FACTURA}::text[])
    ), hechos as (
      select b.en as at, trim(u.nombre || ' ' || u.apellidos) as quien, 'hecho' as clase, b.accion as que, null as tipo, b.datos
      from bitacora b left join usuario u on u.id = b.usuario_id
      where b.entidad = 'factura' and b.entidad_id = ${facturaId}
    ), intentos as (
      select a.at,
        case when a.kind = 'person' then (
          select trim(u.nombre || ' ' || u.apellidos) from usuario u where u.id::text = a.owner
        ) end as quien,
        'intento' as clase, coalesce(a.outcome, '') as que, e.type as tipo,
        jsonb_build_object('mensaje', a.message, 'http', a.status, 'ms', a.ms, 'kind', a.kind) as datos
      from efectos e join effect_attempt a on a.effect_id = e.id
      where a.phase = 'ended'
    )
    select * from hechos union all select * from intentos
    order by at desc limit ${MOST}`.execute(db);
  return rows.reverse().map(hitoOf);
}

function hitoOf({ at, quien, clase, que, tipo, datos }: Fila): Hito {
  if (clase === 'intento') {
    const { texto, tono } = INTENTO[que] ?? { texto: que, tono: null };
    const asunto = ASUNTO[tipo ?? ''] ?? tipo ?? '';
    const person = datos.kind === 'person';
    const detalle = [
      datos.mensaje,
      person || datos.http === null ? null : `HTTP ${text(datos.http)}, ${text(datos.ms)} ms`,
    ]
      .filter(Boolean)
      .map(text)
      .join(' · ');
    return {
      at,
      quien: person ? (quien ?? '') : (DEL_OTRO_LADO[tipo ?? ''] ?? 'PAC'),
      texto: person ? `${asunto}: decidió` : `${asunto}: ${texto}`,
      detalle: detalle || null,
      tono,
    };
  }
  const { texto, tono = null } = HECHO[que] ?? { texto: que };
  return { at, quien: quien ?? 'Trastienda', texto, detalle: detalleOf(datos), tono };
}

function detalleOf(datos: Record<string, unknown>): string | null {
  const { motivo, respuesta, nota, total, sustituto, uuid, ventas, ventasLibres } = datos;
  const parts = [
    motivo && `Motivo ${text(motivo)}: ${rowOf(MOTIVOS, text(motivo)) ?? ''}`,
    respuesta && text(respuesta),
    nota && text(nota),
    ventas && `${text(ventas)} ventas`,
    total && enPesos(text(total)),
    sustituto && `Sustituye ${text(sustituto)}`,
    uuid && text(uuid),
    typeof ventasLibres === 'number' &&
      ventasLibres > 0 &&
      `${ventasLibres} ${ventasLibres === 1 ? 'venta quedó libre' : 'ventas quedaron libres'}`,
  ];
  return parts.filter(Boolean).join(' · ') || null;
}

const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');
