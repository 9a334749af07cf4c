import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { NotAllowed } from '~/core/errors';
import { enumerate } from '~/core/hechos';
import type { Money } from '~/core/money';
import type { FarSide } from '~/platform/connections/definition';
import { askProveedor } from '~/domain/compras/catalogo/buscador.server';
import { listElecciones } from '~/domain/compras/catalogo/elecciones.server';
import { Compra, faltaDeCompra, opcionesDePedido } from '~/domain/compras/directorio/compra';
import type { Direccion, EnAlmacen } from '~/integrations/proveedores/cara';
import type { Db } from '~db/client.server';
import type { Moneda } from '~db/columns';
import { porSucursal } from './internal/createPedido.server';
import { precioOf } from './internal/guardias';
import { chooseAlmacen } from './internal/lineas.server';

const TITULO = 'La compra no pasaría.';

/** Address of a rehearsal. A supplier that ships with the label of a marketplace takes it as a formality. */
const DIRECCION: Direccion = {
  nombre: 'Prueba de compra',
  calle: 'GUIA DE CLIENTE',
  numero: '1',
  interior: '',
  colonia: 'Centro',
  ciudad: 'Chihuahua',
  estado: 'CHIH',
  cp: '31000',
  telefono: '6141234567',
};

/** Products with most pieces, among which one that a known place has is looked for. */
const CANDIDATOS = 50;

/**
 * 'Probar compra': rehearses an order of one piece at a supplier, with what people chose, and buys nothing. Returns what the supplier says. Throws
 * `NotAllowed` with what is missing or with the supplier's no. A supplier without rehearsals has its choices checked alone.
 */
export async function probarCompra(db: Db, { kind, label, proveedor }: FarSide): Promise<string> {
  if (!proveedor) throw new NotAllowed(TITULO, 'El proveedor no existe.');
  const { compra: guardada } = await db
    .selectFrom('proveedor')
    .select('compra')
    .where('value', '=', kind)
    .executeTakeFirstOrThrow();
  const compra = Compra.parse(guardada);
  const elecciones = (await listElecciones(db)).get(kind)?.elecciones ?? null;
  const falta = faltaDeCompra(proveedor.compra, compra, elecciones);
  if (falta.length > 0) throw new NotAllowed(TITULO, `Falta elegir cómo se le compra a ${label}: ${enumerate(falta)}.`);
  if (!proveedor.leer(db, 'persona').probarPedido)
    return `A ${label} no le falta nada de lo que se elige. No tiene pedidos de prueba: solo se revisó aquí.`;
  const productos = await db
    .selectFrom('producto')
    .innerJoin('oferta', 'oferta.productoId', 'producto.id')
    .select(['producto.idProveedor', 'producto.modelo', 'oferta.precio', 'oferta.moneda'])
    .select(sql<EnAlmacen[]>`oferta.almacenes`.as('almacenes'))
    .where('producto.proveedor', '=', kind)
    .where('producto.enVenta', '=', true)
    .where('producto.ausenteDesde', 'is', null)
    .where('oferta.precio', 'is not', null)
    .where('oferta.existencia', '>', 0)
    .orderBy('oferta.existencia', 'desc')
    .orderBy('oferta.precio')
    .limit(CANDIDATOS)
    .execute();
  const { lugar } = proveedor.compra;
  const lineaOf = ({ idProveedor, almacenes }: (typeof productos)[number]) => [
    { cantidad: 1, producto: { idProveedor, almacenes } },
  ];
  const [elegido] = productos.flatMap((producto) => {
    const lineas = lineaOf(producto);
    const { conLugar } = lugar?.porNombre ? porSucursal(lineas, compra, elecciones) : { conLugar: lineas };
    const almacen = chooseAlmacen(conLugar, compra.almacenes);
    return lugar && almacen === null ? [] : [{ ...producto, almacen }];
  });
  if (!elegido)
    throw new NotAllowed(
      TITULO,
      `Ningún producto de ${label} tiene precio y piezas en un lugar conocido: lee su catálogo.`,
    );
  const total = await askProveedor(db, kind, TITULO, (lector) =>
    lector.probarPedido!({
      folio: `PRUEBA-${randomUUID().slice(0, 8)}`,
      lineas: [
        {
          idProveedor: elegido.idProveedor,
          cantidad: 1,
          precio: { importe: elegido.precio as Money, moneda: elegido.moneda as Moneda },
        },
      ],
      almacen: elegido.almacen,
      envio: DIRECCION,
      guia: null,
      opciones: opcionesDePedido(proveedor.compra, compra),
    }),
  );
  const que = elegido.modelo ?? elegido.idProveedor;
  return `${label} tomaría un pedido de ${que}${total ? ` por ${precioOf(total)}` : ''}. No se pidió nada.`;
}
