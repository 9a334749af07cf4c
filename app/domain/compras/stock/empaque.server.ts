import { sql } from 'kysely';
import { NotAllowed } from '~/core/errors';
import { findEnvio, findPorSalir, listPorSalir } from '~/domain/ventas/envios/porSalir.server';
import { guiaPorImprimir, takeGuia } from '~/domain/ventas/envios/traerGuia.server';
import { record } from '~/platform/bitacora.server';
import type { Cola } from '~/platform/hoy/cola';
import { countInSql } from '~/platform/hoy/countCosas.server';
import { HORA } from '~/platform/hoy/reloj';
import type { Db, Trx } from '~db/client.server';
import { listArticulosOfEnvio } from './devoluciones.server';
import { FALTA_LABEL, isFull, isPacked, lacksCodigo, type LineaDePaquete, readLectura, SIN_CODIGO } from './empaque';
import type { EmpacarForm, FaltarForm } from './forms';
import { parseFolio } from './pieza';
import { sellPieza } from './piezas.server';
import { findEscaneado } from './readPiezas.server';

const TITULO = 'Error al empacar.';

/** Parcels that one look tells one by one. */
const MAX = 100;

type Avance = { terminado: boolean; leidas: number; falta: boolean };

/** How far the packing of shipments got, by id; a shipment that nobody opened is absent. */
async function avanceOf(db: Db | Trx, envios: readonly string[]): Promise<Map<string, Avance>> {
  const { rows } = await sql<Avance & { id: string }>`
    select e.envio_id as id, e.terminado_en is not null as terminado,
      count(l.codigo)::int as leidas, count(l.falta) > 0 as falta
    from empaque e left join empaque_lectura l on l.envio_id = e.envio_id
    where e.envio_id = any(${envios}::uuid[])
    group by e.envio_id`.execute(db);
  return new Map(rows.map(({ id, ...avance }) => [id, avance]));
}

