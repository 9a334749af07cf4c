import type { ColumnType } from 'kysely';
import type { Money } from '~/core/money';

/** NUMERIC: Money when read; Money or decimal text when written. */
export type Decimal = ColumnType<Money, Money | string, Money | string>;
/** BIGINT within the safe range of a number; a larger value throws when read. */
export type Int = ColumnType<number, number, number>;
/**
 * jsonb: JSON text when written, because pg would turn a JavaScript array into a PostgreSQL array. Parsed when read,
 * for zod to check.
 */
export type Jsonb = ColumnType<unknown, string, string>;

/*
 * A union for each column of a few words. A check of the database holds the same words, `codegen.json` assigns unions
 * to columns, and `tests/db/enums.test.ts` compares the three.
 */
export type { Rol } from '~/core/usuario';
export type { Apariencia, Densidad } from '~/core/aspecto';
export type { FormatoDeEtiqueta } from '~/core/formatoDeEtiqueta';
export type { Market, RunKind, TipoDePrecio } from '~/core/market';
export type { Moneda, SinPrecio } from '~/core/moneda';
export type { Persona } from '~/core/persona';
/** Place of a listing among the sellers of its page. `noCompite`: it is on sale and cannot win there. */
export type LugarDeCompetencia = 'gana' | 'comparte' | 'pierde' | 'noCompite';
/** Progress of a promotion of a listing: an invitation, one that is to come, one that runs. */
export type EstadoDePromocion = 'candidata' | 'programada' | 'activa';
/** Kind of thing that goes to the bucket of the backups: archived WAL, base backups. */
export type Traslado = 'wal' | 'base';
/** Kind of a sale for invoicing; `normal` may be invoiced. */
export type Clase = 'normal' | 'cancelada' | 'devuelta' | 'invalida';
/**
 * State of a sale at its marketplace. `devuelta`: paid, then the article came back. `devueltaEnParte`: paid, then a
 * part of the money went back. `desconocida`: the marketplace sent a word outside our list.
 */
export type Situacion =
  | 'cobroPendiente'
  | 'autorizandoPago'
  | 'pagada'
  | 'devueltaEnParte'
  | 'devuelta'
  | 'cancelada'
  | 'invalida'
  | 'desconocida';
/**
 * Progress of a sale in our words. Most words follow from the state of the sale and its shipment at the marketplace;
 * people give some words by hand.
 */
export type EstatusOrden =
  | 'enPreparacion'
  | 'cobroPendiente'
  | 'autorizandoPago'
  | 'cancelado'
  | 'enviado'
  | 'entregado'
  | 'not_delivered'
  | 'enDevolucion'
  | 'devuelto'
  | 'cobroRequerido'
  | 'demorado'
  | 'reclamo'
  | 'enviadoPartes'
  | 'facturaPendiente'
  | 'pagado'
  | 'enCamino'
  | 'enSucursal';
/** Origin of a link for a customer: made by a person, sent automatically, or asked for on the home page. */
export type OrigenEnlace = 'personal' | 'automatico' | 'portada';
/** Purpose of a link for a customer: invoicing, or shipping data. */
export type PropositoEnlace = 'facturacion' | 'datosEnvio';
/** Package format of an application for telephones. */
export type FormatoDeApp = 'apk' | 'aab';
/** Kind of CFDI. */
export type TipoFactura = 'individual' | 'global' | 'notaCredito';
/** Reason of a credit note. */
export type MotivoNotaCredito = 'refacturacion' | 'devuelta' | 'parcial';
/** State of a CFDI; `cancelando` waits for the SAT or the customer. */
export type EstatusFactura = 'vigente' | 'cancelando' | 'cancelada';
/** Kind of the CFDI that a sale is claimed for; a sale has at most a single claim. */
export type ClaimKind = 'individual' | 'global';
/** Reason of a cancellation, by the codes of the SAT. */
export type MotivoCancelacion = '01' | '02' | '03' | '04';
/** Progress of a cancellation at the PAC. */
export type EstadoCancelacion = 'solicitada' | 'enProceso' | 'cancelada' | 'rechazada';
/** Source of a postal code: the official file, or the demo's set. */
export type OrigenCodigoPostal = 'sepomex' | 'demo';
/** Lists of the SAT that the PAC hands on. */
export type CatalogoSat = 'usos' | 'regimenes' | 'formasPago' | 'unidades' | 'productos';
/** Rule for the address of a supplier's invoice: none, the same for all, or made from the folio. */
export type ReglaFactura = 'ninguna' | 'base' | 'guion' | 'sufijo';
/** Way of telling an item's condition that a marketplace takes. */
export type FormaDeCondicion = 'campo' | 'atributo';
/** State of the keys of a connection. */
export type CredentialStatus = 'linked' | 'broken';
/** State of an effect (docs/decisions/efectos.md). `unknown` is looked up; `manual` waits for a person. */
export type EffectState = 'queued' | 'sending' | 'unknown' | 'manual' | 'done' | 'refused' | 'cancelled';
/** Kind of an attempt of an effect: a send, a look, or the decision of a person. */
export type AttemptKind = 'send' | 'find' | 'person';
export type AttemptPhase = 'started' | 'ended';
/**
 * Outcome of an attempt of an effect. `not-sent`: surely nothing was done. `unclear`: perhaps everything was done.
 * `account`: the keys were not accepted.
 */
