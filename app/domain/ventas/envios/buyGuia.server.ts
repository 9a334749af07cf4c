import { z } from 'zod';
import { NotAllowed } from '~/core/errors';
import { DineroGuardado } from '~/core/fields';
import { Money } from '~/core/money';
import { record } from '~/platform/bitacora.server';
import { defineEffect } from '~/platform/effects/definition';
import { acceptEffect, type Accepted } from '~/platform/effects/effects.server';
import { livingAbout } from '~/platform/effects/subjects.server';
import type { Acto, CompraDeGuia, GuiaPagada } from '~/domain/mercados/efectos';
import { perMarket } from '~/domain/mercados/registro.server';
import type { Trx } from '~db/client.server';
import { cancelaciones } from './cancelGuia.server';
import { contenidoOf, lockComprable, medidasEscritas, requireRemitente, TITULO } from './guiaComprada.server';
import type { ComprarGuia } from './forms';

const Solicitud = z.object({
  envioId: z.string(),
  /** The number of the sale at its marketplace. */
  marketId: z.string(),
  otraVez: z.boolean(),
  remitente: z.object({
    nombre: z.string(),
    calle: z.string(),
    colonia: z.string().nullable(),
    ciudad: z.string(),
    estado: z.string(),
    cp: z.string(),
    telefono: z.string(),
    email: z.string(),
  }),
  paquete: z.object({ peso: z.number(), largo: z.number(), ancho: z.number(), alto: z.number() }),
  servicio: z.object({ id: z.string(), nombre: z.string(), paqueteria: z.string() }),
  /** The price that the person was shown, in pesos; nothing is bought for more. */
  precio: z.string(),
  contenido: z.string(),
});
type Solicitud = z.output<typeof Solicitud>;

/** Buys the label of a package, and gives the shipment its number, its carrier and its cost. */
const defineCompra = (acto: Acto<CompraDeGuia, GuiaPagada>) =>
  defineEffect<Solicitud, unknown, GuiaPagada>({
    ...acto,
    request: Solicitud,
    key: ({ envioId }) => `envio:${envioId}`,
    subjects: ({ envioId }) => [['envio', envioId]],
    summary: ({ marketId, servicio, precio }) => ({
      que: `Orden ${marketId}, ${servicio.paqueteria} ${servicio.nombre}`,
      total: precio,
    }),
    async settle(trx, { request, usuarioId }, comprado) {
      const { envioId, paquete, contenido, precio } = request;
      const paqueteria = comprado.paqueteria ?? request.servicio.paqueteria;
      const costo = Money.of(comprado.costo ?? precio);
      const { costo: costoAntes } = await trx
        .selectFrom('envio')
        .select('costo')
        .where('id', '=', envioId)
        .forUpdate()
        .executeTakeFirstOrThrow();
      const { sha256 } = await trx
        .selectFrom('archivo')
        .select('sha256')
        .where('id', '=', comprado.archivoId)
        .executeTakeFirstOrThrow();
      const numero = comprado.numero ?? comprado.marketId;
      const guia = await trx
        .insertInto('guia')
        .values({ envioId, archivoId: comprado.archivoId, sha256, numero, paqueteria })
        .onConflict((on) =>
          on
            .columns(['envioId', 'sha256'])
            .doUpdateSet({ archivoId: comprado.archivoId, numero, paqueteria, anuladaEn: null }),
        )
        .returning('id')
        .executeTakeFirstOrThrow();
      await trx
        .insertInto('guiaComprada')
        .values({
          envioId,
          guiaId: guia.id,
          marketId: comprado.marketId,
          estado: 'comprada',
          servicio: comprado.servicio ?? request.servicio.nombre,
          costo,
          costoAntes,
          entregaDesde: comprado.desde,
          entregaHasta: comprado.hasta,
          contenido,
          ...paquete,
          usuarioId,
        })
        .execute();
      await trx.updateTable('envio').set({ guia: numero, paqueteria, costo }).where('id', '=', envioId).execute();
      await record(trx, {
        usuarioId,
        entidad: 'envio',
        entidadId: envioId,
        accion: 'comprar la guía',
        datos: {
          dicho: [paqueteria, numero].join(' '),
          importes: [
            { campo: 'Costo del envío', antes: costoAntes?.toFixed(2) ?? null, despues: costo.toFixed(2) },
            ...(costo.compare(Money.of(precio)) === 0
              ? []
              : [{ campo: 'Precio de la guía', antes: precio, despues: costo.toFixed(2) }]),
          ],
        },
      });
    },
  });

/** The effects that buy a label, by marketplace. */
export const compras = perMarket(({ comprarGuia }) => comprarGuia, defineCompra);

/**
 * Asks for the label that was chosen. A shipment has one purchase at a time. Throws NotAllowed while a purchase or a cancellation of the
 * shipment has not ended, and Stale when the shipment changed since the form was opened.
 */
export async function buyGuia(trx: Trx, form: ComprarGuia, usuarioId: string): Promise<Accepted> {
  const { envioId, venta, orden, otraVez } = await lockComprable(trx, form);
  for (const kind of [compras, cancelaciones] as const) {
    const [viva] = await livingAbout<unknown>(trx, ['envio', envioId], kind.require(orden.market));
    if (viva)
      throw new NotAllowed(
        TITULO,
        viva.state === 'manual'
          ? 'Hay una solicitud de este envío que espera una decisión en Pendientes: no se compra otra guía hasta saberlo.'
          : 'Hay una solicitud de este envío en camino: espera a que termine.',
      );
  }
  const { servicio: id, nombre, paqueteria, precio } = form;
  const request: Solicitud = {
    envioId,
    marketId: venta,
    otraVez,
    remitente: await requireRemitente(trx, orden.market),
    paquete: medidasEscritas(form),
    servicio: { id, nombre, paqueteria },
    precio: DineroGuardado.parse(precio).toFixed(2),
    contenido: await contenidoOf(trx, envioId),
  };
  return acceptEffect(trx, compras.require(orden.market), { request, usuarioId });
}
