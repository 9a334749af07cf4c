import { NotAllowed } from '~/core/errors';
import { enPesos } from '~/core/importe';
import { type Market, precioKeyOf } from '~/core/market';
import { Money } from '~/core/money';
import { cuantas } from '~/platform/batches/batch';
import type { Accion } from '~/platform/batches/prepared.server';
import { PISO } from '~/domain/compras/precios/precio';
import { readCaras, readQuedarias } from '~/domain/compras/precios/precios.server';
import { MERCADOS, seCrea } from '~/domain/mercados/mercados';
import type { Trx } from '~db/client.server';
import { CambioDePrecios, COMO_CAMBIA, type PublicacionEditada } from '../forms';
import { loQueDeja } from '../promocion';
import { elPrecioEsDe, estatusOf } from '../publicacion';
import { editPublicacion, seEstaCreando } from '../publicaciones.server';

const FALLO = 'Error al actualizar: ';
const NOMBRES = { una: 'publicación', muchas: 'publicaciones', clave: 'ID', titulo: 'Titulo' } as const;

type Fila = Awaited<ReturnType<typeof read>>[number];
type Cambio = Partial<Pick<PublicacionEditada, 'precio' | 'estatus'>>;
/** A change of a row; `deja` is what a sale would leave then, in words. */
type Dado = { cambio: Cambio; deja?: string };

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

type Cual = Pick<Accion, 'accion' | 'boton' | 'pregunta' | 'inverso' | 'pide'> & {
  /** Returns the change of each row, or the text that says why the row is left out. `datos` is what was said for all of them. */
  cambiosOf: (trx: Trx, filas: readonly Fila[], datos: unknown) => Promise<(fila: Fila) => Dado | string>;
};

/** One change for many listings, each as much as the form of its panel does. */
function cambiaMuchas({ cambiosOf, ...cual }: Cual): Accion {
  const lookAt = async (trx: Trx, ids: readonly string[], datos: unknown) => {
    const filas = await read(trx, ids);
    const cambioOf = await cambiosOf(trx, filas, datos);
    return filas.map((fila) => {
      const dicho = obstacleOf(fila) ?? cambioOf(fila);
      const impide = typeof dicho === 'string' ? dicho : null;
      const { cambio, deja }: Dado = typeof dicho === 'string' ? { cambio: {} } : dicho;
      return { fila, impide, cambio, deja, visto: `${fila.version} ${cambio.precio ?? ''}` };
    });
  };
  return {
    ...cual,
    nombres: NOMBRES,
    hecho: 'Se modifico la publicación correctamente.',
    fallo: FALLO,
    look: async (trx, ids, _ahora, { datos }) =>
      (await lookAt(trx, ids, datos)).map(
        ({ fila: { id, market, marketId, clave, titulo, precio, estatus }, impide, cambio, deja, visto }) => ({
          id,
          clave: marketId ?? clave,
          titulo:
            cambio.precio && precio
              ? `${titulo}. ${[`${enPesos(precio.toFixed(2))} → ${enPesos(cambio.precio)}`, deja].filter(Boolean).join(', ')}`
              : `${titulo}. ${estatusOf(market, estatus).label}`,
          importe: precio,
          visto,
          impedimento: impide,
        }),
      ),
    async lock(trx, id, { datos }) {
      await trx.selectFrom('publicacion').select('id').where('id', '=', id).forUpdate().execute();
      return (await lookAt(trx, [id], datos))[0]?.visto;
    },
    async apply(trx, id, { usuarioId, datos }) {
      const [una] = await lookAt(trx, [id], datos);
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
        ...una.cambio,
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
      return { cambio: { estatus: pausada } };
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
      return estatus === pausada ? { cambio: { estatus: activa } } : 'No está pausada.';
    },
});

/** Gives many listings the price of the rule of their kind: mark-up, VAT and shipping of today. Each price stands in the question. */
export const ponerPrecioDeRegla = cambiaMuchas({
  accion: 'publicacion.precio',
  inverso: 'publicacion.precioAnterior',
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
      return precio?.equals(venta.precio)
        ? 'Ya tiene el precio de la regla.'
        : { cambio: { precio: venta.precio.toFixed(2) } };
    };
  },
});

/** Why no person puts a price on a listing; null where one may. */
const noSePone = ({ market, precioAjeno, autoSync }: Fila): string | null =>
  precioAjeno
    ? elPrecioEsDe(MERCADOS[market].label)
    : autoSync
      ? 'Sigue a su proveedor: su precio es el de la regla.'
      : null;

/** Returns a price after the change, to the cent. */
function precioCon(precio: Money, { como, cuanto }: CambioDePrecios): Money {
  const pesos = como.endsWith('Parte') ? precio.by(Money.of(cuanto)).dividedBy(100).cents() : Money.of(cuanto);
  return como.startsWith('baja') ? precio.minus(pesos) : precio.plus(pesos);
}

