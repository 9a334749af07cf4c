import { sql } from 'kysely';
import { type Market, MARKETS, precioKeyOf } from '~/core/market';
import type { Money } from '~/core/money';
import { createBatch } from '~/platform/batches/batches.server';
import { acceptEffects } from '~/platform/effects/effects.server';
import { livingOf } from '~/platform/effects/subjects.server';
import { fuenteOf } from '~/domain/mercados/registro.server';
import { readCaras } from '~/domain/compras/precios/precios.server';
import { caducada } from '~/domain/compras/catalogo/columnas.server';
import type { Db, Trx } from '~db/client.server';
import { enqueue } from '~db/queue/catalog.server';
import { Cambio } from './internal/cambio.server';
import { desiredOf, jumpsTooMuch, hasTooManyZeros } from './internal/desired';
import { archivos, cambios as effects } from './internal/cambios.server';
import { comprometidas, noCuenta, siguen } from './seguidas.server';

/** Products looked at in one transaction. */
const POR_MIRADA = 500;

/** The number of a wish: the newer of two wishes has the higher number. */
export const AHORA = sql`(extract(epoch from clock_timestamp()) * 1000000)::bigint`;

type Fila = {
  id: string;
  market: Market;
  tipo: string | null;
  proveedor: string;
  productoId: string;
  precio: Money | null;
  stock: number | null;
  precioNegado: Money | null;
  precioAjeno: boolean;
  /** Price that a person typed; the first change of it is theirs to allow. */
  precioEscrito: Money | null;
  existencia: number | null;
  noCuenta: boolean;
  caduca: boolean;
  comprometidas: number;
  colchon: number | null;
  tope: number | null;
  vale: boolean;
  precioPendiente: Money | null;
  /** The wish of no pieces waits to be told, and nobody has to be asked any more. */
  ceroAceptado: boolean;
  /** The wish of no pieces waits, whether or not a person has to be asked. */
  ceroEnCola: boolean;
};

/**
 * Looks at the listings of products that may have moved, and keeps one line for each listing that has something to be told: the newest wish wins. A
 * mark is deleted in the transaction that writes what follows from it. Returns how many listings were looked at.
 */
export async function checkMovidos(db: Db): Promise<number> {
  return await db.transaction().execute(async (trx) => {
    const { rows: marcas } = await sql<{ productoId: string; motivo: string; desde: Date }>`
      with tomadas as (
        delete from publicacion_mirar where id in (select id from publicacion_mirar order by id limit ${POR_MIRADA} for update skip locked) returning producto_id, motivo, en)
      select producto_id, string_agg(distinct motivo, ' ' order by motivo) as motivo, min(en) as desde from tomadas group by 1`.execute(
      trx,
    );
    if (marcas.length === 0) return 0;
    const por = new Map(marcas.map((marca) => [marca.productoId, marca]));
    const filas = await seguidasOf(trx, [...por.keys()]);
    const caras = await readCaras(trx, [...new Set(filas.map(({ productoId }) => productoId))]);
    const deseos = filas.map((fila) => {
      const venta = caras.get(fila.productoId)?.[precioKeyOf(fila.market, fila.tipo)].venta;
      const precioDeRegla = venta?.clase === 'precio' ? venta.precio : null;
      const suyo = desiredOf({ ...fila, precioDeRegla, colchon: fila.colchon ?? 0 });
      // The marketplace would refuse a price where it moves the price itself.
      const deseo = fila.precioAjeno ? { ...suyo, precio: null } : suyo;
      return { fila, deseo, marca: por.get(fila.productoId)! };
    });
    const frenados = await frenar(trx, deseos);
    await write(
      trx,
      deseos.map(({ fila, deseo, marca }) => lineaOf(fila, deseo, marca, frenados)),
    );
    return filas.length;
  });
}

async function seguidasOf(trx: Trx, productos: readonly string[]): Promise<Fila[]> {
  const { rows } = await sql<Fila>`
    select p.id, p.market, p.tipo, p.proveedor, p.producto_id, p.precio, p.stock, p.precio_ajeno, p.precio_negado, p.precio_escrito, oferta.existencia,
      ${noCuenta} as no_cuenta, coalesce(${caducada}, true) as caduca,
      coalesce(r.colchon, 0) as colchon, r.tope, coalesce(r.ceros_hasta > now(), false) as vale,
      n.precio as precio_pendiente, coalesce(n.stock = 0 and not n.stock_retenido, false) as cero_aceptado, coalesce(n.stock = 0, false) as cero_en_cola,
      ${comprometidas} as comprometidas
    from publicacion p join producto on producto.id = p.producto_id left join oferta on oferta.producto_id = producto.id
    left join seguimiento_regla r on r.proveedor = p.proveedor and r.market = p.market
    left join publicacion_pendiente n on n.publicacion_id = p.id
    where p.producto_id = any(${productos}::uuid[]) and ${siguen}
    order by p.id for update of p`.execute(trx);
  return rows;
}

