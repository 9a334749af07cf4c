import { expect, test } from 'vitest';
import { Conversation, conversationOf } from '~/integrations/mercadolibre/wireWrite';

const SELLER = '468123907';
const AGENTE = '3037204279';

/** A conversation as Mercado Libre lists it, the newest message first. */
const of = (...messages: [from: string, received: string][]) =>
  conversationOf(
    Conversation.parse({
      conversation_status: { path: '/packs/1/sellers/2', status: 'active', substatus: null },
      messages: messages.map(([from, received], at) => ({
        id: `m${at}`,
        from: { user_id: from },
        to: { user_id: from === SELLER ? AGENTE : SELLER },
        text: `el ${at}`,
        message_date: { received },
      })),
    }),
    SELLER,
  );

test('of two messages of one instant the one that is listed first is the later one', () => {
  const instante = '2026-11-30T19:09:00.000Z';
  const nuestro = of([SELLER, instante], [AGENTE, instante]);
  expect([nuestro.espera, nuestro.mensajes.map(({ id }) => id)]).toEqual([true, ['m1', 'm0']]);
  expect(of([AGENTE, instante], [SELLER, instante]).espera).toBe(false);
});

test('messages stand by their time, in whatever order they are listed', () => {
  const { mensajes, espera } = of([AGENTE, '2026-11-30T19:08:00.000Z'], [SELLER, '2026-11-30T19:09:00.000Z']);
  expect([espera, mensajes.map(({ id }) => id)]).toEqual([true, ['m0', 'm1']]);
});
