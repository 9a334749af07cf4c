import { sql } from 'kysely';
import { z } from 'zod';
import { choqueOfFila } from '~/core/choque';
import { NotAllowed, Stale } from '~/core/errors';
import type { Question } from '~/core/fieldRules';
import { enPesos } from '~/core/importe';
import { type Market, precioKeyOf } from '~/core/market';
import { Money } from '~/core/money';
import { record } from '~/platform/bitacora.server';
import { acceptEffect, type Accepted } from '~/platform/effects/effects.server';
import { readRechazo } from '~/platform/effects/rechazos.server';
import { readCaras } from '~/domain/compras/precios/precios.server';
import { MERCADOS, seCrea } from '~/domain/mercados/mercados';
import type { Db, Trx } from '~db/client.server';
import { faltaDeAlmacen } from './almacenes.server';
import { Cambio } from './internal/cambio.server';
import { cambios } from './internal/cambios.server';
import { dichoOf } from './dicho.server';
import { editablesOf, elPrecioEsDe, estatusOf } from './publicacion';
import type { PublicacionEditada } from './forms';
import { VENTAS_SIN_SURTIR } from './seguidas.server';

/** Reads a listing whole: what the marketplace shows, its product, the change that waits, and its history; null when there is none. */
export async function readPublicacion(db: Db, id: string) {
  if (!z.uuid().safeParse(id).success) return null;
  const [fila, historia] = await Promise.all([
    db
      .selectFrom('publicacion')
      .leftJoin('proveedor', 'proveedor.value', 'publicacion.proveedor')
      .leftJoin('categoria', (join) =>
        join
          .onRef('categoria.market', '=', 'publicacion.market')
          .onRef('categoria.categoriaId', '=', 'publicacion.categoriaId'),
      )
      .leftJoin('producto', 'producto.id', 'publicacion.productoId')
      .leftJoin('publicacionPendiente', 'publicacionPendiente.publicacionId', 'publicacion.id')
      .select([
        'publicacion.id',
        'publicacion.market',
        'publicacion.clave',
        'publicacion.marketId',
        'publicacion.sku',
        'publicacion.titulo',
        'publicacion.precio',
        'publicacion.stock',
        'publicacion.vendido',
        'publicacion.estatus',
        'publicacion.subestatus',
        'publicacion.problemas',
        'publicacion.tipo',
        'publicacion.link',
        'publicacion.autoSync',
        'publicacion.precioEscrito',
        'publicacion.sobreventa',
        'publicacion.stockAjeno',
        'publicacion.piezasAjenas',
        'publicacion.precioAjeno',
        'publicacion.precioVenta',
        'publicacion.precioVentaEn',
        'publicacion.variantes',
        'publicacion.productoId',
        'publicacion.fechaCreacion',
        'publicacion.leidaEn',
        'publicacion.ausenteDesde',
        'publicacion.categoriaId',
        'publicacion.datos',
        'publicacion.descripcion',
        'publicacion.version',
        'publicacion.proveedor',
        'proveedor.label as proveedorLabel',
        'categoria.ruta as categoriaRuta',
        'producto.nombre as productoNombre',
        'publicacionPendiente.precio as precioPendiente',
        'publicacionPendiente.stock as stockPendiente',
        'publicacionPendiente.precioRetenido',
        'publicacionPendiente.stockRetenido',
        'publicacionPendiente.error as errorPendiente',
        'publicacionPendiente.noAntes',
        'publicacionPendiente.desde as pendienteDesde',
        'publicacionPendiente.secuencia',
      ])
      .where('publicacion.id', '=', id)
      .executeTakeFirst(),
    db
      .selectFrom('publicacionHistoria')
      .leftJoin('usuario', 'usuario.id', 'publicacionHistoria.usuarioId')
      .select([
        'publicacionHistoria.id',
        'en',
        'motivo',
        'precioAntes',
        'precio',
        'stockAntes',
        'stock',
        'desde',
        'error',
      ])
      .select('usuario.usuario as quien')
      .where('publicacionId', '=', id)
      .orderBy('en', 'desc')
      .limit(30)
      .execute(),
  ]);
  if (!fila) return null;
  const { datos, ...publicacion } = fila;
  const sinSurtir = fila.sobreventa > 0 ? await readSinSurtir(db, id) : [];
  const rechazo = await readRechazo(db, ['publicacion', id]);
  const sinAlmacen = fila.stockAjeno ? null : await faltaDeAlmacen(db, fila.market);
  return { ...publicacion, historia, sinSurtir, rechazo, sinAlmacen, ...dichoOf(datos, publicacion.descripcion) };
}

