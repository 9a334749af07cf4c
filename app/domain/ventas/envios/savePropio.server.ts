import { sql } from 'kysely';
import type { z } from 'zod';
import { cambiosEntre, type Choque, type Mostrado } from '~/core/choque';
import { NotAllowed, Stale } from '~/core/errors';
import { enPesos } from '~/core/importe';
import { Money } from '~/core/money';
import { record } from '~/platform/bitacora.server';
import { CAMPOS_ENVIO } from '~/domain/ventas/ordenes/datosEnvio';
import {
  CAMPOS,
  direccionFrom,
  huellaOf,
  leeDireccion,
  PARTES,
  saysOther,
  type DatosPropio,
} from '~/domain/ventas/ordenes/datosEnvio.server';
import { estatusLabel } from '~/domain/ventas/ordenes/estatus';
import type { Trx } from '~db/client.server';
import { nombreEntero, PAQUETERIAS, PROPIO, type EstatusPropio } from './envio';
import type { CorregirCostoForm, CostoForm, DatosDelEnvio, Ocurre, Paqueteria } from './forms';
import {
  readEnvioPropio,
  readPropio,
  requirePropio,
  requireViva,
  TITULO,
  type EnvioPropio,
  type OrdenPropia,
} from './propios.server';
import { tellEnvio } from './internal/avisos.server';

type Cambios = Partial<Omit<DatosPropio, 'estatus'>> & { estatus?: EstatusPropio };
/** The sale of an edit, and the state of the shipment with which the edit began. */
export type Origen = { orden: string; huella: string };
/** The author of an edit: a person of the staff, with words about it for the audit trail, or the customer through a link. */
type Autor = { usuarioId: string; dicho?: string } | { por: 'cliente' };

const DE_LA_PAQUETERIA: readonly string[] = ['estatus', 'guia', 'paqueteria', 'paqueteriaUrl'];
const IMPORTES = ['costo', 'cotizado'] as const;
const isImporte = (campo: string) => (IMPORTES as readonly string[]).includes(campo);

/**
 * Changes the given fields of a shipment that we send ourselves, whatever form they come from. A sale without a shipment gets one. The sales of the
 * shipment take its new state along, and the marketplace is told of new tracking. Throws Stale for an edit that began with another state of the
 * shipment, and NotAllowed for a sale that ended or that the marketplace carries.
 */
export async function savePropio(
  trx: Trx,
  { orden: ordenId, huella }: Origen,
  cambios: Cambios,
  autor: Autor,
): Promise<{ envioId: string; antes: EnvioPropio }> {
  const usuarioId = 'usuarioId' in autor ? autor.usuarioId : null;
  const { orden, envio } = await lockPropio(trx, { ordenId, huella, cambios, usuarioId });
  const { paqueteria, estatus } = cambios;
  if (paqueteria != null && paqueteria !== envio.paqueteria && !(PAQUETERIAS as readonly string[]).includes(paqueteria))
    throw new NotAllowed(TITULO, 'La paquetería no es de la lista', { campo: 'paqueteria' });
  const campos = (Object.keys(cambios) as (keyof Cambios)[]).filter(
    (campo) => String(cambios[campo] ?? '') !== String(envio[campo] ?? ''),
  );
  if (campos.length > 0) {
    await trx
      .updateTable('envio')
      .set({ ...cambios, ...direccionEscrita(envio, cambios, campos), actualizadoEn: sql<Date>`now()` })
      .where('id', '=', envio.id)
      .execute();
    await record(trx, {
      usuarioId,
      entidad: 'envio',
      entidadId: envio.id,
      accion: 'modificar',
      // Fields go by name, never with a person's address; amounts go with both values.
      datos: {
        numOrden: orden.numOrden,
        campos: campos.filter((campo) => !isImporte(campo)).map((campo) => NOMBRE[campo]),
        importes: IMPORTES.filter((campo) => campos.includes(campo)).map((campo) => ({
          campo: NOMBRE[campo],
          antes: envio[campo],
          despues: cambios[campo] ?? null,
        })),
        ...('por' in autor ? autor : { dicho: autor.dicho }),
      },
    });
  }
  if (estatus !== undefined && campos.includes('estatus')) await takeAlong(trx, envio.id, estatus, usuarioId);
  if (Object.keys(cambios).some((campo) => DE_LA_PAQUETERIA.includes(campo))) await tellEnvio(trx, envio.id, usuarioId);
  return { envioId: envio.id, antes: envio };
}

/**
 * Returns the columns that mark an address as a person's, which no reading of the marketplace replaces (ordenes/internal/saveEnvios). The marketplace's last
 * word stays beside it: the address that stood, where nobody had written here before.
 */
function direccionEscrita(envio: EnvioPropio, cambios: Cambios, campos: readonly string[]) {
  if (!campos.some((campo) => (PARTES as readonly string[]).includes(campo))) return {};
  const dicha = leeDireccion(envio.direccionMercado) ?? direccionFrom(envio);
  return {
    direccionMercado: JSON.stringify(dicha),
    direccionDifiere: envio.direccionDifiere && saysOther(dicha, direccionFrom({ ...envio, ...cambios })),
  };
}

