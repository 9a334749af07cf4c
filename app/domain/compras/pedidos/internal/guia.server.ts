import { sql } from 'kysely';
import { z } from 'zod';
import { record } from '~/platform/bitacora.server';
import type { Clients } from '~/platform/connections/registry.server';
import { defineEffect } from '~/platform/effects/definition';
import { acceptEffect } from '~/platform/effects/effects.server';
import { readGuia } from '~/domain/ventas/envios/traerGuia.server';
import { readArchivo } from '~/platform/files/archivos.server';
import { Refused } from '~/integrations/errors';
import type { Escrituras } from '~/integrations/proveedores/cara';
import type { Db, Trx } from '~db/client.server';
import { sendCorreo } from './correo.server';
import { notePedido, lockPedido, movePedido, type Puesto } from './movePedido.server';
import type { EstadoDePedido } from '../pedido';

const Solicitud = z.object({
  pedidoId: z.string(),
  ordenIds: z.array(z.string()),
  numOrden: z.string(),
  folio: z.string(),
  archivoId: z.string(),
  numero: z.string(),
  paqueteria: z.string(),
});

type Lado<K extends string> = {
  kind: K;
  label: string;
  escritor(clients: Clients): Pick<Escrituras, 'enviarGuia'>;
};

/**
 * Defines the effect that brings the marketplace's label to a supplier by API. The same label sent twice is one parcel, so an unclear answer is
 * followed by one more try.
 */
function defineGuia<const K extends 'ct' | 'cva'>({ kind, label, escritor }: Lado<K>) {
  return defineEffect({
    type: `pedido.guia.${kind}`,
    label: `Guía a ${label}`,
    connection: kind,
    request: Solicitud,
    evidence: z.object({ numero: z.string() }),
    byHand: { says: 'done', evidence: { numero: 'confirmada' } },
    key: ({ pedidoId }) => `pedido:${pedidoId}`,
    subjects: ({ pedidoId, ordenIds }) => [
      ['pedido', pedidoId],
      ...ordenIds.map((id): ['orden', string] => ['orden', id]),
    ],
    summary: ({ folio, numero }) => ({ que: `Guía ${numero} del pedido ${folio}` }),
    unclear: 'repeat',
    sinMirada: 'La misma guía enviada dos veces es un solo paquete.',
    again: true,
    async send({ request: { folio, archivoId, numero, paqueteria }, clients, db }) {
      const archivo = await readArchivo(db, archivoId);
      if (!archivo) throw new Refused('La guía ya no está guardada: tráela otra vez.');
      await escritor(clients).enviarGuia(folio, { numero, paqueteria, archivo: archivo.contenido });
      return { numero };
    },
    confirm: async (_call, evidence) => evidence,
    async settle(trx, { request: { pedidoId, numOrden, numero }, usuarioId }) {
      await guiaEnviada(trx, pedidoId, 'api', usuarioId);
      await record(trx, {
        usuarioId,
        entidad: 'orden',
        entidadId: numOrden,
        accion: 'enviar la guía al proveedor',
        datos: { proveedor: kind, dicho: numero },
      });
    },
    /** A label refused before the invoice is tried again after it. A label that is never taken goes by letter. */
    async release(trx, { request: { pedidoId }, usuarioId }, motivo) {
      const pedido = await lockPedido(trx, pedidoId);
      if (!pedido) return;
      await notePedido(trx, pedidoId, { detalle: motivo });
      if (kind === 'cva' || pedido.estado === 'facturado') await sendCorreo(trx, pedidoId, 'guia', { usuarioId });
    },
  });
}

/** The label to CT. */
export const guiaACt = defineGuia({ kind: 'ct', label: 'CT', escritor: (clients) => clients.ct() });
/** The label to CVA. */
export const guiaACva = defineGuia({ kind: 'cva', label: 'CVA', escritor: (clients) => clients.cva() });
const GUIA = { ct: guiaACt, cva: guiaACva } as const;

/** Notes that the supplier has the label. An invoiced pedido moves one step further with it. */
export async function guiaEnviada(
  trx: Trx,
  pedidoId: string,
  por: 'pedido' | 'api' | 'correo',
  usuarioId: string | null,
): Promise<void> {
  const set: Puesto = { guiaPor: por, guiaEnviadaEn: sql<Date>`now()` };
  if (!(await movePedido(trx, pedidoId, 'guiaEnviada', { usuarioId, set }))) await notePedido(trx, pedidoId, set);
}

/** Returns the label of the shipment that a pedido is for; undefined while there is none. */
export async function guiaOfPedido(db: Db | Trx, pedidoId: string) {
  const envio = await db
    .selectFrom('pedidoLinea')
    .innerJoin('orden', 'orden.id', 'pedidoLinea.ordenId')
    .select('orden.envioId')
    .where('pedidoId', '=', pedidoId)
    .where('orden.envioId', 'is not', null)
    .orderBy('posicion')
    .limit(1)
    .executeTakeFirst();
  return envio?.envioId ? readGuia(db, envio.envioId) : undefined;
}

/** States in which the API of each supplier takes a label. */
const ADMITE: Readonly<Record<'ct' | 'cva', readonly EstadoDePedido[]>> = {
  ct: ['confirmado', 'facturado'],
  cva: ['solicitado', 'facturado'],
};
const hasApi = (proveedor: string): proveedor is 'ct' | 'cva' => proveedor === 'ct' || proveedor === 'cva';

/**
 * Sends the label when there is one, the supplier has the order, and the label was not sent yet: by API where the supplier has a way for it, else by
 * letter.
 */
export async function sendGuia(trx: Trx, pedidoId: string, usuarioId: string | null): Promise<void> {
  const pedido = await lockPedido(trx, pedidoId);
  if (!pedido || pedido.guiaEnviadaEn !== null) return;
  // A pedido that went by letter may have no folio yet.
  if (pedido.via === 'api' && pedido.folioProveedor === null) return;
  const guia = await guiaOfPedido(trx, pedidoId);
  if (!guia?.archivoId) return;
  const { proveedor, estado, numOrden, folioProveedor: folio } = pedido;
  if (pedido.via === 'api' && hasApi(proveedor) && folio !== null) {
    if (!ADMITE[proveedor].includes(estado) || pedido.errores.length > 0) return;
    const { archivoId, numero, paqueteria } = guia;
    const request = {
      pedidoId,
      ordenIds: await ordenesOf(trx, pedidoId),
      numOrden,
      folio,
      archivoId,
      numero,
      paqueteria,
    };
    await acceptEffect(trx, GUIA[proveedor], { request, usuarioId });
    return;
  }
  if (['solicitado', 'confirmado', 'facturado'].includes(estado))
    await sendCorreo(trx, pedidoId, 'guia', { usuarioId });
}

/** Returns the ids of the ordenes that a pedido buys for. */
export async function ordenesOf(db: Db | Trx, pedidoId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('pedidoLinea')
    .select('ordenId')
    .distinct()
    .where('pedidoId', '=', pedidoId)
    .orderBy('ordenId')
    .execute();
  return rows.map(({ ordenId }) => ordenId);
}