/** Shipments whose label went to a supplier: the supplier packs them. */
async function sentBySupplier(db: Db | Trx, envios: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select distinct o.envio_id as id
    from pedido p join pedido_linea l on l.pedido_id = p.id join orden o on o.id = l.orden_id
    where p.guia_enviada_en is not null and p.estado not in ('cancelado', 'rechazado', 'vencido')
      and o.envio_id = any(${envios}::uuid[])`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Returns the parcels to pack, the oldest sale first and those with a missing piece last, and their number. */
export async function listPorEmpacar(db: Db) {
  const envios = await listPorSalir(db);
  const ids = envios.map(({ id }) => id);
  const [avances, ajenos] = await Promise.all([avanceOf(db, ids), sentBySupplier(db, ids)]);
  const paquetes = envios
    .filter(({ id }) => !ajenos.has(id) && avances.get(id)?.terminado !== true)
    .map(({ id, numero, titulo }) => ({
      id,
      numero,
      titulo,
      leidas: avances.get(id)?.leidas ?? 0,
      falta: avances.get(id)?.falta ?? false,
    }))
    .toSorted((a, b) => Number(a.falta) - Number(b.falta));
  return { total: paquetes.length, paquetes: paquetes.slice(0, MAX) };
}
export type PorEmpacar = Awaited<ReturnType<typeof listPorEmpacar>>;

type Leida = { ordenId: string; posicion: number; codigo: string | null; falta: LineaDePaquete['falta'] };

/** The lines of a parcel with what was read into it. Sales that were cancelled or came back have none. */
async function readLineas(db: Db | Trx, envioId: string): Promise<(LineaDePaquete & { producto: string | null })[]> {
  const articulos = await listArticulosOfEnvio(db, envioId);
  const productos = articulos.flatMap(({ productoId }) => productoId ?? []);
  const ordenes = [...new Set(articulos.map(({ ordenId }) => ordenId))];
  const [{ rows: deProducto }, { rows: piezas }, { rows: leidas }] = await Promise.all([
    sql<{ id: string; gtins: string[]; llave: string | null }>`
      select p.id, p.gtins, (
        select f.llave from producto_foto f where f.producto_id = p.id and f.archivo_id is not null
        order by f.origen is not null, f.posicion, f.id limit 1) as llave
      from producto p where p.id = any(${productos}::uuid[])`.execute(db),
    sql<{ folio: string; productoId: string | null; ventaId: string | null; etiquetas: string[] }>`
      select s.folio, s.producto_id, s.venta_id,
        array(select e.codigo from stock_etiqueta e where e.pieza_id = s.id order by e.numero) as etiquetas
      from stock_interno s
      where (s.producto_id = any(${productos}::uuid[]) and s.estado in ('disponible', 'reservado')
          and (s.venta_id is null or s.venta_id = any(${ordenes}::uuid[])))
        or (s.venta_id = any(${ordenes}::uuid[]) and s.estado = 'vendido')
      order by s.id limit 500`.execute(db),
    sql<Leida>`
      select orden_id, posicion, codigo, falta from empaque_lectura where envio_id = ${envioId} order by id`.execute(
      db,
    ),
  ]);
  const porId = new Map(deProducto.map((producto) => [producto.id, producto]));
  return articulos.map(({ ordenId, posicion, nombre, cantidad, productoId }) => {
    const producto = productoId === null ? undefined : porId.get(productoId);
    const suyas = leidas.filter((una) => una.ordenId === ordenId && una.posicion === posicion);
    const lecturas = suyas.flatMap(({ codigo }) => codigo ?? []);
    // A piece that was picked for the sale by hand may have no product.
    const mias = piezas.filter((una) =>
      una.productoId === null ? una.ventaId === ordenId : una.productoId === productoId,
    );
    return {
      orden: ordenId,
      posicion,
      nombre,
      cantidad,
      producto: productoId,
      foto: producto?.llave ?? null,
      gtins: producto?.gtins ?? [],
      piezas: mias.map(({ folio, etiquetas }) => ({ folio, etiquetas })),
      lecturas,
      falta: isFull({ cantidad, lecturas }) ? null : (suyas.at(-1)?.falta ?? null),
    };
  });
}

/** The label to print, as a phone is told: its id, null while it is on its way, and whether it is ZPL. */
const printedAs = (guia: Awaited<ReturnType<typeof guiaPorImprimir>>) => ({
  guia: guia?.id ?? null,
  zpl: guia?.zpl ?? false,
});

const DEL_PROVEEDOR = 'Su guía se mandó al proveedor: él lo empaca.';
const NO_SALE = 'No se empaca: el paquete ya salió, su venta se canceló o todavía no tiene guía.';

/** Returns a parcel as a phone shows it, by what was scanned or typed; undefined when no shipment has that name. `impide` says why it is not to be packed. */
export async function viewPaquete(db: Db, texto: string, usuarioId: string) {
  const id = await findEnvio(db, texto);
  if (id === undefined) return undefined;
  const [porSalir, avances, lineas, guia, ajenos] = await Promise.all([
    findPorSalir(db, id),
    avanceOf(db, [id]),
    readLineas(db, id),
    guiaPorImprimir(db, id, usuarioId),
    sentBySupplier(db, [id]),
  ]);
  return {
    id,
    numero: porSalir?.numero ?? texto,
    terminado: avances.get(id)?.terminado ?? false,
    impide: !porSalir || lineas.length === 0 ? NO_SALE : ajenos.has(id) ? DEL_PROVEEDOR : null,
    ...printedAs(guia),
    lineas: lineas.map(({ producto: _, ...linea }): LineaDePaquete => linea),
    /** Products without a picture of ours. */
    sinFoto: [...new Set(lineas.flatMap(({ producto, foto }) => (producto !== null && foto === null ? producto : [])))],
  };
}
export type PaqueteVista = NonNullable<Awaited<ReturnType<typeof viewPaquete>>>;

/** Locks the parcel until the transaction ends, and opens it when nobody had. Throws `NotAllowed` when it is not to be packed. */
async function lockPaquete(trx: Trx, envioId: string) {
  const porSalir = await findPorSalir(trx, envioId);
  if (!porSalir) throw new NotAllowed(TITULO, NO_SALE);
  if ((await sentBySupplier(trx, [envioId])).has(envioId)) throw new NotAllowed(TITULO, DEL_PROVEEDOR);
  await trx
    .insertInto('empaque')
    .values({ envioId })
    .onConflict((on) => on.column('envioId').doNothing())
    .execute();
  const { terminadoEn } = await trx
    .selectFrom('empaque')
    .select('terminadoEn')
    .where('envioId', '=', envioId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (terminadoEn) throw new NotAllowed(TITULO, `El paquete ${porSalir.numero} ya se empacó.`);
  return { porSalir, lineas: await readLineas(trx, envioId) };
}

/**
 * Puts a scanned piece into its parcel. A piece of our own stock leaves for the sale by that. The last piece ends the parcel and asks for its label; then `paquete`
 * is told, with the label where it is here already. Throws `NotAllowed` for a wrong piece, one too many, and a parcel that is not to be packed.
 */
export async function packPieza(
  trx: Trx,
  { paquete, orden, posicion, codigo }: EmpacarForm,
  usuarioId: string,
): Promise<({ numero: string } & ReturnType<typeof printedAs>) | undefined> {
  const { porSalir, lineas } = await lockPaquete(trx, paquete);
  const linea = lineas.find((una) => una.orden === orden && una.posicion === posicion);
  if (!linea) throw new NotAllowed(TITULO, 'La venta ya no tiene ese artículo.');
  if (codigo === SIN_CODIGO) {
    if (!lacksCodigo(linea)) throw new NotAllowed(TITULO, 'Escanea la pieza.');
    if (isFull(linea)) throw new NotAllowed(TITULO, `Sobra: ya están las de ${linea.nombre}.`);
  } else {
    if (parseFolio(codigo) && lineas.some(({ lecturas }) => lecturas.includes(codigo)))
      throw new NotAllowed(TITULO, `${codigo} ya está en este paquete.`);
    const lectura = readLectura([linea], codigo);
    if (lectura.clase !== 'linea') throw new NotAllowed(TITULO, lectura.dice);
  }
  const piezaId = await takePieza(trx, codigo, { orden, deEste: lineas.map((una) => una.orden) }, usuarioId);
  await trx
    .insertInto('empaqueLectura')
    .values({ envioId: paquete, ordenId: orden, posicion, codigo, piezaId, usuarioId })
    .execute();
  linea.lecturas.push(codigo);
  if (!isPacked(lineas)) return undefined;
  await trx
    .updateTable('empaque')
    .set({ terminadoEn: sql<Date>`now()` })
    .where('envioId', '=', paquete)
    .execute();
  await record(trx, {
    usuarioId,
    entidad: 'envio',
    entidadId: paquete,
    accion: 'empacar',
    datos: { dicho: porSalir.numero },
  });
  return { numero: porSalir.numero, ...printedAs(await takeGuia(trx, paquete, usuarioId)) };
}

/**
 * Moves a piece of our own stock to the sale, unless it left for a sale of this parcel (`deEste`) before. Returns its id; null for a product that carries no
 * label of ours. Throws `NotAllowed` for a piece that another sale took meanwhile.
 */
async function takePieza(
  trx: Trx,
  codigo: string,
  { orden, deEste }: { orden: string; deEste: readonly string[] },
  usuarioId: string,
): Promise<string | null> {
  const found = codigo === SIN_CODIGO ? undefined : await findEscaneado(trx, codigo);
  if (found?.clase !== 'pieza') return null;
  const { estado, version, ventaId } = await trx
    .selectFrom('stockInterno')
    .select(['estado', 'version', 'ventaId'])
    .where('id', '=', found.id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (estado === 'vendido' && !deEste.some((una) => una === ventaId))
    throw new NotAllowed(TITULO, `${codigo} se vendió en otra venta.`);
  if (estado !== 'vendido') await sellPieza(trx, { id: found.id, version, venta: orden }, usuarioId);
  return found.id;
}

/** Says that the rest of a line is missing, and why. Whoever buys sees it on Hoy until the piece is packed or bought. Throws `NotAllowed` as `packPieza`. */
export async function reportFalta(
  trx: Trx,
  { paquete, orden, posicion, motivo }: FaltarForm,
  usuarioId: string,
): Promise<void> {
  const { lineas } = await lockPaquete(trx, paquete);
  const linea = lineas.find((una) => una.orden === orden && una.posicion === posicion);
  if (!linea || isFull(linea)) throw new NotAllowed(TITULO, 'A ese artículo ya no le falta nada.');
  await trx
    .insertInto('empaqueLectura')
    .values({ envioId: paquete, ordenId: orden, posicion, falta: motivo, usuarioId })
    .execute();
}

/** A buyer waits for the parcel from the first hour on. */
const PLAZOS = { aviso: HORA, mal: 8 * HORA };

const motivo = sql.join(
  Object.entries(FALTA_LABEL).map(([clave, label]) => sql`when ${clave} then ${label}`),
  sql` `,
);

/**
 * 'Faltantes al empacar': pieces that the warehouse did not have for an open parcel. One waits until it is packed, is ordered anew, or its sale ends; the newest
 * reason of a line counts.
 */
export const faltantesAlEmpacar: Cola = {
  clave: 'faltantesAlEmpacar',
  titulo: 'Faltantes al empacar',
  clase: 'comprador',
  icono: 'cajaAbierta',
  pantallas: ['ordenes', 'ordenesActivas'],
  ver: '',
  plazos: PLAZOS,
  necesita: 'ventas',
  mira: (db, mirada) =>
    countInSql(
      db,
      sql`select l.id::text as id, a.nombre as titulo,
          o.num_orden || ' · ' || case l.falta ${motivo} end as detalle,
          'ordenes?ver=' || o.id as a, l.en as desde, null::timestamptz as vence
        from empaque_lectura l
        join empaque e on e.envio_id = l.envio_id and e.terminado_en is null
        join orden o on o.id = l.orden_id and o.clase not in ('cancelada', 'devuelta')
        join envio v on v.id = l.envio_id and v.estatus in ('pending', 'handling', 'ready_to_ship', 'enPreparacion')
        join articulo a on a.orden_id = l.orden_id and a.posicion = l.posicion
        where l.falta is not null
          and not exists (select from empaque_lectura n where n.envio_id = l.envio_id and n.orden_id = l.orden_id
            and n.posicion = l.posicion and n.falta is not null and n.id > l.id)
          and (select count(n.codigo) from empaque_lectura n where n.envio_id = l.envio_id and n.orden_id = l.orden_id
            and n.posicion = l.posicion) < a.cantidad
          and not exists (select from pedido_linea x join pedido p on p.id = x.pedido_id
            where x.orden_id = l.orden_id and p.creado_en > l.en and p.estado not in ('cancelado', 'rechazado', 'vencido'))`,
      PLAZOS,
      mirada,
    ),
};