export type AttemptOutcome = 'answered' | 'unclear' | 'found' | 'absent' | 'not-sent' | 'refused' | 'account';
/** State of a notice of a marketplace. */
export type InboxState = 'pending' | 'done' | 'ignored' | 'failed';
/** Severity of a condition of operation. */
export type NivelCondicion = 'aviso' | 'grave';
/** Kind of a call to a far side, each with a breaker of its own. */
export type CallKind = 'send' | 'look' | 'read';
/** Outcome of an item of bulk work. */
export type ResultadoLote = 'aceptada' | 'rechazada' | 'detenida';
/** How sure an amount of a sale is. An unknown amount is null and never counts as 0. */
export type Certeza = 'conocida' | 'estimada' | 'desconocida';
/** What tells a line of a sale's ledger; 'retiro' takes back what nothing tells any more. */
export type FuenteDeAsiento =
  | 'mercado'
  | 'tarifa'
  | 'liquidacion'
  | 'envio'
  | 'factura'
  | 'pedido'
  | 'pieza'
  | 'nota'
  | 'retiro'
  | 'producto'
  | 'catalogo'
  | 'estimacion';
/** Kind of a supplier's CFDI: an invoice, a credit note, or a payment complement. */
export type TipoDeCfdi = 'I' | 'E' | 'P';
/** How a CFDI says that it is paid: at once, or later with a payment complement. */
export type MetodoDePago = 'PUE' | 'PPD' | 'sinDecir';
/** Progress of an order to a supplier. */
export type EstadoDePedido =
  | 'borrador'
  | 'enviando'
  | 'incierto'
  | 'solicitado'
  | 'confirmado'
  | 'facturado'
  | 'guiaEnviada'
  | 'enviado'
  | 'cancelado'
  | 'rechazado'
  | 'vencido';
/** Way of an order to a supplier. */
export type ViaDePedido = 'api' | 'correo';
/** Way of a label to the supplier: inside the order, by the API, or by mail. */
export type ViaDeGuia = 'pedido' | 'api' | 'correo';
/** Scope of the reading of a catalogue: the whole, or only prices and stock. */
export type TipoDeLectura = 'completa' | 'precios';
/** Cause of a failed reading of a catalogue: the supplier, an unreadable answer, or ourselves. */
export type FallaDeLectura = 'proveedor' | 'forma' | 'nuestra';
/** Decision about a catalogue that shrank: mark the missing products as gone, or leave the products. */
export type DecisionDeLectura = 'marcar' | 'dejar';
/**
 * Decision about a sale that was paid and not fulfilled: the money is ours and is invoiced, it waits until a day, it was claimed and waits, or it is
 * no sale after all.
 */
export type DecisionDeDevuelta = 'facturar' | 'esperar' | 'reclamar' | 'soltar';
/** A CFDI that the PAC had otherwise: taken over, its cancellation taken over, or neither, so that people look at it. */
export type HallazgoDeCotejo = 'adoptado' | 'cancelado' | 'inexplicado';
/** Stock of a product; `sinDato` when the supplier sends no number. */
export type Existencia = 'con' | 'sin' | 'sinDato';
/**
 * Reason to look at a listing: news of its supplier, a sale, the age of its data, a rule of ours, a person, or a review
 * of all listings.
 */
