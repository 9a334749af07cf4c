import { sql } from 'kysely';
import { z } from 'zod';
import { env } from '~/core/env.server';
import { judgedAnew, NotAllowed } from '~/core/errors';
import { enPesos } from '~/core/importe';
import { type Market, MARKETS } from '~/core/market';
import { Money } from '~/core/money';
import { rowOf } from '~/core/table';
import { REQUERIDO } from '~/core/text';
import { cuantas, MAX_ELEGIDAS } from '~/platform/batches/batch';
import type { Accion, FilaVista } from '~/platform/batches/prepared.server';
import { canonicalJson, hashOf } from '~/platform/effects/effects.server';
import { livingOf } from '~/platform/effects/subjects.server';
import { readCaras } from '~/domain/compras/precios/precios.server';
import { MERCADOS } from '~/domain/mercados/mercados';
import type { Campo, Formulario, Rechazo, Respuestas } from '~/domain/mercados/publicador';
import type { Db, Trx } from '~db/client.server';
import {
  type Borrador,
  type Producto,
  readBorrador,
  readBorradores,
  readProductosPorPublicar,
  TITULO_ERROR,
} from './borrador.server';
import { formularioGuardado, oFalla, oRechazo, readEleccion, readFormulario } from './categorias.server';
import { propuestaOf, saveOfertaPropuesta } from './deUnaVez.server';
import { DatosComunes } from './forms';
import { vigentesOf } from './internal/imagenes.server';
import { puestas } from './internal/puestas.server';
import {
  formOfRespuestas,
  isDelProducto,
  respuestasConocidas,
  reviewRespuestas,
  TIPO_LABEL,
  tiposOf,
  tituloOf,
} from './publicador';
import { acceptPuestas, chooseCategoria, requireCategoria, reviewToPublish, saveRespuestas } from './publish.server';
import { publicada, SIN_PUBLICACION } from './sinPublicacionList.server';

/** The answer that says why a product has no bar code. A product with one does not give it. */
const SIN_CODIGO = 'EMPTY_GTIN_REASON';
const CODIGO = 'GTIN';

/** What a person says once for many products, as the batch keeps it: the category with its path, and the answers that all of them share. */
const Comun = DatosComunes.extend({ ruta: z.string() });
type Comun = z.output<typeof Comun>;

const readComun = (datos: unknown): Comun | null => (datos === null ? null : Comun.parse(datos));

/**
 * Returns the answers of one product. What is its own (brand, model, bar code) comes from its draft or its catalogue; of the rest, what was said for all
 * outranks an older answer of its draft. Saved and asked again they are the same.
 */
export function respuestasDe(
  campos: readonly Campo[],
  producto: Parameters<typeof respuestasConocidas>[1],
  borrador: Respuestas | undefined,
  comunes: Respuestas,
): Respuestas {
  const conocidas = respuestasConocidas(campos, producto, env().MARCA);
  const suyas = campos.flatMap((campo) => {
    const { id } = campo;
    const una = isDelProducto(campo)
      ? (borrador?.[id] ?? conocidas[id] ?? comunes[id])
      : (comunes[id] ?? borrador?.[id]);
    return una ? [[id, una] as const] : [];
  });
  const respuestas = Object.fromEntries(suyas);
  if (respuestas[CODIGO]) delete respuestas[SIN_CODIGO];
  return respuestas;
}

/** Returns the problems of answers in one line. */
function enPalabras([primero, ...otros]: readonly Rechazo[], { campos }: Pick<Formulario, 'campos'>): string {
  if (!primero) return '';
  const nombre = campos.find(({ id }) => id === primero.campo)?.nombre;
  return `${nombre ? `${nombre}: ` : ''}${primero.texto}${otros.length > 0 ? ` Y ${otros.length} más.` : ''}`;
}

