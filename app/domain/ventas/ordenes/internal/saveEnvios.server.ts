import { sql } from 'kysely';
import type { Market } from '~/core/market';
import type { Direccion, EnvioLeido, PagoLeido, VentaLeida } from '~/domain/mercados/venta';
import type { Trx } from '~db/client.server';
import { direccionFrom, leeDireccion, PARTES, saysOther } from '../datosEnvio.server';
import { type EnvioEstado, estatusOf, keepsWord } from '../estatus';
import { envioEnPagos, envioAdicional, envioPagado } from './pagado';
import { changed } from './changed.server';
import { recordShipments, recordStates, type EnvioChange } from './states.server';

export type SavedEnvio = EnvioEstado & { id: string; marketId: string };
type Stored = Merged & { id: string };
/** As it is written; `datos` null leaves the document there is. */
type Merged = Omit<EnvioLeido, 'documento' | 'pagos'> & {
  datos: string | null;
  pagos: string | null;
  direccionEn: Date | null;
  /** The marketplace's last word where a person wrote the address; null where the marketplace's own address stands. */
  direccionMercado: Direccion | null;
  direccionDifiere: boolean;
};

export type SavedEnvios = {
  byMarketId: Map<string, SavedEnvio>;
  byId: Map<string, SavedEnvio>;
  /** Shipments whose state moved: their orders follow. */
  moved: SavedEnvio[];
};

const COLUMNS = [
  'id',
  'marketId',
  'estatus',
  'subestatus',
  'modo',
  'tipoLogistico',
  'propio',
  'guia',
  'paqueteria',
  'fechaCreacion',
  'actualizadoEn',
  'costo',
  'costoComprador',
  'direccionEn',
  'direccionDifiere',
  ...PARTES,
] as const;

const WRITTEN = [
  'estatus',
  'subestatus',
  'modo',
  'tipo_logistico',
  'propio',
  'guia',
  'paqueteria',
  'actualizado_en',
  'costo',
  'costo_comprador',
  'pagos',
  'direccion_en',
  'direccion_mercado',
  'direccion_difiere',
  'nombre_receptor',
  'telefono',
  'calle',
  'numero_e',
  'numero_i',
  'referencia',
  'colonia',
  'ciudad',
  'municipio',
  'estado',
  'cp',
];

/**
 * Merges what was read of shipments into what is stored and returns every one of `marketIds` as it stands now. The caller holds their
 * names, so nobody writes between reading and writing.
 */
