import { z } from 'zod';
import { env } from '~/core/env.server';
import { toInstant } from '~/core/time';
import { StillWorking, TurnedDown } from '~/platform/effects/definition';
import { Refused } from '~/integrations/errors';
import type { AnuncioMostrado } from '~/integrations/amazon/write.server';
import type { ActoDeArchivo, ActoDeCambio, ActoDePublicar, PublicacionDicha } from '../../efectos';
import { isDicha, PublicacionDichaGuardada } from '../../internal/publicacionDicha';
import { fichaUrl } from './fichaUrl';

/** A change shows some minutes after Amazon took it in. A change that has not shown for an hour is told again. */
const SE_ESPERA_MS = 3_600_000;
const NO_SE_VIO = 'Amazon lo recibió y en una hora no lo mostró.';
const AUSENTE = 'Amazon ya no tiene esta publicación.';

const isOver = (desde: string, ms: number): boolean => Date.now() - toInstant(desde).getTime() > ms * env().EFFECT_PACE;
const dichaOf = (hay: AnuncioMostrado): PublicacionDicha => PublicacionDichaGuardada.parse({ ...hay, subestatus: [] });

const Recibo = z.object({
  submissionId: z.string().nullable(),
  /** The moment at which Amazon took the change in. */
  en: z.string(),
  /** Errors that the listing had before the change. */
  antes: z.array(z.string()),
});

/**
 * Changes price or stock of one listing. Amazon says that it took a change in, and works on it by itself: the change is done when the listing
 * shows it, and refused when the listing shows an error about it that was not there before.
 */
export const cambiar: ActoDeCambio<z.output<typeof Recibo>> = {
  type: 'amz.publicacion',
  label: 'Cambio de una publicación en Amazon',
  connection: 'amazon',
  evidence: Recibo,
  unclear: 'find',
  again: true,
  relee: true,
  async send({ request, clients }) {
    const recibo = await clients.amz().publicaciones.cambiar(request);
    return { ...recibo, en: new Date().toISOString() };
  },
  async find({ request, clients }, known) {
    if (known) return known;
    const hay = await clients.amz().publicaciones.mostrada(request.clave);
    return hay && isDicha(dichaOf(hay), request)
      ? { submissionId: null, en: new Date().toISOString(), antes: hay.huellas }
      : 'absent';
  },
  async confirm({ request, clients }, { en, antes }) {
    const hay = await clients.amz().publicaciones.mostrada(request.clave);
    const error = hay?.erroresDe(request, antes) ?? null;
    if (error !== null) throw new TurnedDown(error);
    const dicha = hay && dichaOf(hay);
    if (dicha && isDicha(dicha, request)) return dicha;
    if (isOver(en, SE_ESPERA_MS)) throw new TurnedDown(hay ? NO_SE_VIO : AUSENTE);
    throw new StillWorking('Amazon lo recibió y todavía no lo muestra');
  },
};

/** The clocks of two machines may differ by this much. */
const HOLGURA_MS = 120_000;

const ReciboDeArchivo = z.object({
  feedId: z.string(),
  /** The moment at which the file was asked for. */
  en: z.string(),
  estado: z.enum(['haciendose', 'enCola', 'hecho', 'cancelado', 'fatal']),
  /** Errors that each listing had before; null when the answer that told them was lost. */
  antes: z.record(z.string(), z.array(z.string())).nullable(),
  /** Why a message was not taken, by its listing. A reason that names no listing is about the whole file. */
  noes: z.record(z.string(), z.string()),
  general: z.string().nullable(),
});
type ReciboDeArchivo = z.output<typeof ReciboDeArchivo>;

const SIN_TERMINAR: Partial<Record<ReciboDeArchivo['estado'], string>> = {
  cancelado: 'Amazon canceló el archivo de cambios.',
  fatal: 'Amazon no terminó el archivo de cambios.',
};

