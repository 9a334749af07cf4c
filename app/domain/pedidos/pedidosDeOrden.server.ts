import { isViva } from '~/domain/envios/envio';
import type { OrdenWhole } from '~/domain/ordenes/detalleOrden.server';
import { destinatariosDe } from '~/domain/proveedores/directorio';
import { readDirectorio } from '~/domain/proveedores/directorio.server';
import type { Db } from '~db/client.server';
import { rows } from './listPedidos.server';
import { isVivo } from './pedido';
import { listOfOrden } from './pedidos.server';

/** The pedidos of the sale that an orden is of, the newest first, and the suppliers of it that nobody asked yet. One sale of several suppliers is one pedido for each. */
export async function pedidosDeOrden(
  db: Db,
  orden: Pick<OrdenWhole, 'id' | 'clase' | 'estatus' | 'situacion' | 'articulos'>,
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
  const porPedir = isViva(orden)
    ? destinatariosDe(
        await readDirectorio(db),
        orden.articulos.map(({ proveedor }) => proveedor),
      ).filter(({ proveedor }) => !vivos.has(proveedor))
    : [];
  return {
    pedidos: filas,
    porPedir: porPedir.map(({ proveedor, label }) => ({ proveedor, label })),
  };
}
