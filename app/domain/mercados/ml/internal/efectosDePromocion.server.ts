import { z } from 'zod';
import { Refused, Uncertain } from '~/integrations/errors';
import type { MercadolibreWriter } from '~/integrations/mercadolibre/write.server';
import type { Acto, ExclusionDePromocion, ExclusionHecha } from '../../efectos';
import { corre, isSuya, promocionesMl } from './promocionesMl';

const Partes = z.object({
  noExcluida: z.string().nullable(),
  noQuitada: z.string().nullable(),
  estaba: z.boolean(),
});
type Partes = z.output<typeof Partes>;
type Promociones = MercadolibreWriter['promociones'];

/** Returns the promotions of a listing, and whether the one that is named runs or is about to. */
async function look(promociones: Promociones, request: ExclusionDePromocion) {
  const dichas = await promociones.deItem(request.clave);
  return { dichas, sigue: dichas.some((una) => isSuya(una, request) && corre(una)) };
}

/** Returns whether a listing is on the list of excluded ones; null where Mercado Libre does not tell it. */
async function readExcluida(promociones: Promociones, clave: string): Promise<boolean | null> {
  try {
    return await promociones.excluida(clave);
  } catch (error) {
    if (error instanceof Refused && !error.details.account) return null;
    throw error;
  }
}

/** Runs one part. Returns the words of a clear no, and null when the part was done. A part whose answer was lost is done where `isDone` sees it. */
async function partOf(part: () => Promise<void>, isDone: () => Promise<boolean>): Promise<string | null> {
  try {
    await part();
    return null;
  } catch (error) {
    if (error instanceof Refused && !error.details.account) return error.message;
    if (error instanceof Uncertain && (await isDone().catch(() => false))) return null;
    throw error;
  }
}

/**
 * Keeps a listing out of automatic offers, then ends the offer that runs: nobody knows whether the first ends it too. Each part is looked at before it is told, so telling
 * both again does the rest alone.
 */
export const excluirDePromociones: Acto<ExclusionDePromocion, ExclusionHecha, Partes> = {
  type: 'ml.excluir',
  label: 'Exclusión de las promociones de Mercado Libre',
  connection: 'mercadolibre',
  evidence: Partes,
  unclear: 'find',
  again: true,
  async send({ request, clients }) {
    const { promociones } = clients.ml();
    const { clave } = request;
    const yaExcluida = (await readExcluida(promociones, clave)) === true;
    const noExcluida = yaExcluida
      ? null
      : await partOf(
          () => promociones.excluir(clave),
          async () => (await readExcluida(promociones, clave)) === true,
        );
    const { sigue } = await look(promociones, request);
    const noQuitada = sigue
      ? await partOf(
          () => promociones.quitar(clave, request),
          async () => !(await look(promociones, request)).sigue,
        )
      : null;
    // Neither part was done: a clear no to all of it.
    if (noExcluida !== null && (noQuitada !== null || !sigue))
      throw new Refused([noExcluida, noQuitada].filter(Boolean).join(' '));
    return { noExcluida, noQuitada, estaba: sigue };
  },
  async find({ request, clients }, known) {
    if (known) return known;
    const { promociones } = clients.ml();
    const excluida = await readExcluida(promociones, request.clave);
    const { sigue } = await look(promociones, request);
    return excluida === true && !sigue ? { noExcluida: null, noQuitada: null, estaba: true } : 'absent';
  },
  async confirm({ request, clients }, partes) {
    const { promociones } = clients.ml();
    const excluida = await readExcluida(promociones, request.clave);
    if (partes.noExcluida === null && excluida !== true)
      throw new Uncertain('Mercado Libre todavía no muestra la publicación fuera de las promociones automáticas');
    const { dichas, sigue } = await look(promociones, request);
    if (partes.noQuitada === null && sigue) throw new Uncertain('Mercado Libre todavía muestra la oferta');
    return { ...partes, promociones: promocionesMl(dichas), excluida };
  },
};
