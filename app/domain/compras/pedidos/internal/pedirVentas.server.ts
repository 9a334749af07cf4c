import { sql } from 'kysely';
import { NotAllowed } from '~/core/errors';
import { enPesos } from '~/core/importe';
import { Money } from '~/core/money';
import type { Rol } from '~/core/usuario';
import { cuantas } from '~/platform/batches/batch';
import type { Accion, FilaVista } from '~/platform/batches/prepared.server';
import { canonicalJson, hashOf } from '~/platform/effects/effects.server';
import { effectsAbout } from '~/platform/effects/subjects.server';
import type { Db, Trx } from '~db/client.server';
import type { Market } from '~db/columns';
import { ERROR_CREAR, type PedidoRevisado, readOfVenta, requireGuardias, reviewPedido } from '../placePedido.server';
import { quedaEnBreve } from '../pedido';
import { createPedido } from './createPedido.server';
import type { Hallazgo } from './guardias';
import { lineasOfVenta } from './lineas.server';
import type { Fallas } from './mirada.server';
import { requireMismoCosto } from './mismoCosto';
import { porQueNo } from './venta.server';

type Venta = { id: string; market: Market; numOrden: string; titulo: string };

const readVentas = (trx: Db | Trx, ids: readonly string[]): Promise<Venta[]> =>
  trx
    .selectFrom('orden')
    .select(['id', 'market', 'numOrden', 'titulo'])
    .where('id', 'in', [...ids])
    .execute();

const rolOf = async (trx: Trx, usuarioId: string): Promise<Rol> =>
  (await trx.selectFrom('usuario').select('rol').where('id', '=', usuarioId).executeTakeFirstOrThrow()).rol;

/** The suppliers that a sale lacks pieces of, in the order of its lines; the reason why nothing is to be ordered instead. */
async function proveedoresOf(trx: Db | Trx, { market, numOrden }: Venta): Promise<string[] | string> {
  const ordenes = await trx
    .selectFrom('orden')
    .select(['clase', 'estatus', 'situacion'])
    .where('market', '=', market)
    .where('numOrden', '=', numOrden)
    .execute();
  const no = porQueNo(ordenes);
  if (no) return no;
  const lineas = await lineasOfVenta(trx, market, numOrden);
  const suyas = lineas.filter(({ proveedor }) => proveedor !== null);
  if (suyas.length === 0) return 'Ningún artículo de la venta es de un proveedor.';
  const proveedores = [...new Set(suyas.flatMap(({ proveedor, cantidad }) => (cantidad > 0 ? [proveedor!] : [])))];
  return proveedores.length > 0 ? proveedores : 'Lo que la venta lleva sale del stock interno: no hay nada que pedir.';
}

/** Folio of a quotation that a person wrote at a sale, and how often its suppliers were paid. */
async function compradaOf(trx: Trx, { market, numOrden }: Venta): Promise<{ folio: string | null; pagos: number }> {
  const { rows } = await sql<{ folio: string | null; pagos: number }>`
    select string_agg(distinct c.folio, ', ') as folio, count(distinct po.pago_id)::int as pagos
    from orden o
    left join cotizacion c on c.orden_id = o.id
    left join pago_orden po on po.orden_id = o.id
    where o.market = ${market} and o.num_orden = ${numOrden}`.execute(trx);
  return rows[0]!;
}

/** Mark of what is to be ordered for a sale: its lines, and what was ordered, quoted and paid of it already. Prices are no part of it. */
async function marcaOf(trx: Trx, venta: Venta): Promise<string> {
  const [lineas, pedidos] = [
    await lineasOfVenta(trx, venta.market, venta.numOrden),
    await trx
      .selectFrom('pedidoLinea')
      .innerJoin('pedido', 'pedido.id', 'pedidoLinea.pedidoId')
      .where('pedidoLinea.ordenId', '=', venta.id)
      .select(['pedido.id', 'pedido.estado'])
      .distinct()
      .orderBy('pedido.id')
      .execute(),
  ];
  const pide = lineas.map(({ proveedor, modelo, cantidad }) => [proveedor, modelo, cantidad]);
  return hashOf(canonicalJson({ pide, pedidos, ...(await compradaOf(trx, venta)) })).toString('hex');
}