/** Returns the sales of the product that the supplier still has to serve, the newest first: one of them is one too many. */
async function readSinSurtir(db: Db, id: string) {
  const { rows } = await sql<{ id: string; numOrden: string; fechaCreacion: Date; piezas: number }>`
    select v.* from publicacion p left join oferta on oferta.producto_id = p.producto_id
    cross join lateral (select o.id, o.num_orden, o.fecha_creacion, sum(a.cantidad)::int as piezas ${VENTAS_SIN_SURTIR} group by o.id) v
    where p.id = ${id} order by v.fecha_creacion desc, v.id limit 10`.execute(db);
  return rows;
}

/** Returns the kept document of a listing as its marketplace wrote it; null when there is none. */
export async function readDatosOfPublicacion(db: Db, id: string): Promise<unknown> {
  const fila = await db.selectFrom('publicacion').select('datos').where('id', '=', id).executeTakeFirst();
  return fila?.datos ?? null;
}

/** Returns the listings of products at every marketplace, without those that are gone there. */
export function publicacionesOf(db: Db | Trx, productoIds: readonly string[]) {
  return db
    .selectFrom('publicacion')
    .select([
      'id',
      'productoId',
      'market',
      'clave',
      'marketId',
      'tipo',
      'sku',
      'categoriaId',
      'titulo',
      'precio',
      'stock',
      'estatus',
      'link',
      'autoSync',
    ])
    .where('productoId', 'in', productoIds.length > 0 ? [...productoIds] : ['00000000-0000-0000-0000-000000000000'])
    .where('ausenteDesde', 'is', null)
    .orderBy('market')
    .orderBy('tipo')
    .orderBy('id')
    .execute();
}

const TITULO = 'Error al actualizar: ';
const EN_CAMINO = 'Otro cambio de esta publicación va en camino: espera a que termine.';
const ETIQUETAS = {
  titulo: 'Titulo',
  precio: 'Precio',
  stock: 'Stock',
  estatus: 'Estatus',
  autoSync: 'Sincronización automática',
} as const;
/** Returns why nothing can be done yet with a listing that was just sent. */
export const seEstaCreando = (market: Market) => `${MERCADOS[market].label} todavía la está creando.`;

const siNo = (puesto: boolean) => (puesto ? 'Sí' : 'No');