export type MotivoDeMirar = 'proveedor' | 'venta' | 'frescura' | 'regla' | 'persona' | 'revision';
/** State of a returned piece that we hold. */
export type EstadoDeStock =
  'enRevision' | 'disponible' | 'reservado' | 'vendido' | 'enGarantia' | 'devueltoProveedor' | 'danado' | 'baja';
/**
 * State of a question at its marketplace. `retirada`: the marketplace removed the question. `desconocida`: the
 * marketplace sent a word outside our list.
 */
export type EstatusPregunta =
  'pendiente' | 'respondida' | 'cerrada' | 'enRevision' | 'retirada' | 'borrada' | 'desactivada' | 'desconocida';
export type EstatusReclamo = 'abierto' | 'cerrado';
/** Party that has to act next in a claim. */
export type ResponsableReclamo = 'vendedor' | 'comprador' | 'mediador';
/** State of a label that we bought: in use, refund requested, refunded, or refund denied by the carrier. */
export type EstadoDeGuiaComprada = 'comprada' | 'reembolsoPedido' | 'reembolsada' | 'sinReembolso';
/** Reason why a piece of a parcel is missing at the bench. */
export type MotivoDeFalta = 'noSeEncuentra' | 'noLlego' | 'danada' | 'equivocada';
/** State whose pieces are a part of the shelf, and are counted by themselves. */
export type ParteDelEstante = 'enRevision' | 'disponible' | 'reservado' | 'danado';
/**
 * Judgement of a count about a piece. `fueraDeLugar`: it stands in another part of the shelf than its state says. `fuera`: its
 * state says that it left the shelf. `etiqueta`: a label that hangs on no piece.
 */
export type HallazgoDeConteo = 'encontrada' | 'falta' | 'fueraDeLugar' | 'fuera' | 'etiqueta';
/** Decision of a person about a difference of a count. After `pendiente` another one may follow. */
export type DecisionDeConteo = 'pasada' | 'apartada' | 'aparecio' | 'baja' | 'pendiente';
/** Reason for which a missing piece is written off. */
export type MotivoDeBaja = 'extraviada' | 'robada' | 'desechada' | 'error';
/** Progress of a report of payouts. */
export type EstadoDeReporte = 'pedido' | 'listo' | 'leido' | 'fallido';
/** What lines of a settlement that are of no sale here are. */
export type ClaseDeSuelto = 'venta' | 'cobro' | 'publicidad' | 'impuesto' | 'cargo' | 'abono';
/** Why money of a settlement is of no sale. */
export type MotivoDeSuelto =
  'publicidad' | 'impuesto' | 'cuenta' | 'bonificacion' | 'otroCanal' | 'anterior' | 'reclamado';
/** Purpose of a movement of the account at a marketplace. */
export type ConceptoDeMovimiento =
  'venta' | 'devolucion' | 'comision' | 'envio' | 'iva' | 'isr' | 'retencion' | 'publicidad' | 'reserva' | 'otro';
/**
 * Reason for a profit that changed after its month: a payout, an invoice of a supplier, or a second reading of the
 * sale.
 */
export type CausaDeAjuste = 'liquidacion' | 'factura' | 'relectura';
/** Events that a receiver of webhooks can subscribe to. */
export type TipoDeGancho =
  | 'orden.creada'
  | 'orden.actualizada'
  | 'factura.timbrada'
  | 'factura.cancelada'
  | 'factura.rechazada'
  | 'pedido.actualizado'
  | 'pregunta.nueva'
  | 'reclamo.nuevo'
  | 'stock.movido'
  | 'condicion.cambiada';
/** Events that are delivered. A person asks for `prueba`, and nobody subscribes to it. */
export type TipoDeEvento = TipoDeGancho | 'prueba';
/** State of a delivery to a receiver. `muerta`: a day of failed tries; only a person sends the event again. */
export type EstadoDeEntrega = 'pendiente' | 'entregada' | 'muerta';