type Deseado = { fila: Fila; deseo: ReturnType<typeof desiredOf>; marca: { motivo: string; desde: Date } };

const seVaACero = ({ fila, deseo }: Deseado) => deseo.stock === 0 && (fila.stock ?? 0) > 0 && !fila.caduca;

/** Returns the suppliers that leave too many of their listings at 0 at once. An offer that is only too old counts for nothing here: it comes back by itself. */
async function frenar(trx: Trx, deseos: readonly Deseado[]): Promise<ReadonlySet<string>> {
  const ceros = new Map<string, { fila: Fila; nuevos: number }>();
  for (const one of deseos) {
    if (!seVaACero(one)) continue;
    const clave = `${one.fila.proveedor} ${one.fila.market}`;
    // A listing that waits already is counted with those that wait.
    const nuevo = one.fila.ceroEnCola ? 0 : 1;
    ceros.set(clave, { fila: one.fila, nuevos: (ceros.get(clave)?.nuevos ?? 0) + nuevo });
  }
  const frenados = new Set<string>();
  for (const [clave, { fila, nuevos }] of ceros) {
    if (fila.vale) continue;
    const { rows } = await sql<{ seguidas: number; recientes: number }>`
      select (select count(*)::int from publicacion where auto_sync and proveedor = ${fila.proveedor} and market = ${fila.market}) as seguidas,
        (select count(*)::int from publicacion_historia h join publicacion p on p.id = h.publicacion_id
          where h.en > now() - interval '1 hour' and h.stock = 0 and h.stock_antes > 0 and h.error is null and p.proveedor = ${fila.proveedor} and p.market = ${fila.market})
        + (select count(*)::int from publicacion_pendiente n where n.proveedor = ${fila.proveedor} and n.market = ${fila.market} and n.stock = 0) as recientes`.execute(
      trx,
    );
    if (hasTooManyZeros(nuevos + rows[0]!.recientes, rows[0]!.seguidas)) frenados.add(clave);
  }
  return frenados;
}

function lineaOf(fila: Fila, deseo: Deseado['deseo'], marca: Deseado['marca'], frenados: ReadonlySet<string>) {
  const nuevo =
    deseo.precio !== null && (fila.precio === null || !deseo.precio.equals(fila.precio)) ? deseo.precio : null;
  const aceptable = nuevo !== null && fila.precioNegado !== null && nuevo.equals(fila.precioNegado) ? null : nuevo;
  // A change that a person allowed is not asked about again while it waits for its turn.
  const yaDicho = aceptable !== null && fila.precioPendiente !== null && aceptable.equals(fila.precioPendiente);
  const retenido =
    aceptable !== null && !yaDicho && (fila.precioEscrito !== null || jumpsTooMuch(fila.precio, aceptable));
  return {
    id: fila.id,
    market: fila.market,
    proveedor: fila.proveedor,
    precio: aceptable === null || retenido ? null : aceptable.toFixed(2),
    precio_retenido: retenido ? aceptable.toFixed(2) : null,
    stock: deseo.stock === fila.stock ? null : deseo.stock,
    stock_retenido:
      seVaACero({ fila, deseo, marca }) && !fila.ceroAceptado && frenados.has(`${fila.proveedor} ${fila.market}`),
    sobreventa: deseo.sobreventa,
    // An effect under way may leave the marketplace elsewhere than our row: the wish is said whole, and compared when the effect ends.
    precio_deseado: deseo.precio?.toFixed(2) ?? null,
    stock_deseado: deseo.stock,
    motivo: marca.motivo,
    desde: marca.desde,
  };
}

