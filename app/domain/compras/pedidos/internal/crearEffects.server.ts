import { z } from 'zod';
import { MONEDAS } from '~/core/moneda';
import { Money } from '~/core/money';
import { sql } from 'kysely';
import { civilDay, toInstant } from '~/core/time';
import { record } from '~/platform/bitacora.server';
import type { Clients } from '~/platform/connections/registry.server';
import { defineEffect, each, type EffectCall, Mismatch, type Vivo } from '~/platform/effects/definition';
import { readArchivo } from '~/platform/files/archivos.server';
import { Refused } from '~/integrations/errors';
import type { Escrituras, Miradas, PedidoHecho, PedidoVisto } from '~/integrations/proveedores/cara';
import type { Db } from '~db/client.server';
import { facturasSueltas } from './facturasSueltas.server';
import { sendGuia } from './guia.server';
import { notePedido, lockPedido, movePedido, REVISAR } from './movePedido.server';
import { requireVentaViva } from './venta.server';

/** Client of a supplier that takes orders, with the reads that look for an order whose answer was lost. */
type Comprador = Pick<Escrituras, 'crearPedido'> & { mirar: Partial<Miradas> };

const Direccion = z.object({
  nombre: z.string(),
  calle: z.string(),
  numero: z.string(),
  interior: z.string(),
  colonia: z.string(),
  ciudad: z.string(),
  estado: z.string(),
  cp: z.string(),
  telefono: z.string(),
});

/** Frozen request of an order. */
export const Solicitud = z.object({
  pedidoId: z.string(),
  ordenIds: z.array(z.string()),
  numOrden: z.string(),
  /** Our number, as the supplier keeps it. */
  referencia: z.string(),
  /** Moment of the request. An order that the supplier made long before is another one. */
  desde: z.iso.datetime(),
  lineas: z
    .array(
      z.object({
        idProveedor: z.string(),
        cantidad: z.number().int().positive(),
        precio: z.string(),
        moneda: z.enum(MONEDAS),
      }),
    )
    .min(1),
  almacen: z.string().nullable(),
  envio: Direccion.nullable(),
  guia: z.object({ archivoId: z.string(), numero: z.string(), paqueteria: z.string() }).nullable(),
  opciones: z.record(z.string(), z.string()),
});
export type Solicitud = z.output<typeof Solicitud>;

/** Source of a folio: the supplier's answer, its list of orders, or a person who read it there. */
const ORIGENES = ['respuesta', 'lista', 'persona'] as const;

const Evidencia = z.object({
  folio: z.string().min(1),
  origen: z.enum(ORIGENES),
  estado: z.enum(['solicitado', 'confirmado']),
  total: z.object({ importe: z.string(), moneda: z.enum(MONEDAS) }).nullable(),
  errores: z.array(z.string()),
  conGuia: z.boolean(),
  correos: z.array(z.string()),
  raw: z.unknown(),
});
type Evidencia = z.output<typeof Evidencia>;

/** Tolerance between the supplier's clock and ours. Some suppliers tell only the day. */
const HOLGURA_MS = 26 * 3_600_000;

type Lado<K extends string> = {
  kind: K;
  label: string;
  comprador(clients: Clients): Comprador;
  /** State of an order once the supplier took it. */
  estado: 'solicitado' | 'confirmado';
};

/**
 * Defines the effect that orders at a supplier. Our reference is unique at no supplier, so an order is never sent twice by itself. An order found
 * there is ours when reference, lines and time agree. An order that is not found may be asked for again by people alone.
 */
