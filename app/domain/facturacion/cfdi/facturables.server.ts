import { sql } from 'kysely';
import type { Money } from '~/core/money';
import { NotAllowed } from '~/core/errors';
import type { Situacion } from '~db/columns';
import { PAGADA_SIN_ENTREGAR } from '~/domain/ventas/ordenes/devueltas.server';
import { isPagada } from '~/domain/ventas/ordenes/orden';
import type { Db, Trx } from '~db/client.server';
import type { Clase, Market } from '~db/columns';
import { MERCADOS } from '~/domain/mercados/mercados';

/** An orden of a sale, as invoicing needs it. */
export type OrdenFacturable = {
  id: string;
  market: Market;
  marketId: string;
  numOrden: string;
  fechaCreacion: Date;
  clase: Clase;
  situacion: Situacion;
  meliResale: boolean;
  pagadoAbs: Money;
  envioAdicional: Money;
  formaPago: string | null;
  billingInfoId: string | null;
  envio: { id: string; cobrado: Money | null } | null;
  articulos: {
    nombre: string;
    sku: string | null;
    cantidad: number;
    importe: Money;
    precioUnitario: Money;
    tasaIva: string;
  }[];
};

const ORDEN = 'Orden';

/**
 * The ordenes of a sale, by the number of its cart or of any order in it; none when we do not have the number. With `lock` the rows are held until the
 * transaction ends, so two people cannot pass at once.
 */
export async function ordenesOfNumber(
  db: Db | Trx,
  numero: string,
  options: { lock?: boolean } = {},
): Promise<OrdenFacturable[]> {
  const numbers = await db
    .selectFrom('orden')
    .select('numOrden')
    .distinct()
    .where((eb) => eb.or([eb('numOrden', '=', numero), eb('marketId', '=', numero)]))
    .execute();
  if (numbers.length === 0) return [];
  const rows = await db
    .selectFrom('orden')
    .select([
      'id',
      'market',
      'marketId',
      'numOrden',
      'fechaCreacion',
      'clase',
      'situacion',
      'meliResale',
      'pagadoAbs',
      'envioAdicional',
      'formaPago',
      'billingInfoId',
      'envioId',
    ])
    .where(
      'numOrden',
      'in',
      numbers.map(({ numOrden }) => numOrden),
    )
    .orderBy('fechaCreacion')
    .orderBy('marketId')
    .$if(options.lock ?? false, (query) => query.forUpdate())
    .execute();
  const ids = rows.map(({ id }) => id);
  const envioIds = rows.flatMap(({ envioId }) => (envioId ? [envioId] : []));
  const [articulos, envios] = await Promise.all([
    db
      .selectFrom('articulo')
      .select(['ordenId', 'nombre', 'sku', 'cantidad', 'importe', 'precioUnitario', 'tasaIva'])
      .where('ordenId', 'in', ids)
      .orderBy('ordenId')
      .orderBy('posicion')
      .execute(),
    envioIds.length === 0 ? [] : db.selectFrom('envio').select(['id', 'cobrado']).where('id', 'in', envioIds).execute(),
  ]);
  return rows.map(({ envioId, ...orden }) => ({
    ...orden,
    envio: envios.find(({ id }) => id === envioId) ?? null,
    articulos: articulos
      .filter(({ ordenId }) => ordenId === orden.id)
      .map(({ nombre, sku, cantidad, importe, precioUnitario, tasaIva }) => ({
        nombre,
        sku,
        cantidad,
        importe,
        precioUnitario,
        tasaIva: tasaIva.toFixed(6),
      })),
  }));
}

/** The reason an orden is left out of the factura of its sale; undefined when it can be invoiced. */
export function whyNotFacturable(
  orden: Pick<OrdenFacturable, 'market' | 'clase' | 'situacion' | 'meliResale'>,
): string | undefined {
  if (orden.clase === 'cancelada') return 'La orden de la factura fue cancelada y no se puede facturar.';
  if (orden.clase === 'devuelta') return 'La orden fue devuelta y no se puede facturar.';
  if (orden.meliResale)
    return `${MERCADOS[orden.market].label} le factura esta venta al cliente; no se puede facturar aquí.`;
  if (!isPagada(orden.situacion)) return 'El pago de la orden todavía no está confirmado y no se puede facturar.';
  return undefined;
}