async function write(trx: Trx, lineas: readonly ReturnType<typeof lineaOf>[]): Promise<void> {
  await sql`
    with linea as (
      select * from jsonb_to_recordset(${JSON.stringify(lineas)}::jsonb) as r (id uuid, market text, proveedor text, precio numeric, precio_retenido numeric, stock integer,
        stock_retenido boolean, sobreventa integer, precio_deseado numeric, stock_deseado integer, motivo text, desde timestamptz)),
    sobra as (
      -- A price that the rule gives too is nobody's to ask about any more.
      update publicacion p set sobreventa = l.sobreventa, precio_escrito = case when l.precio_deseado is distinct from p.precio then p.precio_escrito end
      from linea l where l.id = p.id and (p.sobreventa <> l.sobreventa or (p.precio_escrito is not null and l.precio_deseado = p.precio))),
    cumplidas as (
      delete from publicacion_pendiente n using linea l where n.publicacion_id = l.id and n.effect_id is null
        and l.precio is null and l.precio_retenido is null and l.stock is null)
    insert into publicacion_pendiente as n (publicacion_id, market, proveedor, precio, precio_retenido, stock, stock_retenido, motivo, desde)
    select l.id, l.market, l.proveedor, case when e.effect_id is null then l.precio when l.precio_retenido is null then l.precio_deseado end, l.precio_retenido,
      case when e.effect_id is null then l.stock else l.stock_deseado end, l.stock_retenido, l.motivo, l.desde
    from linea l left join publicacion_pendiente e on e.publicacion_id = l.id
    where l.precio is not null or l.precio_retenido is not null or l.stock is not null or e.effect_id is not null
    on conflict (publicacion_id) do update set precio = excluded.precio, precio_retenido = excluded.precio_retenido, stock = excluded.stock,
      stock_retenido = excluded.stock_retenido, motivo = excluded.motivo, desde = least(n.desde, excluded.desde), secuencia = ${AHORA},
      no_antes = now(), error = null, fallas = 0
    where (n.precio, n.precio_retenido, n.stock, n.stock_retenido) is distinct from (excluded.precio, excluded.precio_retenido, excluded.stock, excluded.stock_retenido)`.execute(
    trx,
  );
}

type Ritmo = { kind: string; porMinuto: number; /** The most that gathers. */ monton: number };

/** Takes calls of the bucket that all processes share, and returns how many may begin now. */
async function takeLlamadas(trx: Trx, { kind, porMinuto, monton }: Ritmo, quiere: number): Promise<number> {
  await sql`insert into connection (kind, tokens, refilled_at) values (${kind}, ${monton}, clock_timestamp()) on conflict do nothing`.execute(
    trx,
  );
  const { rows } = await sql<{ tomadas: number }>`
    with hay as (
      select least(${monton}::float8, tokens + greatest(0, extract(epoch from clock_timestamp() - refilled_at)::float8) * ${porMinuto / 60}::float8) as n
      from connection where kind = ${kind} and account = '' for update),
    puesto as (
      update connection set tokens = hay.n - least(floor(hay.n), ${quiere}), refilled_at = clock_timestamp() from hay where kind = ${kind} and account = '')
    select least(floor(n), ${quiere})::int as tomadas from hay`.execute(trx);
  return rows[0]!.tomadas;
}

type Pendiente = {
  id: string;
  clave: string;
  variantes: number;
  precio: Money | null;
  stock: number | null;
  precioAntes: Money | null;
  stockAntes: number | null;
  motivo: string;
  desde: Date;
  secuencia: number;
};

/** Returns the wishes that may be told now, the oldest first, held until the transaction ends. A wish that the marketplace shows by now is not among them. */
async function takePendientes(trx: Trx, market: Market, limite: number): Promise<Cambio[]> {
  await sql`delete from publicacion_pendiente n using publicacion p where p.id = n.publicacion_id and n.market = ${market} and n.effect_id is null
    and n.precio_retenido is null and not n.stock_retenido and coalesce(n.precio, p.precio) is not distinct from p.precio
    and coalesce(n.stock, p.stock) is not distinct from p.stock`.execute(trx);
  const { rows } = await sql<Pendiente>`
    select p.id, p.clave, p.variantes, nullif(n.precio, p.precio) as precio, case when not n.stock_retenido then nullif(n.stock, p.stock) end as stock, p.precio as precio_antes, p.stock as stock_antes,
      n.motivo, n.desde, n.secuencia
    from publicacion_pendiente n join publicacion p on p.id = n.publicacion_id join seguimiento s on s.market = n.market
    where n.market = ${market} and n.effect_id is null and n.no_antes <= now() and s.detenido_en is null and (nullif(n.precio, p.precio) is not null or (nullif(n.stock, p.stock) is not null and not n.stock_retenido))
    order by n.desde limit ${limite} for update of n skip locked`.execute(trx);
  return rows.map((pendiente) =>
    Cambio.parse({
      ...pendiente,
      publicacionId: pendiente.id,
      precio: pendiente.precio?.toFixed(2) ?? null,
      precioAntes: pendiente.precioAntes?.toFixed(2) ?? null,
      desde: pendiente.desde.toISOString(),
      secuencia: Number(pendiente.secuencia),
    }),
  );
}

/** More waiting changes than this go in one file, where the marketplace takes files. */
const SON_MUCHOS = 30;

