import { z } from 'zod';
import { enPesos } from '~/core/importe';
import { Money } from '~/core/money';
import { rowOf, tableOf } from '~/core/table';
import { capitalize } from '~/core/text';
import type { EffectState } from '~db/columns';
import { deCuantoACuanto } from '../afectados';
import { estatusLabel, type Tono } from '../estatus';
import { CLASE_LABEL } from '../orden';

/** The words of a sale's story: what the audit trail and the calls to the outside left behind, as people read it. */
export type Frase = { titulo: string; detalle: string | null; tono: Tono; monto?: Money | null };

const frase = (titulo: string, detalle: string | null = null, tono: Tono = 'neutro'): Frase => ({
  titulo,
  detalle,
  tono,
});

const Estado = z.object({
  antes: z.object({ estatus: z.string(), clase: z.string().optional() }),
  despues: z.object({ estatus: z.string(), clase: z.string().optional() }),
});
const Leido = z
  .object({
    por: z.string().optional(),
    dicho: z.string().optional(),
    respuesta: z.string().optional(),
    campos: z.array(z.string()).optional(),
    motivo: z.string().optional(),
    folio: z.string().optional(),
    proveedor: z.string().optional(),
    monto: z.string().optional(),
    antes: z.object({ folio: z.string(), proveedor: z.string(), monto: z.string() }).optional(),
    importes: z
      .array(z.object({ campo: z.string(), antes: z.string().nullable(), despues: z.string().nullable() }))
      .optional(),
  })
  .catch({});

const ACCION: Readonly<Record<string, string>> = tableOf({
  'orden:facturar': 'Se pidió la factura',
  'orden:crear enlace': 'Se creó un enlace para el cliente',
  'orden:enlace enviado': 'Se envió el link al cliente',
  'orden:revocar enlace': 'Se revocó un enlace del cliente',
  'orden:correo al proveedor': 'Se envió el correo al proveedor',
  'orden:crear pedido': 'Se creó el pedido al proveedor',
  'orden:pedir al proveedor': 'El proveedor recibió el pedido',
  'orden:confirmar el pedido': 'Se confirmó el pedido al proveedor',
  'orden:quitar el pedido': 'Se quitó el pedido al proveedor',
  'orden:cancelar el pedido': 'Se canceló el pedido al proveedor',
  'orden:anotar el folio del pedido': 'Se anotó el folio del pedido',
  'orden:enviar la guía al proveedor': 'Se envió la guía al proveedor',
  'orden:contar como venta': 'Se decidió que el dinero es nuestro: cuenta como venta',
  'orden:esperar al mercado': 'Se decidió esperar al mercado',
  'orden:reclamar al mercado': 'Se reclamó al mercado',
  'orden:dejar de contar como venta': 'Se decidió que no cuenta como venta',
  'factura:timbrar': 'Factura timbrada',
  'factura:timbrar global': 'La venta entró en una factura global',
  'factura:correo enviado': 'Se envió la factura por correo',
  'factura:subir a Mercado Libre': 'La factura se subió a la venta',
  'factura:enviar por Amazon': 'La factura se envió al comprador en Amazon',
  'factura:nota de crédito': 'Se emitió una nota de crédito',
  'factura:descargar expediente': 'Se descargó el expediente de la factura',
  'orden:agregar factura de proveedor': 'Se agregó una factura de proveedor',
  'orden:agregar XML de proveedor': 'Se agregó el XML de una factura de proveedor',
  'orden:editar factura de proveedor': 'Se editó una factura de proveedor',
  'orden:eliminar factura de proveedor': 'Se eliminó una factura de proveedor',
  'envio:crear': 'Se creó el envío propio',
  'envio:modificar': 'Se modificaron los datos del envío',
  'envio:dejar la dirección': 'Se dejó la dirección escrita aquí',
  'envio:traer la guía': 'Se recibió la guía',
  'envio:comprar la guía': 'Se compró la guía',
  'envio:cancelar la guía': 'Se canceló la guía',
  'envio:reembolso de la guía': 'Se supo del reembolso de la guía',
  'envio:avisar a Mercado Libre': 'Mercado Libre recibió el rastreo',
  'envio:confirmar en Amazon': 'Amazon recibió la guía del envío',
  'effect:reintentar': 'Se pidió intentar otra vez',
  'effect:retirar': 'Se retiró una solicitud',
  'effect:cancelar la repetida': 'Se pidió cancelar un CFDI repetido',
  'effect:repetida cancelada': 'Se canceló un CFDI repetido',
  'effect:respuesta tardía atendida': 'Se atendió una respuesta tardía',
});