export async function saveEnvios(
  trx: Trx,
  market: Market,
  marketIds: string[],
  leidos: readonly EnvioLeido[],
  ventas: readonly VentaLeida[],
): Promise<SavedEnvios> {
  const stored = new Map<string, Stored>();
  if (marketIds.length > 0) {
    const rows = await trx
      .selectFrom('envio')
      .select([...COLUMNS, 'pagos', 'direccionMercado'])
      .where('market', '=', market)
      .where('marketId', 'in', marketIds)
      .orderBy('marketId')
      .forUpdate()
      .execute();
    for (const row of rows)
      stored.set(row.marketId, {
        ...row,
        datos: null,
        pagos: row.pagos ? JSON.stringify(row.pagos) : null,
        direccionMercado: leeDireccion(row.direccionMercado),
      });
  }
  const after = new Map<string, SavedEnvio>([...stored].map(([marketId, row]) => [marketId, stateOf(row)]));
  const moved: SavedEnvio[] = [];
  const merged = new Map<string, Merged>();
  for (const { documento, pagos, ...envio } of leidos.toSorted(
    (a, b) => a.actualizadoEn.getTime() - b.actualizadoEn.getTime(),
  )) {
    const { marketId } = envio;
    merged.set(
      marketId,
      merge(merged.get(marketId) ?? known(stored.get(marketId)), {
        ...envio,
        datos: JSON.stringify(documento),
        pagos: pagos && JSON.stringify(pagos.map(deEnvio)),
      }),
    );
  }
  if (merged.size > 0) {
    const written = await trx
      .insertInto('envio')
      .values(
        [...merged.values()].map((row) => ({
          market,
          ...row,
          datos: row.datos ?? 'null',
          direccionMercado: row.direccionMercado && JSON.stringify(row.direccionMercado),
          cobrado: cobradoAlLlegar(row.marketId, leidos, ventas),
        })),
      )
      .onConflict((on) =>
        on
          .columns(['market', 'marketId'])
          .doUpdateSet((is) => ({
            estatus: is.ref('excluded.estatus'),
            subestatus: is.ref('excluded.subestatus'),
            modo: is.ref('excluded.modo'),
            tipoLogistico: is.ref('excluded.tipoLogistico'),
            propio: is.ref('excluded.propio'),
            guia: is.ref('excluded.guia'),
            paqueteria: is.ref('excluded.paqueteria'),
            fechaCreacion: is.ref('excluded.fechaCreacion'),
            actualizadoEn: is.ref('excluded.actualizadoEn'),
            costo: is.ref('excluded.costo'),
            costoComprador: is.ref('excluded.costoComprador'),
            pagos: is.ref('excluded.pagos'),
            direccionEn: is.ref('excluded.direccionEn'),
            direccionMercado: is.ref('excluded.direccionMercado'),
            direccionDifiere: is.ref('excluded.direccionDifiere'),
            nombreReceptor: is.ref('excluded.nombreReceptor'),
            telefono: is.ref('excluded.telefono'),
            calle: is.ref('excluded.calle'),
            numeroE: is.ref('excluded.numeroE'),
            numeroI: is.ref('excluded.numeroI'),
            referencia: is.ref('excluded.referencia'),
            colonia: is.ref('excluded.colonia'),
            ciudad: is.ref('excluded.ciudad'),
            municipio: is.ref('excluded.municipio'),
            estado: is.ref('excluded.estado'),
            cp: is.ref('excluded.cp'),
            datos: sql`coalesce(nullif(excluded.datos, 'null'::jsonb), envio.datos)`,
          }))
          .where(changed('envio', WRITTEN)),
      )
      .returning(['id', 'marketId', 'estatus', 'subestatus', 'propio'])
      .execute();
    const changes: EnvioChange[] = [];
    for (const envio of written) {
      const before = stored.get(envio.marketId);
      if (before && (before.estatus !== envio.estatus || before.subestatus !== envio.subestatus)) {
        moved.push(envio);
        changes.push({ id: envio.id, marketId: envio.marketId, before: statesOf(before), after: statesOf(envio) });
      }
      after.set(envio.marketId, envio);
    }
    await recordShipments(trx, changes);
  }
  return { byMarketId: after, byId: new Map([...after.values()].map((envio) => [envio.id, envio])), moved };
}

/** As a payment of a shipment is kept; `settleEnvios` reads it back. */
const deEnvio = ({ marketId, estatus, situacion, envio }: PagoLeido) => ({
  id: marketId,
  estatus,
  situacion,
  importe: envio.toString(),
});

/** Returns the amount that the buyer paid for a shipment, by the sales that were read with it alone. `settleEnvios` looks at all sales that are here. */
function cobradoAlLlegar(marketId: string, leidos: readonly EnvioLeido[], ventas: readonly VentaLeida[]) {
  const ordenes = ventas
    .filter(({ envioId }) => envioId === marketId)
    .map(({ marketId: orden, situacion, packId, pagos }) => {
      const clase = situacion === 'cancelada' || situacion === 'devuelta' ? situacion : 'normal';
      return {
        marketId: orden,
        clase,
        packId,
        envioEnPagos: envioEnPagos(pagos, clase),
        envioAdicional: envioAdicional(pagos),
      } as const;
    });
  return envioPagado(ordenes, leidos.findLast((envio) => envio.marketId === marketId)?.pagos ?? null).cobrado;
}

const stateOf = ({ id, marketId, estatus, subestatus, propio }: Stored): SavedEnvio => ({
  id,
  marketId,
  estatus,
  subestatus,
  propio,
});

const statesOf = ({ estatus, subestatus }: EnvioEstado) => ({ estatus, subestatus });

function known(stored: Stored | undefined): Merged | undefined {
  if (!stored) return undefined;
  const { id: _, ...row } = stored;
  return row;
}

/** An address a package could be sent to; only such a one replaces another. */
const isCompleta = ({ calle, cp, nombreReceptor }: Direccion) =>
  calle !== null && cp !== null && nombreReceptor !== null;

type Incoming = Omit<Merged, 'direccionEn' | 'direccionMercado' | 'direccionDifiere'>;

