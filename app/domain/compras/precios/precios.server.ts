import { sql } from 'kysely';
import { Money } from '~/core/money';
import { type Market, MARKET_LABEL, PRECIO_DE, type PrecioKey, PRECIOS } from '~/core/market';
import type { Db, Trx } from '~db/client.server';
import {
  type Cara,
  carasOf,
  costoEnPesos,
  estimadasDe,
  type Fraccion,
  type Preciable,
  type Ganancias,
  gananciaOf,
  margenNeto,
  type ReglasDePrecio,
  SIN_COSTO,
} from './precio';
import { enFraccion, escritasOf, ETIQUETAS, huellaOfGanancias, readPropias, readReglas } from './reglas.server';
import { readEstimadas } from './estimadas.server';
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
  const [propias, estimadas, rows] = await Promise.all([
    readPropias(db, productos),
    readEstimadas(db, productos),
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
      {
        proveedor,
        ofrecido,
        envio: costoEnvio,
        propias: propias.get(id) ?? {},
        estimadas: estimadas.get(id) ?? [],
      },
    ]),
  );
}

/** Returns sale price and margin of some products for each kind of listing. A product without a read offer is left out. */
export async function readCaras(
  db: Db | Trx,
  productos: readonly string[],
): Promise<ReadonlyMap<string, Record<PrecioKey, Cara>>> {
  const [reglas, preciables] = await Promise.all([readReglas(db), readPreciables(db, productos)]);
  return new Map([...preciables].map(([id, preciable]) => [id, carasOf(reglas, preciable)]));
}

/** Money that would be left of a sale at some price, with the reasons why it is an estimate; or why nobody knows it. */
export type Quedaria = { queda: Money; margen: Fraccion; estima: string[] } | { porque: string };

/** A sale that is thought of: a product at a price at a marketplace; null for a listing that names no product. */
type VentaPensada = { productoId: string | null; market: Market; precio: Money };

/** Returns what would be left of each of these sales, in their order. */
export async function readQuedarias(db: Db | Trx, ventas: readonly VentaPensada[]): Promise<Quedaria[]> {
  const productos = [...new Set(ventas.flatMap(({ productoId }) => productoId ?? []))];
  const [{ tarifas }, preciables] = await Promise.all([readReglas(db), readPreciables(db, productos)]);
  return ventas.map(({ productoId, market, precio }) => {
    if (productoId === null) return { porque: SIN_PRODUCTO };
    const preciable = preciables.get(productoId);
    if (!preciable) return { porque: 'El proveedor no ha dado un precio.' };
    const { ofrecido, envio, estimadas } = preciable;
    const costo = costoEnPesos(ofrecido);
    if (typeof costo === 'string') return { porque: SIN_COSTO[costo] };
    const { queda, margen, comisionDe } = margenNeto(precio, {
      costo,
      envio,
      tarifa: tarifas[market],
      estimadas: estimadasDe(estimadas, market),
    });
    return {
      queda,
      margen,
      estima: [
        ...(comisionDe === 'omision' ? ['con la comisión por omisión'] : []),
        ...(comisionDe === 'estimada' ? [`con la comisión que ${MARKET_LABEL[market]} estima`] : []),
        ...(envio === null ? ['sin envío: no se sabe cuánto cuesta'] : []),
      ],
    };
  });
}

const SIN_PRODUCTO = 'Su SKU no nombra un producto de los proveedores: no se sabe su costo.';

const TITULO = 'Ganancia del producto';

/** Mark-ups of a product as its form has them; '' stands for its supplier's. */
type Escritas = Record<PrecioKey, string>;

/** Returns the mark-ups of a product as its form has them. */
export const propiasEscritas = (propias: Ganancias | undefined): Escritas =>
  escritasOf((key) => {
    const propia = propias?.[key];
    return propia ? enFraccion(propia) : '';
  });

export type PropiasForm = { id: string; huella: string } & Record<PrecioKey, string | null>;

const pedidas = (form: Record<PrecioKey, string | null>): Ganancias =>
  Object.fromEntries(
    PRECIOS.flatMap((key) => {
      const escrita = form[key];
      return escrita === null ? [] : [[key, Money.of(escrita)]];
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
  const mueven = PRECIOS.filter((key) => eran[key] !== seran[key]);
  if (mueven.length === 0) return null;
  const [caras, otras] = [antes, despues].map(
    (suyas) => preciable && carasOf(reglas, { ...preciable, propias: suyas }),
  );
  return {
    titulo: TITULO,
    texto: '¿Esta seguro que desea guardar la información?',
    hechos: hechosOf(
      ...mueven.map((key) => {
        const [de, a] = [antes, despues].map((suyas) => enPalabras(reglas, { proveedor, key, suyas }));
        return `${PRECIO_DE[key].label}: de ${de} a ${a}${enDinero(caras?.[key], otras?.[key])}.`;
      }),
    ),
  };
}

function enPalabras(reglas: ReglasDePrecio, { proveedor, key, suyas }: Cual): string {
  const propia = suyas[key];
  if (propia) return enFraccion(propia);
  const deClasica = suyas[PRECIO_DE[key].market];
  return deClasica
    ? `${enFraccion(deClasica)} (la de Clásica)`
    : `${enFraccion(gananciaOf(reglas, proveedor, key))} (la de su proveedor)`;
}
type Cual = { proveedor: string; key: PrecioKey; suyas: Ganancias };

/** Price and remaining money, before and after. */
function enDinero(antes: Cara | undefined, despues: Cara | undefined): string {
  if (antes?.venta.clase !== 'precio' || despues?.venta.clase !== 'precio') return ', todavía sin precio de venta';
  const queda = despues.margen && `, ${loQueDeja(despues.margen.queda)}`;
  return `, el precio de ${enPesos(antes.venta.precio.toFixed(2))} a ${enPesos(despues.venta.precio.toFixed(2))}${queda ?? ''}`;
}

const loQueDeja = (queda: Money) =>
  queda.isNegative()
    ? `se pierden ${enPesos(Money.zero.minus(queda).toFixed(2))}`
    : `quedan ${enPesos(queda.toFixed(2))}`;

async function proveedorOf(db: Db, id: string): Promise<string | undefined> {
  const row = await db.selectFrom('producto').select('proveedor').where('id', '=', id).executeTakeFirst();
  return row?.proveedor;
}

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
  const suyas = PRECIOS.filter((key) => despues[key] !== '');
  if (suyas.length > 0)
    await trx
      .insertInto('gananciaProducto')
      .values(
        suyas.map((key) => ({
          productoId: id,
          market: PRECIO_DE[key].market,
          tipo: PRECIO_DE[key].tipo,
          ganancia: despues[key],
        })),
      )
      .execute();
  await record(trx, { usuarioId, entidad: 'producto', entidadId: id, accion: 'ganancia', datos: { antes, despues } });
}