/** Returns the question before a listing begins to follow its supplier at another price; null where no price would move. */
export async function askFollow(db: Db, { id, autoSync }: PublicacionEditada): Promise<Question | null> {
  const actual = await db
    .selectFrom('publicacion')
    .select(['market', 'tipo', 'titulo', 'precio', 'precioAjeno', 'autoSync', 'productoId'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!autoSync || !actual || actual.autoSync || actual.precioAjeno || actual.productoId === null) return null;
  const caras = (await readCaras(db, [actual.productoId])).get(actual.productoId);
  const venta = caras?.[precioKeyOf(actual.market, actual.tipo)].venta;
  if (venta?.clase !== 'precio' || actual.precio?.equals(venta.precio)) return null;
  return {
    titulo: 'Sincronización automática',
    texto: '¿Esta seguro que desea guardar la información?',
    hechos: `${actual.titulo}. Su precio pasa de ${actual.precio ? enPesos(actual.precio.toFixed(2)) : '—'} a ${enPesos(venta.precio.toFixed(2))}, el de la regla, y después sigue al proveedor.`,
  };
}

/**
 * Asks the marketplace for the fields that a person changed, and returns the effect; null when only fields of ours changed. Throws NotAllowed for a
 * price or stock of a listing that follows its supplier, since the follower would undo it, and Stale when the listing changed since the form was opened.
 */
export async function editPublicacion(
  trx: Trx,
  editada: PublicacionEditada,
  usuarioId: string,
): Promise<Accepted | null> {
  const { id, version, titulo, precio, stock, estatus, autoSync } = editada;
  const actual = await trx
    .selectFrom('publicacion')
    .select([
      'id',
      'market',
      'clave',
      'titulo',
      'precio',
      'stock',
      'estatus',
      'autoSync',
      'variantes',
      'productoId',
      'version',
      'ausenteDesde',
      'stockAjeno',
      'precioAjeno',
    ])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!actual) throw new NotAllowed(TITULO, 'No se encontro la publicación');
  if (actual.version !== version)
    throw new Stale(
      choqueOfFila(
        ETIQUETAS,
        {
          titulo,
          precio: Money.of(precio).toFixed(2),
          stock,
          estatus: estatusOf(actual.market, estatus).label,
          autoSync: siNo(autoSync),
        },
        {
          titulo: actual.titulo,
          precio: actual.precio?.toFixed(2) ?? null,
          stock: actual.stock,
          estatus: estatusOf(actual.market, actual.estatus).label,
          autoSync: siNo(actual.autoSync),
          version: actual.version,
        },
      ),
    );
  if (seCrea(actual.market, actual.estatus)) throw new NotAllowed(TITULO, seEstaCreando(actual.market));
  if (actual.ausenteDesde) throw new NotAllowed(TITULO, 'La publicación ya no está en el mercado.');
  const cambiar = cambios.of(actual.market);
  if (!cambiar) throw new NotAllowed(TITULO, 'Este mercado todavía no recibe cambios desde aquí.');
  if (autoSync && actual.productoId === null)
    throw new NotAllowed(TITULO, 'Su SKU no nombra un producto de los proveedores: no hay a quién seguir.');
  const nuevo = {
    precio: actual.precio?.equals(Money.of(precio)) ? null : Money.of(precio).toFixed(2),
    // The marketplace counts the pieces that lie with it.
    stock: actual.stockAjeno || actual.stock === stock ? null : stock,
    titulo: actual.titulo === titulo ? null : titulo,
    estatus: actual.estatus === estatus ? null : estatus,
  };
  if (nuevo.estatus !== null && !editablesOf(actual.market).some(({ value }) => value === estatus))
    throw new NotAllowed(TITULO, 'Ese estatus no se puede poner desde aquí.');
  const { label, publicaciones } = MERCADOS[actual.market];
  const sinAlmacen = nuevo.stock === null ? null : await faltaDeAlmacen(trx, actual.market);
  if (sinAlmacen !== null) throw new NotAllowed(TITULO, sinAlmacen, { campo: 'stock' });
  if (nuevo.precio !== null && actual.precioAjeno)
    throw new NotAllowed(TITULO, elPrecioEsDe(label), { campo: 'precio' });
  if (nuevo.titulo !== null && !publicaciones.tituloPropio)
    throw new NotAllowed(TITULO, `En ${label} el título es de la ficha del catálogo: se cambia allá.`, {
      campo: 'titulo',
    });
  if (nuevo.estatus !== null && publicaciones.porPiezas) {
    const { sin } = publicaciones.porPiezas;
    if (actual.stockAjeno) throw new NotAllowed(TITULO, `Sus piezas están con ${label}: se pausa allá.`);
    if (nuevo.estatus === sin) nuevo.stock = actual.stock === 0 ? null : 0;
    else if (stock === 0)
      throw new NotAllowed(TITULO, `En ${label} está activa mientras tiene piezas: escribe cuántas hay.`, {
        campo: 'stock',
      });
    else if (nuevo.stock === null)
      throw new NotAllowed(TITULO, `${label} no la tiene a la venta aunque hay piezas: corrige lo que dice de ella.`);
    nuevo.estatus = null;
  }
  if (autoSync && (nuevo.precio !== null || nuevo.stock !== null))
    throw new NotAllowed(
      TITULO,
      'Con sincronización automática el precio y el stock son los del proveedor: quítala para poner otros.',
      // Where nothing but pieces pauses a listing, the person may have chosen its state.
      { campo: nuevo.precio !== null ? 'precio' : actual.stock !== stock ? 'stock' : 'estatus' },
    );
  if (autoSync !== actual.autoSync) {
    await trx
      .updateTable('publicacion')
      // A listing that is not followed is not counted as oversold.
      .set((eb) => ({
        autoSync,
        version: eb('version', '+', 1),
        precioNegado: null,
        precioEscrito: null,
        ...(!autoSync && { sobreventa: 0 }),
      }))
      .where('id', '=', id)
      .execute();
    await record(trx, {
      usuarioId,
      entidad: 'publicacion',
      entidadId: id,
      accion: autoSync ? 'sincronizar' : 'no sincronizar',
      datos: {},
    });
    if (autoSync)
      await trx.insertInto('publicacionMirar').values({ productoId: actual.productoId!, motivo: 'persona' }).execute();
    else
      await trx
        .deleteFrom('publicacionPendiente')
        .where('publicacionId', '=', id)
        .where('effectId', 'is', null)
        .execute();
  }
  if (Object.values(nuevo).every((valor) => valor === null)) return null;
  const enCamino = await trx
    .selectFrom('publicacionPendiente')
    .select('publicacionId')
    .where('publicacionId', '=', id)
    .where('effectId', 'is not', null)
    .executeTakeFirst();
  if (enCamino) throw new NotAllowed(TITULO, EN_CAMINO);
  const aceptado = await acceptEffect(trx, cambiar, {
    request: Cambio.parse({
      publicacionId: id,
      clave: actual.clave,
      variantes: actual.variantes,
      ...nuevo,
      precioAntes: actual.precio?.toFixed(2) ?? null,
      stockAntes: actual.stock,
      motivo: 'persona',
      desde: null,
      secuencia: null,
    }),
    usuarioId,
  });
  if (!aceptado.created) throw new NotAllowed(TITULO, EN_CAMINO);
  return aceptado;
}

