import { sql } from 'kysely';
import { cambiosEntre, withEtiquetas } from '~/core/choque';
import { writeCount } from '~/core/count';
import { Stale } from '~/core/errors';
import type { Question } from '~/core/fieldRules';
import { type Market, MARKETS } from '~/core/market';
import { Money } from '~/core/money';
import { record } from '~/platform/bitacora.server';
import { MERCADOS } from '~/domain/mercados/mercados';
import type { Db, Trx } from '~db/client.server';
import { desiredOf, hasTooManyZeros } from './internal/desired';
import type { ReglaDeStockForm } from './forms';
import { comprometidas, noCuenta, siguen } from './seguidas.server';

/** The rule as a form shows it: whole numbers as text, and an empty text without a cap. */
export type ReglaDeStock = Omit<ReglaDeStockForm, 'huella' | `${Market}Tope`> & Record<`${Market}Tope`, string>;

const CAMPOS = MARKETS.flatMap((market) => [`${market}Colchon`, `${market}Tope`] as const);
const SIN_REGLA = Object.fromEntries(
  CAMPOS.map((campo) => [campo, campo.endsWith('Colchon') ? '0' : '']),
) as ReglaDeStock;
const ETIQUETAS = Object.fromEntries(
  MARKETS.flatMap((market) => [
    [`${market}Colchon`, `Colchón en ${MERCADOS[market].label}`],
    [`${market}Tope`, `Tope en ${MERCADOS[market].label}`],
  ]),
) as Record<(typeof CAMPOS)[number], string>;

/** Returns the mark of the rule that a screen showed. */
const huellaOf = (regla: ReglaDeStock) => CAMPOS.map((campo) => regla[campo]).join('·');

const escrita = (form: ReglaDeStockForm): ReglaDeStock =>
  Object.fromEntries(CAMPOS.map((campo) => [campo, form[campo] ?? ''])) as ReglaDeStock;

/** Reads the rules by the name of their supplier. */
async function read(db: Db | Trx): Promise<ReadonlyMap<string, ReglaDeStock>> {
  const rows = await db.selectFrom('seguimientoRegla').select(['proveedor', 'market', 'colchon', 'tope']).execute();
  const reglas = new Map<string, ReglaDeStock>();
  for (const { proveedor, market, colchon, tope } of rows)
    reglas.set(proveedor, {
      ...(reglas.get(proveedor) ?? SIN_REGLA),
      [`${market}Colchon`]: String(colchon),
      [`${market}Tope`]: tope === null ? '' : String(tope),
    });
  return reglas;
}

/** Reads the rule that holds for each of these suppliers, with its mark. */
export async function readReglasOfStock(
  db: Db,
  proveedores: readonly string[],
): Promise<Record<string, ReglaDeStock & { huella: string }>> {
  const reglas = await read(db);
  return Object.fromEntries(
    proveedores.map((proveedor) => {
      const regla = reglas.get(proveedor) ?? SIN_REGLA;
      return [proveedor, { ...regla, huella: huellaOf(regla) }];
    }),
  );
}

type Movimiento = { siguen: number; mueven: number; aCero: number };
const enNumeros = (regla: ReglaDeStock, market: Market) => ({
  colchon: Number(regla[`${market}Colchon`]),
  tope: regla[`${market}Tope`] === '' ? null : Number(regla[`${market}Tope`]),
});

