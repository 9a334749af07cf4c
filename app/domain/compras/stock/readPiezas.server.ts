import { z } from 'zod';
import { readArchivo } from '~/platform/files/archivos.server';
import type { Db, Trx } from '~db/client.server';
import { type EstadoDeStock, parseCodigo, parseFolio, DE_AHI_NO_SALE, ESTADO_LABEL, isFinal } from './pieza';
import { findDeshacible } from './piezas.server';
import { modeloOfPieza } from './internal/modelo.server';
import { sql } from 'kysely';
import type { Question } from '~/core/fieldRules';
import { enPesos } from '~/core/importe';

/** Returns the states in the order that people see. */
export async function listEstados(db: Db | Trx): Promise<EstadoDeStock[]> {
  const estados = await db.selectFrom('stockEstado').select('value').orderBy('posicion').orderBy('value').execute();
  return estados.map(({ value }) => value as EstadoDeStock);
}

/** Returns a piece with its movements, photographs and labels; undefined when there is none by that id. */
export async function readPieza(db: Db | Trx, id: string) {
  if (!z.uuid().safeParse(id).success) return undefined;
  const pieza = await db
    .selectFrom('stockInterno')
    .leftJoin('orden', 'orden.id', 'stockInterno.ordenId')
    .leftJoin('orden as venta', 'venta.id', 'stockInterno.ventaId')
    .leftJoin('producto', 'producto.id', 'stockInterno.productoId')
    .leftJoin('oferta', 'oferta.productoId', 'producto.id')
    .leftJoin('proveedor', 'proveedor.value', 'stockInterno.proveedor')
    .leftJoin('proveedor as suProveedor', 'suProveedor.value', 'producto.proveedor')
    .leftJoin('usuario', 'usuario.id', 'stockInterno.creadaPor')
    .select([
      'stockInterno.id',
      'stockInterno.folio',
      'stockInterno.estado',
      'stockInterno.descripcion',
      'stockInterno.proveedor',
      'stockInterno.costo',
      'stockInterno.recuperado',
      'stockInterno.observaciones',
      'stockInterno.facturaFolio',
      'stockInterno.facturaId',
      'stockInterno.ordenId',
      'stockInterno.ventaId',
      'stockInterno.productoId',
      'stockInterno.creadaEn',
      'stockInterno.version',
      'stockInterno.facturaNombre',
      'proveedor.label as proveedorLabel',
      'orden.numOrden',
      'orden.market',
      'venta.numOrden as ventaNumOrden',
      'venta.market as ventaMarket',
      'producto.nombre as productoNombre',
      'producto.marca',
      modeloOfPieza,
      'producto.idProveedor',
      'producto.link',
      'producto.costoEnvio',
      'producto.piezasVendidas',
      'suProveedor.label as productoProveedor',
      'oferta.existencia',
      'usuario.nombre as quien',
    ])
    .where('stockInterno.id', '=', id)
    .executeTakeFirst();
  if (!pieza) return undefined;
  const [movimientos, fotos, etiquetas, deshacible] = await Promise.all([
    db
      .selectFrom('stockMovimiento')
      .leftJoin('usuario', 'usuario.id', 'stockMovimiento.usuarioId')
      .leftJoin('orden', 'orden.id', 'stockMovimiento.ventaId')
      .select([
        'stockMovimiento.id',
        'stockMovimiento.de',
        'stockMovimiento.a',
        'stockMovimiento.en',
        'stockMovimiento.detalle',
        'stockMovimiento.deshace',
        'usuario.usuario as quien',
        'orden.numOrden as venta',
      ])
      .where('stockMovimiento.piezaId', '=', id)
      .orderBy('stockMovimiento.id', 'desc')
      .execute(),
    db.selectFrom('stockFoto').select('id').where('piezaId', '=', id).orderBy('posicion').execute(),
    db.selectFrom('stockEtiqueta').select('codigo').where('piezaId', '=', id).orderBy('numero').execute(),
    findDeshacible(db, id),
  ]);
  return {
    ...pieza,
    movimientos: movimientos.map((movimiento) => ({
      ...movimiento,
      de: movimiento.de as EstadoDeStock | null,
      a: movimiento.a as EstadoDeStock,
    })),
    fotos: fotos.map((foto) => foto.id),
    /** Codes of the blank labels bound to it. */
    etiquetas: etiquetas.map(({ codigo }) => codigo),
    /** State that 'Deshacer' leads back to; null when nothing can be undone. */
    regresaA: deshacible?.a ?? null,
  };
}

