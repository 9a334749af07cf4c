import { z } from 'zod';
import type { Usuario } from '~/domain/cuentas/usuario';
import type { Db } from '~db/client.server';
import { revisarPedido } from './comprar.server';
import { guiaDePedido } from './guia.server';
import { readPedidoFila } from './listPedidos.server';

/** A pedido whole, as its panel shows it: what was asked, what was answered, the prices of then and now, its label and its invoice; undefined when there is none. */
export async function openPedido(db: Db, id: string, rol: Usuario['rol']) {
  if (!z.uuid().safeParse(id).success) return undefined;
  const [fila, revisado] = await Promise.all([readPedidoFila(db, id), revisarPedido(db, id, rol)]);
  if (!fila || !revisado) return undefined;
  const [resto, lineas, historia, guia] = await Promise.all([
    db
      .selectFrom('pedido')
      .select([
        'motivo',
        'solicitadoEn',
        'confirmadoEn',
        'guiaPor',
        'guiaEnviadaEn',
        'correoEn',
        'correos',
        'total',
        'moneda',
        'facturaUuid',
        'facturaTotal',
        'facturaMoneda',
        'facturaEn',
      ])
      .where('id', '=', id)
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('pedidoLinea')
      .leftJoin('oferta', 'oferta.productoId', 'pedidoLinea.productoId')
      .where('pedidoId', '=', id)
      .orderBy('posicion')
      .select([
        'posicion',
        'idProveedor',
        'modelo',
        'descripcion',
        'cantidad',
        'pedidoLinea.precio',
        'pedidoLinea.moneda',
        'oferta.precio as precioAhora',
        'oferta.moneda as monedaAhora',
        'oferta.existencia',
        'oferta.tope',
        'oferta.leidaEn',
      ])
      .execute(),
    db
      .selectFrom('pedidoHistoria')
      .leftJoin('usuario', 'usuario.id', 'pedidoHistoria.usuarioId')
      .where('pedidoId', '=', id)
      .orderBy('pedidoHistoria.id', 'desc')
      .select(['pedidoHistoria.id', 'a', 'en', 'detalle', 'nombre', 'apellidos'])
      .execute(),
    guiaDePedido(db, id),
  ]);
  const { hallazgos, recibe, pagado, queda, margen, costo } = revisado.revision;
  return {
    ...fila,
    ...resto,
    piezas: revisado.piezas,
    revision: { hallazgos, recibe, pagado, queda, margen, costo },
    lineas,
    historia,
    guia: guia ? { numero: guia.numero, paqueteria: guia.paqueteria, creadaEn: guia.creadaEn } : null,
    ahora: revisado.mirada.ahora,
  };
}

export type PedidoWhole = NonNullable<Awaited<ReturnType<typeof openPedido>>>;
