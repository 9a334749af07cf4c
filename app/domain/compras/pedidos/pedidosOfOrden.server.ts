import { isViva } from '~/domain/ventas/envios/envio';
import type { OrdenWhole } from '~/domain/ventas/ordenes/detalleOrden.server';
import { destinatariosOf } from '~/domain/compras/directorio/directorio';
import { readDirectorio } from '~/domain/compras/directorio/directorio.server';
import type { Db } from '~db/client.server';
import { rows } from './listPedidos.server';
import { isVivo } from './pedido';
import { lineasOfVenta } from './internal/lineas.server';
import { listOfOrden } from './pedidos.server';
import { proposeSurtido } from './supplyVenta.server';

/** The pedidos of the sale that an orden is of, the newest first, the suppliers of it that nobody asked yet, and what our own shelf has of it. One sale of several suppliers is one pedido for each. */
export async function pedidosOfOrden(
  db: Db,
  orden: Pick<OrdenWhole, 'id' | 'market' | 'numOrden' | 'clase' | 'estatus' | 'situacion' | 'articulos'>,
) {
  const suyos = await listOfOrden(db, orden.id);
  const filas =
    suyos.length === 0
      ? []
      : await rows(db)
          .select(['pedido.guiaEnviadaEn', 'pedido.facturaTotal', 'pedido.facturaMoneda'])
          .where(
            'pedido.id',
            'in',
            suyos.map(({ id }) => id),
          )
          .orderBy('pedido.numero', 'desc')
          .execute();
  const vivos = new Set(suyos.filter(({ estado }) => isVivo(estado)).map(({ proveedor }) => proveedor));
  const viva = isViva(orden);
  const [lineas, surtido] = viva
    ? await Promise.all([lineasOfVenta(db, orden.market, orden.numOrden), proposeSurtido(db, orden)])
    : [[], []];
  // All that the sale has of them leaves from our own shelf.
  const surtidos = new Set(
    lineas.flatMap(({ proveedor }) =>
      lineas.some((una) => una.proveedor === proveedor && una.cantidad > 0) ? [] : [proveedor],
    ),
  );
  const porPedir = viva
    ? destinatariosOf(
        await readDirectorio(db),
        orden.articulos.map(({ proveedor }) => proveedor),
      ).filter(({ proveedor }) => !vivos.has(proveedor) && !surtidos.has(proveedor))
    : [];
  return {
    pedidos: filas,
    porPedir: porPedir.map(({ proveedor, label }) => ({ proveedor, label })),
    surtido,
  };
}
