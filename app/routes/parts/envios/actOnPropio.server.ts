import { randomUUID } from 'node:crypto';
import { parseWithZod } from '@conform-to/zod/v4';
import { data } from '@remix-run/node';
import { z } from 'zod';
import { avisoPostal } from '~/core/codigoPostal';
import { NotAllowed } from '~/core/errors';
import { withParams } from '~/core/list';
import type { Answer } from '~/core/submission';
import { invalid, refused, submit } from '~/http/submit.server';
import { requireRight } from '~/access/actions';
import { buscarCp } from '~/domain/catalogo/codigosPostales.server';
import { conLugar } from '~/domain/catalogo/direccion';
import type { Usuario } from '~/domain/cuentas/usuario';
import { CostoForm, OcurreForm, PaqueteriaForm } from '~/domain/envios/formularios';
import { saveCosto, saveOcurre, savePaqueteria } from '~/domain/envios/savePropio.server';
import { createEnlaceDatosEnvio } from '~/domain/enlaces/enlaceDatosEnvio.server';
import { db } from '~db/shared.server';

export type LugarBuscado = { colonias: string[]; aviso: string | null };
export type PropioAnswer = Answer & { lugar?: LugarBuscado; creado?: { url: string; numOrden: string } };

const PROPIO_INTENTS = ['costo', 'ocurre', 'paqueteria', 'buscarCp', 'enlaceEnvio'] as const;
export type PropioIntent = (typeof PROPIO_INTENTS)[number];
export const isPropioIntent = (intent: unknown): intent is PropioIntent =>
  (PROPIO_INTENTS as readonly unknown[]).includes(intent);

const AVISO = 'Datos actualizados correctamente';
const Pedido = z.object({ orden: z.uuid() });

/** What the dialogs of 'Cotizar envios' send. */
export async function actOnPropio(request: Request, form: FormData, intent: PropioIntent, usuario: Usuario) {
  requireRight(usuario, 'ordenes.operar');
  const volver = withParams(new URL(request.url).search, { costo: null, paqueteria: null });
  switch (intent) {
    case 'buscarCp': {
      const lugar = await lookUp(form);
      return data<PropioAnswer>({ id: randomUUID(), formId: 'ocurre', ...lugar });
    }
    case 'enlaceEnvio': {
      const submission = parseWithZod(form, { schema: Pedido });
      if (submission.status !== 'success') return invalid(submission, { formId: intent });
      try {
        const { url, numOrden } = await createEnlaceDatosEnvio(db(), submission.value.orden, usuario.id);
        return data<PropioAnswer>({ formId: intent, creado: { url, numOrden } });
      } catch (error) {
        if (error instanceof NotAllowed) return refused(submission, error);
        throw error;
      }
    }
    case 'costo': {
      const submission = parseWithZod(form, { schema: CostoForm });
      if (submission.status !== 'success') return invalid(submission, { formId: intent });
      return submit(
        submission,
        () =>
          db()
            .transaction()
            .execute((trx) => saveCosto(trx, submission.value, usuario.id)),
        volver,
        { formId: intent, aviso: AVISO },
      );
    }
    case 'ocurre': {
      const submission = parseWithZod(form, { schema: OcurreForm });
      if (submission.status !== 'success') {
        // What is known of the postal code stays in the form that comes back.
        const answer = invalid(submission, { formId: intent });
        return data<PropioAnswer>(
          { ...answer.data, ...(form.get('cp') ? { lugar: (await lookUp(form)).lugar } : {}) },
          answer.init ?? undefined,
        );
      }
      return submit(
        submission,
        () =>
          db()
            .transaction()
            .execute((trx) => saveOcurre(trx, submission.value, usuario.id)),
        volver,
        { formId: intent, aviso: AVISO },
      );
    }
    case 'paqueteria': {
      const submission = parseWithZod(form, { schema: PaqueteriaForm });
      if (submission.status !== 'success') return invalid(submission, { formId: intent });
      return submit(
        submission,
        () =>
          db()
            .transaction()
            .execute((trx) => savePaqueteria(trx, submission.value, usuario.id)),
        volver,
        { formId: intent, aviso: AVISO },
      );
    }
  }
}

/** What a postal code says, in the form it was asked from. */
export async function lookUp(form: FormData): Promise<Pick<PropioAnswer, 'initialValue' | 'lugar'>> {
  const escrito = Object.fromEntries(
    [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  ) as Record<string, string>;
  const hallazgo = await buscarCp(db(), (escrito.cp ?? '').trim());
  const filled =
    hallazgo.tipo === 'encontrado' ? conLugar({ ...escrito, colonia: escrito.colonia ?? '' }, hallazgo.lugar) : escrito;
  return {
    initialValue: filled,
    lugar: { colonias: hallazgo.tipo === 'encontrado' ? hallazgo.lugar.colonias : [], aviso: avisoPostal(hallazgo) },
  };
}
