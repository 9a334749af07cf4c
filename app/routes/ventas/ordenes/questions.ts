import { readImporte } from '~/core/importe';
import type { Question } from '~/core/fieldRules';
import { enLinea, enumerate, hechosOf, SIN_CAMBIOS } from '~/core/hechos';
import type { Market } from '~/core/market';
import { toInstant } from '~/core/time';
import type { Interlocutor } from '~/domain/mercados/atencion';
import { MERCADOS } from '~/domain/mercados/mercados';
import { numberedOf } from '~/domain/ventas/envios/envio';
import { deCuantoACuanto, documentosFijos, gananciaQueCambia, type Afectados } from '~/domain/ventas/ordenes/afectados';
import { formatPesos } from '~/ui/Pesos';
import { aQuienes, type Destinatario } from '~/domain/compras/directorio/proveedor';

/* The questions before an act on a sale, word for word as agreed. */

type Venta = { numOrden: string; titulo: string };
const HOUR_MS = 3_600_000;

export function askDeliverOrden(
  { numOrden, titulo, fechaCreacion }: Venta & { fechaCreacion: Date | string },
  ahora: Date | string,
): Question {
  const horas = Math.floor((toInstant(ahora).getTime() - toInstant(fechaCreacion).getTime()) / HOUR_MS);
  return {
    titulo: 'Cambio de estatus',
    texto: '¿Está seguro que desea cambiar el estatus de la orden a Entregado?',
    hechos: enLinea(`Orden ${numOrden}`, titulo, `vendida hace ${horas} h`),
  };
}

/** The question before a sale that was not fulfilled counts as any other, with what the marketplace paid for it. */
export function askKeepDevuelta(
  { numOrden, titulo }: Venta,
  { liquidado, folio }: { liquidado: string | null; folio: string | null },
): Question {
  return {
    titulo: 'Contar como venta',
    texto: '¿Está seguro que el dinero de esta venta es nuestro?',
    hechos: hechosOf(
      `${enLinea(`Orden ${numOrden}`, titulo, liquidado && `se recibieron ${formatPesos(liquidado)}`)}.`,
      folio === null
        ? 'Cuenta como pagada y queda lista para facturarse.'
        : `Cuenta como pagada, y su factura ${folio} se queda como está.`,
    ),
  };
}

export function askSendLink({
  numOrden,
  titulo,
  market,
  comprador,
  conversacion,
}: Venta & {
  market: Market;
  comprador: string | null;
  /** The conversation of the sale, where it was read. */
  conversacion?: { conversacion: { con: Interlocutor } | null } | null;
}): Question {
  const tienda = MERCADOS[market].label;
  const alComprador = `Lo recibe ${comprador ?? 'el comprador'} como mensaje de ${tienda}`;
  const con = conversacion?.conversacion?.con;
  return {
    titulo: 'Enviar link',
    texto: '¿Está seguro que desea enviar el link al cliente?',
    hechos: `${enLinea(`Orden ${numOrden}`, titulo)}. ${
      con === 'agente'
        ? `Lo recibe el asistente de ${tienda}, que contesta en lugar de ${comprador ?? 'el comprador'}.`
        : con === 'comprador'
          ? `${alComprador}.`
          : `${alComprador}, o el asistente de ${tienda} si contesta en su lugar.`
    }`,
  };
}

export function askSendCorreo(
  { numOrden, envio }: { numOrden: string; envio: string | null },
  destinatarios: readonly Destinatario[],
): Question {
  return {
    titulo: 'Enviar correo',
    texto: '¿Está seguro que desea enviar el correo?',
    hechos: `${enLinea(`Orden ${numOrden}`, envio && ['envío', numberedOf(envio)].filter(Boolean).join(' '))}. ${aQuienes(destinatarios)}`,
  };
}

/** The question before a refused call is made again, in the words of its kind. */
export const askRetry = (...deQue: (string | null | undefined)[]): Question => ({
  titulo: 'Reintentar',
  texto: '¿Está seguro que desea intentarlo otra vez?',
  hechos: enLinea(...deQue),
});

/** The question before a label is bought, with carrier, cost and arrival as far as they are known. */
export function askBuyGuia({
  paqueteria,
  nombre,
  precio,
  entrega,
}: Record<'paqueteria' | 'nombre' | 'precio', string> & { entrega?: string | undefined }): Question {
  return {
    titulo: 'Comprar guía',
    texto: '¿Está seguro que desea comprar la guía?',
    hechos: `${enLinea(`${paqueteria} ${nombre}`, formatPesos(precio), entrega && `llega ${entrega}`)}. Se cobra en la cuenta de Amazon, que desde ese momento da la venta por enviada.`,
  };
}

export function askCancelGuia({
  paqueteria,
  numero,
  costo,
  mandadaA,
}: Record<'paqueteria' | 'numero' | 'costo', string> & { mandadaA: readonly string[] }): Question {
  return {
    titulo: 'Cancelar guía',
    texto: '¿Está seguro que desea cancelar la guía?',
    hechos: hechosOf(
      `${enLinea(`${paqueteria} ${numero}`, formatPesos(costo))}. Ya no se podrá imprimir, y el reembolso lo decide la paquetería.`,
      mandadaA.length > 0 && `La tiene ${enumerate(mandadaA)}: avísale que ya no sirve.`,
    ),
    destruye: true,
  };
}

type Importes = Record<'costo' | 'cotizado', string | null>;
const IMPORTES = [
  ['costo', 'Costo del envío'],
  ['cotizado', 'Envío cotizado'],
] as const;

/** The question before a cost is corrected: the change, the earlier value, and everything else it reaches. */
export function askCorrectCosto(antes: Importes, despues: Importes, { documentos, conGanancia }: Afectados): Question {
  const cambios = IMPORTES.map(([name, campo]) => ({ campo, antes: antes[name], despues: readImporte(despues[name]) }))
    .filter((cambio) => cambio.antes !== cambio.despues)
    .map((cambio) => `${deCuantoACuanto(cambio)}.`);
  const movido = readImporte(despues.costo) !== antes.costo;
  return {
    titulo: 'Corregir costo',
    texto: '¿Esta seguro que desea guardar la información?',
    hechos: hechosOf(
      ...(cambios.length > 0 ? cambios : [SIN_CAMBIOS]),
      movido && gananciaQueCambia(conGanancia),
      documentosFijos('Esta venta', documentos),
    ),
  };
}

export const DESCARGAR = '¿Desea descargar la factura?';
