import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import { NotAllowed, Stale } from '~/core/errors';
import { Money } from '~/core/money';
import { record } from '~/domain/bitacora.server';
import { CAMPOS } from '~/domain/ordenes/datosEnvio.server';
import type { Db, Trx } from '~db/client.server';
import type { CostoForm, Ocurre, Paqueteria } from './envio';

const TITULO = 'Error de actualización.';
const COLUMNAS = ['id', 'marketId', 'estatus', 'costo', 'paqueteriaUrl', 'apellidos', 'calleA', 'calleB', 'ocurre', ...CAMPOS] as const;

const readEnvioDe = (db: Db | Trx, envioId: string) => db.selectFrom('envio').where('id', '=', envioId).select(COLUMNAS);
export type EnvioPropio = Awaited<ReturnType<ReturnType<typeof readEnvioDe>['executeTakeFirstOrThrow']>>;

/** Changes with anything that a form here may change, whoever wrote it; a sale without shipment has one of its own. */
function huellaOf(envio: EnvioPropio | null): string {
  return envio === null ? 'nuevo' : createHash('sha256').update(JSON.stringify(COLUMNAS.map((columna) => envio[columna]))).digest('base64url').slice(0, 22);
}

const ventas = (db: Db | Trx) => db.selectFrom('orden').select(['id', 'market', 'marketId', 'numOrden', 'titulo', 'fechaCreacion', 'estatus', 'marketStatus', 'clase', 'envioId', 'envioPropio']);
type Venta = Awaited<ReturnType<ReturnType<typeof ventas>['executeTakeFirstOrThrow']>>;

/** A sale that we send ourselves, with its shipment if somebody began one; undefined when it is no such sale. */
export async function readPropio(db: Db | Trx, ordenId: string) {
  if (!z.uuid().safeParse(ordenId).success) return undefined;
  return withEnvio(db, await ventas(db).where('id', '=', ordenId).where('market', '=', 'ml').where('envioPropio', '=', true).executeTakeFirst());
}

/** The same by the number of the sale; of a cart, what was sold first stands for it. */
export async function readPropioOfNumero(db: Db | Trx, numOrden: string) {
  const found = await ventas(db).where('numOrden', '=', numOrden).where('market', '=', 'ml').where('envioPropio', '=', true)
    .orderBy(sql`clase in ('cancelada', 'devuelta')`).orderBy('marketId').limit(1).executeTakeFirst();
  return withEnvio(db, found);
}

async function withEnvio(db: Db | Trx, orden: Venta | undefined) {
  if (!orden) return undefined;
  const envio = orden.envioId === null ? null : await readEnvioDe(db, orden.envioId).executeTakeFirstOrThrow();
  return { ...orden, envio, huella: huellaOf(envio) };
}

export type OrdenPropia = NonNullable<Awaited<ReturnType<typeof readPropio>>>;

/** Says why nothing of its shipment may change any more. */
export function requireViva({ clase, estatus, marketStatus }: Pick<OrdenPropia, 'clase' | 'estatus' | 'marketStatus'>): void {
  if (estatus === 'cancelado' || marketStatus === 'cancelled' || clase === 'cancelada' || clase === 'devuelta') throw new NotAllowed(TITULO, 'La orden fue cancelada y su envío ya no se cambia.');
}

/**
 * The sale and its shipment, held until the transaction ends: the shipment first, as the synchronization does. A sale without one gets it, with
 * everything of its cart that waits for one too.
 */
export async function lockPropio(trx: Trx, ordenId: string, huella: string, usuarioId: string | null): Promise<{ orden: OrdenPropia; envio: EnvioPropio; nuevo: boolean }> {
  const seen = await readPropio(trx, ordenId);
  if (!seen) throw new NotAllowed(TITULO, 'La orden ya no existe o no es de envío propio.');
  if (seen.envioId !== null) await trx.selectFrom('envio').select('id').where('id', '=', seen.envioId).forUpdate().executeTakeFirst();
  await trx.selectFrom('orden').select('id').where('market', '=', 'ml').where('numOrden', '=', seen.numOrden).orderBy('marketId').forUpdate().execute();
  const orden = (await readPropio(trx, ordenId))!;
  if (orden.envioId !== seen.envioId || orden.huella !== huella) throw new Stale();
  requireViva(orden);
  if (orden.envio) return { orden, envio: orden.envio, nuevo: false };

  const { id } = await trx.insertInto('envio').values({
    market: 'ml', marketId: `propio-${orden.marketId}`, estatus: 'enPreparacion', propio: true, fechaCreacion: sql<Date>`now()`, actualizadoEn: sql<Date>`now()`, datos: '{}',
  }).returning('id').executeTakeFirstOrThrow();
  await trx.updateTable('orden').set((is) => ({ envioId: id, version: is('version', '+', 1) }))
    .where('market', '=', 'ml').where('numOrden', '=', orden.numOrden).where('envioPropio', '=', true).where('envioId', 'is', null).execute();
  await record(trx, { usuarioId, entidad: 'envio', entidadId: id, accion: 'crear', datos: { numOrden: orden.numOrden } });
  return { orden, envio: await readEnvioDe(trx, id).executeTakeFirstOrThrow(), nuevo: true };
}

