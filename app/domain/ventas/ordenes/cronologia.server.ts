import { sql } from 'kysely';
import type { Money } from '~/core/money';
import type { Rechazo } from '~/core/rechazo';
import { tableOf } from '~/core/table';
import { CONNECTIONS } from '~/platform/connections/registry.server';
import { isSettled } from '~/platform/effects/effects.server';
import { each, type EffectCatalog } from '~/platform/effects/definition';
import { laVenta } from '~/domain/ventas/ordenes/laVenta';
import { rechazosOf } from '~/platform/effects/rechazos.server';
import { askedAgain, idsAboutAny } from '~/platform/effects/subjects.server';
import type { Db } from '~db/client.server';
import type { EffectState } from '~db/columns';
import { fraseOfBitacora, fraseOfEfecto, fraseOfIntento, type Frase } from './internal/cronologia';
import type { OrdenWhole } from './detalleOrden.server';
import type { Tono } from './estatus';
import { MERCADOS } from '~/domain/mercados/mercados';
import { numeroOfEnvio } from '~/domain/ventas/envios/envio';

/** Something that happened to a sale. */
export type Suceso = {
  id: string;
  en: Date;
  titulo: string;
  detalle: string | null;
  tono: Tono;
  /** Person who did it; null when nobody was signed in. */
  quien: string | null;
  /** Origin of an event that no person made: a marketplace, a far side, or the product. */
  fuente: string;
  /** Name of several such events that come one after another (`porDia`). */
  varios: string | null;
  monto: Money | null;
  /** Instant of the next try of a call that waits. */
  proximo: Date | null;
  /** The call that people may ask for again. */
  reintentar: string | null;
  /** The call that waits for people to say how it ended. */
  decidir: string | null;
  /** The no of a far side that ended a call; null for a call that was asked for again since. */
  rechazo: Rechazo | null;
};

const MAX = 300;

/** Returns everything that happened to a sale, the newest first: at the marketplace, by people, and in every call to the outside. */
export async function readCronologia(db: Db, orden: OrdenWhole, catalog: EffectCatalog): Promise<Suceso[]> {
  const efectos = await efectosOf(db, orden);
  const [hechos, intentos, rechazos] = await Promise.all([
    hechosOf(
      db,
      orden,
      efectos.map(({ id }) => id),
    ),
    intentosOf(
      db,
      efectos.map(({ id }) => id),
    ),
    rechazosOf(
      db,
      efectos.filter(({ hayNuevo }) => !hayNuevo).map(({ id }) => id),
    ),
  ]);
  return [
    ...enMarket(orden),
    ...hechos,
    ...efectos.flatMap((efecto) =>
      deEfecto(
        efecto,
        intentos.filter(({ effectId }) => effectId === efecto.id),
        rechazos.get(efecto.id) ?? null,
        catalog,
      ),
    ),
  ]
    .map((suceso, at) => ({ suceso, at }))
    .sort((a, b) => b.suceso.en.getTime() - a.suceso.en.getTime() || b.at - a.at)
    .map(({ suceso }) => suceso)
    .slice(0, MAX);
}

type Extra = Partial<
  Pick<Suceso, 'quien' | 'fuente' | 'varios' | 'monto' | 'proximo' | 'reintentar' | 'decidir' | 'rechazo'>
>;

/** Origin of what the product did by itself. */
const AUTOMATICO = 'Automático';
const suceso = (id: string, en: Date, { titulo, detalle, tono, monto = null }: Frase, extra: Extra = {}): Suceso => ({
  id,
  en,
  titulo,
  detalle,
  tono,
  quien: null,
  fuente: AUTOMATICO,
  varios: null,
  monto,
  proximo: null,
  reintentar: null,
  decidir: null,
  rechazo: null,
  ...extra,
});