/** Returns the offer that somebody wrote into a draft; undefined where the publisher proposes one. */
const escritaDe = ({ datos: { oferta } }: Borrador) => (oferta?.propuesta ? undefined : oferta);

type Plan = FilaVista & { respuestas: Respuestas };

/** Returns how each of these products would be put on sale, and why not. Nobody is asked. */
async function plansOf(db: Db | Trx, market: Market, ids: readonly string[], comun: Comun | null): Promise<Plan[]> {
  const formulario = comun && (await formularioGuardado(db, market, comun.categoriaId));
  const [productos, borradorDe, caras, estados, enCamino] = await Promise.all([
    readProductosPorPublicar(db, ids),
    readBorradores(db, market, ids),
    readCaras(db, ids),
    readEstados(db, market, ids),
    livingOf(db, 'producto', ids, puestas.require(market)),
  ]);
  return productos.map((producto) => {
    const borrador = borradorDe(producto.id);
    const oferta = escritaDe(borrador);
    const propuesta = propuestaOf(market, producto, caras.get(producto.id));
    const [tipo] = tiposOf(market);
    const precios = oferta?.precios ?? (propuesta.porque === null ? { [tipo!]: propuesta.precio } : {});
    const puestos = tiposOf(market).flatMap((uno) => {
      const precio = precios[uno];
      return precio === undefined ? [] : [{ tipo: uno, precio }];
    });
    const titulo = oferta?.titulo ?? tituloOf(producto.nombre, formulario?.maxTitulo ?? 60);
    const respuestas = formulario
      ? respuestasDe(formulario.campos, producto, borrador.datos.respuestas, comun.respuestas)
      : {};
    const estado = estados.get(producto.id);
    const impedimento =
      whyNotOnSale(market, { ...estado, enCamino: enCamino.has(producto.id) }) ??
      whyNotOferta(market, producto, borrador, propuesta.porque) ??
      whyNotAnswered(market, { comun, formulario, borrador, suCategoria: estado?.suCategoria ?? null, respuestas });
    const { seguir = true, garantiaMeses = 0, descripcion = null } = oferta ?? {};
    return {
      id: producto.id,
      clave: producto.modelo ?? producto.idProveedor,
      titulo: [titulo, ...puestos.map(inWords), oferta && 'con el precio y las piezas de su borrador']
        .filter(Boolean)
        .join(' · '),
      importe: puestos[0] ? Money.of(puestos[0].precio) : null,
      visto: comun
        ? hashOf(
            canonicalJson({
              ...{ categoriaId: comun.categoriaId, respuestas, titulo, seguir, garantiaMeses, descripcion },
              precios: puestos.slice(1),
            }),
          ).toString('hex')
        : '',
      impedimento,
      respuestas,
    };
  });
}

const inWords = ({ tipo, precio }: { tipo: keyof typeof TIPO_LABEL; precio: string }) =>
  `${TIPO_LABEL[tipo]} ${enPesos(precio)}`.trim();

type Estado = { enVenta?: boolean; publicada?: boolean; suCategoria?: string | null };

async function readEstados(db: Db | Trx, market: Market, ids: readonly string[]): Promise<ReadonlyMap<string, Estado>> {
  const filas = await db
    .selectFrom('producto')
    .leftJoin('publicacionBorrador', (join) =>
      join.onRef('publicacionBorrador.productoId', '=', 'producto.id').on('publicacionBorrador.market', '=', market),
    )
    .leftJoin('categoria', (join) =>
      join
        .onRef('categoria.categoriaId', '=', 'publicacionBorrador.categoriaId')
        .onRef('categoria.market', '=', 'publicacionBorrador.market'),
    )
    .select(['producto.id', 'categoria.nombre as suCategoria'])
    .select(sql<boolean>`producto.ausente_desde is null and producto.en_venta`.as('enVenta'))
    .select(publicada(market).as('publicada'))
    .where('producto.id', 'in', ids)
    .execute();
  return new Map(filas.map(({ id, ...estado }) => [id, estado]));
}