/** Returns how the following of suppliers stands at each marketplace, and whether no pieces can be told there yet. `p95` is in seconds, over the last hour. */
export async function listSeguimiento(db: Db) {
  const { rows } = await sql<{
    market: Market;
    detenidoEn: Date | null;
    quien: string | null;
    siguen: number;
    pendientes: number;
    retenidas: number;
    conError: number;
    sobrevendidas: number;
    dichas: number;
    p95: number | null;
  }>`select s.market, s.detenido_en, u.usuario as quien,
      (select count(*)::int from publicacion p where p.market = s.market and p.auto_sync) as siguen,
      (select count(*)::int from publicacion p where p.sobreventa > 0 and p.market = s.market) as sobrevendidas,
      n.pendientes, n.retenidas, n.con_error, coalesce(h.dichas, 0) as dichas, h.p95
    from seguimiento s left join usuario u on u.id = s.usuario_id
    cross join lateral (
      select count(*) filter (where nullif(w.precio, l.precio) is not null or (nullif(w.stock, l.stock) is not null and not w.stock_retenido))::int as pendientes,
        count(*) filter (where w.precio_retenido is not null or w.stock_retenido)::int as retenidas, count(*) filter (where w.error is not null)::int as con_error
      from publicacion_pendiente w join publicacion l on l.id = w.publicacion_id where w.market = s.market) n
    left join lateral (
      select count(*)::int as dichas, (percentile_cont(0.95) within group (order by extract(epoch from h.en - h.desde)))::float8 as p95
      from publicacion_historia h join publicacion p on p.id = h.publicacion_id
      where p.market = s.market and h.en > now() - interval '1 hour' and h.desde is not null and h.error is null) h on true
    order by s.market desc`.execute(db);
  return Promise.all(
    rows.map(async (fila) => ({ ...fila, sinAlmacen: (await faltaDeAlmacen(db, fila.market)) !== null })),
  );
}

/** Stops the following of suppliers at one marketplace, or lets it go on. A change on its way is held back at its next step, within a second. */
export async function movePalanca(
  trx: Trx,
  { market, detener }: { market: Market; detener: boolean },
  usuarioId: string,
): Promise<void> {
  await sql`update seguimiento set detenido_en = case when ${detener} then coalesce(detenido_en, now()) end, usuario_id = ${usuarioId} where market = ${market}`.execute(
    trx,
  );
  await record(trx, {
    usuarioId,
    entidad: 'seguimiento',
    entidadId: market,
    accion: detener ? 'detener' : 'continuar',
    datos: {},
  });
}
