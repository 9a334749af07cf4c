import { sql } from 'kysely';
import { Money } from '~/core/money';
import { type Market, MARKET_LABEL, MARKETS } from '~/core/market';
import type { Db, Trx } from '~db/client.server';
import { type Cara, carasOf, type Preciable, type Ganancias, gananciaOf, type ReglasDePrecio } from './precio';
import { readPropias, readReglas, enFraccion, huellaOfGanancias } from './reglas.server';
import { cambiosEntre, withEtiquetas } from '~/core/choque';
import { NotAllowed, Stale } from '~/core/errors';
import type { Question } from '~/core/fieldRules';
import { hechosOf } from '~/core/hechos';
import { enPesos } from '~/core/importe';
import { record } from '~/platform/bitacora.server';

/** Pesos per dollar of a `producto` with its `oferta`: the supplier's own rate as it was last read, else the rate that came with the product. */
export const tipoCambio = sql<Money | null>`coalesce(
  (select c.tipo_cambio from catalogo_proveedor c where c.proveedor = producto.proveedor), oferta.tipo_cambio)`;

/** Returns some products as prices take them. A product without a read offer is left out. */
export async function readPreciables(
  db: Db | Trx,
  productos: readonly string[],
): Promise<ReadonlyMap<string, Preciable>> {
  if (productos.length === 0) return new Map();
  const [propias, rows] = await Promise.all([
    readPropias(db, productos),
    db
      .selectFrom('producto')
      .innerJoin('oferta', 'oferta.productoId', 'producto.id')
      .leftJoin('catalogoProveedor', 'catalogoProveedor.proveedor', 'producto.proveedor')
      .select(['producto.id', 'producto.proveedor', 'costoEnvio', 'precio', 'moneda', 'sinPrecio'])
      .select(sql<Money | null>`coalesce(catalogo_proveedor.tipo_cambio, oferta.tipo_cambio)`.as('tipoCambio'))
      .where('producto.id', 'in', productos)
      .execute(),
  ]);
  return new Map(
    rows.map(({ id, proveedor, costoEnvio, ...ofrecido }) => [
      id,
      { proveedor, ofrecido, envio: costoEnvio, propias: propias.get(id) ?? {} },
    ]),
  );
}

/** Returns sale price and margin of some products at each marketplace. A product without a read offer is left out. */
export async function readCaras(
  db: Db | Trx,
  productos: readonly string[],
): Promise<ReadonlyMap<string, Record<Market, Cara>>> {
  const [reglas, preciables] = await Promise.all([readReglas(db), readPreciables(db, productos)]);
  return new Map([...preciables].map(([id, preciable]) => [id, carasOf(reglas, preciable)]));
}

const TITULO = 'Ganancia del producto';

/** Mark-ups of a product as its form has them; '' stands for its supplier's. */
type Escritas = Record<Market, string>;

/** Returns the mark-ups of a product as its form has them. */
export function propiasEscritas(propias: Ganancias | undefined): Escritas {
  const escritas = MARKETS.map((market) => {
    const propia = propias?.[market];
    return [market, propia ? enFraccion(propia) : ''];
  });
  return Object.fromEntries(escritas) as Escritas;
}

export type PropiasForm = { id: string; huella: string } & Record<Market, string | null>;

const pedidas = (form: Record<Market, string | null>): Ganancias =>
  Object.fromEntries(
    MARKETS.flatMap((market) => {
      const escrita = form[market];
      return escrita === null ? [] : [[market, Money.of(escrita)]];
    }),
  );

/** Returns the question before a product's own mark-ups are saved, with the prices that would move; null when nothing changes. */
export async function askPropias(db: Db, { id, ...form }: Omit<PropiasForm, 'huella'>): Promise<Question | null> {
  const [reglas, propias, preciables] = await Promise.all([
    readReglas(db),
    readPropias(db, [id]),
    readPreciables(db, [id]),
  ]);
  const preciable = preciables.get(id);
  const proveedor = preciable?.proveedor ?? (await proveedorOf(db, id));
  if (proveedor === undefined) return null;
  const [antes, despues] = [propias.get(id) ?? {}, pedidas(form)];
  const [eran, seran] = [propiasEscritas(antes), propiasEscritas(despues)];
  const mueven = MARKETS.filter((market) => eran[market] !== seran[market]);
  if (mueven.length === 0) return null;
  const [caras, otras] = [antes, despues].map(
    (suyas) => preciable && carasOf(reglas, { ...preciable, propias: suyas }),
  );
  return {
    titulo: TITULO,
    texto: '¿Esta seguro que desea guardar la información?',
    hechos: hechosOf(
      ...mueven.map((market) => {
        const [de, a] = [antes, despues].map((suyas) => enPalabras(reglas, { proveedor, market, suyas }));
        return `${MARKET_LABEL[market]}: de ${de} a ${a}${enDinero(caras?.[market], otras?.[market])}.`;
      }),
    ),
  };
}

function enPalabras(reglas: ReglasDePrecio, { proveedor, market, suyas }: Cual): string {
  const propia = suyas[market];
  return propia ? enFraccion(propia) : `${enFraccion(gananciaOf(reglas, proveedor, market))} (la de su proveedor)`;
}
type Cual = { proveedor: string; market: Market; suyas: Ganancias };

/** Price and remaining money, before and after. */
function enDinero(antes: Cara | undefined, despues: Cara | undefined): string {
  if (antes?.venta.clase !== 'precio' || despues?.venta.clase !== 'precio') return ', todavía sin precio de venta';
  const queda = despues.margen && `, quedan ${enPesos(despues.margen.queda.toFixed(2))}`;
  return `, el precio de ${enPesos(antes.venta.precio.toFixed(2))} a ${enPesos(despues.venta.precio.toFixed(2))}${queda ?? ''}`;
}

async function proveedorOf(db: Db, id: string): Promise<string | undefined> {
  const row = await db.selectFrom('producto').select('proveedor').where('id', '=', id).executeTakeFirst();
  return row?.proveedor;
}

const ETIQUETAS = Object.fromEntries(MARKETS.map((market) => [market, MARKET_LABEL[market]])) as Escritas;

/**
 * Saves a product's own mark-ups; an empty one falls back to its supplier's. Throws `Stale` when they moved since the screen showed them, and
 * `NotAllowed` when the product is gone.
 */
export async function savePropias(
  trx: Trx,
  { id, huella, ...form }: PropiasForm,
  usuarioId: string | null,
): Promise<void> {
  const producto = await trx.selectFrom('producto').select('id').where('id', '=', id).forUpdate().executeTakeFirst();
  if (!producto) throw new NotAllowed(TITULO, 'No se encontro un producto');
  const antes = propiasEscritas((await readPropias(trx, [id])).get(id));
  const despues = propiasEscritas(pedidas(form));
  const marca = huellaOfGanancias(antes);
  if (huella !== marca)
    throw new Stale({
      cambios: cambiosEntre(withEtiquetas(ETIQUETAS, despues), withEtiquetas(ETIQUETAS, antes)),
      marcas: { huella: marca },
    });
  await trx.deleteFrom('gananciaProducto').where('productoId', '=', id).execute();
  const suyas = MARKETS.filter((market) => despues[market] !== '');
  if (suyas.length > 0)
    await trx
      .insertInto('gananciaProducto')
      .values(suyas.map((market) => ({ productoId: id, market, ganancia: despues[market] })))
      .execute();
  await record(trx, { usuarioId, entidad: 'producto', entidadId: id, accion: 'ganancia', datos: { antes, despues } });
}