/** Returns what a scanned or typed text names: a piece, or a label that hangs on none yet. */
export async function findEscaneado(
  db: Db | Trx,
  texto: string,
): Promise<{ clase: 'pieza'; id: string; folio: string } | { clase: 'etiqueta'; codigo: string } | undefined> {
  const folio = parseFolio(texto);
  if (folio) {
    const pieza = await db
      .selectFrom('stockInterno')
      .select(['id', 'folio'])
      .where('folio', '=', folio)
      .executeTakeFirst();
    return pieza && { clase: 'pieza', ...pieza };
  }
  const codigo = parseCodigo(texto);
  if (!codigo) return undefined;
  const etiqueta = await db
    .selectFrom('stockEtiqueta')
    .leftJoin('stockInterno', 'stockInterno.id', 'stockEtiqueta.piezaId')
    .select(['stockInterno.id', 'stockInterno.folio'])
    .where('codigo', '=', codigo)
    .executeTakeFirst();
  if (!etiqueta) return undefined;
  return etiqueta.id && etiqueta.folio
    ? { clase: 'pieza', id: etiqueta.id, folio: etiqueta.folio }
    : { clase: 'etiqueta', codigo };
}

/** Returns the invoice of a piece; undefined when it has none. */
export async function readFacturaOfPieza(db: Db, id: string) {
  if (!z.uuid().safeParse(id).success) return undefined;
  const pieza = await db
    .selectFrom('stockInterno')
    .select(['facturaId', 'facturaNombre'])
    .where('id', '=', id)
    .executeTakeFirst();
  const archivo = pieza?.facturaId ? await readArchivo(db, pieza.facturaId) : undefined;
  return archivo && { archivo, nombre: pieza?.facturaNombre ?? archivo.nombre };
}

/** Returns the states in which a piece may begin, in the order that people see. */
export async function listIniciales(db: Db | Trx): Promise<EstadoDeStock[]> {
  const estados = await db
    .selectFrom('stockEstado')
    .select('value')
    .where('inicial', '=', true)
    .orderBy('posicion')
    .orderBy('value')
    .execute();
  return estados.map(({ value }) => value as EstadoDeStock);
}

/** Returns the folios of some pieces, in their order. */
export async function foliosOf(db: Db | Trx, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const piezas = await db
    .selectFrom('stockInterno')
    .select('folio')
    .where('id', 'in', [...ids])
    .orderBy('folio')
    .execute();
  return piezas.map(({ folio }) => folio);
}

/** Returns one movement of a piece, by its number; undefined when there is none. */
export function readMovimiento(db: Db, id: string) {
  return db
    .selectFrom('stockMovimiento')
    .innerJoin('stockInterno', 'stockInterno.id', 'stockMovimiento.piezaId')
    .where('stockMovimiento.id', '=', id as never)
    .select([
      'stockMovimiento.piezaId',
      'stockInterno.folio',
      'stockInterno.proveedor',
      'stockInterno.productoId',
      'stockInterno.ordenId',
      'stockMovimiento.ventaId',
      'stockMovimiento.de',
      'stockMovimiento.a',
      'stockMovimiento.en',
      'stockMovimiento.detalle',
    ])
    .executeTakeFirst();
}

export type Disponible = { id: string; folio: string };

/** Returns the available pieces for some products, the oldest first. The same model from another supplier serves as well. */
export async function disponiblesOf(
  db: Db | Trx,
  productoIds: readonly string[],
): Promise<ReadonlyMap<string, Disponible[]>> {
  const deCada = new Map<string, Disponible[]>();
  if (productoIds.length === 0) return deCada;
  const { rows } = await sql<Disponible & { de: string }>`
    with igual as (
      select p.id as de, p.id from producto p where p.id = any(${[...productoIds]}::uuid[])
      union select p.id, q.id
        from producto p
        cross join proveedor v
        join producto q on q.proveedor = v.value and lower(q.modelo) = lower(p.modelo)
        where p.id = any(${[...productoIds]}::uuid[]))
    select igual.de, s.id, s.folio from igual join stock_interno s on s.producto_id = igual.id
    where s.estado = 'disponible' order by s.creada_en, s.folio`.execute(db);
  for (const { de, ...pieza } of rows) deCada.set(de, [...(deCada.get(de) ?? []), pieza]);
  return deCada;
}

/** A piece that left, or is kept, for an orden. */
export type Apartada = { ordenId: string; productoId: string | null; modelo: string | null };

/** Returns the pieces that left, or are kept, for some ordenes. */
export async function apartadasPara(db: Db | Trx, ordenIds: readonly string[]): Promise<Apartada[]> {
  if (ordenIds.length === 0) return [];
  const { rows } = await sql<Apartada>`
    select s.venta_id as orden_id, s.producto_id, p.modelo from stock_interno s left join producto p on p.id = s.producto_id
    where s.venta_id = any(${[...ordenIds]}::uuid[]) order by s.folio`.execute(db);
  return rows;
}

/** Returns the question before a piece goes to a final state; null for any other step. */
export async function askMove(db: Db, id: string, a: EstadoDeStock): Promise<Question | null> {
  if (!isFinal(a)) return null;
  const pieza = await db
    .selectFrom('stockInterno')
    .select(['folio', 'estado', 'costo'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!pieza || pieza.estado === a) return null;
  return {
    titulo: 'Cambiar el estatus',
    texto: `¿Está seguro que desea pasar ${pieza.folio} a ${ESTADO_LABEL[a]}?`,
    hechos: `${DE_AHI_NO_SALE} Costó ${enPesos(pieza.costo.toFixed(2))}.`,
  };
}