/** Begins the changes that may be told now at one marketplace, and returns how many were begun. */
export async function sendPendientes(db: Db, market: Market): Promise<number> {
  const fuente = fuenteOf(market);
  const { publicaciones } = fuente;
  if (!effects.of(market) || !publicaciones) return 0;
  if ((await fuente.link(db))?.status !== 'linked' || (await fuente.isPaused(db))) return 0;
  const { limites, capacidades } = publicaciones;
  const porUno = Math.ceil(limites.cambiosPorMinuto / 6);
  return await db.transaction().execute(async (trx) => {
    const cambios = await takePendientes(trx, market, capacidades.cambios === 'archivo' ? limites.porArchivo : porUno);
    if (cambios.length === 0) return 0;
    if (capacidades.cambios === 'archivo' && cambios.length > SON_MUCHOS) {
      const llamadasDeArchivo = { kind: `archivos:${market}`, porMinuto: 60 / limites.entreArchivosS, monton: 1 };
      if ((await takeLlamadas(trx, llamadasDeArchivo, 1)) === 1) return enArchivo(trx, market, cambios);
    }
    // The bucket holds ten seconds of calls: changes that come at once are spread, and no minute passes its limit.
    const { cambiosPorMinuto } = limites;
    const llamadas = { kind: `publicaciones:${market}`, porMinuto: cambiosPorMinuto, monton: cambiosPorMinuto / 6 };
    const tomadas = await takeLlamadas(trx, llamadas, Math.min(cambios.length, porUno));
    return tomadas === 0 ? 0 : unoPorUno(trx, market, cambios.slice(0, tomadas));
  });
}

const nuevoLote = (trx: Trx, market: Market, total: number) =>
  createBatch(trx, {
    type: 'publicaciones.seguir',
    label: 'Precio y stock siguen al proveedor',
    total,
    usuarioId: null,
    clave: market,
  });

async function unoPorUno(trx: Trx, market: Market, cambios: readonly Cambio[]): Promise<number> {
  const batchId = await nuevoLote(trx, market, cambios.length);
  const aceptados = await acceptEffects(trx, effects.require(market), cambios, { batchId, usuarioId: null });
  await enManosOf(
    trx,
    aceptados.map(({ id, request }) => [id, request]),
  );
  return aceptados.length;
}

/** Sends changes in one file. A listing that a person is changing waits for that. */
async function enArchivo(trx: Trx, market: Market, cambios: readonly Cambio[]): Promise<number> {
  const ocupadas = await livingOf(
    trx,
    'publicacion',
    cambios.map(({ publicacionId }) => publicacionId),
    effects.require(market),
  );
  const libres = cambios.filter(({ publicacionId }) => !ocupadas.has(publicacionId));
  if (libres.length === 0) return 0;
  const batchId = await nuevoLote(trx, market, 1);
  const [archivo] = await acceptEffects(trx, archivos.require(market), [{ cambios: libres }], {
    batchId,
    usuarioId: null,
  });
  if (!archivo) return 0;
  await enManosOf(
    trx,
    libres.map((cambio) => [archivo.id, cambio]),
  );
  return libres.length;
}

/** Gives wishes into the hands of their effect until the effect ends. */
async function enManosOf(trx: Trx, suyas: readonly (readonly [effectId: string, cambio: Cambio])[]): Promise<void> {
  await sql`update publicacion_pendiente n set effect_id = a.effect_id, enviada = n.secuencia
    from unnest(${suyas.map(([id]) => id)}::uuid[], ${suyas.map(([, { publicacionId }]) => publicacionId)}::uuid[]) a (effect_id, publicacion_id)
    where n.publicacion_id = a.publicacion_id`.execute(trx);
}

/** Tells whether any listing follows its supplier. */
async function hasSeguidas(db: Db): Promise<boolean> {
  return (
    (await db.selectFrom('publicacion').select('id').where('autoSync', '=', true).limit(1).executeTakeFirst()) !==
    undefined
  );
}

/** Takes one turn: looks at the products that moved, and begins the changes that may be told. Returns how many changes were begun. */
export async function followProveedores(db: Db, markets: readonly Market[]): Promise<number> {
  let hechas = 0;
  for (let n = POR_MIRADA; n > 0; hechas += n) n = await checkMovidos(db);
  for (const market of markets) hechas += await sendPendientes(db, market);
  return hechas;
}

const ENTRE_TURNOS_MS = 1_500;

/** Takes a turn and asks for the next one while any listing follows its supplier, so a change waits for no clock. The schedule begins the turns again, whatever happened. */
export async function followForever(db: Db): Promise<void> {
  await followProveedores(db, MARKETS);
  if (await hasSeguidas(db)) await enqueue(db, 'publicaciones.seguir', {}, { waitMs: ENTRE_TURNOS_MS });
}
