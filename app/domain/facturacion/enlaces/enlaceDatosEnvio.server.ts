import { env } from '~/core/env.server';
import { NotAllowed } from '~/core/errors';
import { hasLeft } from '~/domain/ventas/envios/envio';
import { readPropio, requireViva } from '~/domain/ventas/envios/propios.server';
import type { Db } from '~db/client.server';
import { createEnlace } from './enlaces.server';

/** The link with which a customer says where to send what they bought. Its address is shown this once. */
export async function createEnlaceDatosEnvio(
  db: Db,
  ordenId: string,
  usuarioId: string,
): Promise<{ url: string; numOrden: string; venceEn: Date }> {
  return db.transaction().execute(async (trx) => {
    const orden = await readPropio(trx, ordenId);
    if (!orden) throw new NotAllowed('Error de carga.', 'La orden ya no existe o no es de envío propio.');
    requireViva(orden);
    if (orden.envio && hasLeft(orden.envio))
      throw new NotAllowed('Error de carga.', 'El envío ya tiene guía o ya salió: sus datos no se piden otra vez.');
    const { market, numOrden } = orden;
    const { token, venceEn } = await createEnlace(trx, {
      market,
      numOrden,
      origen: 'personal',
      usuarioId,
      proposito: 'datosEnvio',
    });
    return { url: `${env().APP_URL}/datosEnvio/${token}`, numOrden, venceEn };
  });
}
