import { NotAllowed } from '~/core/errors';
import { enPesos } from '~/core/importe';
import { type Market, precioKeyOf } from '~/core/market';
import { cuantas } from '~/platform/batches/batch';
import type { Accion } from '~/platform/batches/prepared.server';
import { readCaras } from '~/domain/compras/precios/precios.server';
import { MERCADOS, seCrea } from '~/domain/mercados/mercados';
import type { Trx } from '~db/client.server';
import type { PublicacionEditada } from '../forms';
import { elPrecioEsDe, estatusOf } from '../publicacion';
import { editPublicacion, seEstaCreando } from '../publicaciones.server';

const FALLO = 'Error al actualizar: ';
const NOMBRES = { una: 'publicación', muchas: 'publicaciones', clave: 'ID', titulo: 'Titulo' } as const;

type Fila = Awaited<ReturnType<typeof read>>[number];
type Cambio = Partial<Pick<PublicacionEditada, 'precio' | 'estatus'>>;

const read = (trx: Trx, ids: readonly string[]) =>
  trx
    .selectFrom('publicacion')
    .select(['id', 'market', 'clave', 'marketId', 'titulo', 'tipo', 'precio', 'stock', 'estatus', 'autoSync'])
    .select(['productoId', 'precioAjeno', 'ausenteDesde', 'version'])
    .where('id', 'in', [...ids])
    .execute();

/** Returns why nothing can be changed of a listing from here; null when something can. */
function obstacleOf({ market, estatus, ausenteDesde, precio, stock }: Fila): string | null {
  if (ausenteDesde) return 'Ya no está en el mercado.';
  if (seCrea(market, estatus)) return seEstaCreando(market);
  return precio === null || stock === null ? 'No se sabe su precio o su stock: cámbiala en su panel.' : null;
}

type Cual = Pick<Accion, 'accion' | 'boton' | 'pregunta' | 'inverso'> & {
  /** Returns the change of each row, or the text that says why the row is left out. */
  cambiosOf: (trx: Trx, filas: readonly Fila[]) => Promise<(fila: Fila) => Cambio | string>;
};

/** One change for many listings, each as much as the form of its panel does. */
function cambiaMuchas({ cambiosOf, ...cual }: Cual): Accion {
  const lookAt = async (trx: Trx, ids: readonly string[]) => {
    const filas = await read(trx, ids);
    const cambioOf = await cambiosOf(trx, filas);
    return filas.map((fila) => {
      const cambio = obstacleOf(fila) ?? cambioOf(fila);
      const impide = typeof cambio === 'string' ? cambio : null;
      const dado = typeof cambio === 'string' ? {} : cambio;
      return { fila, impide, dado, visto: `${fila.version} ${dado.precio ?? ''}` };
    });
  };
  return {
    ...cual,
    nombres: NOMBRES,
    hecho: 'Se modifico la publicación correctamente.',
    fallo: FALLO,
    look: async (trx, ids) =>
      (await lookAt(trx, ids)).map(
        ({ fila: { id, market, marketId, clave, titulo, precio, estatus }, impide, dado, visto }) => ({
          id,
          clave: marketId ?? clave,
          titulo:
            dado.precio && precio
              ? `${titulo}. ${enPesos(precio.toFixed(2))} → ${enPesos(dado.precio)}`
              : `${titulo}. ${estatusOf(market, estatus).label}`,
          importe: precio,
          visto,
          impedimento: impide,
        }),
      ),
    async lock(trx, id) {
      await trx.selectFrom('publicacion').select('id').where('id', '=', id).forUpdate().execute();
      return (await lookAt(trx, [id]))[0]?.visto;
    },
    async apply(trx, id, { usuarioId }) {
      const [una] = await lookAt(trx, [id]);
      if (!una || una.impide !== null) throw new NotAllowed(FALLO, una?.impide ?? 'No se encontro la publicación');
      const { version, titulo, precio, stock, estatus, autoSync } = una.fila;
      const editada = {
        id,
        version,
        titulo,
        precio: precio!.toFixed(2),
        stock: stock!,
        estatus,
        autoSync,
        ...una.dado,
      };
      const aceptado = await editPublicacion(trx, editada, usuarioId);
      return aceptado ? [aceptado.id] : [];
    },
  };
}

