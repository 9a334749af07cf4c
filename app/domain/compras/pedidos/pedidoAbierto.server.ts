import { z } from 'zod';
import type { Usuario } from '~/core/usuario';
import type { Db } from '~db/client.server';
import { reviewPedido } from './placePedido.server';
import { caducada, existenciaDe, precioDe } from '~/domain/compras/catalogo/frescura.server';
import { guiaOfPedido } from './guia.server';
import { readPedidoFila } from './listPedidos.server';
import { MUERTOS } from './pedido';

/** A pedido whole, as its panel shows it: what was asked, what was answered, the prices of then and now, its label and its invoice; undefined when there is none. */
export async function openPedido(db: Db, id: string, rol: Usuario['rol']) {
  if (!z.uuid().safeParse(id).success) return undefined;
  const [fila, revisado] = await Promise.all([readPedidoFila(db, id), reviewPedido(db, id, rol)]);
  if (!fila || !revisado) return undefined;
  const [resto, otros, lineas, historia, guia] = await Promise.all([
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
    // A sale of several suppliers is bought in several pedidos.
    db
      .selectFrom('pedido')
      .innerJoin('proveedor', 'proveedor.value', 'pedido.proveedor')
      .where('market', '=', fila.market)
      .where('numOrden', '=', fila.numOrden)
      .where('pedido.id', '<>', id)
      .where('pedido.proveedor', '<>', fila.proveedor)
      .where('estado', 'not in', [...MUERTOS])
      .orderBy('numero')
      .select(['pedido.id', 'folio', 'label'])
      .execute(),
    db
      .selectFrom('pedidoLinea')
      .leftJoin('producto', 'producto.id', 'pedidoLinea.productoId')
      .leftJoin('oferta', 'oferta.productoId', 'producto.id')
      .where('pedidoId', '=', id)
      .orderBy('posicion')
      .select([
        'posicion',
        'pedidoLinea.idProveedor',
        'pedidoLinea.modelo',
        'descripcion',
        'cantidad',
        'pedidoLinea.precio',
        'pedidoLinea.moneda',
        'oferta.precio as precioAhora',
        'oferta.moneda as monedaAhora',
        'oferta.existencia',
        'oferta.tope',
        precioDe.as('precioEn'),
        existenciaDe.as('existenciaEn'),
        caducada.as('caducada'),
      ])
      .execute(),
    db
      .selectFrom('pedidoHistoria')
      .leftJoin('usuario', 'usuario.id', 'pedidoHistoria.usuarioId')
      .where('pedidoId', '=', id)
      .orderBy('pedidoHistoria.id', 'desc')
      .select(['pedidoHistoria.id', 'a', 'en', 'detalle', 'nombre', 'apellidos'])
      .execute(),
    guiaOfPedido(db, id),
  ]);
  const { hallazgos, recibe, pagado, queda, margen, costo } = revisado.revision;
  return {
    ...fila,
    ...resto,
    piezas: revisado.piezas,
    revision: { hallazgos, recibe, pagado, queda, margen, costo },
    otros,
    lineas,
    historia,
    guia: guia ? { numero: guia.numero, paqueteria: guia.paqueteria, creadaEn: guia.creadaEn } : null,
    ahora: revisado.mirada.ahora,
  };
}
