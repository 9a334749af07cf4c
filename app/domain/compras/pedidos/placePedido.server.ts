import { NotAllowed, Stale } from '~/core/errors';
import { enPesos } from '~/core/importe';
import { Money } from '~/core/money';
import type { Usuario } from '~/core/usuario';
import { isDoneSoon } from '~/platform/effects/effects.server';
import { effectsAbout } from '~/platform/effects/subjects.server';
import { fetchProducto } from '~/domain/compras/catalogo/buscador.server';
import { tipoCambio } from '~/domain/compras/precios/precios.server';
import { transact, type Db, type Trx } from '~db/client.server';
import { detallesOf, impedimentoOf, LECTURA_VALE_MS, needsMotivo, review, type Revision } from './internal/guardias';
import { lineasOfVenta } from './internal/lineas.server';
import { type Fallas, inspectPedido, type PedidoMirado } from './internal/mirada.server';
import { notePedido } from './internal/movePedido.server';
import type { ConfirmarPedido, HacerPedido } from './forms';
import { createPedido } from './internal/createPedido.server';
import { confirmPedido } from './pedidos.server';
import { dichoOfPedido, ERROR_CONFIRMAR, isVivo } from './pedido';

/** Returns a pedido as the question before a purchase tells it: money, place, stock, label and every objection. */
export const preguntadoOf = ({ revision, ...revisado }: PedidoRevisado) => ({
  ...revisado,
  dinero: revision,
  avisos: [...detallesOf(revisado.mirada, revisado.lugar), ...revision.hallazgos.map(({ texto }) => texto)],
});

/** Title of a refusal to make a pedido. */
export const ERROR_CREAR = 'Error al crear el pedido.';

export type PedidoRevisado = PedidoMirado & { revision: Revision };

/** Returns a pedido with the findings of its guards for a role, out of the last reads. Undefined when there is none by that id. */
export async function reviewPedido(
  db: Db | Trx,
  id: string,
  rol: Usuario['rol'] | null,
  fallas?: Fallas,
): Promise<PedidoRevisado | undefined> {
  const mirado = await inspectPedido(db, id, { ...(fallas && { fallas }) });
  return mirado && { ...mirado, revision: review(mirado.mirada, rol) };
}

type PorLeer = { proveedor: string; idProveedor: string; leidaEn: Date | null };

/** Reads products again that are too old to buy on. Returns why some could not be read. */
async function readStale(db: Db, productos: readonly PorLeer[], ahora: Date): Promise<Fallas> {
  const fallas = new Map<string, string>();
  const viejos = new Map(
    productos
      .filter(({ leidaEn }) => leidaEn === null || ahora.getTime() - leidaEn.getTime() > LECTURA_VALE_MS)
      .map((producto) => [producto.idProveedor, producto]),
  );
  for (const { proveedor, idProveedor } of viejos.values())
    try {
      await fetchProducto(db, { proveedor, idProveedor });
    } catch (error) {
      if (!(error instanceof NotAllowed)) throw error;
      fallas.set(idProveedor, error.message);
    }
  return fallas;
}

/**
 * Reads the products of a draft again when they are too old. An order that the supplier took keeps its agreed prices. Returns why some could not be
 * read.
 */
export async function rereadPedido(db: Db, pedidoId: string, ahora = new Date()): Promise<Fallas> {
  const productos = await db
    .selectFrom('pedidoLinea')
    .innerJoin('pedido', 'pedido.id', 'pedidoLinea.pedidoId')
    .innerJoin('producto', 'producto.id', 'pedidoLinea.productoId')
    .leftJoin('oferta', 'oferta.productoId', 'producto.id')
    .where('pedido.id', '=', pedidoId)
    .where('pedido.estado', '=', 'borrador')
    .select(['pedido.proveedor', 'producto.idProveedor', 'oferta.leidaEn'])
    .execute();
  return readStale(db, productos, ahora);
}

const PIDE_MOTIVO = 'Escribe el motivo en el pedido para comprarlo así.';

/** Throws `NotAllowed` when something keeps the pedido from being bought, at the field `motivo` when a reason would do. */
export function requireSinImpedimento(revision: Revision, motivo: string | null, titulo: string): void {
  const no = impedimentoOf(revision, motivo);
  if (no === null) return;
  if (!needsMotivo(revision)) throw new NotAllowed(titulo, no);
  throw new NotAllowed(titulo, `${no} ${PIDE_MOTIVO}`, { campo: 'motivo' });
}

