import { z } from 'zod';
import { NotAllowed } from '~/core/errors';
import { DineroGuardado } from '~/core/fields';
import { Money } from '~/core/money';
import { record } from '~/platform/bitacora.server';
import { defineEffect, Mismatch, TurnedDown } from '~/platform/effects/definition';
import { acceptEffect, type Accepted } from '~/platform/effects/effects.server';
import { livingAbout } from '~/platform/effects/subjects.server';
import { storeArchivo } from '~/platform/files/archivos.server';
import type { AmazonWriter, Shipment } from '~/integrations/amazon/write.server';
import { Refused, Unavailable } from '~/integrations/errors';
import type { Db, Trx } from '~db/client.server';
import { cancelarGuiaAmz } from './cancelGuia.server';
import { contenidoOf, lockComprable, medidasEscritas, requireRemitente, TITULO } from './guiaComprada.server';
import type { ComprarGuia } from './guiaForm';

const Solicitud = z.object({
  envioId: z.string(),
  /** Of the sale. */ marketId: z.string(),
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
  /** What the person was shown; nothing is bought for more. */ precio: z.string(),
  contenido: z.string(),
});
type Solicitud = z.output<typeof Solicitud>;

const Fecha = z.string().nullable();
/** What Amazon told. Only its id, where a person read that at Amazon. */
const Comprado = z.object({
  shipmentId: z.string(),
  numero: z.string().nullable(),
  paqueteria: z.string().nullable(),
  servicio: z.string().nullable(),
  costo: z.string().nullable(),
  desde: Fecha,
  hasta: Fecha,
  archivoId: z.string().nullable(),
});
type Comprado = z.output<typeof Comprado>;

/**
 * Buys the label of a package. Amazon takes no reference of ours and lists no labels, so a purchase without an answer is for people: they find its id at Amazon, or that
 * there is none. A label that was paid for and did not arrive whole is asked for until it does.
 */