/** Counts the listings that follow a supplier, and those that would show another stock under another rule. */
async function countMovidas(
  db: Db,
  proveedor: string,
  antes: ReglaDeStock,
  despues: ReglaDeStock,
): Promise<Record<Market, Movimiento>> {
  const { rows } = await sql<{
    market: Market;
    existencia: number | null;
    noCuenta: boolean;
    vendible: boolean;
    comprometidas: number;
  }>`
    select p.market, oferta.existencia, ${noCuenta} as no_cuenta, coalesce(oferta.sin_precio is null and oferta.precio is not null, false) as vendible,
      ${comprometidas} as comprometidas
    from publicacion p join producto on producto.id = p.producto_id left join oferta on oferta.producto_id = producto.id
    where p.proveedor = ${proveedor} and ${siguen}`.execute(db);
  const cuentas = Object.fromEntries(
    MARKETS.map((market) => [market, { siguen: 0, mueven: 0, aCero: 0 }]),
  ) as unknown as Record<Market, Movimiento>;
  for (const { market, vendible, ...fila } of rows) {
    // The count asks for pieces alone, so any price serves.
    const precioDeRegla = vendible ? Money.of('1') : null;
    const [de, a] = [antes, despues].map(
      (regla) => desiredOf({ ...fila, precioDeRegla, ...enNumeros(regla, market) }).stock,
    ) as [number, number];
    cuentas[market].siguen++;
    if (de !== a) cuentas[market].mueven++;
    if (de > 0 && a === 0) cuentas[market].aCero++;
  }
  return cuentas;
}

function enPalabras(market: Market, { siguen, mueven, aCero }: Movimiento): string {
  const { label } = MERCADOS[market];
  if (mueven === 0) return `${label}: no cambia el stock de ninguna publicación.`;
  const cuantas = mueven === 1 ? '1 publicación' : `${writeCount(mueven)} publicaciones`;
  const ceros = aCero === 0 ? '' : ` ${aCero === 1 ? 'Una queda' : `${writeCount(aCero)} quedan`} en 0.`;
  const espera = hasTooManyZeros(aCero, siguen)
    ? ' Son más de un quinto: las que quedan en 0 esperan a una persona en Publicaciones.'
    : '';
  return `${label}: cambia el stock de ${cuantas}.${ceros}${espera}`;
}

/** Returns the effects of another rule, for the question before it holds; null when the rule is the same. */
export async function askReglaOfStock(
  db: Db,
  { kind, label }: { kind: string; label: string },
  form: ReglaDeStockForm,
): Promise<Question | null> {
  const antes = (await read(db)).get(kind) ?? SIN_REGLA;
  const despues = escrita(form);
  const cambian = MARKETS.filter((market) =>
    (['Colchon', 'Tope'] as const).some((campo) => antes[`${market}${campo}`] !== despues[`${market}${campo}`]),
  );
  if (cambian.length === 0) return null;
  const movidas = await countMovidas(db, kind, antes, despues);
  return {
    titulo: `Stock de ${label} en las tiendas`,
    texto: '¿Esta seguro que desea guardar la información?',
    hechos: cambian.map((market) => enPalabras(market, movidas[market])).join(' '),
  };
}

/** Saves the rule of a supplier. The row leaves a mark by which its listings are looked at again. Throws Stale when the rule changed since the form was opened. */
export async function saveReglaOfStock(
  trx: Trx,
  proveedor: string,
  form: ReglaDeStockForm,
  usuarioId: string | null,
): Promise<void> {
  await trx
    .selectFrom('proveedor')
    .select('value')
    .where('value', '=', proveedor)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const antes = (await read(trx)).get(proveedor) ?? SIN_REGLA;
  const despues = escrita(form);
  if (form.huella !== huellaOf(antes))
    throw new Stale({
      cambios: cambiosEntre(withEtiquetas(ETIQUETAS, despues), withEtiquetas(ETIQUETAS, antes)),
      marcas: { huella: huellaOf(antes) },
    });
  await trx
    .insertInto('seguimientoRegla')
    .values(MARKETS.map((market) => ({ proveedor, market, ...enNumeros(despues, market) })))
    .onConflict((conflict) =>
      conflict.columns(['proveedor', 'market']).doUpdateSet((eb) => ({
        colchon: eb.ref('excluded.colchon'),
        tope: eb.ref('excluded.tope'),
        version: eb('seguimientoRegla.version', '+', 1),
      })),
    )
    .execute();
  await record(trx, {
    usuarioId,
    entidad: 'proveedor',
    entidadId: proveedor,
    accion: 'stock en tiendas',
    datos: { antes, despues },
  });
}