function defineCrear<const K extends 'syscom' | 'ct' | 'cva'>({ kind, label, comprador, estado }: Lado<K>) {
  const busca = kind !== 'syscom';
  return defineEffect({
    type: `pedido.crear.${kind}`,
    label: `Pedido a ${label}`,
    connection: kind,
    request: Solicitud,
    evidence: Evidencia,
    key: ({ pedidoId }) => `pedido:${pedidoId}`,
    subjects: ({ pedidoId, ordenIds }) => [['pedido', pedidoId], ...each('orden', ordenIds)],
    summary: ({ numOrden, referencia, lineas }) => ({
      que: `Pedido ${referencia} de la venta ${numOrden}: ${lineas.map((one) => `${one.cantidad} × ${one.idProveedor}`).join(', ')}`,
    }),
    ref: ({ referencia }) => referencia,
    byHand: {
      says: 'folio',
      evidence: (folio) => ({
        folio,
        origen: 'persona' as const,
        estado,
        total: null,
        errores: [],
        conGuia: false,
        correos: [],
        raw: null,
      }),
    },
    unclear: busca ? 'find' : 'ask',
    async ready({ db, request }) {
      await requireVentaViva(db, request.ordenIds);
    },
    async send(call) {
      const { request, clients, db } = call;
      const { crearPedido } = comprador(clients);
      // A person asked once more. The first order may have arrived late.
      if (busca && (await fueIncierto(db, call.id))) {
        const hay = await findThere(call, comprador, estado);
        if (hay !== 'absent') return hay;
      }
      const hecho = await crearPedido({
        folio: request.referencia,
        lineas: request.lineas.map(({ precio, moneda, ...linea }) => ({
          ...linea,
          precio: { importe: Money.of(precio), moneda },
        })),
        almacen: request.almacen,
        envio: request.envio,
        guia: request.guia && { ...request.guia, archivo: await bytesOf(db, request.guia.archivoId) },
        opciones: request.opciones,
      });
      return deHecho(hecho);
    },
    ...(busca && {
      find: async (call: EffectCall<Solicitud>, known: Evidencia | null) =>
        known ?? (await findThere(call, comprador, estado)),
      mayRepeat: () =>
        Promise.resolve(
          `${label} no tiene este pedido: se leyó toda su lista. No se pide otra vez sin que alguien lo decida.`,
        ),
      stands: async ({ clients }: EffectCall<Solicitud>, { folio }: Evidencia) => {
        const visto = await comprador(clients).mirar.estatus!(folio);
        return visto !== null && visto.estado !== 'cancelado';
      },
    }),
    uidOf: ({ folio }) => folio,
    alive: (call) => aliveThere(kind, call, comprador(call.clients)),
    async confirm({ clients, db, request }, evidencia) {
      const otro = await db
        .selectFrom('pedido')
        .select('folio')
        .where('proveedor', '=', kind)
        .where('folioProveedor', '=', evidencia.folio)
        .where('id', '<>', request.pedidoId)
        .executeTakeFirst();
      if (otro) throw new Mismatch([`El pedido ${evidencia.folio} de ${label} ya es nuestro ${otro.folio}.`]);
      if (
        busca &&
        evidencia.origen === 'persona' &&
        (await comprador(clients).mirar.estatus!(evidencia.folio)) === null
      )
        throw new Mismatch([`${label} no conoce el pedido ${evidencia.folio}.`]);
      return evidencia;
    },
    async settle(trx, { request, usuarioId }, { folio, estado: a, total, errores, conGuia, correos, raw }) {
      const { pedidoId, numOrden, guia } = request;
      const detalle = errores.length > 0 ? errores.join('; ') : null;
      const moved = await movePedido(trx, pedidoId, a, {
        usuarioId,
        detalle,
        set: {
          folioProveedor: folio,
          total: total && Money.of(total.importe),
          moneda: total?.moneda ?? null,
          errores,
          correos,
          respuesta: JSON.stringify(raw ?? null),
          solicitadoEn: sql<Date>`now()`,
          ...(a === 'confirmado' && { confirmadoEn: sql<Date>`now()` }),
          // Two days by the database's clock. The supplier's own word outranks it once it is read.
          ...(kind === 'ct' && { venceEn: sql<Date>`now() + interval '48 hours'` }),
          ...(guia && conGuia && { guiaPor: 'pedido', guiaEnviadaEn: sql<Date>`now()` }),
          revisarEn: REVISAR,
        },
      });
      if (!moved) throw new Error(`el pedido ${request.referencia} ya no espera su folio ${folio}`);
      await record(trx, {
        usuarioId,
        entidad: 'orden',
        entidadId: numOrden,
        accion: 'pedir al proveedor',
        datos: { proveedor: kind, folio },
      });
      if (kind !== 'ct') await sendGuia(trx, pedidoId, usuarioId);
    },
    async doubted(trx, { request: { pedidoId } }) {
      await movePedido(trx, pedidoId, 'incierto', {
        detalle: `${label} no contestó con claridad. ${busca ? 'Se busca allá.' : 'Espera que alguien lo aclare.'}`,
        // The supplier's invoices are searched for the order.
        set: { revisarEn: busca ? null : REVISAR },
      });
    },
    async release(trx, { request: { pedidoId }, usuarioId }, motivo) {
      if (await movePedido(trx, pedidoId, 'rechazado', { usuarioId, detalle: motivo })) return;
      const pedido = await lockPedido(trx, pedidoId);
      if (pedido) await notePedido(trx, pedidoId, { detalle: motivo });
    },
  });
}

/** The order at Syscom, firm at once. */
export const crearEnSyscom = defineCrear({
  kind: 'syscom',
  label: 'Syscom',
  comprador: (clients) => clients.syscom(),
  estado: 'confirmado',
});
/** The order at CT, which waits for its second step. */
export const crearEnCt = defineCrear({
  kind: 'ct',
  label: 'CT',
  comprador: (clients) => clients.ct(),
  estado: 'solicitado',
});
/** The order at CVA. */
export const crearEnCva = defineCrear({
  kind: 'cva',
  label: 'CVA',
  comprador: (clients) => clients.cva(),
  estado: 'solicitado',
});