/** Throws `NotAllowed` with the objection of the guards. Keeps the reason that they asked for. */
export async function requireGuardias(
  trx: Trx,
  pedidoId: string,
  { rol, motivo, fallas }: { rol: Usuario['rol'] | null; motivo: string | null; fallas?: Fallas },
  titulo: string,
): Promise<PedidoRevisado> {
  const revisado = await reviewPedido(trx, pedidoId, rol, fallas);
  if (!revisado) throw new NotAllowed(titulo, 'El pedido ya no existe.');
  requireSinImpedimento(revisado.revision, motivo, titulo);
  if (motivo !== null && needsMotivo(revisado.revision)) await notePedido(trx, pedidoId, { motivo });
  return revisado;
}

/**
 * 'Confirmar pedido': reads stale products again, lets the guards look, and sends the pedido at today's price. Throws `Stale` when the pedido moved
 * or became dearer than shown, and `NotAllowed` with the objection of the guards. `waitForProveedor` tells how it ended.
 */
export async function confirmWithGuardias(
  db: Db,
  { pedido: id, version, costo, motivo }: ConfirmarPedido,
  { id: usuarioId, rol }: Pick<Usuario, 'id' | 'rol'>,
): Promise<EnCamino> {
  const fallas = await rereadPedido(db, id);
  return transact(db, async (trx) => {
    await confirmReviewed(trx, { id, version, costo, motivo, fallas }, { usuarioId, rol });
    return { id, effectId: await newestEffect(trx, id) };
  });
}

/** A pedido with the call or the letter that a press sent on its way; null when nothing left. */
export type EnCamino = { id: string; effectId: string | null };

async function newestEffect(trx: Trx, pedidoId: string): Promise<string | null> {
  const effect = await effectsAbout(trx, ['pedido', pedidoId])
    .select('effect.id')
    .orderBy('effect.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return effect?.id ?? null;
}

/**
 * Waits a moment for the supplier, and returns what is so. Throws `NotAllowed`, under `titulo`, with the words of a supplier that said no.
 */
export async function waitForProveedor(db: Db, { id, effectId }: EnCamino, titulo: string): Promise<string> {
  const done = effectId === null || (await isDoneSoon(db, effectId, titulo));
  const pedido = await db
    .selectFrom('pedido')
    .innerJoin('proveedor', 'proveedor.value', 'pedido.proveedor')
    .select(['estado', 'via', 'venceEn', 'detalle', 'proveedor.label as proveedorLabel'])
    .where('pedido.id', '=', id)
    .executeTakeFirstOrThrow();
  if (!isVivo(pedido.estado)) throw new NotAllowed(titulo, pedido.detalle ?? `${pedido.proveedorLabel} no lo aceptó.`);
  return dichoOfPedido({ ...pedido, hizo: titulo === ERROR_CREAR, enCamino: !done });
}

/** Confirms a pedido whose products were read just now. Throws like `confirmWithGuardias`. */
export async function confirmReviewed(
  trx: Trx,
  {
    id,
    version,
    costo,
    motivo,
    fallas,
  }: { id: string; version: number; costo: string | null; motivo: string | null; fallas?: Fallas },
  { usuarioId, rol }: { usuarioId: string; rol: Usuario['rol'] },
): Promise<void> {
  await trx.selectFrom('pedido').select('id').where('id', '=', id).forUpdate().execute();
  const actual = await reviewPedido(trx, id, rol, fallas);
  if (actual && actual.version === version) {
    requireCosto(actual, costo);
    await requireGuardias(trx, id, { rol, motivo, ...(fallas && { fallas }) }, ERROR_CONFIRMAR);
    if (actual.estado === 'borrador') await setPrecios(trx, id);
  }
  const { version: ahora } = await trx
    .selectFrom('pedido')
    .select('version')
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => new NotAllowed(ERROR_CONFIRMAR, 'El pedido ya no existe.'));
  // Changes of this transaction are not somebody else's.
  await confirmPedido(trx, { id, version: actual?.version === version ? ahora : version }, usuarioId);
}

