import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import { enPesos } from '~/core/importe';
import { Money } from '~/core/money';
import { toInstant } from '~/core/time';
import { Mismatch, TurnedDown } from '~/platform/effects/definition';
import { storeArchivo } from '~/platform/files/archivos.server';
import type { AmazonWriter, Shipment } from '~/integrations/amazon/write.server';
import { Refused, Unavailable } from '~/integrations/errors';
import type { Db } from '~db/client.server';
import type { EstadoDeGuiaComprada } from '~db/columns';
import type { Acto, ActoDeAviso, CompraDeGuia, GuiaPagada } from '../../efectos';

/** A package of ours that left: its carrier, and the number under which one follows it. */
const Salida = z.object({
  envioId: z.string(),
  marketId: z.string(),
  paqueteria: z.string(),
  guia: z.string(),
  fecha: z.string(),
  /** The package was told before, with another number or carrier. */
  corrige: z.boolean(),
});
type Salida = z.output<typeof Salida>;

/** Amazon's clock may be behind ours, and a package may not leave in Amazon's future. */
const ATRAS_MS = 2 * 60_000;
const ENVIADA = ['SHIPPED', 'INVOICE_UNCONFIRMED'];
const TERMINADA = ['CANCELLED', 'UNFULFILLABLE'];

/**
 * Tells Amazon that a package we send ourselves left, and Amazon tells the buyer. The package keeps its reference, so that saying it again
 * corrects it and never makes a second one. Amazon may show a package minutes later.
 */
export const avisarEnvio: ActoDeAviso<Salida, { respuesta: string }> = {
  type: 'amz.shipment',
  label: 'Confirmación de envío en Amazon',
  connection: 'amazon',
  accion: 'confirmar en Amazon',
  request: Salida,
  evidence: z.object({ respuesta: z.string() }),
  byHand: { says: 'done', evidence: { respuesta: 'Una persona lo confirmó.' } },
  summary: ({ marketId }) => ({ que: `Orden ${marketId}` }),
  unclear: 'find',
  again: true,
  // Amazon knows the number of a label that Amazon sold.
  avisoOf({ envioId, marketId, conocido, propio, avance, guia, paqueteria, vendida }) {
    if (!propio || !conocido || !guia || !paqueteria || !avance || vendida) return null;
    return { envioId, marketId, paqueteria, guia, fecha: new Date().toISOString(), corrige: false };
  },
  covers: (told, salida) => told.guia === salida.guia && told.paqueteria === salida.paqueteria,
  corrects: (salida) => ({ ...salida, corrige: true }),
  async send({ request, clients }) {
    const amz = clients.amz();
    const { sale, piezas } = await requirePorConfirmar(amz, request);
    if (shows(sale, request)) return { respuesta: 'Ya lo sabía.' };
    if (piezas.length === 0)
      throw new Refused('Amazon ya da la venta por enviada con otra guía: corrígela en Seller Central.');
    const { marketId, paqueteria, guia, fecha } = request;
    const salio = new Date(Math.max(sale.createdTime.getTime() + 1_000, toInstant(fecha).getTime() - ATRAS_MS));
    try {
      const referencia = referenciaOf(request);
      await amz.confirmShipment(marketId, { referencia, paqueteria, guia, fecha: salio, piezas });
      return { respuesta: 'Lo recibió.' };
    } catch (error) {
      if (error instanceof Refused && shows(await amz.sale(marketId), request, { tarde: true }))
        return { respuesta: 'Ya lo sabía.' };
      throw error;
    }
  },
  async find({ request, clients }, known) {
    if (known) return known;
    return shows(await clients.amz().sale(request.marketId), request, { tarde: true })
      ? { respuesta: 'No se recibió su respuesta, pero ya lo muestra.' }
      : 'absent';
  },
  confirm: async (_call, { respuesta }) => ({ respuesta, estado: null, muestra: null }),
};

type Sale = Awaited<ReturnType<AmazonWriter['sale']>>;

/** Returns a positive number that this shipment always has and no other package of the sale is likely to have. */
const referenciaOf = ({ envioId }: Salida) =>
  String(1 + (createHash('sha256').update(envioId).digest().readUInt32BE() >>> 2));