/**
 * The reason a sale without a document is not invoiced, in the order people are told; null when it can be: `whyNotFacturable` in SQL. The
 * conditions are written as in the index of sales that can be invoiced (20261122_1340_situacion), or the index would not answer them.
 */
export const MOTIVO_DE_EXCLUSION = sql<string | null>`case
  when orden.clase = 'cancelada' then 'cancelada'
  when orden.clase = 'devuelta' then 'devuelta'
  when orden.meli_resale then 'meliResale'
  when orden.situacion not in ('pagada', 'devueltaEnParte', 'devuelta') then 'sinPagar'
  when orden.pagado_abs <= 0 then 'sinImporte' end`;

/** The condition that a person decides first whether a sale that came back is invoiced or credited. Table: orden. */
export const ESPERA_DECISION = PAGADA_SIN_ENTREGAR;

/** The condition that no document has an orden. Table: orden. */
export const SIN_DOCUMENTO = sql<boolean>`not exists (select from fiscal_claim c where c.orden_id = orden.id)`;

/**
 * Splits the ordenes of a sale into those that can be invoiced and those that cannot, with the reason. Throws NotAllowed when none can,
 * with the reason of the first.
 */
export function requireFacturables(ordenes: OrdenFacturable[]): {
  ordenes: OrdenFacturable[];
  excluidas: { marketId: string; motivo: string }[];
} {
  if (ordenes.length === 0)
    throw new NotAllowed(
      ORDEN,
      'No se encontró la orden. Revisa el número; las ventas nuevas tardan unos segundos en llegar.',
      { campo: 'numOrden' },
    );
  const excluidas = ordenes.flatMap((orden) => {
    const motivo = whyNotFacturable(orden);
    return motivo ? [{ marketId: orden.marketId, motivo }] : [];
  });
  const facturables = ordenes.filter((orden) => !whyNotFacturable(orden));
  if (facturables.length === 0) throw new NotAllowed(ORDEN, excluidas[0]!.motivo, { campo: 'numOrden' });
  return { ordenes: facturables, excluidas };
}

/** The document that holds a sale; `folio` and `facturaId` are null until it is stamped. */
export type ClaimOfNumber = {
  effectId: string;
  facturaId: string | null;
  kind: 'individual' | 'global';
  folio: string | null;
};

/**
 * The living document that keeps any of these ordenes from a factura of their own; undefined when none does. A stamped global does not: the sale passes to its
 * customer's factura, and the global owes a credit note. Neither does `sustituidaId`, the factura that the new one replaces.
 */
export async function findClaim(
  db: Db | Trx,
  ordenIds: string[],
  { sustituidaId }: { sustituidaId?: string } = {},
): Promise<ClaimOfNumber | undefined> {
  if (ordenIds.length === 0) return undefined;
  const claim = await db
    .selectFrom('fiscalClaim')
    .leftJoin('factura', 'factura.id', 'fiscalClaim.facturaId')
    .select(['fiscalClaim.effectId', 'fiscalClaim.facturaId', 'fiscalClaim.kind', 'factura.serie', 'factura.folio'])
    .where('fiscalClaim.ordenId', 'in', ordenIds)
    .where((eb) =>
      eb.not(
        eb.and([
          eb('fiscalClaim.kind', '=', 'global'),
          eb(eb.fn.coalesce('factura.estatus', eb.val('')), '=', 'vigente'),
        ]),
      ),
    )
    .$if(sustituidaId !== undefined, (claims) =>
      claims.where((eb) =>
        eb.or([eb('fiscalClaim.facturaId', 'is', null), eb('fiscalClaim.facturaId', '<>', sustituidaId!)]),
      ),
    )
    .executeTakeFirst();
  return (
    claim && {
      effectId: claim.effectId,
      facturaId: claim.facturaId,
      kind: claim.kind as 'individual' | 'global',
      folio: claim.serie === null ? null : `${claim.serie}-${claim.folio}`,
    }
  );
}

/** The sentence for people about a sale that is in a document already. */
export function textOfClaim({ kind, folio }: ClaimOfNumber): string {
  if (kind === 'global')
    return folio
      ? `La orden está en la factura global ${folio}, que se está cancelando.`
      : 'La orden está en la factura global del mes, que se está generando.';
  return folio ? `La orden ya está facturada con el folio ${folio}.` : 'La factura de esta orden ya se está generando.';
}
