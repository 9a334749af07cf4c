import { enPesos } from '~/core/importe';
import { env } from '~/core/env.server';
import { log } from '~/core/log.server';
import { RFC_PUBLICO } from '~/core/rfc';
import { addDays } from '~/core/time';
import { LIVE_STATES } from '~/platform/effects/effects.server';
import type { EffectCall } from '~/platform/effects/definition';
import type { Pac } from '~/domain/facturacion/cfdi/facturacom.server';
import { Refused, Unavailable, UnexpectedShape } from '~/integrations/errors';
import type { CfdiPac } from '~/integrations/facturacom/nouns';
import type { Db } from '~db/client.server';
import { readCfdiXml } from '~/integrations/sat/cfdiXml.server';
import { hasUnadopted } from '~/domain/facturacion/cfdi/adopcion.server';
import { mesOf, type Mes } from '../mes';
import type { GlobalRequest } from './globalRequest';

const MONTHS_AT_ONCE = 3;
const MAX_XML = 10;
const RETRY_MS = 60_000;

/** The code of a refusal after which a number is never used again: the PAC has it on a cancelled document, and would hand that one back. */
export const NUMERO_CANCELADO = 'número cancelado en el PAC';

/** The remedy after a restore: the document is ours and waits to be adopted, so nobody cancels it. */
const CONCILIA = 'Volvió de un respaldo y falta adoptarlo: concilia otra vez (npm run restaurar -- --conciliar)';

type Call = EffectCall<GlobalRequest>;
type Hallada = { uid: string; uuid: string; existed: true };

/**
 * Looks at the PAC's list before a global is sent, from the month of its sales to now. Returns the CFDI of this very request when an
 * earlier try left it there; undefined when the way is free. Throws Refused when a living CFDI that we do not know covers one of its sales,
 * whoever made it: a global stamps hundreds of sales, and none twice.
 */
export async function globalEnPac({ request, ref, clients, db }: Call): Promise<Hallada | undefined> {
  const pac = await clients.pac();
  const ventas = await numerosOfVentas(db, request);
  const ours = (numOrder: string) => numOrder === ref || numOrder.startsWith(prefijoOf(request.mes));
  const wanted = ({ numOrder }: CfdiPac) => ours(numOrder) || ventaOf(numOrder, ventas) !== undefined;
  const found = await looking(async () => {
    // Globals are few and are read to the end. CFDI of customers may be tens of thousands and are read as far as the time goes.
    const globales = await readList(pac, request.mes, wanted, { rfc: RFC_PUBLICO });
    const todos = await readList(pac, request.mes, wanted, { withinMs: env().GLOBAL_MIRADA_MS });
    return [...globales, ...todos.filter(({ uid }) => !globales.some((global) => global.uid === uid))];
  });
  const vivos = await unknownToUs(
    db,
    found.filter(({ cancelada }) => !cancelada),
  );

  const deVentas = vivos.filter(({ numOrder }) => !ours(numOrder));
  if (deVentas.length > 0)
    throw refusal(
      `factura.com tiene vigente ${some(deVentas, ({ numOrder }) => `de la venta ${ventaOf(numOrder, ventas)}`)}, y Trastienda no lo tiene. ${(await hasUnadopted(db)) ? CONCILIA : 'Factura esa venta en Facturación para recuperarlo, o cancélalo en factura.com'}, y genera de nuevo.`,
    );

  const otras = await notUnderWay(
    db,
    vivos.filter(({ numOrder }) => ours(numOrder) && numOrder !== ref),
  );
  for (const otra of otras.slice(0, MAX_XML)) {
    const { conceptos } = await looking(async () => readCfdiXml(await pac.downloadXml(otra.uid)));
    const venta = conceptos.find(
      ({ noIdentificacion }) => ventaOf(noIdentificacion ?? '', ventas) !== undefined,
    )?.noIdentificacion;
    if (venta)
      throw refusal(
        `factura.com ya tiene vigente ${some([otra], ({ numOrder }) => `(${numOrder})`)} con la venta ${venta}, y Trastienda no lo tiene. ${(await hasUnadopted(db)) ? CONCILIA : 'Cancélalo en factura.com'} y genera de nuevo.`,
      );
  }
  return findOwn(request, ref, found, vivos);
}

function findOwn({ cfdi }: GlobalRequest, ref: string, found: CfdiPac[], vivos: CfdiPac[]): Hallada | undefined {
  const [primero, ...mas] = vivos.filter(({ numOrder }) => numOrder === ref);
  if (primero && (mas.length > 0 || primero.rfc !== cfdi.receptor.rfc || primero.total !== cfdi.total)) {
    throw refusal(
      `factura.com ya tiene vigente ${some([primero, ...mas], ({ total }) => `por ${enPesos(total)}`)} con el número ${ref}, y no es lo que se pide ahora (${enPesos(cfdi.total)}). Cancélalo en factura.com y genera de nuevo.`,
    );
  }
  if (primero) return { uid: primero.uid, uuid: primero.uuid, existed: true };
  if (found.some(({ numOrder, cancelada }) => numOrder === ref && cancelada)) {
    throw refusal(
      `El número ${ref} ya se usó en factura.com en un CFDI que está cancelado. Genera de nuevo: las ventas toman el número siguiente.`,
      NUMERO_CANCELADO,
    );
  }
  return undefined;
}

