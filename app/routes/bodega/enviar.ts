import type { ActionFunctionArgs } from '@remix-run/node';
import { requireRight } from '~/access/actions';
import { usuarioOf } from '~/access/session.server';
import { SinAntivirus } from '~/platform/files/receiveFile.server';
import { DESDE_BODEGA, actFromBodega, noOfBodega } from '~/domain/compras/stock/bodega.server';
import { readEnvio } from '~/http/envio.server';
import { db } from '~db/shared.server';

const di = (status: number, body: object) => Response.json(body, { status, headers: { 'Cache-Control': 'no-store' } });
const no = (texto: string) => di(422, { choque: false, titulo: 'Error.', texto, pieza: null });

/**
 * Takes one press of a phone, made now or hours ago without signal. The press names its author, so it is never sent under the name of the phone's next user.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const usuario = usuarioOf(context);
  requireRight(usuario, 'stock.operar');
  const envio = await readEnvio(request, DESDE_BODEGA);
  if ('no' in envio) return no(envio.no);
  if (envio.de !== usuario.id) return no('Esto lo hizo otra persona.');
  try {
    return di(200, await actFromBodega(db(), envio, usuario.id));
  } catch (error) {
    // The phone sends the photograph again later, so a scanner that is away loses nothing.
    if (error instanceof SinAntivirus) return di(503, { texto: error.message });
    const dicho = await noOfBodega(db(), error, 'id' in envio.datos ? envio.datos.id : undefined);
    if (!dicho) throw error;
    return di(dicho.choque ? 409 : 422, dicho);
  }
}