/** Throws `Stale` when the cost rose above the shown one: nobody buys dearer than they were told. */
function requireCosto({ revision, version }: PedidoRevisado, visto: string | null): void {
  const { costo } = revision;
  if (visto === null || costo === null || costo.compare(Money.of(visto)) <= 0) return;
  throw new Stale(
    {
      cambios: [{ campo: 'Costo', mio: enPesos(visto), suyo: enPesos(costo.toFixed(2)) }],
      marcas: { version, costo: costo.toFixed(2) },
    },
    { titulo: ERROR_CONFIRMAR, texto: 'El precio subió mientras lo veías.' },
  );
}

/** Sets the lines of a draft to today's prices. The proposed prices stay in the story of the sale. */
export async function setPrecios(trx: Trx, pedidoId: string): Promise<void> {
  await trx
    .updateTable('pedidoLinea')
    .from('oferta')
    .innerJoin('producto', 'producto.id', 'oferta.productoId')
    .whereRef('producto.id', '=', 'pedidoLinea.productoId')
    .where('pedidoLinea.pedidoId', '=', pedidoId)
    .where('oferta.precio', 'is not', null)
    .set((is) => ({
      precio: is.ref('oferta.precio'),
      moneda: is.ref('oferta.moneda'),
      tipoCambio,
    }))
    .execute();
}

/** Returns the sale of a future pedido, after reading its stale products again. Throws `NotAllowed` when the sale does not exist. */
export async function readOfVenta(db: Db, { orden: ordenId, proveedor }: Pick<HacerPedido, 'orden' | 'proveedor'>) {
  const venta = await db
    .selectFrom('orden')
    .select(['market', 'numOrden'])
    .where('id', '=', ordenId)
    .executeTakeFirst();
  if (!venta) throw new NotAllowed(ERROR_CREAR, 'La orden no existe.');
  const lineas = await lineasOfVenta(db, venta.market, venta.numOrden);
  const productos = lineas.flatMap((linea) =>
    linea.proveedor === proveedor && linea.producto ? [{ ...linea.producto, proveedor }] : [],
  );
  return { venta, fallas: await readStale(db, productos, new Date()) };
}

/**
 * 'Hacer pedido': makes the pedido of a sale at one supplier. Where making it already sends it, the guards look first. Throws `NotAllowed` with their
 * objection, and like `createPedido`.
 */
export async function placePedido(
  db: Db,
  form: HacerPedido,
  { id: usuarioId, rol }: Pick<Usuario, 'id' | 'rol'>,
): Promise<EnCamino & { created: boolean }> {
  const { proveedor, motivo } = form;
  const { venta, fallas } = await readOfVenta(db, form);
  return transact(db, async (trx) => {
    const creado = await createPedido(trx, { ...venta, proveedor, usuarioId, motivo });
    const { estado } = await trx
      .selectFrom('pedido')
      .select('estado')
      .where('id', '=', creado.id)
      .executeTakeFirstOrThrow();
    // A draft is looked at when it is confirmed.
    if (creado.created && estado !== 'borrador')
      await requireGuardias(trx, creado.id, { rol, motivo, fallas }, ERROR_CREAR);
    return { ...creado, effectId: creado.created ? await newestEffect(trx, creado.id) : null };
  });
}

/** Ends a transaction with its result and rolls it back. */
class Previa extends Error {
  constructor(readonly revisado: PedidoRevisado | undefined) {
    super('previa');
  }
}

/**
 * Returns the pedido that would be made, with the findings of its guards; undefined when the sale has one already. Nothing is written and nothing
 * leaves. Throws like `placePedido`.
 */
export async function previewPedido(
  db: Db,
  form: Pick<HacerPedido, 'orden' | 'proveedor'>,
  { id: usuarioId, rol }: Pick<Usuario, 'id' | 'rol'>,
): Promise<PedidoRevisado | undefined> {
  const { venta, fallas } = await readOfVenta(db, form);
  try {
    return await transact(db, async (trx) => {
      const { id, created } = await createPedido(trx, { ...venta, proveedor: form.proveedor, usuarioId });
      throw new Previa(created ? await reviewPedido(trx, id, rol, fallas) : undefined);
    });
  } catch (error) {
    if (error instanceof Previa) return error.revisado;
    throw error;
  }
}