function enMarket({
  market,
  fechaCreacion,
  pagos,
  cancelacion,
  envio,
  clase,
  situacion,
  actualizadaEn,
}: OrdenWhole): Suceso[] {
  const all = [
    suceso('creada', fechaCreacion, {
      titulo: `Venta creada en ${MERCADOS[market].label}`,
      detalle: null,
      tono: 'neutro',
    }),
  ];
  for (const pago of pagos) {
    const of = pago.adicional ? 'Pago adicional' : 'Pago';
    if (pago.aprobadoEn)
      all.push(
        suceso(
          `pago:${pago.id}`,
          pago.aprobadoEn,
          { titulo: `${of} aprobado`, detalle: null, tono: 'ok' },
          { monto: pago.monto },
        ),
      );
    if (pago.modificadoEn && !pago.devuelto.isZero()) {
      all.push(
        suceso(
          `devuelto:${pago.id}`,
          pago.modificadoEn,
          { titulo: `${of} devuelto`, detalle: null, tono: 'mal' },
          { monto: pago.devuelto },
        ),
      );
    }
    if (pago.modificadoEn && pago.estatus === 'rejected')
      all.push(
        suceso(
          `rechazado:${pago.id}`,
          pago.modificadoEn,
          { titulo: `${of} rechazado`, detalle: null, tono: 'mal' },
          { monto: pago.monto },
        ),
      );
  }
  if (envio)
    all.push(
      suceso('envio', envio.fechaCreacion, {
        titulo: 'Envío creado',
        detalle: `Envío ${numeroOfEnvio(envio.marketId)}`,
        tono: 'neutro',
      }),
    );
  if (clase === 'cancelada' && situacion === 'cancelada') {
    all.push(
      suceso('cancelada', cancelacion?.fecha ?? actualizadaEn, {
        titulo: `Venta cancelada en ${MERCADOS[market].label}`,
        detalle: cancelacion?.motivo ?? null,
        tono: 'mal',
      }),
    );
  }
  return all.map((one) => ({ ...one, fuente: MERCADOS[market].label }));
}

type Efecto = {
  id: string;
  type: string;
  /** True for a call that was asked for again since. */
  hayNuevo: boolean;
  state: EffectState;
  sends: number;
  reason: string | null;
  detail: string | null;
  createdAt: Date;
  settledAt: Date | null;
  nextAt: Date;
  quien: string | null;
};

/**
 * Returns the calls made for a sale: about the sale or its number, its shipment, its links, or a document of its own. Of a global only the stamp is
 * told.
 */
async function efectosOf(db: Db, { id, market, numOrden, envio, facturas }: OrdenWhole): Promise<Efecto[]> {
  const propias = facturas.filter(({ tipo }) => tipo !== 'global');
  const enlaces = await db
    .selectFrom('enlace')
    .select('id')
    .where('numOrden', '=', numOrden)
    .where('market', '=', market)
    .execute();
  const subjects = [
    laVenta(market, numOrden),
    ...each('orden', [id]),
    ...each('envio', envio ? [envio.id] : []),
    ...each(
      'factura',
      propias.map((factura) => factura.id),
    ),
    ...each(
      'enlace',
      enlaces.map((enlace) => enlace.id),
    ),
  ];
  const { rows } = await sql<Efecto>`
    select e.id, e.type, ${askedAgain('e')} as hay_nuevo, e.state, e.sends, e.reason, e.detail, e.created_at, e.settled_at, e.next_at, u.nombre || ' ' || u.apellidos as quien
    from effect e left join usuario u on u.id = e.usuario_id
    where e.id in (
      ${idsAboutAny(subjects)}
      union select unnest(${facturas.map(({ effectId }) => effectId)}::uuid[])
      union select effect_id from fiscal_claim where orden_id = ${id}
    ) order by e.id desc limit ${MAX}`.execute(db);
  return rows;
}

type Intento = {
  id: number;
  effectId: string;
  at: Date;
  outcome: string | null;
  status: number | null;
  message: string | null;
  kind: string;
};