/** Tells price and stock of many listings in one file. A file that is done says nothing of a listing: what the listing shows does. */
export const cambiarMuchas: ActoDeArchivo<ReciboDeArchivo> = {
  type: 'amz.archivo',
  label: 'Archivo de cambios de publicaciones en Amazon',
  connection: 'amazon',
  evidence: ReciboDeArchivo,
  async send({ clients }, { lineas, omit }) {
    const { publicaciones } = clients.amz();
    const { mensajes, huellas, fuera } = await publicaciones.mensajesDe(lineas);
    for (const { clave, razon } of fuera) await omit(clave, razon);
    if (mensajes.length === 0) throw new Refused('Ninguna de sus publicaciones se puede cambiar.');
    const documento = await publicaciones.subirArchivo(mensajes);
    const feedId = await publicaciones.pedirArchivo(documento);
    return { feedId, en: new Date().toISOString(), estado: 'enCola', antes: huellas, noes: {}, general: null };
  },
  async find({ clients }, known, { others, isStopped }) {
    const { publicaciones } = clients.amz();
    const recibo = known ?? (await lostFile());
    if (recibo === 'absent' || recibo.estado === 'hecho' || Object.hasOwn(SIN_TERMINAR, recibo.estado)) return recibo;
    const { estado, resultado } = await publicaciones.archivo(recibo.feedId);
    if (estado === 'enCola' && (await isStopped())) await publicaciones.cancelarArchivo(recibo.feedId);
    const noes = resultado === null ? [] : await publicaciones.noesDeArchivo(resultado);
    return { ...recibo, estado, ...noesPorClave(noes) };

    /**
     * A file whose answer was lost has no name: a file that was asked for since then and that no other effect knows is taken for it. Should
     * that file be another's, its end leaves these lines unseen, and they are told again.
     */
    async function lostFile(): Promise<ReciboDeArchivo | 'absent'> {
      const { sentAt, answers } = await others();
      const conocidos = new Set(answers.map(({ feedId }) => feedId));
      const desde = new Date(sentAt.getTime() - HOLGURA_MS);
      const suyo = (await publicaciones.archivosDesde(desde)).find((one) => !conocidos.has(one.id));
      return suyo
        ? { feedId: suyo.id, en: new Date().toISOString(), estado: 'haciendose', antes: null, noes: {}, general: null }
        : 'absent';
    }
  },
  async confirm({ clients }, { en, estado, antes, noes, general }, { lineas, porqueDetenido }) {
    if (estado === 'enCola' || estado === 'haciendose')
      throw new StillWorking('Amazon trabaja en el archivo de cambios');
    const mostradas = await clients.amz().publicaciones.mostradas(lineas.map(({ clave }) => clave));
    const nuestro = estado === 'cancelado' ? await porqueDetenido() : null;
    const fin = nuestro ?? general ?? SIN_TERMINAR[estado] ?? (isOver(en, SE_ESPERA_MS) ? NO_SE_VIO : null);
    return (linea) => {
      const hay = mostradas.get(linea.clave);
      const dicha = hay && dichaOf(hay);
      const esta = dicha !== undefined && isDicha(dicha, linea);
      const suyos = antes?.[linea.clave];
      const no = noes[linea.clave] ?? (suyos || !esta ? hay?.erroresDe(linea, suyos) : null);
      if (no) return { no };
      if (esta) return { dicha };
      return fin ? { no: fin } : { falta: true };
    };
  },
};

/** Joins the reasons of each listing, one in a line, and those that are about the whole file. */
function noesPorClave(
  noes: readonly { clave: string | null; texto: string }[],
): Pick<ReciboDeArchivo, 'noes' | 'general'> {
  const textOf = (una: string | null) => {
    const textos = noes.flatMap(({ clave, texto }) => (clave === una ? [texto] : []));
    return textos.length > 0 ? [...new Set(textos)].join('\n') : null;
  };
  const claves = new Set(noes.flatMap(({ clave }) => clave ?? []));
  return { noes: Object.fromEntries([...claves].map((clave) => [clave, textOf(clave) ?? ''])), general: textOf(null) };
}

/** A page of the catalogue of its own takes some minutes, and at times a day. After this long the listing is kept as it shows. */
const FICHA_MS = 900_000;

const Cuerpo = z.object({
  productType: z.string(),
  requirements: z.enum(['LISTING', 'LISTING_OFFER_ONLY']),
  attributes: z.record(z.string(), z.unknown()),
});

const ReciboDeFicha = z.object({ submissionId: z.string().nullable(), en: z.string() });
const reciboOf = (submissionId: string | null) => ({ submissionId, en: new Date().toISOString() });
const isOnSale = (hay: AnuncioMostrado | null): boolean => hay?.aLaVenta === true;

/**
 * Puts a product on sale under its sku. Amazon has one listing for each sku, so saying it again corrects the listing and never doubles it.
 * Amazon takes the listing in and works on it by itself: the listing and its errors tell how it ended.
 */
export const publicar: ActoDePublicar<z.output<typeof ReciboDeFicha>> = {
  type: 'amz.publicar',
  label: 'Publicación en Amazon',
  connection: 'amazon',
  evidence: ReciboDeFicha,
  porTipo: false,
  summary: ({ titulo, sku }) => ({ que: `${titulo} (${sku})` }),
  unclear: 'find',
  byHand: { says: 'done', evidence: { submissionId: null, en: new Date(0).toISOString() } },
  async send({ request, clients }) {
    const { publicaciones } = clients.amz();
    // A listing that is for sale is left alone; one that is not is corrected.
    if (isOnSale(await publicaciones.mostrada(request.sku))) return reciboOf(null);
    const { submissionId } = await publicaciones.poner(request.sku, Cuerpo.parse(request.cuerpo));
    return reciboOf(submissionId);
  },
  async find({ request, clients }, known) {
    if (known) return known;
    return (await clients.amz().publicaciones.mostrada(request.sku)) ? reciboOf(null) : 'absent';
  },
  async confirm({ request, clients }, { en }, note) {
    const hay = await clients.amz().publicaciones.mostrada(request.sku);
    if (hay && hay.errores.length > 0 && !isOnSale(hay)) {
      await note(hay.errores);
      throw new TurnedDown(hay.porque);
    }
    if (!hay || (!isOnSale(hay) && !isOver(en, FICHA_MS)))
      throw new StillWorking('Amazon la recibió y todavía no la pone a la venta');
    const { asin, tipo, precio, stock, titulo, estatus } = hay;
    return {
      clave: request.sku,
      dicho: asin ?? request.sku,
      mostrada: { marketId: asin, titulo, precio, stock, estatus, categoriaId: tipo, link: fichaUrl(asin) },
    };
  },
};