/** Returns the two states that people choose at a marketplace: on sale, and paused. */
const estadosOf = (market: Market) => {
  const [activa, pausada] = MERCADOS[market].publicaciones.editables;
  return { activa: activa!, pausada: pausada! };
};

/** Pauses many listings. Where pieces alone pause a listing, its stock becomes 0. */
export const pausarPublicaciones = cambiaMuchas({
  accion: 'publicacion.pausar',
  inverso: 'publicacion.activar',
  boton: 'Pausar',
  pregunta: (n) => ({
    titulo: 'Pausar publicaciones',
    texto: '¿Esta seguro que desea pausar las publicaciones?',
    hechos: `${cuantas(n, 'publicación', 'publicaciones')}: nadie las puede comprar hasta que se activen otra vez.`,
  }),
  cambiosOf:
    async () =>
    ({ market, estatus, autoSync }) => {
      const { activa, pausada } = estadosOf(market);
      if (estatus !== activa) return 'No está activa.';
      if (autoSync && MERCADOS[market].publicaciones.porPiezas)
        return 'Sigue las piezas de su proveedor: quítale la sincronización automática para pausarla.';
      return { estatus: pausada };
    },
});

/** Puts many paused listings on sale again. */
export const activarPublicaciones = cambiaMuchas({
  accion: 'publicacion.activar',
  inverso: 'publicacion.pausar',
  boton: 'Activar',
  pregunta: (n) => ({
    titulo: 'Activar publicaciones',
    texto: '¿Esta seguro que desea activar las publicaciones?',
    hechos: `${cuantas(n, 'publicación', 'publicaciones')}: vuelven a la venta con su precio y su stock de hoy.`,
  }),
  cambiosOf:
    async () =>
    ({ market, estatus }) => {
      const { activa, pausada } = estadosOf(market);
      if (MERCADOS[market].publicaciones.porPiezas)
        return `En ${MERCADOS[market].label} está activa mientras tiene piezas: escríbelas en su panel.`;
      return estatus === pausada ? { estatus: activa } : 'No está pausada.';
    },
});

/** Gives many listings the price of the rule of their kind: mark-up, VAT and shipping of today. Each price stands in the question. */
export const ponerPrecioDeRegla = cambiaMuchas({
  accion: 'publicacion.precio',
  boton: 'Precio de la regla',
  pregunta: (n) => ({
    titulo: 'Precio de la regla',
    texto: '¿Esta seguro que desea cambiar los precios?',
    hechos: `${cuantas(n, 'publicación', 'publicaciones')}: cada una toma el precio de la regla de su tipo. No empiezan a seguir a su proveedor.`,
  }),
  async cambiosOf(trx, filas) {
    const caras = await readCaras(
      trx,
      filas.flatMap(({ productoId }) => productoId ?? []),
    );
    return ({ market, tipo, precio, precioAjeno, productoId, autoSync }) => {
      if (precioAjeno) return elPrecioEsDe(MERCADOS[market].label);
      if (autoSync) return 'Sigue a su proveedor: su precio ya es el de la regla.';
      if (productoId === null) return 'Su SKU no nombra un producto de los proveedores.';
      const venta = caras.get(productoId)?.[precioKeyOf(market, tipo)].venta;
      if (venta?.clase !== 'precio') return 'El proveedor no ha dado un precio.';
      return precio?.equals(venta.precio) ? 'Ya tiene el precio de la regla.' : { precio: venta.precio.toFixed(2) };
    };
  },
});