function whyNotOnSale(market: Market, { enVenta, publicada, enCamino }: Estado & { enCamino: boolean }): string | null {
  if (enCamino) return `Su publicación va en camino a ${MERCADOS[market].label}.`;
  if (publicada) return `Ya está publicado en ${MERCADOS[market].label}.`;
  return enVenta ? null : 'El proveedor ya no lo vende.';
}

function whyNotOferta(
  market: Market,
  { fotos }: Pick<Producto, 'fotos'>,
  borrador: Borrador,
  sinPropuesta: string | null,
): string | null {
  const oferta = escritaDe(borrador);
  if (!oferta && sinPropuesta !== null) return sinPropuesta;
  const sirven = oferta ? vigentesOf(fotos, oferta.imagenes) : fotos.filter(({ estado }) => estado !== 'mala');
  return sirven.length > 0 ? null : 'No tiene fotos que sirvan: sube una en su Publicador.';
}

function whyNotAnswered(
  market: Market,
  {
    comun,
    formulario,
    borrador: { categoriaId },
    suCategoria,
    respuestas,
  }: {
    comun: Comun | null;
    formulario: Formulario | null;
    borrador: Borrador;
    suCategoria: string | null;
    respuestas: Respuestas;
  },
): string | null {
  if (!comun) return null;
  if (categoriaId !== null && categoriaId !== comun.categoriaId)
    return `Su borrador está en «${suCategoria ?? categoriaId}»: termínalo en su Publicador.`;
  if (!formulario) return `${MERCADOS[market].label} no ha dicho qué pide esa categoría.`;
  return enPalabras(reviewRespuestas(formulario.campos, respuestas), formulario) || null;
}

/** Throws NotAllowed where a product is not as the question showed it, with what moved. */
function requireShown(plan: Plan | undefined, { visto, importe }: Pick<FilaVista, 'visto' | 'importe'>): Plan {
  if (!plan) throw new NotAllowed(TITULO_ERROR, 'El producto ya no está en el catálogo.');
  if (plan.impedimento !== null) throw new NotAllowed(TITULO_ERROR, plan.impedimento);
  if (plan.visto !== visto)
    throw new NotAllowed(TITULO_ERROR, 'Su borrador o su ficha cambiaron desde que se preguntó. Míralo otra vez.');
  const [antes, ahora] = [importe, plan.importe].map((uno) => uno && enPesos(uno.toFixed(2)));
  if (antes !== ahora)
    throw new NotAllowed(
      TITULO_ERROR,
      `El precio cambió desde que se preguntó: era ${antes ?? 'desconocido'} y ahora es ${ahora ?? 'desconocido'}.`,
    );
  return plan;
}

