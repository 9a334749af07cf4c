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
  /** Null where there is none. */
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
/** What a claim may be ended with from here. */
export type Resolucion = 'refund' | 'partial-refund' | 'allow-return';

const RETURNS = '/post-purchase/v1/returns';

/** What changes questions, those who ask, and claims, with the looks it needs. */
export function atencionWrites(wire: Wire, seller: () => Promise<string>) {
  return {
    /** Null when there is none by that id. */
    question: (id: string) => wire.look(`/questions/${at(id)}?api_version=4`, 'questions', Question),

    /** Returns the text it holds from then on; null where the answer does not tell. */
    async answerQuestion(id: string, text: string): Promise<string | null> {
      const answer = await wire.write(
        { method: 'POST', path: '/answers', json: { question_id: Number(id), text } },
        'answers',
      );
      // It was done; the body is a courtesy.
      return Question.safeParse(jsonIn(answer)).data?.answer?.text ?? null;
    },

    /** Keeps somebody from asking and from buying, or lets them again. What stands already is no failure. */
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

    /** What was asked for as the end of a claim; none where it says nothing that we can read. */
    async expectedResolutions(id: string) {
      try {
        return (await wire.look(`${CLAIMS}/${at(id)}/expected-resolutions`, 'expected', ExpectedResolutions)) ?? [];
      } catch (error) {
        if (error instanceof UnexpectedShape) return [];
        throw error;
      }
    },

    /** A file that a message may name afterwards; alone it changes nothing. */
    async uploadEvidence(id: string, { nombre, tipo, contenido }: Evidencia): Promise<string> {
      const body = new FormData();
      body.append('file', new Blob([new Uint8Array(contenido)], { type: tipo }), nombre);
      const answer = await wire.write({ method: 'POST', path: `${CLAIMS}/${at(id)}/attachments`, body }, 'attachments');
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

    /** Asks the marketplace to decide: a claim becomes a mediation. */
    async openDispute(id: string): Promise<void> {
      await wire.write({ method: 'POST', path: `${CLAIMS}/${at(id)}/actions/open-dispute`, json: {} }, 'open-dispute');
    },

    /** Says that what came back is all right; without a reason, nothing is wrong with it. */
    async acceptReturn(returnId: string): Promise<void> {
      await wire.write({ method: 'POST', path: `${RETURNS}/${at(returnId)}/return-review`, json: {} }, 'return-review');
    },

    async resolveClaim(id: string, resolucion: Resolucion, porcentaje: number | null): Promise<void> {
      await wire.write(
        {
          method: 'POST',
          path: `${CLAIMS}/${at(id)}/expected-resolutions/${resolucion}`,
          json: porcentaje === null ? {} : { percentage: porcentaje },
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