/** Returns the sale and the pieces to confirm: those of our package, else those that nobody confirmed yet. Throws Refused for a sale that is unknown or ended. */
async function requirePorConfirmar(amz: AmazonWriter, request: Salida) {
  const sale = await amz.sale(request.marketId);
  if (!sale) throw new Refused('Amazon no conoce esta venta.');
  if (TERMINADA.includes(sale.fulfillment?.fulfillmentStatus ?? ''))
    throw new Refused('La venta se canceló en Amazon: su envío ya no se confirma.');
  const nuestro = sale.packages.find(({ packageReferenceId }) => packageReferenceId === referenciaOf(request));
  const faltan = sale.orderItems.map(({ orderItemId, quantityOrdered, fulfillment }) => ({
    id: orderItemId,
    cantidad: request.corrige ? quantityOrdered : quantityOrdered - (fulfillment?.quantityFulfilled ?? 0),
  }));
  const piezas = nuestro
    ? nuestro.packageItems.map(({ orderItemId, quantity }) => ({ id: orderItemId, cantidad: quantity }))
    : faltan;
  return { sale, piezas: piezas.filter(({ cantidad }) => cantidad > 0) };
}

/** Tells whether Amazon shows the package. `tarde`: a sale that left whole counts too, while Amazon tells nothing of any package. */
function shows(sale: Sale, { guia, corrige }: Salida, { tarde = false } = {}): boolean {
  if (!sale) return false;
  if (sale.packages.some(({ trackingNumber }) => trackingNumber === guia)) return true;
  return tarde && !corrige && sale.packages.length === 0 && ENVIADA.includes(sale.fulfillment?.fulfillmentStatus ?? '');
}

const Fecha = z.string().nullable();
/** A label as Amazon told it. Only its id is known where a person read the id at Amazon. */
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
 * Buys the label of a package. Amazon takes no reference of ours and lists no labels, so a purchase without an answer is for people: they find
 * its id at Amazon, or that there is none. A label that was paid for and did not arrive whole is asked for until it does.
 */
