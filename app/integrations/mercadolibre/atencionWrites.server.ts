import type { z } from 'zod';
import { UnexpectedShape, type Refused, type Unavailable, type Uncertain } from '../errors';
import type { HttpAnswer } from '../http.server';
import { readJson, readShape } from './answer';
import {
  Claim,
  ClaimMessages,
  ExpectedResolutions,
  Question,
  UploadedAttachment,
  type ClaimMessage,
} from './wireAtencion';

type Call = { method: 'POST' | 'DELETE'; path: string; json?: unknown; body?: FormData };
type Wire = {
  /** Reads an address; null for a 404. */
  look: <S extends z.ZodType>(path: string, what: string, schema: S) => Promise<z.output<S> | null>;
  write: (call: Call, what: string) => Promise<HttpAnswer>;
  call: (call: Call) => Promise<HttpAnswer>;
  isSuccess: (answer: HttpAnswer) => boolean;
  failureOf: (answer: HttpAnswer, what: string) => Refused | Unavailable | Uncertain;
};

const CLAIMS = '/post-purchase/v1/claims';
const at = encodeURIComponent;
const LISTAS = ['questions_blacklist', 'order_blacklist'] as const;

export type Evidencia = { nombre: string; tipo: string; contenido: Buffer };
/** The resolutions by which a claim is ended from here. */
export type Resolucion = 'refund' | 'partial-refund' | 'allow-return' | 'allow-replace';

const RETURNS = '/post-purchase/v1/returns';

/** Writes to questions, buyers and claims, with the looks that the writes need. */
export function atencionWrites(wire: Wire, seller: () => Promise<string>) {
  return {
    /** Reads a question; null when no question has that id. */
    question: (id: string) => wire.look(`/questions/${at(id)}?api_version=4`, 'questions', Question),

    /** Answers a question, and returns the text that the question holds from then on; null when Mercado Libre does not tell it. */
    async answerQuestion(id: string, text: string): Promise<string | null> {
      const answer = await wire.write(
        { method: 'POST', path: '/answers', json: { question_id: Number(id), text } },
        'answers',
      );
      // The answer stands, whatever the body says.
      return Question.safeParse(jsonIn(answer)).data?.answer?.text ?? null;
    },

    /** Keeps a buyer from asking and from buying, or lets them again. A state that stands already is no failure. */
    async setBlocked(userId: string, blocked: boolean): Promise<void> {
      const owner = at(await seller());
      for (const lista of LISTAS) {
        const answer = await wire.call(
          blocked
            ? { method: 'POST', path: `/users/${owner}/${lista}`, json: { user_id: Number(userId) } }
            : { method: 'DELETE', path: `/users/${owner}/${lista}/${at(userId)}` },
        );
        if (!wire.isSuccess(answer) && !(answer.status === 404 && !blocked)) throw wire.failureOf(answer, lista);
      }
    },

    claim: (id: string) => wire.look(`${CLAIMS}/${at(id)}`, 'claims', Claim),

    claimMessages: async (id: string): Promise<ClaimMessage[]> =>
      (await wire.look(`${CLAIMS}/${at(id)}/messages`, 'claims/messages', ClaimMessages)) ?? [],

    /** Reads the resolutions that were asked for in a claim; empty for an answer that cannot be read. */
    async expectedResolutions(id: string) {
      try {
        return (await wire.look(`${CLAIMS}/${at(id)}/expected-resolutions`, 'expected', ExpectedResolutions)) ?? [];
      } catch (error) {
        if (error instanceof UnexpectedShape) return [];
        throw error;
      }
    },

    /** Uploads a file that a message may name afterwards, and returns its name. The file alone changes nothing. */
    async uploadEvidence(
      id: string,
      { nombre, tipo, contenido }: Evidencia,
      of: 'claim' | 'return' = 'claim',
    ): Promise<string> {
      const body = new FormData();
      body.append('file', new Blob([new Uint8Array(contenido)], { type: tipo }), nombre);
      const answer = await wire.write(
        {
          method: 'POST',
          path: `${CLAIMS}/${at(id)}/${of === 'return' ? 'returns/attachments' : 'attachments'}`,
          body,
        },
        'attachments',
      );
      return readShape(UploadedAttachment, readJson(answer, 'attachments'), 'attachments').filename;
    },

    async sendClaimMessage(
      id: string,
      { para, texto, adjuntos }: { para: 'complainant' | 'mediator'; texto: string; adjuntos: readonly string[] },
    ): Promise<void> {
      await wire.write(
        {
          method: 'POST',
          path: `${CLAIMS}/${at(id)}/actions/send-message`,
          json: { receiver_role: para, message: texto, ...(adjuntos.length > 0 && { attachments: adjuntos }) },
        },
        'send-message',
      );
    },

    /** Asks Mercado Libre to decide: the claim becomes a mediation. */
    async openDispute(id: string): Promise<void> {
      await wire.write({ method: 'POST', path: `${CLAIMS}/${at(id)}/actions/open-dispute`, json: {} }, 'open-dispute');
    },

    /** Accepts a returned piece. A review without a reason says that nothing is wrong. */
    async acceptReturn(returnId: string): Promise<void> {
      await wire.write({ method: 'POST', path: `${RETURNS}/${at(returnId)}/return-review`, json: {} }, 'return-review');
    },

    /** Objects to a returned piece. The reason and its evidence go in a list. */
    async objectToReturn(
      returnId: string,
      { motivo, texto, adjuntos }: { motivo: string; texto: string; adjuntos: readonly string[] },
    ): Promise<void> {
      const review = { reason: motivo, message: texto, ...(adjuntos.length > 0 && { attachments: adjuntos }) };
      await wire.write(
        { method: 'POST', path: `${RETURNS}/${at(returnId)}/return-review`, json: [review] },
        'return-review',
      );
    },

    async resolveClaim(id: string, resolucion: Resolucion, porcentaje: number | null): Promise<void> {
      await wire.write(
        {
          method: 'POST',
          path: `${CLAIMS}/${at(id)}/expected-resolutions/${resolucion}`,
          // An offer of a replacement has no body.
          ...(resolucion !== 'allow-replace' && { json: porcentaje === null ? {} : { percentage: porcentaje } }),
        },
        resolucion,
      );
    },
  };
}

function jsonIn({ body }: HttpAnswer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return {};
  }
}
