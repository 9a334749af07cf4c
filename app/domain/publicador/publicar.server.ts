import { NotAllowed, Stale } from '~/core/errors';
import { env } from '~/core/env.server';
import { Money } from '~/core/money';
import { acceptEffect } from '~/domain/effects/effects.server';
import { publicadoPor } from '~/domain/mercados/mercados';
import type { Formulario, Rechazo } from '~/domain/mercados/publicador';
import { imagenesSeguras } from '~/domain/proveedores/imagenes.server';
import type { Db } from '~db/client.server';
import {
  type Borrador,
  type Producto,
  readBorrador,
  requireProducto,
  respuestasDe,
  saveBorrador,
  TITULO_ERROR,
} from './borrador.server';
import { oRechazo, publicadorOf, readCategoria, readFormulario } from './categorias.server';
import { revisarImagenes } from './imagenes.server';
import { publicarMl } from './publicarMl.server';
import { revisarRespuestas, skuNuestro, TIPO_LABEL, type Tipo, TIPOS } from './publicador';
import type { OfertaEscrita, RespuestasEscritas } from './publicadorForm';

export const MARKET = publicadoPor('publicadorML');
type Quien = { id: string };

/** Step 1. */
export async function elegirCategoria(
  db: Db,
  productoId: string,
  { version, categoriaId }: { version: number; categoriaId: string },
  usuario: Quien,
): Promise<void> {
  await requireProducto(db, productoId);
  const categoria = await oRechazo(MARKET, TITULO_ERROR, () => readCategoria(db, MARKET, categoriaId));
  if (!categoria?.publicable)
    throw new NotAllowed(TITULO_ERROR, 'En esa categoría no se publica: elige una más adentro.', {
      campo: 'categoriaId',
    });
  const formulario = await oRechazo(MARKET, TITULO_ERROR, () => readFormulario(db, MARKET, categoriaId));
  const [falta] = formulario.sinSoporte;
  if (falta)
    throw new NotAllowed(
      TITULO_ERROR,
      `En «${categoria.nombre}» no se publica desde aquí: «${falta.nombre}» ${falta.porque}.`,
      { campo: 'categoriaId' },
    );
  await db
    .transaction()
    .execute((trx) => saveBorrador(trx, MARKET, productoId, version, { categoriaId, usuarioId: usuario.id }));
}

/** Step 2: kept as it was typed; what it lacks is told at each field. */
export async function guardarRespuestas(
  db: Db,
  productoId: string,
  formulario: Formulario,
  { version, valor, unidad }: RespuestasEscritas,
  usuario: Quien,
): Promise<{ completo: boolean }> {
  const producto = await requireProducto(db, productoId);
  const borrador = await readBorrador(db, MARKET, productoId);
  const unidades = unidad as Record<string, string | null> | undefined;
  const respuestas = Object.fromEntries(
    Object.entries((valor ?? {}) as Record<string, string | null>).flatMap(([id, texto]) =>
      texto === null ? [] : [[id, { valor: texto, ...(unidades?.[id] && { unidad: unidades[id] }) }]],
    ),
  );
  const escrito = { ...borrador, datos: { ...borrador.datos, respuestas } };
  const cuerpo = await oRechazo(MARKET, TITULO_ERROR, () => armar(db, producto, escrito, formulario, 'gold_special'));
  const obligados = await oRechazo(MARKET, TITULO_ERROR, () =>
    publicadorOf(db, MARKET).obligados(borrador.categoriaId ?? '', cuerpo),
  );
  const problemas = revisarRespuestas(formulario.campos, respuestas, obligados);
  await db
    .transaction()
    .execute((trx) => saveBorrador(trx, MARKET, productoId, version, { respuestas, problemas, usuarioId: usuario.id }));
  return { completo: problemas.length === 0 };
}

/** Step 3. */
export async function guardarOferta(
  db: Db,
  productoId: string,
  { version, titulo, descripcion, clasica, premium, stock, garantiaMeses, imagenes, seguir }: OfertaEscrita,
  usuario: Quien,
): Promise<void> {
  const producto = await requireProducto(db, productoId);
  const borrador = await readBorrador(db, MARKET, productoId);
  const formulario = await oRechazo(MARKET, TITULO_ERROR, () => readFormulario(db, MARKET, borrador.categoriaId ?? ''));
  if (titulo.length > formulario.maxTitulo)
    throw new NotAllowed(TITULO_ERROR, `Máximo ${formulario.maxTitulo} caracteres`, { campo: 'titulo' });
  const elegidas = imagenesSeguras(imagenes).filter((url) => producto.imagenes.includes(url));
  if (elegidas.length === 0) throw new NotAllowed(TITULO_ERROR, 'Elige al menos una foto.', { campo: 'imagenes' });
  if (elegidas.length > formulario.maxImagenes)
    throw new NotAllowed(TITULO_ERROR, `Se admiten hasta ${formulario.maxImagenes} fotos.`, { campo: 'imagenes' });
  const revisadas = await revisarImagenes(db, elegidas, borrador.datos.oferta?.imagenes ?? []);
  const mala = revisadas.find(({ problema }) => problema !== null);
  if (mala)
    throw new NotAllowed(
      TITULO_ERROR,
      `La foto ${producto.imagenes.indexOf(mala.url) + 1} no sirve. ${mala.problema}`,
      { campo: 'imagenes' },
    );
  const precios = { ...(clasica && { gold_special: clasica }), ...(premium && { gold_pro: premium }) };
  await db.transaction().execute((trx) =>
    saveBorrador(trx, MARKET, productoId, version, {
      oferta: {
        titulo,
        descripcion,
        precios,
        stock: Number(stock),
        garantiaMeses: Number(garantiaMeses),
        imagenes: revisadas,
        seguir: seguir === 'on',
      },
      usuarioId: usuario.id,
    }),
  );
}

