import { sql, type RawBuilder } from 'kysely';
import { NotAllowed } from '~/core/errors';
import { tableOf } from '~/core/table';

/* The filters that the old client sent as JSON, in the words of its own database. What it used is understood, and nothing else. */

const NO_SE_ENTIENDE = 'El filtro no se entiende.';
const MAX_CONDICIONES = 40;

type Escalar = string | number | boolean | null;

/** Fields of a sale under their old names: a value that is compared, the tags, or a count of rows. */
const CAMPOS: Record<string, { valor: RawBuilder<unknown> } | { tags: true } | { cuantos: RawBuilder<number> }> =
  tableOf({
    estatus: { valor: sql`orden.estatus` },
    market: { valor: sql`orden.market` },
    marketId: { valor: sql`orden.market_id` },
    envioPropio: { valor: sql`orden.envio_propio::text` },
    'datos.status': { valor: sql`orden.market_status` },
    'datos.tags': { tags: true },
    'envio.estatus': { valor: sql`(select e.estatus from envio e where e.id = orden.envio_id)` },
    facturaCliente: { cuantos: sql<number>`(select count(*) from fiscal_claim c where c.orden_id = orden.id)` },
    proveedorFacturas: { cuantos: sql<number>`orden.facturas_proveedor` },
    proveedorPagos: { cuantos: sql<number>`(select count(*) from pago_orden po where po.orden_id = orden.id)` },
  });

/** Returns the condition of a filter. Throws when the filter asks for a field that the old client never asked for. */
export function condicionOf(filtro: unknown): RawBuilder<boolean> {
  const quedan = { condiciones: MAX_CONDICIONES };
  return todas(filtro, quedan);
}

type Quedan = { condiciones: number };

function todas(filtro: unknown, quedan: Quedan): RawBuilder<boolean> {
  if (typeof filtro !== 'object' || filtro === null || Array.isArray(filtro)) throw refused();
  const parts = Object.entries(filtro).map(([name, said]) => una(name, said, quedan));
  return parts.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(parts, sql` and `)})`;
}

function una(campo: string, said: unknown, quedan: Quedan): RawBuilder<boolean> {
  if (--quedan.condiciones < 0) throw refused();
  // The first of a list stands for the list: who asks for it asks whether there is any.
  const name = campo === 'proveedorPagos.0' || campo === 'proveedorFacturas.0' ? campo.slice(0, -2) : campo;
  if (name === '$and' || name === '$or' || name === '$nor') {
    if (!Array.isArray(said) || said.length === 0) throw refused();
    const parts = said.map((one) => todas(one, quedan));
    const joined = sql<boolean>`(${sql.join(parts, name === '$and' ? sql` and ` : sql` or `)})`;
    return name === '$nor' ? sql<boolean>`not ${joined}` : joined;
  }
  if (!Object.hasOwn(CAMPOS, name)) throw refused();
  const entries = isOperators(said) ? Object.entries(said) : [['$eq', said] as const];
  return sql<boolean>`(${sql.join(
    entries.map(([operator, value]) => compare(name, operator, value)),
    sql` and `,
  )})`;
}

const isOperators = (said: unknown): said is Record<string, unknown> =>
  typeof said === 'object' && said !== null && !Array.isArray(said) && Object.keys(said).length > 0;

function compare(name: string, operator: string, value: unknown): RawBuilder<boolean> {
  const campo = CAMPOS[name]!;
  if ('cuantos' in campo) return withAny(campo.cuantos, hasAny(operator, value));
  const values = operator === '$in' || operator === '$nin' ? listOf(value) : [escalarOf(value)];
  const some = sql<boolean>`(${sql.join(
    values.map((one) => equal(campo, one)),
    sql` or `,
  )})`;
  if (operator === '$eq' || operator === '$in') return some;
  if (operator === '$ne' || operator === '$nin') return sql<boolean>`not coalesce(${some}, false)`;
  throw refused();
}

function equal(campo: (typeof CAMPOS)[string], value: Escalar): RawBuilder<boolean> {
  if ('tags' in campo) return sql<boolean>`${String(value)} = any(orden.tags)`;
  if (!('valor' in campo)) throw refused();
  return value === null ? sql<boolean>`${campo.valor} is null` : sql<boolean>`${campo.valor} = ${String(value)}`;
}

const withAny = (cuantos: RawBuilder<number>, any: boolean) =>
  any ? sql<boolean>`${cuantos} > 0` : sql<boolean>`${cuantos} = 0`;

/** Returns whether a condition asks for presence; `{ $exists: false }`, `{ $size: 0 }`, null and an empty list ask for absence. */
function hasAny(operator: string, value: unknown): boolean {
  const none = value === null || value === 0 || value === false || (Array.isArray(value) && value.length === 0);
  const some = value === true || value === undefined;
  if (operator === '$not' && isOperators(value) && Object.keys(value).length === 1) {
    const [[inner, what]] = Object.entries(value) as [[string, unknown]];
    return !hasAny(inner, what);
  }
  if (operator === '$exists' && (none || some)) return !none;
  if (operator === '$gt' && value === 0) return true;
  if ((operator === '$eq' || operator === '$size') && none) return false;
  if (operator === '$ne' && none) return true;
  throw refused();
}

function listOf(value: unknown): Escalar[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > 50) throw refused();
  return value.map(escalarOf);
}

function escalarOf(value: unknown): Escalar {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value as Escalar;
  throw refused();
}

const refused = () => new NotAllowed('Error de carga.', NO_SE_ENTIENDE);
