import { data } from '@remix-run/node';
import { toWire } from '~/core/list';
import { readEnvio } from '~/domain/envios/detalleEnvio.server';
import { db } from '~db/shared.server';

/** The shipment that `?ver=` names, or null. One that does not exist is a 404. */
export async function envioIn(request: Request) {
  const ver = new URL(request.url).searchParams.get('ver');
  if (!ver) return null;
  const envio = await readEnvio(db(), ver);
  if (!envio)
    throw data(
      {
        titulo: 'El envío no existe',
        texto: 'El enlace nombra un envío que no está aquí. Puede que se haya copiado incompleto.',
      },
      { status: 404 },
    );
  return toWire(envio);
}