/** Puts many products on sale in one category, each as its own publisher does. */
const publicarVariosEn = (market: Market): Accion => ({
  accion: `${SIN_PUBLICACION[market].lista}.publicar`,
  boton: 'Publicar en una categoría',
  nombres: { una: 'producto', muchas: 'productos', clave: 'Modelo', titulo: 'Título' },
  // Its marketplace is asked several times about each, and its pictures are brought.
  most: MAX_ELEGIDAS,
  pide: {
    Datos: DatosComunes,
    aparte: { pantalla: 'publicadorML', boton: 'Elegir la categoría' },
    dicho: (datos) => `Categoría: ${Comun.parse(datos).ruta}`,
    complete: (db, datos) => completeComun(db, market, DatosComunes.parse(datos)),
  },
  pregunta: (n, suma, datos) => ({
    titulo: 'Publicar',
    texto: n === 1 ? '¿Está seguro que desea publicar el producto?' : '¿Está seguro que desea publicar los productos?',
    hechos: `${cuantas(n, 'producto', 'productos')} en «${readComun(datos)?.ruta ?? ''}» de ${MERCADOS[market].label}, ${n === 1 ? 'por' : 'cada uno al precio de su fila: en total'} ${enPesos(suma.toFixed(2))}. No se deshace: después se pausan en Publicaciones.`,
  }),
  hecho: 'Los productos se publicaron correctamente.',
  fallo: TITULO_ERROR,
  corrige: { boton: 'Corregir', pantalla: 'publicadorML', campo: 'ver', con: 'id' },
  look: async (trx, ids, _ahora, { datos }) =>
    (await plansOf(trx, market, ids, readComun(datos))).map(({ respuestas: _, ...fila }) => fila),
  async lock(trx, id, { datos }) {
    await trx
      .selectFrom('publicacionBorrador')
      .select('version')
      .where('market', '=', market)
      .where('productoId', '=', id)
      .forUpdate()
      .execute();
    const [plan] = await plansOf(trx, market, [id], readComun(datos));
    if (plan?.impedimento) throw new NotAllowed(TITULO_ERROR, plan.impedimento);
    return plan?.visto;
  },
  async consult(db, id, { usuarioId, datos }, mostrada) {
    const comun = Comun.parse(datos);
    const usuario = { id: usuarioId };
    const { respuestas } = requireShown((await plansOf(db, market, [id], comun))[0], mostrada);
    await saveDraft(db, market, id, { comun, respuestas, usuario });
    const { version } = await readBorrador(db, market, id);
    const revisado = await reviewToPublish(db, id, version, market);
    const precio = tiposOf(market).flatMap((tipo) => revisado.oferta.precios[tipo] ?? [])[0];
    if (precio === undefined || !mostrada.importe?.equals(Money.of(precio)))
      throw new NotAllowed(TITULO_ERROR, 'El precio cambió desde que se preguntó.');
    if (revisado.problemas.length > 0) {
      await db.transaction().execute((trx) => acceptPuestas(trx, revisado, usuario, market));
      const formulario = await oRechazo(market, TITULO_ERROR, () => readFormulario(db, market, comun.categoriaId));
      throw new NotAllowed(TITULO_ERROR, enPalabras(revisado.problemas, formulario));
    }
    return async (trx) => {
      const nuevas = await acceptPuestas(trx, revisado, usuario, market);
      if (nuevas.length === 0) throw new NotAllowed(TITULO_ERROR, 'Su publicación va en camino.');
      return nuevas;
    };
  },
});

/**
 * Saves the draft of one product as the question showed it. What is saved already is not saved again, so that a second run of the same batch writes
 * nothing. Throws NotAllowed with what keeps the draft from being whole, which stays with it.
 */
async function saveDraft(
  db: Db,
  market: Market,
  id: string,
  {
    comun: { categoriaId },
    respuestas,
    usuario,
  }: { comun: Pick<Comun, 'categoriaId'>; respuestas: Respuestas; usuario: { id: string } },
): Promise<void> {
  const leer = () => readBorrador(db, market, id);
  await judgedAnew(async () => {
    const { categoriaId: suya, version } = await leer();
    if (suya !== categoriaId) await chooseCategoria(db, id, { version, categoriaId }, usuario, market);
  });
  const formulario = await oRechazo(market, TITULO_ERROR, () => readFormulario(db, market, categoriaId));
  await judgedAnew(async () => {
    const { version, datos, problemas } = await leer();
    if (problemas.length === 0 && datos.respuestas && canonicalJson(datos.respuestas) === canonicalJson(respuestas))
      return;
    await saveRespuestas(db, id, formulario, { version, ...formOfRespuestas(respuestas) }, usuario, market);
  });
  const { problemas } = await leer();
  if (problemas.length > 0) throw new NotAllowed(TITULO_ERROR, enPalabras(problemas, formulario));
  await judgedAnew(() => saveOfertaPropuesta(db, id, usuario, market));
}

