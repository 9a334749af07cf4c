import { z } from 'zod';
import { screensOf, type Rol } from '~/access/screens';
import { VITALES } from '~/core/vital';
import { defineActions, outcome } from '~/http/actions.server';
import { noteVital } from '~/http/vitales.server';

/** Longest time that counts: a page that was hidden while it loaded is late for nobody. */
const MAX = 600_000;
const NO_SE_ENTIENDE = 'No se entiende lo medido.';

const Medidos = z
  .array(z.object({ pantalla: z.string().max(200), vital: z.string().max(20), valor: z.number().min(0).max(MAX) }))
  .max(300);
const Vista = z.object({
  dispositivo: z.enum(['escritorio', 'telefono']),
  /** A list in JSON. */
  medidos: z
    .string()
    .max(60_000)
    .transform((texto, { addIssue }) => {
      const { data } = Medidos.safeParse(parse(texto));
      if (data) return data;
      addIssue(NO_SE_ENTIENDE);
      return z.NEVER;
    }),
});

function parse(texto: string): unknown {
  try {
    return JSON.parse(texto);
  } catch {
    return undefined;
  }
}

/** Takes what a browser measured of the pages of a document, which it sends when it leaves. It waits for no answer. */
export const action = defineActions({
  vista: {
    schema: Vista,
    run: (_db, { dispositivo, medidos }, { rol }) => {
      for (const { pantalla, vital, valor } of medidos) {
        const key = keyOf(pantalla, rol);
        if (key !== undefined && VITALES[vital] !== undefined) noteVital(key, dispositivo, vital, valor);
      }
      return Promise.resolve(outcome({ resultado: medidos.length }));
    },
  },
});

/** Returns the key of the screen of this role at an address; undefined for any other word. */
function keyOf(pathname: string, rol: Rol): string | undefined {
  const [, area, key = ''] = pathname.split('/');
  if (area !== rol) return undefined;
  return screensOf(rol).find(([suya, { home }]) => (key === '' ? home?.includes(rol) : suya === key))?.[0];
}