/** 'Bajar un porcentaje: 5.00 %' */
const dichoOf = ({ como, cuanto }: CambioDePrecios) =>
  `${COMO_CAMBIA[como]}: ${como.endsWith('Parte') ? `${cuanto} %` : enPesos(cuanto)}.`;

const MAXIMO = Money.of('9999999.99');

/**
 * Moves many prices by a part or by pesos. The question shows each price with what a sale would leave. A price that goes down stays over the floor, and one
 * of which nobody knows what it leaves does not go down.
 */
export const cambiarPrecios = cambiaMuchas({
  accion: 'publicacion.cambiarPrecio',
  inverso: 'publicacion.precioAnterior',
  boton: 'Cambiar precio',
  pide: { Datos: CambioDePrecios, dicho: (datos) => dichoOf(CambioDePrecios.parse(datos)) },
  pregunta: (n, _suma, datos) => ({
    titulo: 'Cambiar precio',
    texto: '¿Esta seguro que desea cambiar los precios?',
    hechos: `${cuantas(n, 'publicación', 'publicaciones')}, cada una al precio de abajo.${datos == null ? '' : ` ${dichoOf(CambioDePrecios.parse(datos))}`}`,
  }),
  async cambiosOf(trx, filas, datos) {
    if (datos === null) return (fila) => noSePone(fila) ?? { cambio: {} };
    const pedido = CambioDePrecios.parse(datos);
    const conPrecio = filas.flatMap((fila) =>
      fila.precio === null ? [] : [{ ...fila, antes: fila.precio, precio: precioCon(fila.precio, pedido) }],
    );
    const quedarias = await readQuedarias(trx, conPrecio);
    const pensadas = new Map(conPrecio.map((fila, at) => [fila.id, { ...fila, quedaria: quedarias[at]! }]));
    return (fila) => {
      const pensada = pensadas.get(fila.id);
      const impide = noSePone(fila);
      if (impide !== null || !pensada) return impide ?? 'No se sabe su precio.';
      const { antes, precio, quedaria } = pensada;
      if (precio.compare(Money.zero) <= 0) return `Su precio es ${enPesos(antes.toFixed(2))}: no le queda qué bajar.`;
      if (precio.compare(MAXIMO) > 0) return 'El precio no es válido.';
      if (precio.equals(antes)) return 'Ya tiene ese precio.';
      const cambio = { precio: precio.toFixed(2) };
      const baja = precio.compare(antes) < 0;
      if ('porque' in quedaria)
        return baja ? `No se sabe qué dejaría. ${quedaria.porque}` : { cambio, deja: 'no se sabe qué deja' };
      const deja = loQueDeja(quedaria)!;
      return baja && quedaria.margen.compare(PISO) < 0
        ? `A ${enPesos(precio.toFixed(2))} ${deja}: bajo el piso de ${PISO.times(100).toFixed(0)} %.`
        : { cambio, deja };
    };
  },
});

/** Gives many listings the price that they had before a person moved it last, as long as nothing moved it since. */
export const volverAlPrecio = cambiaMuchas({
  accion: 'publicacion.precioAnterior',
  boton: 'Precio anterior',
  pregunta: (n) => ({
    titulo: 'Precio anterior',
    texto: '¿Esta seguro que desea cambiar los precios?',
    hechos: `${cuantas(n, 'publicación', 'publicaciones')}: cada una vuelve al precio que tenía antes del último cambio de una persona.`,
  }),
  async cambiosOf(trx, filas) {
    const ultimos = await trx
      .selectFrom('publicacionHistoria')
      .distinctOn('publicacionId')
      .select(['publicacionId', 'precioAntes', 'precio', 'usuarioId'])
      .where(
        'publicacionId',
        'in',
        filas.map(({ id }) => id),
      )
      .where('error', 'is', null)
      .where('precio', 'is not', null)
      .orderBy('publicacionId')
      .orderBy('en', 'desc')
      .execute();
    const deCada = new Map(ultimos.map((cambio) => [cambio.publicacionId, cambio]));
    return (fila) => {
      const impide = noSePone(fila);
      if (impide !== null) return impide;
      const ultimo = deCada.get(fila.id);
      if (!ultimo?.precioAntes || ultimo.usuarioId === null) return 'Ninguna persona cambió su precio.';
      if (!ultimo.precio || !fila.precio?.equals(ultimo.precio)) return 'Su precio cambió después.';
      return fila.precio.equals(ultimo.precioAntes)
        ? 'Ya tiene ese precio.'
        : { cambio: { precio: ultimo.precioAntes.toFixed(2) } };
    };
  },
});
