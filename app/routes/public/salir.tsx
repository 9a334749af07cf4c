import type { MetaFunction } from '@remix-run/node';
import { z } from 'zod';
import { endedCookie, readToken } from '~/access/session.server';
import { closeSession } from '~/domain/personal/sesiones.server';
import { SALIR } from '~/domain/personal/questions';
import { definePublicActions, outcome } from '~/http/actions.server';
import { ConfirmStep } from '~/ui/Confirm';
import { SALIO } from '~/ui/salida';

export const meta: MetaFunction = () => [{ title: SALIR.titulo }];

export const action = definePublicActions(({ request }) => readToken(request), {
  salir: {
    schema: z.object({}),
    confirm: SALIR,
    hechos: () => SALIR.hechos,
    run: async (db, _, token) => {
      if (token) await closeSession(db, token);
      return outcome({ to: SALIO, headers: [['Set-Cookie', await endedCookie()]] });
    },
  },
});

/** The question as a page, for browsers without JavaScript; with it the menu asks in place. */
export default function Salir() {
  return <ConfirmStep pending={{ ...SALIR, campos: [['intent', 'salir']] }} cancelar="/login" action="/salir" />;
}
