import { z } from 'zod';
import { env } from '~/core/env.server';
import { type Hecho, record } from '~/platform/bitacora.server';
import { defineEffect, type EffectCall, type EffectDefinition } from './definition';

/** The words and files of one letter, as its effect writes them when it is sent. */
type Carta = {
  to: string[];
  subject: string;
  text: string;
  attachments?: { filename: string; contentType: string; content: Buffer }[];
};

/** The proof that a letter left: the Message-ID under which the mail server took it. */
const Enviada = z.object({ messageId: z.string() });
type Enviada = z.infer<typeof Enviada>;

type NewCarta<Req> = Omit<
  EffectDefinition<Req, Enviada, Enviada>,
  'connection' | 'evidence' | 'byHand' | 'unclear' | 'sinMirada' | 'ref' | 'send' | 'find' | 'confirm' | 'settle'
> & {
  /** Writes the letter from the frozen request. What it throws is the outcome of the effect, as with `send`. */
  write(call: EffectCall<Req>): Carta | Promise<Carta>;
  /** The entry of the bitacora once the letter left, under the name of the person who asked. Absent: no entry. */
  noted?(request: Req): Omit<Hecho, 'usuarioId'>;
  /** Rows that change once the letter left, in the transaction that ends the effect. Absent: none do. */
  settle?: EffectDefinition<Req, Enviada, Enviada>['settle'];
};

/**
 * Defines the effect of a letter. The caller gives type, label, request, key and subjects as to `defineEffect`, `write` for the words, and `noted`
 * for the bitacora; a command accepts the letter with `acceptEffect`, and the definition is a line of its room's offers.
 *
 * A letter is sent at least once. After an unclear answer it is sent again, always under the same Message-ID, so a server that sees it twice can
 * tell. `write` runs on each attempt, so words that must not change between two attempts belong into the request. A person on the board can say that
 * the letter left.
 */
export function defineCarta<Req>({ write, noted, settle, ...rest }: NewCarta<Req>) {
  return defineEffect<Req, Enviada, Enviada>({
    ...rest,
    connection: 'correo',
    evidence: Enviada,
    byHand: { says: 'done', evidence: { messageId: 'confirmado' } },
    unclear: 'repeat',
    sinMirada: 'Una carta no se puede buscar: solo quien la recibió sabe si llegó, o si llegó dos veces.',
    async send(call) {
      const { attachments = [], ...carta } = await write(call);
      const { messageId } = await call.clients
        .correo()
        .send({ messageId: `<${call.ref}@trastienda>`, from: env().CORREO_REMITENTE, ...carta, attachments });
      return { messageId };
    },
    confirm: async (_call, evidence) => evidence,
    async settle(trx, effect, result) {
      await settle?.(trx, effect, result);
      if (noted) await record(trx, { usuarioId: effect.usuarioId, ...noted(effect.request) });
    },
  });
}
