import type { z } from 'zod';
import { Refused, type Unavailable, type Uncertain } from '../errors';
import type { HttpAnswer } from '../http.server';
import { Exclusion, noesOf, OfertasQuitadas, Promociones, type Promocion } from './wirePromociones';

const VERSION = 'app_version=v2';
const at = encodeURIComponent;

type Leer = <S extends z.ZodType>(path: string, what: string, schema: S) => Promise<z.output<S>>;

/** Reads of the promotions of a listing. */
export const lecturasDePromociones = (read: Leer) => ({
  /** Reads all promotions of a listing: invitations, those that are to come, and those that run. */
  deItem: (id: string): Promise<Promocion[]> =>
    read(`/seller-promotions/items/${at(id)}?${VERSION}`, 'seller-promotions/items', Promociones),

  /** Reads whether a listing is kept out of automatic offers. */
  async excluida(id: string): Promise<boolean> {
    const path = `/seller-promotions/exclusion-list/seller/${at(id)}?${VERSION}`;
    return (await read(path, 'exclusion-list', Exclusion)).excluded === 'excluded';
  },
});

type Call = { method: 'POST' | 'DELETE'; path: string; json?: unknown };
type Partes = {
  call(request: Call): Promise<HttpAnswer>;
  isSuccess(answer: HttpAnswer): boolean;
  failureOf(answer: HttpAnswer, what: string): Refused | Unavailable | Uncertain;
};

/** Writes to the promotions of a listing. */
export const promocionesWrites = ({ call, isSuccess, failureOf }: Partes) => ({
  /** Keeps a listing out of automatic offers. The body of the answer is not documented: the list is read afterwards. */
  async excluir(id: string): Promise<void> {
    const answer = await call({
      method: 'POST',
      path: `/seller-promotions/exclusion-list/item?${VERSION}`,
      json: { item_id: id, exclusion_status: 'true' },
    });
    if (!isSuccess(answer)) throw failureOf(answer, 'exclusion-list');
  },

  /** Ends the part of a listing in a promotion. Throws Refused also for an answer of success that tells nothing but errors. */
  async quitar(id: string, { tipo, promocion }: { tipo: string; promocion: string | null }): Promise<void> {
    const query = new URLSearchParams({
      promotion_type: tipo,
      ...(promocion !== null && { promotion_id: promocion }),
      app_version: 'v2',
    });
    const answer = await call({ method: 'DELETE', path: `/seller-promotions/items/${at(id)}?${query}` });
    if (!isSuccess(answer)) throw failureOf(answer, 'seller-promotions/items');
    const noes = noesOf(OfertasQuitadas.safeParse(jsonIn(answer)).data ?? {});
    if (noes.length > 0)
      throw new Refused(`Mercado Libre contestó «${noes.join('; ')}»`, {
        status: answer.status,
        detail: noes.join('; '),
        raw: answer.body.toString('utf8'),
      });
  },
});

function jsonIn({ body }: HttpAnswer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return {};
  }
}