/**
 * Returns the sale and its shipment, both held until the transaction ends: the shipment first, as the synchronization does. A sale without a
 * shipment gets one, together with the sales of its cart that wait for one too.
 */
async function lockPropio(
  trx: Trx,
  {
    ordenId,
    huella,
    cambios,
    usuarioId,
  }: { ordenId: string; huella: string; cambios: Cambios; usuarioId: string | null },
): Promise<{ orden: OrdenPropia; envio: EnvioPropio }> {
  const seen = await requirePropio(trx, ordenId);
  if (seen.envioId !== null)
    await trx.selectFrom('envio').select('id').where('id', '=', seen.envioId).forUpdate().executeTakeFirst();
  await trx
    .selectFrom('orden')
    .select('id')
    .where('market', '=', seen.market)
    .where('numOrden', '=', seen.numOrden)
    .orderBy('marketId')
    .forUpdate()
    .execute();
  const orden = await readPropio(trx, ordenId);
  if (!orden) throw new Stale();
  // Another edit at the same time may have written, or begun the shipment, before the lock.
  if (orden.envioId !== seen.envioId || orden.huella !== huella) throw new Stale(choqueOf(cambios, orden));
  requireViva(orden);
  if (orden.envio) return { orden, envio: orden.envio };

  const { id } = await trx
    .insertInto('envio')
    .values({
      market: orden.market,
      marketId: `${PROPIO}${orden.marketId}`,
      estatus: 'enPreparacion',
      propio: true,
      fechaCreacion: sql<Date>`now()`,
      actualizadoEn: sql<Date>`now()`,
      datos: '{}',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await trx
    .updateTable('orden')
    .set((is) => ({ envioId: id, version: is('version', '+', 1) }))
    .where('market', '=', orden.market)
    .where('numOrden', '=', orden.numOrden)
    .where('envioPropio', '=', true)
    .where('envioId', 'is', null)
    .execute();
  await record(trx, {
    usuarioId,
    entidad: 'envio',
    entidadId: id,
    accion: 'crear',
    datos: { numOrden: orden.numOrden },
  });
  return { orden, envio: await readEnvioPropio(trx, id).executeTakeFirstOrThrow() };
}

/** Returns the values of the form beside the values that stand now. */
function choqueOf(cambios: Cambios, { envio, huella }: OrdenPropia): Choque {
  const campos = Object.keys(cambios) as (keyof Cambios)[];
  const en = (valores: Partial<DatosPropio>): Mostrado =>
    Object.fromEntries(campos.map((campo) => [NOMBRE[campo], enPalabras(campo, valores[campo])]));
  return { cambios: cambiosEntre(en(cambios), en(envio ?? {})), marcas: { huella } };
}

function enPalabras(campo: keyof Cambios, valor: Cambios[keyof Cambios]): string {
  if (valor === null || valor === undefined || valor === '') return '';
  if (campo === 'ocurre') return valor ? 'Sí' : 'No';
  if (campo === 'costo' || campo === 'cotizado') return enPesos(String(valor));
  return campo === 'estatus' ? estatusLabel(String(valor)) : String(valor);
}

/** Gives the sales of a shipment its new state, unless they ended. */
async function takeAlong(trx: Trx, envioId: string, estatus: EstatusPropio, usuarioId: string | null): Promise<void> {
  const ordenes = await trx
    .selectFrom('orden')
    .select(['id', 'numOrden', 'estatus', 'clase'])
    .where('envioId', '=', envioId)
    .where('clase', 'not in', ['cancelada', 'devuelta'])
    .where('estatus', '<>', estatus)
    .orderBy('marketId')
    .forUpdate()
    .execute();
  for (const { id, numOrden, estatus: antes, clase } of ordenes) {
    await trx
      .updateTable('orden')
      .set((is) => ({ estatus, version: is('version', '+', 1) }))
      .where('id', '=', id)
      .execute();
    await record(trx, {
      usuarioId,
      entidad: 'orden',
      entidadId: id,
      accion: 'estado',
      datos: { numOrden, antes: { estatus: antes, clase }, despues: { estatus, clase } },
    });
  }
}

const NOMBRE: Readonly<Record<keyof Cambios, string>> = {
  ...CAMPOS_ENVIO,
  estatus: 'Estatus',
  costo: 'Costo del envío',
  cotizado: 'Envío cotizado',
  paqueteriaUrl: 'Link de rastreo',
  apellidos: 'Apellidos',
  calleA: 'Entre calle',
  calleB: 'Y calle',
  ocurre: 'Entrega en sucursal',
};

/** Returns the fields of a form; an empty field clears the stored one. */
const orNull = <K extends string>(form: Partial<Record<K, string>>, campos: readonly K[]) =>
  Object.fromEntries(campos.map((campo) => [campo, form[campo] ?? null])) as Record<K, string | null>;

/** Returns the carrier of a form, which is whole or not told at all. */
const paqueteriaOf = ({
  paqueteria,
  guia,
  paqueteriaUrl,
}: Partial<Pick<Paqueteria, 'paqueteria' | 'guia' | 'paqueteriaUrl'>>) =>
  paqueteria && guia ? { paqueteria, guia, paqueteriaUrl: paqueteriaUrl ?? null } : {};

/**
 * Saves the price of a shipment, our quote and, until it is known better, its cost, in pesos, and the carrier where the form tells one. The buyer's payment
 * has no part in it. Throws as `savePropio`.
 */
export async function saveCosto(
  trx: Trx,
  { costo, orden, huella, ...paqueteria }: z.output<typeof CostoForm>,
  usuarioId: string,
): Promise<void> {
  const importes = { costo: Money.of(costo), cotizado: Money.of(costo) };
  await savePropio(trx, { orden, huella }, { ...importes, ...paqueteriaOf(paqueteria) }, { usuarioId });
}

/**
 * Corrects the courier's final charge, which may be zero, and the quote, each by itself, in pesos. Throws as `savePropio`, and NotAllowed when the sale
 * has no shipment yet.
 */
export async function correctCosto(
  trx: Trx,
  { costo, cotizado, ...origen }: z.output<typeof CorregirCostoForm>,
  usuarioId: string,
): Promise<void> {
  requireConEnvio(origen);
  const importes = { costo: Money.of(costo), cotizado: cotizado === undefined ? null : Money.of(cotizado) };
  await savePropio(trx, origen, importes, { usuarioId });
}

/** Throws NotAllowed for a form that needs a shipment, when the sale has none. */
function requireConEnvio({ huella }: Origen): void {
  if (huella === huellaOf(null))
    throw new NotAllowed(TITULO, 'La orden todavía no tiene un envío: captura primero su costo.');
}

/** Saves a shipment that is picked up at a branch, unless `ocurre` is false; without a postal code, its price alone. Throws as `savePropio`. */
export async function saveOcurre(trx: Trx, form: Ocurre & { ocurre?: boolean }, usuarioId: string): Promise<void> {
  const { costo, cp, nombreReceptor, apellidos } = form;
  if (cp === undefined) return saveCosto(trx, form, usuarioId);
  await savePropio(
    trx,
    form,
    {
      costo: Money.of(costo),
      cotizado: Money.of(costo),
      ...paqueteriaOf(form),
      ocurre: form.ocurre ?? true,
      cp,
      nombreReceptor: nombreEntero(nombreReceptor, apellidos),
      ...orNull(form, [
        'apellidos',
        'telefono',
        'colonia',
        'calle',
        'numeroE',
        'ciudad',
        'municipio',
        'estado',
        'referencia',
      ]),
    },
    { usuarioId },
  );
}

/** Saves the state of a shipment alone. Throws as `savePropio`, and NotAllowed when the sale has no shipment yet. */
export async function saveEstatus(
  trx: Trx,
  { estatus, ...origen }: Origen & { estatus: EstatusPropio },
  usuarioId: string,
): Promise<void> {
  requireConEnvio(origen);
  await savePropio(trx, origen, { estatus }, { usuarioId });
}

/** A tracking number that moved, and the form that takes it back; null where there was none, or the carrier or the state moved too. */
export type GuiaMovida = { antes: string | null; ahora: string; deshacer: Paqueteria | null };

/**
 * Saves the carrier, the tracking number and the state of a shipment, and returns the move of the number; null where the number stays. Throws as
 * `saveEstatus`.
 */
export async function savePaqueteria(trx: Trx, form: Paqueteria, usuarioId: string): Promise<GuiaMovida | null> {
  const { estatus, paqueteria, guia } = form;
  const paqueteriaUrl = form.paqueteriaUrl ?? null;
  requireConEnvio(form);
  const { antes } = await savePropio(trx, form, { estatus, paqueteria, guia, paqueteriaUrl }, { usuarioId });
  if (antes.guia === guia) return null;
  const sameRest =
    antes.estatus === estatus && antes.paqueteria === paqueteria && antes.paqueteriaUrl === paqueteriaUrl;
  if (antes.guia === null || !sameRest) return { antes: antes.guia, ahora: guia, deshacer: null };
  const { huella } = await requirePropio(trx, form.orden);
  return { antes: antes.guia, ahora: guia, deshacer: { ...form, huella, guia: antes.guia } };
}

/** Saves every field of a shipment that the dialog of a sale shows. Throws as `savePropio`. */
export async function saveDatosEnvio(trx: Trx, form: DatosDelEnvio, usuarioId: string): Promise<void> {
  const { estatus, paqueteriaUrl } = form;
  await savePropio(
    trx,
    form,
    { ...orNull(form, CAMPOS), paqueteriaUrl: paqueteriaUrl ?? null, ...(estatus && { estatus }) },
    { usuarioId },
  );
}