export const comprarGuiaAmz = defineEffect({
  type: 'amz.guia',
  label: 'Compra de guía en Amazon',
  connection: 'amazon',
  request: Solicitud,
  evidence: Comprado,
  byHand: {
    says: 'folio',
    llama: 'Id del envío',
    evidence: (said): Comprado => ({
      shipmentId: said.trim(),
      numero: null,
      paqueteria: null,
      servicio: null,
      costo: null,
      desde: null,
      hasta: null,
      archivoId: null,
    }),
  },
  key: ({ envioId }) => `envio:${envioId}`,
  subjects: ({ envioId }) => [['envio', envioId]],
  summary: ({ marketId, servicio, precio }) => ({
    que: `Orden ${marketId}, ${servicio.paqueteria} ${servicio.nombre}`,
    total: precio,
  }),
  unclear: 'ask',
  async send({ request, clients, db }) {
    const { guias } = clients.amz();
    const { marketId: venta, otraVez, remitente, paquete } = request;
    const por = guias.piezasPorEnviar(await guias.venta(venta), { otraVez });
    if ('porque' in por) throw new Refused(por.porque);
    const envio = { venta, piezas: por.piezas, remitente, paquete };
    const oferta = requireOferta((await guias.servicios(envio)).servicios, request);
    const comprado = await guias.compra(envio, { servicio: oferta.id, oferta: oferta.oferta });
    return { ...evidenceOf(comprado), archivoId: await keepIfWhole(db, guias, comprado) };
  },
  async pista({ request, clients }) {
    const sale = await clients.amz().guias.venta(request.marketId);
    const paquetes = (sale?.packages ?? []).map(({ carrier, trackingNumber }) =>
      [carrier, trackingNumber].filter(Boolean).join(' '),
    );
    return paquetes.length > 0
      ? `Amazon muestra en la venta ${paquetes.join(' y ')}. Si esa guía se compró aquí, captura el id de su envío (Seller Central lo dice).`
      : 'Amazon no muestra todavía ningún paquete en la venta, y los dice tarde: eso no prueba que no se haya comprado. Revísalo en Seller Central.';
  },
  async stands({ request, clients }, { shipmentId }) {
    const { guias } = clients.amz();
    const envio = await guias.envio(shipmentId);
    return envio.AmazonOrderId === request.marketId && guias.estadoDe(envio) === 'comprada';
  },
  async confirm({ request, clients, db }, evidence) {
    if (evidence.archivoId !== null) return { ...evidence, archivoId: evidence.archivoId };
    const { guias } = clients.amz();
    const envio = await read(guias, evidence.shipmentId);
    if (envio.AmazonOrderId !== null && envio.AmazonOrderId !== request.marketId)
      throw new Mismatch([`El envío ${evidence.shipmentId} es de la venta ${envio.AmazonOrderId}`]);
    if (guias.estadoDe(envio) !== 'comprada')
      throw new TurnedDown('La guía que se compró ya está cancelada en Amazon.');
    return { ...evidenceOf(envio), archivoId: await keep(db, guias, envio) };
  },
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
    const numero = comprado.numero ?? comprado.shipmentId;
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
        marketId: comprado.shipmentId,
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

/** The service that was chosen, as it is offered now: for the price that was shown, or less. */
function requireOferta(
  servicios: Awaited<ReturnType<AmazonWriter['guias']['servicios']>>['servicios'],
  { servicio, precio }: Solicitud,
) {
  const oferta = servicios.find(({ id }) => id === servicio.id);
  if (!oferta) throw new Refused(`${servicio.paqueteria} ya no ofrece ${servicio.nombre}: cotiza otra vez.`);
  if (oferta.moneda !== 'MXN' || oferta.pideMas)
    throw new Refused(`${servicio.nombre} ya no se puede comprar desde aquí: cotiza otra vez.`);
  if (oferta.precio.compare(Money.of(precio)) > 0)
    throw new Refused(`${servicio.nombre} subió de $${precio} a $${oferta.precio.toFixed(2)}: cotiza otra vez.`);
  return oferta;
}

const text = (at: Date | null | undefined) => at?.toISOString() ?? null;

function evidenceOf({ ShipmentId, TrackingId, ShippingService }: Shipment): Omit<Comprado, 'archivoId'> {
  return {
    shipmentId: ShipmentId,
    numero: TrackingId,
    paqueteria: ShippingService?.CarrierName ?? null,
    servicio: ShippingService?.ShippingServiceName ?? null,
    costo: ShippingService?.Rate?.Amount.toFixed(2) ?? null,
    desde: text(ShippingService?.EarliestEstimatedDeliveryDate),
    hasta: text(ShippingService?.LatestEstimatedDeliveryDate),
  };
}

type Guias = AmazonWriter['guias'];

function keep(db: Db, guias: Guias, envio: Shipment): Promise<string> {
  const { tipo, extension, contenido } = guias.etiqueta(envio);
  return storeArchivo(db, { nombre: `guia-${envio.TrackingId ?? envio.ShipmentId}.${extension}`, tipo, contenido });
}

/** It is bought either way: one that is not whole is asked for again by its id. */
async function keepIfWhole(db: Db, guias: Guias, envio: Shipment): Promise<string | null> {
  try {
    return await keep(db, guias, envio);
  } catch (error) {
    if (error instanceof Unavailable) return null;
    throw error;
  }
}

/** Amazon not knowing it is no reason to believe that nothing was bought: an id may have been mistyped. */
async function read(guias: Guias, shipmentId: string): Promise<Shipment> {
  try {
    return await guias.envio(shipmentId);
  } catch (error) {
    if (error instanceof Refused && [400, 404].includes(error.details.status ?? 0))
      throw new Mismatch([`Amazon no conoce el envío ${shipmentId}`]);
    throw error;
  }
}

/** Commits to buying the label that was chosen. Of a shipment one is bought at a time, and what is unclear goes first. */
export async function buyGuia(trx: Trx, form: ComprarGuia, usuarioId: string): Promise<Accepted> {
  const { envioId, venta, orden, otraVez } = await lockComprable(trx, form);
  for (const kind of [comprarGuiaAmz, cancelarGuiaAmz] as const) {
    const [viva] = await livingAbout<unknown>(trx, ['envio', envioId], kind);
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
  return acceptEffect(trx, comprarGuiaAmz, { request, usuarioId });
}
