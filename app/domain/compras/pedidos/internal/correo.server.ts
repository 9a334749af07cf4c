import { sql } from 'kysely';
import { z } from 'zod';
import { env } from '~/core/env.server';
import { NotAllowed } from '~/core/errors';
import { defineCarta } from '~/platform/effects/carta.server';
import { each } from '~/platform/effects/definition';
import { type Accepted, acceptEffect } from '~/platform/effects/effects.server';
import { effectsAbout } from '~/platform/effects/subjects.server';
import { readGuia } from '~/domain/ventas/envios/traerGuia.server';
import { readArchivo } from '~/platform/files/archivos.server';
import { Refused } from '~/integrations/errors';
import type { Trx } from '~db/client.server';
import { asuntoOf, cartaOfGuia, cartaOfPedido } from './carta';
import { Compra } from '~/domain/compras/directorio/compra';
import { notePedido, lockPedido, movePedido, type Puesto } from './movePedido.server';
import { requireVentaViva } from './venta.server';

const TITULO = 'Error al enviar el correo.';

/** The order itself, or the label of an order that the supplier has. */
export type ClaseDeCorreo = 'pedido' | 'guia';

/**
 * Defines a letter to a supplier about a pedido. One letter goes per pedido and kind; another one goes only when a person asks ('reenviar'). It is
 * sent at least once, always with the same Message-ID, and its text says that it may come twice.
 */
const defineCorreo = (clase: ClaseDeCorreo, type: string, label: string) =>
  defineCarta({
    type,
    label,
    request: z.object({
      pedidoId: z.string(),
      ordenIds: z.array(z.string()),
      numOrden: z.string(),
      proveedor: z.string(),
      folio: z.string(),
      vez: z.number().int(),
      emails: z.array(z.string()).min(1),
      asunto: z.string(),
      texto: z.string(),
      archivoId: z.string().nullable(),
    }),
    key: ({ pedidoId }) => `pedido:${pedidoId}`,
    subjects: ({ pedidoId, ordenIds }) => [['pedido', pedidoId], ...each('orden', ordenIds)],
    summary: ({ emails, asunto }) => ({ que: asunto, emails }),
    async ready({ db, request: { vez, ordenIds } }) {
      if (clase === 'pedido' && vez === 1) await requireVentaViva(db, ordenIds);
    },
    async write({ request: { emails, asunto, texto, archivoId, folio }, db }) {
      const archivo = archivoId === null ? undefined : await readArchivo(db, archivoId);
      if (archivoId !== null && !archivo) throw new Refused('La guía ya no está guardada: tráela otra vez.');
      return {
        to: emails,
        subject: asunto,
        text: texto,
        attachments: archivo
          ? [{ filename: `guia-${folio}.pdf`, contentType: 'application/pdf', content: archivo.contenido }]
          : [],
      };
    },
    async settle(trx, { request: { pedidoId, archivoId }, usuarioId }) {
      const set: Puesto = {
        correoEn: sql<Date>`now()`,
        ...(archivoId !== null && { guiaPor: 'correo', guiaEnviadaEn: sql<Date>`now()` }),
      };
      const moved =
        clase === 'pedido'
          ? await movePedido(trx, pedidoId, 'solicitado', {
              usuarioId,
              set: { ...set, solicitadoEn: sql<Date>`now()` },
            })
          : archivoId !== null && (await movePedido(trx, pedidoId, 'guiaEnviada', { usuarioId, set }));
      if (!moved) await notePedido(trx, pedidoId, set);
    },
    noted: ({ numOrden, proveedor, emails }) => ({
      entidad: 'orden',
      entidadId: numOrden,
      accion: clase === 'pedido' ? 'pedir al proveedor' : 'enviar la guía al proveedor',
      datos: { proveedor, destinatarios: emails.length },
    }),
    async release(trx, { request: { pedidoId }, usuarioId }, motivo) {
      if (clase === 'pedido' && (await movePedido(trx, pedidoId, 'rechazado', { usuarioId, detalle: motivo }))) return;
      await notePedido(trx, pedidoId, { detalle: motivo });
    },
  });

