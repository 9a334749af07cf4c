import { data } from '@remix-run/node';
import { toWire } from '~/core/list';
import { readEnvio } from '~/domain/ventas/envios/detalleEnvio.server';
import { askedByScript } from '~/platform/lists/list.server';
import { db } from '~db/shared.server';
import { ENVIO_AUSENTE } from './textos';

/** A shipment as its panel shows it; null when there is none by that id. */
export async function envioOf(id: string) {
  const envio = await readEnvio(db(), id);
  return envio ? toWire(envio) : null;
}

/** The shipment that `?ver=` names, for a page that is opened with it; one that does not exist is a 404. A page that stands reads it beside its list. */
export async function envioIn(request: Request) {
  const ver = new URL(request.url).searchParams.get('ver');
  if (!ver || askedByScript(request)) return null;
  const envio = await envioOf(ver);
  if (!envio) throw data(ENVIO_AUSENTE, { status: 404 });
  return envio;
}