/** A listing as it is asked about; without its step 3, with what does no harm. */
async function armar(db: Db, producto: Producto, borrador: Borrador, formulario: Formulario, tipo: Tipo) {
  const { oferta } = borrador.datos;
  return publicadorOf(db, MARKET).armar(
    {
      sku: skuNuestro(env().SKU_PREFIJO, producto),
      tipo,
      categoriaId: borrador.categoriaId ?? '',
      titulo: oferta?.titulo ?? producto.nombre ?? '',
      precio: Money.of(oferta?.precios[tipo] ?? '1000'),
      stock: oferta?.stock ?? 1,
      garantiaMeses: oferta?.garantiaMeses ?? 0,
      imagenes: (oferta?.imagenes ?? []).map(({ url }) => ({ source: url })),
      respuestas: respuestasDe(borrador, formulario, producto),
    },
    formulario,
  );
}

const pedidos = ({ datos }: Borrador): Tipo[] => TIPOS.filter((tipo) => datos.oferta?.precios[tipo] !== undefined);

/** What keeps a draft from being published, as the marketplace tells it, and what we can tell alone. */
export async function revisar(
  db: Db,
  producto: Producto,
  borrador: Borrador,
): Promise<{ problemas: Rechazo[]; cuerpos: [Tipo, Record<string, unknown>][] }> {
  const publicador = publicadorOf(db, MARKET);
  const formulario = await readFormulario(db, MARKET, borrador.categoriaId ?? '', publicador);
  const revisados = await Promise.all(
    pedidos(borrador).map(async (tipo) => {
      const cuerpo = await armar(db, producto, borrador, formulario, tipo);
      return { tipo, cuerpo, problemas: await publicador.validar(cuerpo, formulario) };
    }),
  );
  const vistos = new Map(
    revisados.flatMap(({ problemas }) => problemas).map((one) => [`${one.campo} ${one.texto}`, one]),
  );
  return { problemas: [...vistos.values()], cuerpos: revisados.map(({ tipo, cuerpo }) => [tipo, cuerpo]) };
}

export const EN_ESPERA = 'La publicación salió hacia Mercado Libre.';

/** Step 4: asked once more, and accepted: one for each kind. Answers what keeps it from that, kept with the draft. */
export async function publicar(
  db: Db,
  productoId: string,
  version: number,
  usuario: Quien,
): Promise<{ problemas: Rechazo[] }> {
  const producto = await requireProducto(db, productoId);
  const borrador = await readBorrador(db, MARKET, productoId);
  if (borrador.version !== version)
    throw new Stale({ cambios: [], marcas: { version: borrador.version } }, { texto: 'El borrador cambió.' });
  const { oferta } = borrador.datos;
  if (!oferta || borrador.categoriaId === null) throw new NotAllowed(TITULO_ERROR, 'Faltan pasos por llenar.');
  const { problemas, cuerpos } = await oRechazo(MARKET, TITULO_ERROR, () => revisar(db, producto, borrador));
  await db.transaction().execute(async (trx) => {
    await saveBorrador(trx, MARKET, productoId, version, { problemas, usuarioId: usuario.id });
    if (problemas.length > 0) return;
    for (const [tipo, cuerpo] of cuerpos)
      await acceptEffect(trx, publicarMl, {
        request: {
          productoId,
          proveedor: producto.proveedor,
          sku: skuNuestro(env().SKU_PREFIJO, producto),
          tipo,
          titulo: oferta.titulo,
          descripcion: oferta.descripcion,
          cuerpo,
          imagenes: oferta.imagenes.map(({ archivoId, url }) => ({ archivoId, url })),
          seguir: oferta.seguir,
        },
        usuarioId: usuario.id,
      });
  });
  return { problemas };
}

/** Under the question: what goes on sale, and at what price. */
export async function hechosDePublicar(db: Db, productoId: string): Promise<string | undefined> {
  const { datos } = await readBorrador(db, MARKET, productoId);
  const { oferta } = datos;
  if (!oferta) return undefined;
  const precios = TIPOS.flatMap((tipo) => {
    const precio = oferta.precios[tipo];
    return precio ? [`${TIPO_LABEL[tipo]} $${precio}`] : [];
  });
  return [oferta.titulo, ...precios, `${oferta.stock} piezas`].join(' · ');
}
