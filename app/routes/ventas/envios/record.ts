import { data } from '@remix-run/node';
import { toWire, type Wire } from '~/core/list';
import { readNegados, type Negado } from '~/domain/operacion/negados.server';
import { readEnvio, type EnvioAbierto as Envio } from '~/domain/ventas/envios/detalleEnvio.server';
import { askedByScript } from '~/platform/lists/list.server';
import { db } from '~db/shared.server';
import { ENVIO_AUSENTE } from './textos';

/** A shipment with the calls about it that were not accepted, as its panel shows it. */
export type EnvioAbierto = Wire<Envio> & { negados: Negado[] };

/** Reads a shipment for its panel; null when the id is unknown. */
export async function envioOf(id: string): Promise<EnvioAbierto | null> {
  const envio = await readEnvio(db(), id);
  return envio ? { ...toWire(envio), negados: await readNegados(db(), [['envio', envio.id]]) } : null;
}

/**
 * Reads the shipment that `?ver=` names, for a page that is opened with it; an unknown one is a 404. A page that already stands reads the shipment beside its
 * list.
 */
export async function envioIn(request: Request) {
  const ver = new URL(request.url).searchParams.get('ver');
  if (!ver || askedByScript(request)) return null;
  const envio = await envioOf(ver);
  if (!envio) throw data(ENVIO_AUSENTE, { status: 404 });
  return envio;
}
