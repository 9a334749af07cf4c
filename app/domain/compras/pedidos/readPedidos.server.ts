import { z } from 'zod';
import type { Usuario } from '~/core/usuario';
import { readRechazo } from '~/platform/effects/rechazos.server';
import type { Db, Trx } from '~db/client.server';
import { preguntadoOf, reviewPedido } from './placePedido.server';
import { retratosOfPlaces } from '~/domain/compras/catalogo/fotos.server';
import { caducada, existenciaDe, precioDe } from '~/domain/compras/catalogo/columnas.server';
import { esperanPedidos } from './internal/esperaPedido';
import { guiaOfPedido } from './internal/guia.server';
import { readPedidoFila, rows } from './listPedidos.server';
import { MUERTOS, isVivo } from './pedido';
import { isViva } from '~/domain/ventas/envios/envio';
import type { OrdenWhole } from '~/domain/ventas/ordenes/detalleOrden.server';
import { destinatariosOf } from '~/domain/compras/directorio/proveedor';
import { readDirectorio } from '~/domain/compras/directorio/proveedores.server';
import { lineasOfVenta } from './internal/lineas.server';
import { proposeSurtido } from './supplyVenta.server';

/** Returns a pedido as its panel shows it: order and answer, prices then and now, label, invoice and history. Undefined when there is none. */
export async function openPedido(db: Db, id: string, rol: Usuario['rol']) {
  if (!z.uuid().safeParse(id).success) return undefined;
  const [fila, revisado] = await Promise.all([readPedidoFila(db, id), reviewPedido(db, id, rol)]);
  if (!fila || !revisado) return undefined;
  const [resto, otros, lineas, historia, guia, rechazo] = await Promise.all([
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
    // A sale of several suppliers has one pedido for each.
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
        'pedidoLinea.productoId',
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
    readRechazo(db, ['pedido', id]),
  ]);
  const { hallazgos, recibe, estimado, pagado, queda, margen, costo } = revisado.revision;
  return {
    ...fila,
    ...resto,
    piezas: revisado.piezas,
    avisos: preguntadoOf(revisado).avisos,
    revision: { hallazgos, recibe, estimado, pagado, queda, margen, costo },
    otros,
    lineas,
    /** Pictures of what the lines ask for, by their place. */
    fotos: await retratosOfPlaces(db, lineas),
    historia,
    rechazo,
    guia: guia ? { numero: guia.numero, paqueteria: guia.paqueteria, creadaEn: guia.creadaEn } : null,
    ahora: revisado.mirada.ahora,
  };
}

/**
 * Returns the pedidos of a sale, the newest first, with the suppliers that nobody asked yet and what our own stock could serve. Each supplier of a
 * sale has a pedido of its own.
 */
export async function pedidosOfOrden(
  db: Db,
  orden: Pick<
    OrdenWhole,
    'id' | 'market' | 'numOrden' | 'clase' | 'estatus' | 'situacion' | 'conservada' | 'articulos' | 'envio' | 'cambioEn'
  >,
) {
  const suyos = await listOfOrden(db, orden.id);
  const filas =
    suyos.length === 0
      ? []
      : await rows(db)
          .select(['pedido.solicitadoEn', 'pedido.guiaEnviadaEn', 'pedido.facturaTotal', 'pedido.facturaMoneda'])
          .where(
            'pedido.id',
            'in',
            suyos.map(({ id }) => id),
          )
          .orderBy('pedido.numero', 'desc')
          .execute();
  const vivos = new Set(suyos.filter(({ estado }) => isVivo(estado)).map(({ proveedor }) => proveedor));
  // Of one that was not fulfilled nothing is ordered, though its money stays.
  const viva = isViva(orden) && orden.situacion !== 'devuelta';
  const [lineas, surtido] = viva
    ? await Promise.all([lineasOfVenta(db, orden.market, orden.numOrden), proposeSurtido(db, orden)])
    : [[], []];
  // Suppliers whose part of the sale leaves whole from our own stock.
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
  const suya = {
    pedidos: filas,
    porPedir: porPedir.map(({ proveedor, label }) => ({ proveedor, label })),
    surtido,
  };
  return { ...suya, esperas: esperanPedidos({ ...orden, ...suya }) };
}

/** Returns the pedidos of a sale, by one of its ordenes, the newest first, each with lines and history. */
export async function listOfOrden(db: Db | Trx, ordenId: string) {
  const pedidos = await db
    .selectFrom('pedido')
    .innerJoin('proveedor', 'proveedor.value', 'pedido.proveedor')
    .selectAll('pedido')
    .select('proveedor.label as proveedorLabel')
    .where('pedido.id', 'in', (suyos) =>
      suyos
        .selectFrom('pedidoLinea')
        .innerJoin('orden as deLinea', 'deLinea.id', 'pedidoLinea.ordenId')
        .innerJoin('orden as esta', (join) =>
          join.onRef('esta.market', '=', 'deLinea.market').onRef('esta.numOrden', '=', 'deLinea.numOrden'),
        )
        .select('pedidoLinea.pedidoId')
        .where('esta.id', '=', ordenId),
    )
    .orderBy('pedido.numero', 'desc')
    .execute();
  const ids = pedidos.map(({ id }) => id);
  const [lineas, historia] =
    ids.length === 0
      ? [[], []]
      : await Promise.all([
          db.selectFrom('pedidoLinea').selectAll().where('pedidoId', 'in', ids).orderBy('posicion').execute(),
          db.selectFrom('pedidoHistoria').selectAll().where('pedidoId', 'in', ids).orderBy('id').execute(),
        ]);
  return pedidos.map((pedido) => ({
    ...pedido,
    lineas: lineas.filter(({ pedidoId }) => pedidoId === pedido.id),
    historia: historia.filter(({ pedidoId }) => pedidoId === pedido.id),
  }));
}