/** Returns what a piece of work would bring about, and takes back everything that it wrote. */
async function tried<T>(trx: Trx, work: () => Promise<T>): Promise<T> {
  await sql`savepoint previa`.execute(trx);
  try {
    return await work();
  } finally {
    await sql`rollback to savepoint previa`.execute(trx);
  }
}

/** The pedidos that a press would make of a sale, one for each supplier that has none yet. Throws `NotAllowed` with what is against it. */
async function previewVenta(
  trx: Trx,
  venta: Venta,
  proveedores: readonly string[],
  { usuarioId, rol }: { usuarioId: string; rol: Rol },
): Promise<PedidoRevisado[]> {
  const pedidos: PedidoRevisado[] = [];
  for (const proveedor of proveedores) {
    const { id, created } = await createPedido(trx, { ...venta, proveedor, usuarioId });
    const revisado = created ? await reviewPedido(trx, id, rol) : undefined;
    if (revisado) pedidos.push(revisado);
  }
  return pedidos;
}

/** Returns why a pedido is not made among many. A draft is looked at again when it is confirmed, and stale products before they are ordered. */
function impedimentoOf({ mirada, estado, proveedorLabel, revision }: PedidoRevisado): string | null {
  if (mirada.envio?.fuera) return mirada.envio.fuera;
  const impide = ({ clave, severidad }: Hallazgo) =>
    clave === 'doble' || clave === 'factura' || (estado !== 'borrador' && severidad !== 'avisa' && clave !== 'lectura');
  const texto = revision.hallazgos.find(impide)?.texto;
  return texto ? `${proveedorLabel}: ${texto}` : null;
}

const sumOf = (pedidos: readonly PedidoRevisado[]): Money | null =>
  pedidos.some(({ revision }) => revision.costo === null)
    ? null
    : Money.sum(pedidos.map(({ revision }) => revision.costo!));

/** 'CT: 2 x APC-100, quedan $64.00 (27.6 %)' */
const enPalabras = ({ proveedorLabel, mirada, revision }: PedidoRevisado) =>
  `${proveedorLabel}: ${[
    ...mirada.lineas.map(({ cantidad, nombre }) => `${cantidad} x ${nombre}`),
    quedaEnBreve(revision) && `queda ${quedaEnBreve(revision)}`,
  ]
    .filter(Boolean)
    .join(', ')}`;

async function lookAt(trx: Trx, venta: Venta, quien: { usuarioId: string; rol: Rol }): Promise<FilaVista> {
  const fila = { id: venta.id, clave: venta.numOrden, titulo: venta.titulo, importe: null };
  const visto = await marcaOf(trx, venta);
  const proveedores = await proveedoresOf(trx, venta);
  if (typeof proveedores === 'string') return { ...fila, visto, impedimento: proveedores };
  try {
    const pedidos = await tried(trx, () => previewVenta(trx, venta, proveedores, quien));
    if (pedidos.length === 0) return { ...fila, visto, impedimento: 'La venta ya tiene su pedido.' };
    const { folio, pagos } = await compradaOf(trx, venta);
    // A person bought it by other means; whoever wants it twice says so at the sale.
    const comprada = pagos > 0 ? 'Ya se le pagó a su proveedor.' : folio !== null && `Ya tiene la cotización ${folio}.`;
    return {
      ...fila,
      titulo: pedidos.map(enPalabras).join(' · '),
      importe: sumOf(pedidos),
      visto,
      impedimento: comprada || (pedidos.map(impedimentoOf).find((porque) => porque !== null) ?? null),
    };
  } catch (error) {
    if (!(error instanceof NotAllowed)) throw error;
    return { ...fila, visto, impedimento: error.message };
  }
}