/** The letter that orders. */
export const correoDePedido = defineCorreo('pedido', 'pedido.correo', 'Correo del pedido');
/** The letter that brings the label. */
export const correoDeGuia = defineCorreo('guia', 'pedido.guia.correo', 'Correo de la guía de un pedido');
const CORREO = { pedido: correoDePedido, guia: correoDeGuia } as const;

type Envio = { usuarioId: string | null; reenviar?: boolean };

/**
 * Accepts the letter of a pedido. Returns the letter that was sent or is under way instead of a second one; `reenviar` asks for another. Returns
 * undefined when the supplier has no address and no person asked: the reason is then written on the pedido. Throws `NotAllowed` when a person asked.
 */
export async function sendCorreo(
  trx: Trx,
  pedidoId: string,
  clase: ClaseDeCorreo,
  { usuarioId, reenviar = false }: Envio,
): Promise<Accepted | undefined> {
  const pedido = await lockPedido(trx, pedidoId);
  if (!pedido) throw new NotAllowed(TITULO, 'El pedido ya no existe.');
  const antes = await effectsAbout(trx, ['pedido', pedidoId])
    .where('effect.type', '=', CORREO[clase].type)
    .select(['effect.id', 'effect.state'])
    .orderBy('effect.id', 'desc')
    .execute();
  const sent = antes.find(({ state }) => state !== 'refused' && state !== 'cancelled');
  if (sent && !(reenviar && sent.state === 'done')) return { id: sent.id, created: false };

  const { label, compra, email } = await trx
    .selectFrom('proveedor')
    .select(['label', 'compra', 'email'])
    .where('value', '=', pedido.proveedor)
    .executeTakeFirstOrThrow();
  const { numeroCliente, cc, facturarA, opciones } = Compra.parse(compra);
  const agentes = await trx
    .selectFrom('agenteVenta')
    .select('email')
    .where('proveedor', '=', pedido.proveedor)
    .where('activo', '=', true)
    .orderBy('email')
    .execute();
  // The people whom the answer to an order named know of it. Other letters go to the agents.
  const suyos = agentes.map((agente) => agente.email);
  const nombrados =
    clase === 'guia' && pedido.correos.length > 0 ? pedido.correos : suyos.length > 0 ? suyos : email ? [email] : [];
  if (nombrados.length === 0) {
    const texto = `No hay agente activo para ${label}.`;
    if (usuarioId !== null) throw new NotAllowed(TITULO, texto);
    await notePedido(trx, pedidoId, { detalle: texto });
    return undefined;
  }
  const lineas = await trx
    .selectFrom('pedidoLinea')
    .innerJoin('orden', 'orden.id', 'pedidoLinea.ordenId')
    .select(['ordenId', 'idProveedor', 'modelo', 'descripcion', 'cantidad', 'precio', 'moneda', 'orden.envioId'])
    .where('pedidoId', '=', pedidoId)
    .orderBy('posicion')
    .execute();
  const envioId = lineas.find((linea) => linea.envioId !== null)?.envioId;
  const guia = envioId ? await readGuia(trx, envioId) : undefined;
  const carta = {
    folio: pedido.folio,
    proveedor: label,
    empresa: env().MARCA,
    numeroCliente,
    facturarA,
    usoCfdi: opciones.usoCfdi ?? 'G01',
    almacen: pedido.almacen,
    guia: guia?.numero ?? null,
    folioProveedor: pedido.folioProveedor,
    lineas,
  };
  return acceptEffect(trx, CORREO[clase], {
    usuarioId,
    request: {
      pedidoId,
      ordenIds: [...new Set(lineas.map(({ ordenId }) => ordenId))],
      numOrden: pedido.numOrden,
      proveedor: pedido.proveedor,
      folio: pedido.folio,
      vez: antes.length + 1,
      emails: [...new Set([...nombrados, ...cc])],
      asunto: asuntoOf(carta),
      texto: clase === 'pedido' ? cartaOfPedido(carta) : cartaOfGuia(carta),
      archivoId: guia?.archivoId ?? null,
    },
  });
}