async function readList(
  pac: Pac,
  mes: Mes,
  wanted: (cfdi: CfdiPac) => boolean,
  { rfc, withinMs = Infinity }: { rfc?: string; withinMs?: number },
): Promise<CfdiPac[]> {
  let until = performance.now() + withinMs;
  const meses = monthsUntil(mes, mesOf(new Date()));
  const found: CfdiPac[] = [];
  const readNext = async (): Promise<void> => {
    const next = meses.shift();
    if (next === undefined) return;
    for await (const cfdi of pac.cfdisOfMonth(next, rfc)) {
      if (wanted(cfdi)) found.push(cfdi);
      if (performance.now() > until) return log.warn('lista del PAC leída en parte', { mes: next });
    }
    return readNext();
  };
  try {
    await Promise.all(Array.from({ length: MONTHS_AT_ONCE }, readNext));
  } finally {
    until = 0;
  }
  return found;
}

/**
 * Runs a look at the PAC. Nothing was sent yet, so an answer that cannot be read is Unavailable: the effect looks again later. A clear no
 * is Refused, for people.
 */
async function looking<T>(look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof Refused && !error.details.account) {
      throw new Refused(
        `No se timbró: factura.com no dejó leer lo que ya tiene timbrado, y sin eso no se sabe si estas ventas ya están en otro CFDI. Dijo: ${error.message}`,
        error.details,
      );
    }
    if (error instanceof Unavailable || error instanceof UnexpectedShape) {
      throw new Unavailable(
        `No se timbró todavía: falta leer lo que factura.com ya tiene timbrado (${error.message}). Se intenta de nuevo solo.`,
        {
          status: error.details.status,
          retryAfterMs: (error instanceof Unavailable ? error.details.retryAfterMs : undefined) ?? RETRY_MS,
          cause: error,
        },
      );
    }
    throw error;
  }
}

/** The numbers of these sales: that of each sale, and of each orden in it. */
async function numerosOfVentas(db: Db, { ventas }: GlobalRequest): Promise<ReadonlySet<string>> {
  const ids = ventas.flatMap(({ ordenes }) => ordenes.map(({ id }) => id));
  const ordenes = await db.selectFrom('orden').select('marketId').where('id', 'in', ids).execute();
  return new Set([...ventas.map(({ numOrden }) => numOrden), ...ordenes.map(({ marketId }) => marketId)]);
}

/** The sale of a reference: its number, with or without the count of a later factura ('-2'). */
function ventaOf(numOrder: string, ventas: ReadonlySet<string>): string | undefined {
  return [numOrder, numOrder.replace(/-\d{1,3}$/, '')].find((numero) => ventas.has(numero));
}

/** The CFDI that no factura here has. A known one is no impediment: claims tell its sales, and another orden of its cart may be in the global. */
async function unknownToUs(db: Db, cfdis: CfdiPac[]): Promise<CfdiPac[]> {
  if (cfdis.length === 0) return [];
  const known = await db
    .selectFrom('factura')
    .select('uuid')
    .where(
      'uuid',
      'in',
      cfdis.map(({ uuid }) => uuid),
    )
    .execute();
  return cfdis.filter(({ uuid }) => !known.some((one) => one.uuid === uuid));
}

/** The CFDI that no other effect of ours makes or made; claims tell the sales of those. */
async function notUnderWay(db: Db, cfdis: CfdiPac[]): Promise<CfdiPac[]> {
  if (cfdis.length === 0) return [];
  const held = await db
    .selectFrom('effect')
    .select('ref')
    .where('connection', '=', 'facturacom')
    .where(
      'ref',
      'in',
      cfdis.map(({ numOrder }) => numOrder),
    )
    .where('state', 'in', [...LIVE_STATES, 'done'])
    .execute();
  return cfdis.filter(({ numOrder }) => !held.some(({ ref }) => ref === numOrder));
}

const prefijoOf = (mes: Mes) => `GLOBAL-${mes}-`;
const refusal = (texto: string, code?: string) => new Refused(`No se timbró: ${texto}`, { code });

function monthsUntil(from: Mes, to: Mes): Mes[] {
  const meses: Mes[] = [];
  for (let mes = from; mes <= to; mes = addDays(`${mes}-01`, 31).slice(0, 7)) meses.push(mes);
  return meses;
}

/** 'el CFDI F-160 de la venta 2000…', with the first three by name. */
function some(cfdis: CfdiPac[], which: (cfdi: CfdiPac) => string): string {
  const named = cfdis
    .slice(0, 3)
    .map((cfdi) => `${cfdi.folio === null ? cfdi.uuid : `${cfdi.serie}-${cfdi.folio}`} ${which(cfdi)}`);
  const rest = cfdis.length - named.length;
  return `${cfdis.length === 1 ? 'el CFDI' : 'los CFDI'} ${named.join(', ')}${rest > 0 ? ` y ${rest} más` : ''}`;
}