/** One line of the audit trail; `nombres` calls suppliers by their name. */
export function fraseOfBitacora(
  entidad: string,
  accion: string,
  datos: unknown,
  nombres: ReadonlyMap<string, string>,
): Frase {
  if (accion === 'estado') return fraseOfEstado(entidad, datos);
  const { por, campos, motivo, folio, proveedor, monto, antes, dicho, respuesta, importes } = Leido.parse(datos);
  const nombreDe = (codigo: string) => nombres.get(codigo) ?? codigo;
  const detalle =
    [
      folio && `Folio ${folio}`,
      proveedor && nombreDe(proveedor),
      antes && antesOf(antes, { folio, proveedor, monto }, nombreDe),
      por && `Por ${por}`,
      campos && campos.length > 0 && `Cambió: ${campos.join(', ')}`,
      ...(importes ?? []).map(deCuantoACuanto),
      motivo,
      dicho,
      respuesta,
    ]
      .filter(Boolean)
      .join(' · ') || null;
  const known = ACCION[`${entidad}:${accion}`];
  const titulo = known ?? (entidad === 'effect' ? `Decisión: ${accion}` : capitalize(accion));
  return { ...frase(titulo, detalle), monto: monto === undefined ? null : Money.of(monto) };
}

type Factura = { folio?: string; proveedor?: string; monto?: string };

/** Returns the fields that an edit changed, with the values before it; null when nothing changed. */
function antesOf(antes: Required<Factura>, ahora: Factura, nombreDe: (codigo: string) => string): string | null {
  const changed = [
    antes.folio !== ahora.folio && `folio ${antes.folio}`,
    antes.proveedor !== ahora.proveedor && nombreDe(antes.proveedor),
    antes.monto !== ahora.monto && enPesos(Money.of(antes.monto).toFixed(2)),
  ].filter(Boolean);
  return changed.length > 0 ? `Antes: ${changed.join(', ')}` : null;
}

function fraseOfEstado(entidad: string, datos: unknown): Frase {
  const { success, data } = Estado.safeParse(datos);
  if (!success) return frase('Cambió el estatus');
  const { antes, despues } = data;
  const of = entidad === 'envio' ? 'Estatus del envío' : 'Estatus';
  const parts = [
    antes.estatus !== despues.estatus && `${of}: de ${estatusLabel(antes.estatus)} a ${estatusLabel(despues.estatus)}`,
    antes.clase !== despues.clase && despues.clase && `Clase: ${rowOf(CLASE_LABEL, despues.clase) ?? despues.clase}`,
  ].filter(Boolean);
  return frase(
    parts.join(' · ') || of,
    null,
    despues.clase !== antes.clase && (despues.clase === 'cancelada' || despues.clase === 'devuelta') ? 'mal' : 'neutro',
  );
}

const INTENTO: Readonly<Record<string, { titulo: string; tono: Tono }>> = tableOf({
  account: { titulo: 'problema con la cuenta', tono: 'mal' },
  'not-sent': { titulo: 'no se pudo enviar', tono: 'aviso' },
  unclear: { titulo: 'la respuesta no fue clara', tono: 'aviso' },
  refused: { titulo: 'rechazado', tono: 'mal' },
  answered: { titulo: 'contestó', tono: 'ok' },
  found: { titulo: 'se encontró del otro lado', tono: 'ok' },
  absent: { titulo: 'no está del otro lado', tono: 'aviso' },
});

const ESTADO: Readonly<Record<EffectState, { titulo: string; tono: Tono }>> = {
  queued: { titulo: 'en espera', tono: 'aviso' },
  sending: { titulo: 'se está enviando', tono: 'neutro' },
  unknown: { titulo: 'se busca si llegó a hacerse', tono: 'aviso' },
  manual: { titulo: 'espera una decisión en Pendientes', tono: 'mal' },
  done: { titulo: 'hecho', tono: 'ok' },
  refused: { titulo: 'rechazado', tono: 'mal' },
  cancelled: { titulo: 'retirado', tono: 'neutro' },
};

/** The protocol that a status code belongs to. */
export type Red = 'HTTP' | 'SMTP';

/** One try at the far side, with its own answer: what it said, its code, its HTTP status. */
export function fraseOfIntento(
  asunto: string,
  { outcome, message, status }: { outcome: string | null; message: string | null; status: number | null },
  red: Red,
): Frase {
  const { titulo, tono } = INTENTO[outcome ?? ''] ?? { titulo: outcome ?? 'sin respuesta', tono: 'aviso' as const };
  return frase(`${asunto}: ${titulo}`, respuesta(message, null, status, red), tono);
}

/** Returns an effect as one event of a sale's story, with the far side's words unless it is done. */
export function fraseOfEfecto(
  asunto: string,
  { state, reason, detail }: { state: EffectState; reason: string | null; detail: string | null },
  status: number | null,
  red: Red,
): Frase {
  const { titulo, tono } = ESTADO[state];
  return frase(`${asunto}: ${titulo}`, state === 'done' ? null : respuesta(reason, detail, status, red), tono);
}

function respuesta(message: string | null, code: string | null, status: number | null, red: Red): string | null {
  return [message, code, status !== null && `${red} ${status}`].filter(Boolean).join(' · ') || null;
}
