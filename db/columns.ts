import type { ColumnType } from 'kysely';
import type { Money } from '~/core/money';

/** NUMERIC: Money out, Money or decimal text in. */
export type Decimal = ColumnType<Money, Money | string, Money | string>;
/** BIGINT within the safe range. */
export type Int = ColumnType<number, number, number>;
/**
 * jsonb goes in as JSON text: pg would turn a JavaScript array into a PostgreSQL one. It comes out parsed, to be read
 * with zod.
 */
export type Jsonb = ColumnType<unknown, string, string>;

/*
 * One union for each column that holds one of a few words. The database has the same words in a check, `codegen.json` says which column has
 * which, and `tests/db/enums.test.ts` compares the three.
 */
export type { Rol } from '~/core/usuario';
export type { Apariencia, Densidad } from '~/core/aspecto';
export type { Market, RunKind } from '~/core/market';
export type { Moneda, SinPrecio } from '~/core/moneda';
export type Clase = 'normal' | 'cancelada' | 'devuelta' | 'invalida';
/**
 * How a sale stands at its marketplace. `devuelta`: paid, and it came back. `devueltaEnParte`: paid, and part of the money went back.
 * `desconocida`: a word of the marketplace that we do not know.
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
/** Our word for how far a sale got: the marketplace's and the shipment's state lead to it, and people give some of them. */
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
export type OrigenEnlace = 'personal' | 'automatico' | 'portada';
export type PropositoEnlace = 'facturacion' | 'datosEnvio';
/** How an application for telephones is packed. */
export type FormatoDeApp = 'apk' | 'aab';
export type TipoFactura = 'individual' | 'global' | 'notaCredito';
/** Why a credit note was made. */
export type MotivoNotaCredito = 'refacturacion' | 'devuelta';
export type EstatusFactura = 'vigente' | 'cancelando' | 'cancelada';
export type ClaimKind = 'individual' | 'global';
export type MotivoCancelacion = '01' | '02' | '03' | '04';
export type EstadoCancelacion = 'solicitada' | 'enProceso' | 'cancelada' | 'rechazada';
export type OrigenCodigoPostal = 'sepomex' | 'demo';
export type CatalogoSat = 'usos' | 'regimenes' | 'formasPago' | 'unidades' | 'productos';
export type ReglaFactura = 'ninguna' | 'base' | 'guion' | 'sufijo';
export type CredentialStatus = 'linked' | 'broken';
export type EffectState = 'queued' | 'sending' | 'unknown' | 'manual' | 'done' | 'refused' | 'cancelled';
export type AttemptKind = 'send' | 'find' | 'person';
export type AttemptPhase = 'started' | 'ended';
export type AttemptOutcome = 'answered' | 'unclear' | 'found' | 'absent' | 'not-sent' | 'refused' | 'account';
export type InboxState = 'pending' | 'done' | 'ignored' | 'failed';
export type NivelCondicion = 'aviso' | 'grave';
export type CallKind = 'send' | 'look' | 'read';
export type ResultadoLote = 'aceptada' | 'rechazada';
/** How far what we ordered from a supplier got. */
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
export type ViaDePedido = 'api' | 'correo';
/** How a label went to the supplier: inside the order, by its API, or by a letter. */
export type ViaDeGuia = 'pedido' | 'api' | 'correo';
/** Of a catalogue: all of it, or what moves. */
export type TipoDeLectura = 'completa' | 'precios';
/** Who a reading of a catalogue failed at: its supplier, an answer that cannot be read, or ourselves. */
export type FallaDeLectura = 'proveedor' | 'forma' | 'nuestra';
/** Of a catalogue that shrank: what it did not list is gone, or it stays. */
export type DecisionDeLectura = 'marcar' | 'dejar';
export type Existencia = 'con' | 'sin' | 'sinDato';
/** Why a listing may have to change: what its supplier told, a sale, the age of what is known, a rule of ours, a person, or a look at all of them. */
export type MotivoDeMirar = 'proveedor' | 'venta' | 'frescura' | 'regla' | 'persona' | 'revision';
/** Where a piece that came back to us stands. */
export type EstadoDeStock =
  'enRevision' | 'disponible' | 'reservado' | 'vendido' | 'enGarantia' | 'devueltoProveedor' | 'danado' | 'baja';
/** How a question stands at its marketplace. `retirada`: the marketplace took it away. `desconocida`: a word that we do not know. */
export type EstatusPregunta =
  'pendiente' | 'respondida' | 'cerrada' | 'enRevision' | 'retirada' | 'borrada' | 'desactivada' | 'desconocida';
export type EstatusReclamo = 'abierto' | 'cerrado';
/** Whose turn it is in a claim. */
export type ResponsableReclamo = 'vendedor' | 'comprador' | 'mediador';
/** What became of a label that we bought: it stands, its money was asked back, came back, or stays with the carrier. */
export type EstadoDeGuiaComprada = 'comprada' | 'reembolsoPedido' | 'reembolsada' | 'sinReembolso';
/** How far a report of what was paid out is. */
export type EstadoDeReporte = 'pedido' | 'listo' | 'leido' | 'fallido';
/** What a movement of the account at a marketplace is for. */
export type ConceptoDeMovimiento =
  'venta' | 'devolucion' | 'comision' | 'envio' | 'iva' | 'isr' | 'retencion' | 'publicidad' | 'reserva' | 'otro';
/** Why a profit moved after its month: what was paid out, an invoice of a supplier, or another look at the sale. */
export type CausaDeAjuste = 'liquidacion' | 'factura' | 'relectura';
/** What a receiver of webhooks can be told of. */
export type TipoDeGancho =
  | 'orden.creada'
  | 'orden.actualizada'
  | 'factura.timbrada'
  | 'factura.cancelada'
  | 'pedido.actualizado'
  | 'pregunta.nueva'
  | 'reclamo.nuevo'
  | 'stock.movido';
/** How a delivery to a receiver stands. `muerta`: a day of tries, and people send it again or nobody does. */
export type EstadoDeEntrega = 'pendiente' | 'entregada' | 'muerta';