/** Effects that order, by supplier; those whose orders go by API. */
export const CREAR = { syscom: crearEnSyscom, ct: crearEnCt, cva: crearEnCva } as const;

function deHecho({ folio, estado, total, errores, guia, correos, raw }: PedidoHecho): Evidencia {
  return {
    folio,
    origen: 'respuesta',
    estado,
    total: total && { importe: total.importe.toJSON(), moneda: total.moneda },
    errores,
    conGuia: guia !== null,
    correos,
    raw,
  };
}

async function bytesOf(db: Db, archivoId: string): Promise<Buffer> {
  const archivo = await readArchivo(db, archivoId);
  if (!archivo) throw new Refused('La guía ya no está guardada: tráela otra vez. No se pidió nada.');
  return archivo.contenido;
}

async function fueIncierto(db: Db, id: string): Promise<boolean> {
  const effect = await db.selectFrom('effect').select('unknownAt').where('id', '=', id).executeTakeFirst();
  return effect?.unknownAt != null;
}

const vivoOf = ({ folio }: { folio: string }): Vivo => ({ uid: folio, uuid: folio, folio });

/**
 * Returns the orders under our reference that the supplier has not cancelled. At a supplier that cannot be asked by it, returns the invoices of the
 * same pieces that belong to no order of ours: one of them may be this order, bought twice.
 */
async function aliveThere(
  proveedor: string,
  { request, ref, db }: EffectCall<Solicitud>,
  { mirar }: Comprador,
): Promise<Vivo[]> {
  const { pedidosDe, estatus } = mirar;
  if (!pedidosDe) {
    const dia = civilDay(toInstant(request.desde));
    const sueltas = await facturasSueltas(db, { proveedor, lineas: request.lineas, dia }, mirar);
    return sueltas.map(({ folio, pedido }) => ({
      uid: folio,
      uuid: folio,
      folio: pedido ? `${pedido} (factura ${folio})` : `factura ${folio}`,
    }));
  }
  const vistos = await pedidosDe(ref);
  if (vistos.length < 2) return vistos.map(vivoOf);
  const vivos = [];
  for (const visto of vistos) if ((await estatus!(visto.folio))?.estado !== 'cancelado') vivos.push(vivoOf(visto));
  return vivos;
}

async function findThere(
  { request, ref, clients }: EffectCall<Solicitud>,
  comprador: (clients: Clients) => Comprador,
  estado: 'solicitado' | 'confirmado',
): Promise<Evidencia | 'absent'> {
  const vistos = await comprador(clients).mirar.pedidosDe!(ref);
  const visto = chooseSeen(request, vistos);
  if (visto === 'absent') return visto;
  const { folio, total, errores, raw } = visto;
  return {
    folio,
    origen: 'lista',
    estado,
    total: total && { importe: total.importe.toJSON(), moneda: total.moneda },
    errores,
    conGuia: false,
    correos: [],
    raw,
  };
}

/**
 * Returns the order that is ours by reference, lines and time, or 'absent'. Throws `Mismatch` for several orders under our reference, or one that
 * differs: people decide then, and nothing is asked for again.
 */
export function chooseSeen(
  { referencia, lineas, desde }: Pick<Solicitud, 'referencia' | 'lineas' | 'desde'>,
  vistos: readonly PedidoVisto[],
): PedidoVisto | 'absent' {
  const [first] = vistos;
  if (!first) return 'absent';
  if (vistos.length > 1)
    throw new Mismatch(
      [`Hay ${vistos.length} pedidos con la referencia ${referencia}: ${vistos.map(({ folio }) => folio).join(', ')}.`],
      undefined,
      vistos.map(vivoOf),
    );
  const diferencias = [
    ...(sinOrden(first.lineas) === sinOrden(lineas)
      ? []
      : [`el pedido ${first.folio} tiene ${sinOrden(first.lineas)} y se pidió ${sinOrden(lineas)}`]),
    ...(first.en !== null && first.en.getTime() < toInstant(desde).getTime() - HOLGURA_MS
      ? [`el pedido ${first.folio} es de antes: ${first.en.toISOString()}`]
      : []),
  ];
  if (diferencias.length > 0) throw new Mismatch(diferencias);
  return first;
}

/** Pieces by product, in an order of their own, so that two ways of telling the same lines are equal. */
function sinOrden(lineas: readonly { idProveedor: string; cantidad: number }[]): string {
  const suma = new Map<string, number>();
  for (const { idProveedor, cantidad } of lineas) suma.set(idProveedor, (suma.get(idProveedor) ?? 0) + cantidad);
  return [...suma]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, cantidad]) => `${cantidad} × ${id}`)
    .join(', ');
}
