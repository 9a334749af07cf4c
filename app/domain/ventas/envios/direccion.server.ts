import { NotAllowed, Stale } from '~/core/errors';
import { record } from '~/platform/bitacora.server';
import { MERCADOS } from '~/domain/mercados/mercados';
import type { Direccion } from '~/domain/mercados/venta';
import { ajenaOf, PARTES } from '~/domain/ventas/ordenes/datosEnvio.server';
import type { Trx } from '~db/client.server';
import type { DecisionDeDireccion } from './forms';
import { lockEnvio } from './guiaComprada.server';
import { requirePropio, requireViva, TITULO, type EnvioPropio } from './propios.server';
import { savePropio } from './savePropio.server';

/**
 * Decides between the address that a person wrote here and the one that the marketplace has now: takes theirs, or leaves ours until theirs moves again.
 * Throws Stale when either address moved since the page showed it, and NotAllowed as `savePropio`.
 */
export async function decideDireccion(
  trx: Trx,
  { decision, ajena, ...origen }: DecisionDeDireccion,
  usuarioId: string,
): Promise<void> {
  await lockEnvio(trx, origen.orden);
  const orden = await requirePropio(trx, origen.orden);
  const { envio } = orden;
  if (!envio) throw new NotAllowed(TITULO, 'La orden ya no tiene un envío.');
  const suya = ajenaOf(envio);
  if (suya?.huella !== ajena || orden.huella !== origen.huella) throw new Stale();
  if (decision === 'tomar') {
    const dicho = `Se tomó la dirección de ${MERCADOS[orden.market].label}`;
    await savePropio(trx, origen, direccionTomada(envio, suya.direccion), { usuarioId, dicho });
  } else {
    requireViva(orden);
    const datos = { numOrden: orden.numOrden };
    await record(trx, { usuarioId, entidad: 'envio', entidadId: envio.id, accion: 'dejar la dirección', datos });
  }
  await trx
    .updateTable('envio')
    .set({ direccionDifiere: false, ...(decision === 'tomar' && { direccionMercado: null }) })
    .where('id', '=', envio.id)
    .execute();
}

/** Returns the fields of the marketplace's address. Parts that it does not tell stay while street and postal code do; a telephone stays with its receiver. */
function direccionTomada(envio: EnvioPropio, suya: Direccion) {
  const mismaCalle = envio.calle === suya.calle && envio.cp === suya.cp;
  const mismoNombre = envio.nombreReceptor === suya.nombreReceptor;
  const queda = (parte: keyof Direccion) =>
    parte === 'telefono' ? mismoNombre : parte === 'nombreReceptor' ? true : mismaCalle;
  const partes = Object.fromEntries(
    PARTES.map((parte) => [parte, suya[parte] ?? (queda(parte) ? envio[parte] : null)]),
  ) as Direccion;
  return {
    ...partes,
    ocurre: false,
    ...(!mismoNombre && { apellidos: null }),
    ...(!mismaCalle && { calleA: null, calleB: null }),
  };
}