/** Reads what was said for all with the name of its category. Throws NotAllowed where nothing is put on sale from here, and at the answer that is wrong. */
async function completeComun(db: Db, market: Market, { categoriaId, respuestas }: z.output<typeof DatosComunes>) {
  const { categoria, formulario } = await requireCategoria(db, market, categoriaId);
  const suyas = Object.fromEntries(
    formulario.campos.flatMap(({ id }) => {
      const dada = rowOf(respuestas, id);
      return dada?.valor.trim() ? [[id, dada] as const] : [];
    }),
  );
  // What each product answers by itself may be left empty here.
  const problemas = reviewRespuestas(formulario.campos, suyas).filter(
    ({ campo, texto }) => !(texto === REQUERIDO && isDelProducto({ id: campo ?? '' })),
  );
  if (problemas[0])
    throw new NotAllowed(TITULO_ERROR, enPalabras(problemas, formulario), { campo: `valor.${problemas[0].campo}` });
  const ruta = categoria.ruta.map(({ nombre }) => nombre).join(' › ');
  return { categoriaId, respuestas: suyas, ruta } satisfies Comun;
}

/** True where a marketplace takes products by their category. Where it sells on pages of a catalogue, each product is looked for by its code. */
const isPorCategoria = (market: Market) =>
  MERCADOS[market].publicaciones.tituloPropio && puestas.of(market) !== undefined;

/** The acts that put many products on sale in one category, one for each marketplace that takes products so. */
export const publicarVarios: Accion[] = MARKETS.filter(isPorCategoria).map(publicarVariosEn);

/** Returns the marketplace of such an act; undefined for another act. */
export const marketOfVarios = (accion: string): Market | undefined =>
  MARKETS.find((market) => isPorCategoria(market) && `${SIN_PUBLICACION[market].lista}.publicar` === accion);

export type VistaVarios = Awaited<ReturnType<typeof readVarios>>;

/**
 * Reads the step that asks the category of many products, and, once it is chosen, the answers that they share. Questions that each of them answers by
 * itself are left out.
 */
export async function readVarios(
  db: Db,
  market: Market,
  ids: readonly string[],
  pedido: { q: string | null; nodo: string | null; categoriaId: string | null; datos: unknown },
) {
  const productos = await readProductosPorPublicar(db, ids);
  const { categoriaId } = pedido;
  const dicho = readComun(pedido.datos);
  if (categoriaId === null) {
    const primero = productos.find(({ id }) => id === ids[0]);
    const q = (pedido.q ?? primero?.nombre ?? '').trim().slice(0, 120);
    const eleccion = await readEleccion(db, market, { q, nodo: pedido.nodo });
    return { market, eleccion, elegida: null, falla: null, anterior: dicho?.categoriaId ?? null };
  }
  const borradorDe = await readBorradores(db, market, ids);
  const answer = await oFalla(market, () => requireCategoria(db, market, categoriaId));
  if ('falla' in answer) return { market, eleccion: null, elegida: null, falla: answer.falla, anterior: null };
  const { categoria, formulario } = answer.valor;
  const respondeSolo = (campo: Campo) =>
    isDelProducto(campo) &&
    productos.every((producto) => {
      const { respuestas } = borradorDe(producto.id).datos;
      return respuestasDe([campo], producto, respuestas, {})[campo.id] !== undefined;
    });
  const solos = formulario.campos.filter(respondeSolo);
  const campos = formulario.campos
    .filter((campo) => !solos.includes(campo))
    // Only the products that lack it take the common answer.
    .map((campo): Campo => (isDelProducto(campo) ? { ...campo, obligatorio: 'aVeces' } : campo));
  const respuestas = dicho?.categoriaId === categoriaId ? dicho.respuestas : {};
  return {
    market,
    eleccion: null,
    elegida: { categoria, campos, solos: solos.map(({ nombre }) => nombre), respuestas },
    falla: null,
    anterior: null,
  };
}