/**
 * Makes the pedidos of many sales, one for each supplier of a sale. Nobody gives reasons, so a sale whose purchase needs one is left out. Stale products are
 * read again before each, and a sale whose cost moved meanwhile is refused.
 */
export const pedirVentas: Accion = {
  accion: 'hacerPedidos',
  boton: 'Hacer pedido',
  // Each sale is tried as its own screen tries it, in some tens of milliseconds.
  most: 200,
  nombres: { una: 'venta', muchas: 'ventas', clave: 'No. Orden', titulo: 'Lo que se pide' },
  pregunta: (n, suma) => ({
    titulo: 'Hacer pedido',
    texto: '¿Está seguro que desea hacer el pedido?',
    hechos: `Se ${n === 1 ? 'pide' : 'piden'} ${cuantas(n, 'venta', 'ventas')} por ${enPesos(suma.toFixed(2))} con IVA. Lo que pide confirmación se compra en 'Ordenes por confirmar'.`,
  }),
  hecho: 'Los pedidos se hicieron.',
  fallo: ERROR_CREAR,
  corrige: { boton: 'Abrir', pantalla: 'ordenes', campo: 'ver', con: 'id' },
  async look(trx, ids, _ahora, { usuarioId }) {
    const quien = { usuarioId, rol: await rolOf(trx, usuarioId) };
    const byId = new Map((await readVentas(trx, ids)).map((venta) => [venta.id, venta]));
    const vistas = new Set<string>();
    const filas: FilaVista[] = [];
    for (const id of new Set(ids)) {
      const venta = byId.get(id);
      if (!venta) continue;
      const numero = `${venta.market} ${venta.numOrden}`;
      filas.push(
        vistas.has(numero)
          ? {
              id,
              clave: venta.numOrden,
              titulo: venta.titulo,
              importe: null,
              visto: '',
              impedimento: 'Va en el pedido de otra orden del mismo carrito.',
            }
          : await lookAt(trx, venta, quien),
      );
      vistas.add(numero);
    }
    return filas;
  },
  async lock(trx, id) {
    const [venta] = await readVentas(trx, [id]);
    if (!venta) return undefined;
    await trx
      .selectFrom('orden')
      .select('id')
      .where('market', '=', venta.market)
      .where('numOrden', '=', venta.numOrden)
      .orderBy('id')
      .forUpdate()
      .execute();
    return marcaOf(trx, venta);
  },
  async consult(db, id, { usuarioId }, { importe }) {
    const [venta] = await readVentas(db, [id]);
    const proveedores = venta ? await proveedoresOf(db, venta) : 'La venta ya no existe.';
    if (!venta || typeof proveedores === 'string') throw new NotAllowed(ERROR_CREAR, String(proveedores));
    const leidas: { proveedor: string; fallas: Fallas }[] = [];
    for (const proveedor of proveedores)
      leidas.push({ proveedor, fallas: (await readOfVenta(db, { orden: id, proveedor })).fallas });
    return async (trx) => {
      const rol = await rolOf(trx, usuarioId);
      const pedidos: PedidoRevisado[] = [];
      for (const { proveedor, fallas } of leidas) {
        const creado = await createPedido(trx, { ...venta, proveedor, usuarioId });
        const revisado = creado.created ? await reviewPedido(trx, creado.id, rol, fallas) : undefined;
        if (!revisado) continue;
        if (revisado.estado !== 'borrador')
          await requireGuardias(trx, creado.id, { rol, motivo: null, fallas }, ERROR_CREAR);
        pedidos.push(revisado);
      }
      requireMismoCosto(ERROR_CREAR, importe, sumOf(pedidos));
      const effects = await Promise.all(
        pedidos.map((pedido) => effectsAbout(trx, ['pedido', pedido.id]).select('effect.id').execute()),
      );
      return effects.flat().map((effect) => effect.id);
    };
  },
};