export const comprarGuia: Acto<CompraDeGuia, GuiaPagada, Comprado> = {
  type: 'amz.guia',
  label: 'Compra de guía en Amazon',
  connection: 'amazon',
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
  unclear: 'ask',
  async send({ request, clients, db }) {
    const { guias } = clients.amz();
    const { marketId: venta, otraVez, remitente, paquete } = request;
    const por = guias.piezasPorEnviar(await guias.venta(venta), { otraVez });
    if ('porque' in por) throw new Refused(por.porque);
    const envio = { venta, piezas: por.piezas, remitente, paquete };
    const oferta = requireOferta((await guias.servicios(envio)).servicios, request);
    const comprado = await guias.compra(envio, { servicio: oferta.id, oferta: oferta.oferta });
    return { ...evidenceOf(comprado), archivoId: await saveIfWhole(db, guias, comprado) };
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
  uidOf: ({ numero }) => numero,
  /** Packages of the sale whose number no label of ours has. Amazon tells them late. */
  async alive({ request, clients, db }) {
    const sale = await clients.amz().guias.venta(request.marketId);
    const vistos = (sale?.packages ?? []).flatMap(({ trackingNumber }) => trackingNumber ?? []);
    const { rows } = await sql<{ numero: string }>`
      select numero from unnest(${vistos}::text[]) numero
      where not exists (select from guia where guia.numero = numero.numero)
        and not exists (select from envio where envio.guia = numero.numero)`.execute(db);
    return rows.map(({ numero }) => ({ uid: numero, uuid: numero, folio: `guía ${numero}` }));
  },
  async stands({ request, clients }, { shipmentId }) {
    const { guias } = clients.amz();
    const envio = await guias.envio(shipmentId);
    return envio.AmazonOrderId === request.marketId && guias.estadoDe(envio) === 'comprada';
  },
  async confirm({ request, clients, db }, evidence) {
    if (evidence.archivoId !== null) return pagadaOf(evidence, evidence.archivoId);
    const { guias } = clients.amz();
    const envio = await readEnvio(guias, evidence.shipmentId);
    if (envio.AmazonOrderId !== null && envio.AmazonOrderId !== request.marketId)
      throw new Mismatch([`El envío ${evidence.shipmentId} es de la venta ${envio.AmazonOrderId}`]);
    if (guias.estadoDe(envio) !== 'comprada')
      throw new TurnedDown('La guía que se compró ya está cancelada en Amazon.');
    return pagadaOf(evidenceOf(envio), await saveEtiqueta(db, guias, envio));
  },
};

const pagadaOf = (
  { shipmentId, numero, paqueteria, servicio, costo, desde, hasta }: Omit<Comprado, 'archivoId'>,
  archivoId: string,
): GuiaPagada => ({ marketId: shipmentId, archivoId, numero, paqueteria, servicio, costo, desde, hasta });

/** Returns the service that was chosen, as it is offered now: for the price that was shown, or less. Throws Refused otherwise. */
function requireOferta(
  servicios: Awaited<ReturnType<AmazonWriter['guias']['servicios']>>['servicios'],
  { servicio, precio }: CompraDeGuia,
) {
  const oferta = servicios.find(({ id }) => id === servicio.id);
  if (!oferta) throw new Refused(`${servicio.paqueteria} ya no ofrece ${servicio.nombre}: cotiza otra vez.`);
  if (oferta.moneda !== 'MXN' || oferta.pideMas)
    throw new Refused(`${servicio.nombre} ya no se puede comprar desde aquí: cotiza otra vez.`);
  if (oferta.precio.compare(Money.of(precio)) > 0)
    throw new Refused(`${servicio.nombre} subió de ${enPesos(precio)} a ${enPesos(oferta.precio)}: cotiza otra vez.`);
  return oferta;
}

const textOf = (at: Date | null | undefined) => at?.toISOString() ?? null;

function evidenceOf({ ShipmentId, TrackingId, ShippingService }: Shipment): Omit<Comprado, 'archivoId'> {
  return {
    shipmentId: ShipmentId,
    numero: TrackingId,
    paqueteria: ShippingService?.CarrierName ?? null,
    servicio: ShippingService?.ShippingServiceName ?? null,
    costo: ShippingService?.Rate?.Amount.toFixed(2) ?? null,
    desde: textOf(ShippingService?.EarliestEstimatedDeliveryDate),
    hasta: textOf(ShippingService?.LatestEstimatedDeliveryDate),
  };
}

type Guias = AmazonWriter['guias'];

function saveEtiqueta(db: Db, guias: Guias, envio: Shipment): Promise<string> {
  const { tipo, extension, contenido } = guias.etiqueta(envio);
  return storeArchivo(db, { nombre: `guia-${envio.TrackingId ?? envio.ShipmentId}.${extension}`, tipo, contenido });
}

/** Keeps the file of a label that was just bought; null where the file did not come whole. The label is bought either way, and `confirm` asks for its file again. */
async function saveIfWhole(db: Db, guias: Guias, envio: Shipment): Promise<string | null> {
  try {
    return await saveEtiqueta(db, guias, envio);
  } catch (error) {
    if (error instanceof Unavailable) return null;
    throw error;
  }
}

/** Reads a shipment by its id. Throws Mismatch for an id that Amazon does not know: the id may have been mistyped, so nothing proves that no label was bought. */
async function readEnvio(guias: Guias, shipmentId: string): Promise<Shipment> {
  try {
    return await guias.envio(shipmentId);
  } catch (error) {
    if (error instanceof Refused && [400, 404].includes(error.details.status ?? 0))
      throw new Mismatch([`Amazon no conoce el envío ${shipmentId}`]);
    throw error;
  }
}

const Estado = z.object({ estado: z.enum(['comprada', 'reembolsoPedido', 'reembolsada', 'sinReembolso']) });

/** Gives a label back. The carrier tells later whether the money comes back. */
export const cancelarGuia: Acto<{ shipmentId: string }, EstadoDeGuiaComprada, z.output<typeof Estado>> = {
  type: 'amz.guia.cancelar',
  label: 'Cancelación de guía en Amazon',
  connection: 'amazon',
  evidence: Estado,
  unclear: 'find',
  again: true,
  async send({ request: { shipmentId }, clients }) {
    const { guias } = clients.amz();
    try {
      return { estado: guias.estadoDe(await guias.cancela(shipmentId)) };
    } catch (error) {
      // Amazon says no also to a label that was cancelled before.
      if (!(error instanceof Refused)) throw error;
      const estado = guias.estadoDe(await guias.envio(shipmentId));
      if (estado === 'comprada') throw error;
      return { estado };
    }
  },
  async find({ request: { shipmentId }, clients }, known) {
    if (known) return known;
    const { guias } = clients.amz();
    const estado = guias.estadoDe(await guias.envio(shipmentId));
    return estado === 'comprada' ? 'absent' : { estado };
  },
  async confirm(_call, { estado }) {
    if (estado === 'comprada') throw new TurnedDown('Amazon no canceló la guía: sigue comprada.');
    return estado;
  },
};