type Cambios = Partial<Omit<EnvioPropio, 'id' | 'marketId'>>;

/** Writes what differs and says so on the sale's history: fields by name, never what a person's address says. */
export async function writeEnvio(trx: Trx, { orden, envio }: { orden: OrdenPropia; envio: EnvioPropio }, cambios: Cambios, usuarioId: string | null, por?: 'cliente'): Promise<void> {
  const campos = (Object.keys(cambios) as (keyof Cambios)[]).filter((campo) => String(cambios[campo] ?? '') !== String(envio[campo] ?? ''));
  if (campos.length === 0) return;
  // A reading of the marketplace that is older than this does not take its place (see ordenes/internal/saveEnvios).
  const direccion = campos.some((campo) => !['costo', 'estatus', 'guia', 'paqueteria', 'paqueteriaUrl'].includes(campo)) ? { direccionEn: sql<Date>`now()` } : {};
  await trx.updateTable('envio').set({ ...cambios, ...direccion, actualizadoEn: sql<Date>`now()` }).where('id', '=', envio.id).execute();
  await record(trx, { usuarioId, entidad: 'envio', entidadId: envio.id, accion: 'modificar', datos: { numOrden: orden.numOrden, campos: campos.map((campo) => NOMBRE[campo]), ...(por && { por }) } });
}

const NOMBRE: Readonly<Record<keyof Cambios, string>> = {
  estatus: 'Estatus', costo: 'Costo del envío', paqueteriaUrl: 'Link de rastreo', apellidos: 'Apellidos', calleA: 'Entre calle', calleB: 'Y calle', ocurre: 'Entrega en sucursal',
  nombreReceptor: 'Nombre de quien recibe', telefono: 'Teléfono', calle: 'Calle', numeroE: 'Número exterior', numeroI: 'Número interior', colonia: 'Colonia', cp: 'Código postal',
  ciudad: 'Ciudad', municipio: 'Municipio', estado: 'Estado', referencia: 'Referencia', paqueteria: 'Paquetería', guia: 'Guía',
};

/** The price alone: what it costs is what is charged for it (spec 001, section 7). */
export async function saveCosto(trx: Trx, { orden: ordenId, huella, costo }: z.output<typeof CostoForm>, usuarioId: string): Promise<void> {
  const held = await lockPropio(trx, ordenId, huella, usuarioId);
  await writeEnvio(trx, held, { costo: Money.of(costo) }, usuarioId);
  await trx.updateTable('envio').set({ cobrado: Money.of(costo) }).where('id', '=', held.envio.id).execute();
}

/** The whole of a shipment that is picked up at a branch; without a postal code, its price alone. */
export async function saveOcurre(trx: Trx, form: Ocurre, usuarioId: string): Promise<void> {
  if (form.cp === undefined) return saveCosto(trx, form, usuarioId);
  const held = await lockPropio(trx, form.orden, form.huella, usuarioId);
  const { costo, cp, telefono, colonia, calle, numeroE, ciudad, municipio, estado, referencia, apellidos } = form;
  await writeEnvio(trx, held, {
    costo: Money.of(costo), ocurre: true, nombreReceptor: [form.nombreReceptor, apellidos].filter(Boolean).join(' '), apellidos: apellidos ?? null, telefono: telefono ?? null, cp,
    colonia: colonia ?? null, calle: calle ?? null, numeroE: numeroE ?? null, ciudad: ciudad ?? null, municipio: municipio ?? null, estado: estado ?? null, referencia: referencia ?? null,
  }, usuarioId);
}

/** Who carries it and how far it got. The sales in it take the state along, unless they ended. */
export async function savePaqueteria(trx: Trx, { orden: ordenId, huella, estatus, paqueteria, guia, paqueteriaUrl }: Paqueteria, usuarioId: string): Promise<void> {
  const held = await lockPropio(trx, ordenId, huella, usuarioId);
  if (held.nuevo) throw new NotAllowed(TITULO, 'La orden todavía no tiene un envío: captura primero su costo.');
  await writeEnvio(trx, held, { estatus, paqueteria, guia, paqueteriaUrl: paqueteriaUrl ?? null }, usuarioId);
  const ordenes = await trx.selectFrom('orden').select(['id', 'numOrden', 'estatus', 'clase']).where('envioId', '=', held.envio.id)
    .where('clase', 'not in', ['cancelada', 'devuelta']).where('estatus', '<>', estatus).orderBy('marketId').forUpdate().execute();
  for (const { id, numOrden, estatus: antes, clase } of ordenes) {
    await trx.updateTable('orden').set((is) => ({ estatus, version: is('version', '+', 1) })).where('id', '=', id).execute();
    await record(trx, { usuarioId, entidad: 'orden', entidadId: id, accion: 'estado', datos: { numOrden, antes: { estatus: antes, clase }, despues: { estatus, clase } } });
  }
}
