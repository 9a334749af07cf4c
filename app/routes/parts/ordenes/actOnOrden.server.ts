import { parseWithZod } from '@conform-to/zod/v4';
import { data } from '@remix-run/node';
import { z } from 'zod';
import { requireRight } from '~/access/actions';
import { askFirst, isConfirmed } from '~/core/confirm';
import { FALLO, NotAllowed } from '~/core/errors';
import { withParams } from '~/core/list';
import { invalid, submit } from '~/http/submit.server';
import type { Usuario } from '~/domain/cuentas/usuario';
import { EFFECTS } from '~/domain/effectCatalog.server';
import { waitForEffect } from '~/domain/effects/effects.server';
import { retryEffect } from '~/domain/effects/retry.server';
import { DatosEnvioForm } from '~/domain/envios/formularios';
import { saveDatosEnvio } from '~/domain/envios/savePropio.server';
import { sendEnlaceByMessage } from '~/domain/enlaces/enlaceEnvios.server';
import { revokeEnlace } from '~/domain/enlaces/enlaces.server';
import { changeToEntregado } from '~/domain/ordenes/entregar.server';
import { sendProveedorMail } from '~/domain/proveedores/mailProveedor.server';
import { db } from '~db/shared.server';
import { isProveedorFactura, proveedorFacturaAction } from '../proveedores/proveedorFacturas.server';
import { FORM_ENVIO, PREGUNTAS } from './preguntas';

/** How long the page waits for a call to the outside before it says that it is on its way. */
const WAIT_MS = 4_000;

const Pedido = z.discriminatedUnion('intent', [
  z.object({ intent: z.literal('entregar'), orden: z.uuid() }),
  z.object({ intent: z.literal('enlace'), numero: z.string().trim().min(1).max(40) }),
  z.object({ intent: z.literal('correo'), orden: z.uuid() }),
  z.object({ intent: z.literal('reintentar'), efecto: z.uuid() }),
  z.object({ intent: z.literal('revocarEnlace'), enlace: z.uuid() }),
]);

/** What the lists of sales and the dialog of one send, whatever screen they stand on. */
export async function actOnOrden(request: Request, usuario: Usuario) {
  const form = await request.formData();
  if (isProveedorFactura(form)) return proveedorFacturaAction(request, form, usuario);
  const { search } = new URL(request.url);
  // A home's own mark in the address stays out of it.
  const volver = withParams(search, { index: null });
  if (form.get('intent') === 'envio') return saveEnvio(form, search, usuario);
  const submission = parseWithZod(form, { schema: Pedido });
  if (submission.status !== 'success') return invalid(submission);
  const pedido = submission.value;
  requireRight(usuario, pedido.intent === 'reintentar' ? 'ordenes.reintentar' : 'ordenes.operar');
  if (!isConfirmed(form)) return data(askFirst(form, PREGUNTAS[pedido.intent]));
  switch (pedido.intent) {
    case 'entregar':
      return submit(
        submission,
        () =>
          db()
            .transaction()
            .execute((trx) => changeToEntregado(trx, pedido.orden, usuario.id)),
        volver,
        { aviso: 'Se realizo el cambio de estatus.' },
      );
    case 'enlace':
      return submit(
        submission,
        async () =>
          settled(
            await sendEnlaceByMessage(db(), { numero: pedido.numero, usuarioId: usuario.id }),
            'Error al enviar el link.',
          ),
        volver,
        {
          aviso: (done) => (done ? 'Se envio el link al cliente.' : 'El link está en camino.'),
        },
      );
    case 'correo':
      return submit(submission, () => mailProveedores(pedido.orden, usuario.id), volver, {
        aviso: (done) => (done ? 'Se envio el correo.' : 'El correo está en camino.'),
      });
    case 'revocarEnlace':
      return submit(submission, () => revokeEnlace(db(), pedido.enlace, usuario.id), volver, {
        aviso: 'El enlace se revocó.',
      });
    case 'reintentar':
      return submit(submission, async () => settled(await retry(pedido.efecto, usuario.id), 'Error.'), volver, {
        aviso: (done) => (done ? 'Se hizo.' : 'Se está intentando otra vez.'),
      });
  }
}

/** To every supplier of the sale; whether all the letters left. */
async function mailProveedores(ordenId: string, usuarioId: string): Promise<boolean> {
  const cartas = await db()
    .transaction()
    .execute((trx) => sendProveedorMail(trx, ordenId, usuarioId));
  const left = await Promise.all(cartas.map(({ id }) => settled(id, 'Error al enviar el correo.')));
  return left.every(Boolean);
}

const retry = async (efecto: string, usuarioId: string) =>
  (
    await db()
      .transaction()
      .execute((trx) => retryEffect(trx, EFFECTS, efecto, usuarioId))
  ).id;

/** Whether it is done by now; a clear no of the far side is told in its own words. */
async function settled(effectId: string, titulo: string): Promise<boolean> {
  const effect = await waitForEffect(db(), effectId, WAIT_MS);
  if (effect?.state === 'refused') throw new NotAllowed(titulo, effect.reason ?? FALLO.texto);
  return effect?.state === 'done';
}

function saveEnvio(form: FormData, search: string, usuario: Usuario) {
  const submission = parseWithZod(form, { schema: DatosEnvioForm });
  if (submission.status !== 'success') return invalid(submission, { formId: FORM_ENVIO });
  requireRight(usuario, 'ordenes.operar');
  return submit(
    submission,
    () =>
      db()
        .transaction()
        .execute((trx) => saveDatosEnvio(trx, submission.value, usuario.id)),
    withParams(search, { editar: null, index: null }),
    {
      aviso: 'Datos del envio guarados de forma correcta',
      formId: FORM_ENVIO,
    },
  );
}