async function intentosOf(db: Db, effectIds: string[]): Promise<Intento[]> {
  if (effectIds.length === 0) return [];
  return db
    .selectFrom('effectAttempt')
    .select(['id', 'effectId', 'at', 'outcome', 'status', 'message', 'kind'])
    .where('effectId', 'in', effectIds)
    .where('phase', '=', 'ended')
    .where('kind', '<>', 'person')
    .orderBy('id')
    .limit(MAX)
    .execute();
}

function deEfecto(efecto: Efecto, intentos: Intento[], rechazo: Rechazo | null, catalog: EffectCatalog): Suceso[] {
  const definition = catalog.get(efecto.type);
  const asunto = definition?.label ?? efecto.type;
  const connection = definition && CONNECTIONS.find(definition.connection);
  const red = connection?.wire ?? 'HTTP';
  const fuente = connection?.label ?? AUTOMATICO;
  const last = intentos.at(-1);
  // The last answer tells how the call ended, so it is said once, at the end.
  const told =
    isSettled(efecto.state) && last !== undefined && last.outcome !== 'absent' ? intentos.slice(0, -1) : intentos;
  const waits = (efecto.state === 'queued' && efecto.sends > 0) || efecto.state === 'unknown';
  const again = efecto.state === 'refused' && definition?.again === true && !efecto.hayNuevo;
  const all = [
    suceso(
      `efecto:${efecto.id}`,
      efecto.createdAt,
      { titulo: `${asunto}: se pidió`, detalle: null, tono: 'neutro' },
      { quien: efecto.quien },
    ),
    ...told.map((intento) =>
      suceso(`intento:${intento.id}`, intento.at, fraseOfIntento(asunto, intento, red), {
        fuente,
        varios: `intentos: ${asunto}`,
      }),
    ),
  ];
  if (efecto.state === 'queued' && efecto.sends === 0) return all;
  const end = suceso(
    `fin:${efecto.id}`,
    efecto.settledAt ?? last?.at ?? efecto.createdAt,
    fraseOfEfecto(asunto, efecto, isSettled(efecto.state) ? (last?.status ?? null) : null, red),
    {
      fuente,
      proximo: waits ? efecto.nextAt : null,
      reintentar: waits || again ? efecto.id : null,
      decidir: efecto.state === 'manual' ? efecto.id : null,
      rechazo,
    },
  );
  return [...all, end];
}

const VARIOS: Readonly<Record<string, string>> = tableOf({
  envio: 'actualizaciones del envío',
  orden: 'actualizaciones de la orden',
});

/** Returns the audit trail of the sale, its shipment, its facturas and its calls. */
async function hechosOf(db: Db, { id, numOrden, envio, facturas }: OrdenWhole, effectIds: string[]): Promise<Suceso[]> {
  const about: [entidad: string, entidadId: string][] = [
    ['orden', id],
    ['orden', numOrden],
    ...(envio ? [['envio', envio.id] as [string, string]] : []),
    ...facturas.map((factura): [string, string] => ['factura', factura.id]),
    ...effectIds.map((effectId): [string, string] => ['effect', effectId]),
  ];
  const { rows } = await sql<{
    id: number;
    en: Date;
    entidad: string;
    accion: string;
    datos: unknown;
    quien: string | null;
  }>`
    select b.id, b.en, b.entidad, b.accion, b.datos, u.nombre || ' ' || u.apellidos as quien
    from unnest(${about.map(([entidad]) => entidad)}::text[], ${about.map(([, entidadId]) => entidadId)}::text[]) as a(entidad, entidad_id)
      join bitacora b using (entidad, entidad_id) left join usuario u on u.id = b.usuario_id
    order by b.id desc limit ${MAX}`.execute(db);
  const nombres = new Map(
    (await db.selectFrom('proveedor').select(['value', 'label']).execute()).map(({ value, label }) => [value, label]),
  );
  return rows.map((hecho) =>
    suceso(`bitacora:${hecho.id}`, hecho.en, fraseOfBitacora(hecho.entidad, hecho.accion, hecho.datos, nombres), {
      quien: hecho.quien,
      varios: VARIOS[hecho.entidad] ?? null,
    }),
  );
}
