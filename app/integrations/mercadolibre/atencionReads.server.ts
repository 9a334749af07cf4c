import type { z } from 'zod';
import { Refused } from '../errors';
import {
  BlockedUsers,
  Changes,
  Claim,
  ClaimDetail,
  ClaimMessages,
  ClaimsPage,
  Item,
  PartialOffers,
  PublicUser,
  Question,
  QuestionsPage,
  ReturnCost,
  ReturnReasons,
  ReturnReviews,
  Returns,
} from './wireAtencion';

/** Asks for one address and returns its answer. */
export type Ask = <S extends z.ZodType>(
  path: string,
  what: string,
  schema: S,
) => Promise<{ doc: z.output<S>; raw: unknown }>;

export const PREGUNTAS_POR_PAGINA = 50;
const CLAIMS = '/post-purchase/v1/claims';
const at = encodeURIComponent;

/** Reads of questions, of buyers, and of claims. */
export function atencionReads(read: Ask, seller: () => Promise<string>) {
  const one = async <S extends z.ZodType>(path: string, what: string, schema: S) =>
    (await read(path, what, schema)).doc;
  async function orNone<T>(asked: Promise<T>): Promise<T | null> {
    try {
      return await asked;
    } catch (error) {
      if (error instanceof Refused && error.details.status === 404) return null;
      throw error;
    }
  }

  return {
    /** Lists a page of the questions to the linked seller, the newest first. The search knows no dates, so callers read on until questions are old. */
    async searchQuestions(offset: number, status?: 'UNANSWERED') {
      const query = new URLSearchParams({
        api_version: '4',
        sort_fields: 'date_created',
        sort_types: 'DESC',
        limit: String(PREGUNTAS_POR_PAGINA),
        offset: String(offset),
        ...(status && { status }),
      });
      const { questions } = await one(`/my/received_questions/search?${query}`, 'questions/search', QuestionsPage);
      const rows = questions.map((raw) => ({ raw, doc: Question.safeParse(raw).data }));
      return {
        questions: rows.flatMap(({ raw, doc }) => (doc ? [{ raw, doc }] : [])),
        unreadable: rows.filter(({ doc }) => !doc).map(({ raw }) => nameOf(raw)),
        size: rows.length,
      };
    },

    getQuestion: (id: string) => read(`/questions/${at(id)}?api_version=4`, 'questions', Question),

    /** Reads the listing of a question; null when the listing is gone or somebody else's. */
    async getItem(id: string): Promise<Item | null> {
      try {
        return await one(
          `/items/${at(id)}?attributes=id,title,permalink,seller_custom_field,attributes`,
          'items',
          Item,
        );
      } catch (error) {
        if (error instanceof Refused && !error.details.account) return null;
        throw error;
      }
    },

    getUser: (id: string) => orNone(one(`/users/${at(id)}`, 'users', PublicUser)),

    /** Tells whether we keep a buyer from asking, or from buying. */
    async isBlocked(type: 'blocked_by_questions' | 'blocked_by_order', userId: string): Promise<boolean> {
      const query = new URLSearchParams({ type, user_blocked: userId, offset: '0', limit: '10' });
      const { users } = await one(`/block-api/search/users/${at(await seller())}?${query}`, 'block-api', BlockedUsers);
      return users.some(({ id }) => id === userId);
    },

    /** Lists a page of the claims against the linked seller that changed in a window, the oldest change first. */
    async searchClaims({ from, to }: { from: Date; to: Date }, offset: number, limit: number) {
      const query = new URLSearchParams({
        'players.role': 'respondent',
        'players.user_id': await seller(),
        range: `last_updated:after:${inMexico(from)},before:${inMexico(to)}`,
        sort: 'last_updated:asc',
        limit: String(limit),
        offset: String(offset),
      });
      const { data } = await one(`${CLAIMS}/search?${query}`, 'claims/search', ClaimsPage);
      return data.map(({ id, last_updated }) => ({ id, version: last_updated ?? null }));
    },

    getClaim: (id: string) => read(`${CLAIMS}/${at(id)}`, 'claims', Claim),
    getClaimDetail: (id: string) => one(`${CLAIMS}/${at(id)}/detail`, 'claims/detail', ClaimDetail),
    getClaimMessages: (id: string) => one(`${CLAIMS}/${at(id)}/messages`, 'claims/messages', ClaimMessages),
    /** Reads the returns of a claim; empty for a claim without any. */
    getClaimReturns: async (id: string) =>
      (await orNone(one(`/post-purchase/v2/claims/${at(id)}/returns`, 'claims/returns', Returns))) ?? [],
    /** Reads the changes and replacements of a claim; empty for a claim without any. */
    getClaimChanges: async (id: string) =>
      (await orNone(one(`${CLAIMS}/${at(id)}/changes`, 'claims/changes', Changes)))?.data ?? [],
    /** Reads what a return costs the seller; null while Mercado Libre does not tell it. */
    getReturnCost: (id: string) => orNone(one(`${CLAIMS}/${at(id)}/charges/return-cost`, 'return-cost', ReturnCost)),
    /** Reads what was found of a return that came back; empty before anybody reviews it. */
    getReturnReviews: async (id: string) =>
      (await orNone(one(`/post-purchase/v1/returns/${at(id)}/reviews`, 'returns/reviews', ReturnReviews)))?.reviews ??
      [],
    getReturnReasons: (id: string) =>
      one(
        `/post-purchase/v1/returns/reasons?flow=seller_return_failed&claim_id=${at(id)}`,
        'returns/reasons',
        ReturnReasons,
      ),
    getPartialOffers: async (id: string) =>
      (await one(`${CLAIMS}/${at(id)}/partial-refund/available-offers`, 'claims/offers', PartialOffers))
        .available_offers,
  };
}

/** Writes an instant as the vendor's examples do: with an offset without a colon. */
const inMexico = (instant: Date) => new Date(instant.getTime() - 6 * 3_600_000).toISOString().replace('Z', '-0600');

function nameOf(raw: unknown): string {
  const id = (raw as { id?: unknown } | null)?.id;
  return typeof id === 'number' || typeof id === 'string' ? String(id) : 'sin número';
}