/** The newer reading wins; the address only against a complete one, and never against a person's; amounts only when they are known. */
function merge(before: Merged | undefined, incoming: Incoming): Merged {
  const complete = isCompleta(incoming);
  if (!before)
    return {
      ...incoming,
      direccionEn: complete ? incoming.actualizadoEn : null,
      direccionMercado: null,
      direccionDifiere: false,
    };
  const newer = incoming.actualizadoEn >= before.actualizadoEn;
  // People carry it: their word stands while the marketplace knows no more of it, and so does their number.
  const ours = incoming.propio && keepsWord(before.estatus, incoming.estatus);
  return {
    ...(newer ? incoming : before),
    ...(ours && { estatus: before.estatus, subestatus: before.subestatus }),
    ...mergeDireccion(before, incoming, complete),
    guia: newer && !ours ? (incoming.guia ?? before.guia) : (before.guia ?? incoming.guia),
    pagos: newer ? (incoming.pagos ?? before.pagos) : (before.pagos ?? incoming.pagos),
    costoComprador: newer
      ? (incoming.costoComprador ?? before.costoComprador)
      : (before.costoComprador ?? incoming.costoComprador),
    // What we send ourselves the marketplace neither pays nor knows: it says 0 and no carrier.
    costo:
      incoming.propio && before.costo && !before.costo.isZero()
        ? before.costo
        : newer
          ? (incoming.costo ?? before.costo)
          : (before.costo ?? incoming.costo),
    paqueteria:
      newer && !incoming.propio
        ? (incoming.paqueteria ?? before.paqueteria)
        : (before.paqueteria ?? incoming.paqueteria),
  };
}

/** Returns the address after a reading. A person's address stands, and what the marketplace tells beside it is kept to be shown. */
function mergeDireccion(before: Merged, incoming: Incoming, complete: boolean) {
  const { direccionEn, direccionMercado, direccionDifiere } = before;
  const inTime = !direccionEn || incoming.actualizadoEn >= direccionEn;
  if (direccionMercado === null) {
    const takes = complete ? inTime : !direccionEn && incoming.actualizadoEn >= before.actualizadoEn;
    return {
      ...direccionFrom(takes ? withPartesOf(before, incoming) : before),
      direccionEn: takes && complete ? incoming.actualizadoEn : direccionEn,
      direccionMercado: null,
      direccionDifiere: false,
    };
  }
  const told = complete && inTime;
  const moved = told && saysOther(incoming, direccionMercado);
  return {
    ...direccionFrom(before),
    direccionEn: told ? incoming.actualizadoEn : direccionEn,
    direccionMercado: moved ? direccionFrom(withPartesOf(direccionMercado, incoming)) : direccionMercado,
    direccionDifiere: told ? (moved || direccionDifiere) && saysOther(incoming, before) : direccionDifiere,
  };
}

/** Parts of an address that a marketplace does not tell each time. They stay while street and postal code stay. */
const withPartesOf = (before: Direccion, incoming: Direccion): Direccion =>
  before.calle !== incoming.calle || before.cp !== incoming.cp
    ? incoming
    : {
        ...incoming,
        telefono: incoming.telefono ?? before.telefono,
        numeroE: incoming.numeroE ?? before.numeroE,
        numeroI: incoming.numeroI ?? before.numeroI,
        colonia: incoming.colonia ?? before.colonia,
      };

/** The orders that travel in shipments that moved, other than those just written, take the state their shipment calls for. */
export async function followEnvios(trx: Trx, moved: SavedEnvio[], except: string[]): Promise<void> {
  if (moved.length === 0) return;
  const envios = new Map(moved.map((envio) => [envio.id, envio]));
  const ordenes = await trx
    .selectFrom('orden')
    .select(['id', 'numOrden', 'marketId', 'situacion', 'estatus', 'clase', 'envioId'])
    .where('envioId', 'in', [...envios.keys()])
    .$if(except.length > 0, (query) => query.where('marketId', 'not in', except))
    .orderBy('marketId')
    .forUpdate()
    .execute();
  // A shipment never ends or revives a sale, so the class stays.
  const changes = ordenes
    .map(({ id, numOrden, situacion, estatus, clase, envioId }) => ({
      id,
      numOrden,
      before: { estatus, clase },
      after: { estatus: estatusOf(situacion, envios.get(envioId!)!, estatus), clase },
    }))
    .filter(({ before, after }) => before.estatus !== after.estatus);
  if (changes.length === 0) return;
  await sql`update orden set estatus = c.estatus, version = version + 1
    from unnest(${changes.map(({ id }) => id)}::uuid[], ${changes.map(({ after }) => after.estatus)}::text[]) as c(id, estatus) where orden.id = c.id`.execute(
    trx,
  );
  await recordStates(trx, changes);
}
