import { sql } from 'kysely';
import type { z } from 'zod';
import { cambiosEntre, type Choque, type Mostrado } from '~/core/choque';
import { NotAllowed, Stale } from '~/core/errors';
import { Money } from '~/core/money';
import { record } from '~/platform/bitacora.server';
import { CAMPOS_ENVIO } from '~/domain/ventas/ordenes/datosEnvio';
import { CAMPOS, huellaOf, type DatosPropio } from '~/domain/ventas/ordenes/datosEnvio.server';
import { estatusLabel } from '~/domain/ventas/ordenes/estatus';
import type { Trx } from '~db/client.server';
import { PAQUETERIAS, PROPIO, type EstatusPropio } from './envio';
import type { CorregirCostoForm, CostoForm, DatosDelEnvio, Ocurre, Paqueteria } from './formularios';
import {
  readEnvioPropio,
  readPropio,
  requirePropio,
  requireViva,
  TITULO,
  type EnvioPropio,
  type OrdenPropia,
} from './propios.server';
import { tellEnvio } from './avisos.server';

type Cambios = Partial<Omit<DatosPropio, 'estatus'>> & { estatus?: EstatusPropio };
/** The sale, and the state of its shipment that the edit began with. */
export type Origen = { orden: string; huella: string };
/** Who changes it: somebody signed in, or the customer through a link. */
type Autor = { usuarioId: string } | { por: 'cliente' };

const DE_LA_PAQUETERIA: readonly string[] = ['estatus', 'guia', 'paqueteria', 'paqueteriaUrl'];
const IMPORTES = ['costo', 'cotizado'] as const;
const isImporte = (campo: string) => (IMPORTES as readonly string[]).includes(campo);

/**
 * Changes what is given of a shipment that we send ourselves, whatever the form it comes from. A sale without
 * shipment gets one. The sales of the shipment take its new state along, and the marketplace is told of new tracking.
 * An edit that began with another state of the shipment changes nothing.
 */
export async function savePropio(
  trx: Trx,
  { orden: ordenId, huella }: Origen,
  cambios: Cambios,
  autor: Autor,
): Promise<{ envioId: string }> {
  const usuarioId = 'usuarioId' in autor ? autor.usuarioId : null;
  const { orden, envio } = await lockPropio(trx, { ordenId, huella, cambios, usuarioId });
  const { paqueteria, estatus } = cambios;
  if (paqueteria != null && paqueteria !== envio.paqueteria && !(PAQUETERIAS as readonly string[]).includes(paqueteria))
    throw new NotAllowed(TITULO, 'La paquetería no es de la lista', { campo: 'paqueteria' });
  const campos = (Object.keys(cambios) as (keyof Cambios)[]).filter(
    (campo) => String(cambios[campo] ?? '') !== String(envio[campo] ?? ''),
  );
  if (campos.length > 0) {
    // A reading of the marketplace that is older than this does not take its place (see ordenes/internal/saveEnvios).
    const direccion = campos.some((campo) => !isImporte(campo) && !DE_LA_PAQUETERIA.includes(campo))
      ? { direccionEn: sql<Date>`now()` }
      : {};
    await trx
      .updateTable('envio')
      .set({ ...cambios, ...direccion, actualizadoEn: sql<Date>`now()` })
      .where('id', '=', envio.id)
      .execute();
    await record(trx, {
      usuarioId,
      entidad: 'envio',
      entidadId: envio.id,
      accion: 'modificar',
      // Fields by name, never what a person's address says; amounts as they were and as they are.
      datos: {
        numOrden: orden.numOrden,
        campos: campos.filter((campo) => !isImporte(campo)).map((campo) => NOMBRE[campo]),
        importes: IMPORTES.filter((campo) => campos.includes(campo)).map((campo) => ({
          campo: NOMBRE[campo],
          antes: envio[campo],
          despues: cambios[campo] ?? null,
        })),
        ...('por' in autor && autor),
      },
    });
  }
  if (estatus !== undefined && campos.includes('estatus')) await takeAlong(trx, envio.id, estatus, usuarioId);
  if (Object.keys(cambios).some((campo) => DE_LA_PAQUETERIA.includes(campo))) await tellEnvio(trx, envio.id, usuarioId);
  return { envioId: envio.id };
}

/**
 * The sale and its shipment, held until the transaction ends: the shipment first, as the synchronization does. A sale without one gets it, with
 * everything of its cart that waits for one too.
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
  // Two at once: what the other one wrote, or the shipment that it began, was not held yet.
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

/** What the form wanted to write, beside what stands in its place now. */
function choqueOf(cambios: Cambios, { envio, huella }: OrdenPropia): Choque {
  const campos = Object.keys(cambios) as (keyof Cambios)[];
  const en = (valores: Partial<DatosPropio>): Mostrado =>
    Object.fromEntries(campos.map((campo) => [NOMBRE[campo], enPalabras(campo, valores[campo])]));
  return { cambios: cambiosEntre(en(cambios), en(envio ?? {})), marcas: { huella } };
}

function enPalabras(campo: keyof Cambios, valor: Cambios[keyof Cambios]): string {
  if (valor === null || valor === undefined || valor === '') return '';
  if (campo === 'ocurre') return valor ? 'Sí' : 'No';
  if (campo === 'costo' || campo === 'cotizado') return `$${String(valor)}`;
  return campo === 'estatus' ? estatusLabel(String(valor)) : String(valor);
}

/** The sales in a shipment take its new state along, unless they ended. */
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

/** Nothing written means nothing kept. */
const orNull = <K extends string>(form: Partial<Record<K, string>>, campos: readonly K[]) =>
  Object.fromEntries(campos.map((campo) => [campo, form[campo] ?? null])) as Record<K, string | null>;

/** The price alone: what we ask for the shipment and, until it is known better, what it costs. What the buyer paid is no matter of ours. */
export async function saveCosto(
  trx: Trx,
  { costo, ...origen }: z.output<typeof CostoForm>,
  usuarioId: string,
): Promise<void> {
  await savePropio(trx, origen, { costo: Money.of(costo), cotizado: Money.of(costo) }, { usuarioId });
}

/** Each of the two amounts by itself: what the courier charged in the end, which may be nothing, and what was quoted. */
export async function correctCosto(
  trx: Trx,
  { costo, cotizado, ...origen }: z.output<typeof CorregirCostoForm>,
  usuarioId: string,
): Promise<void> {
  requireConEnvio(origen);
  const importes = { costo: Money.of(costo), cotizado: cotizado === undefined ? null : Money.of(cotizado) };
  await savePropio(trx, origen, importes, { usuarioId });
}

/** A form that changes a shipment there is. */
function requireConEnvio({ huella }: Origen): void {
  if (huella === huellaOf(null))
    throw new NotAllowed(TITULO, 'La orden todavía no tiene un envío: captura primero su costo.');
}

/** The whole of a shipment that is picked up at a branch; without a postal code, its price alone. */
export async function saveOcurre(trx: Trx, form: Ocurre, usuarioId: string): Promise<void> {
  const { costo, cp, nombreReceptor, apellidos, orden, huella } = form;
  if (cp === undefined) return saveCosto(trx, { costo, orden, huella }, usuarioId);
  await savePropio(
    trx,
    form,
    {
      costo: Money.of(costo),
      cotizado: Money.of(costo),
      ocurre: true,
      cp,
      nombreReceptor: [nombreReceptor, apellidos].filter(Boolean).join(' '),
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

/** How far it got, and nothing else. */
export async function saveEstatus(
  trx: Trx,
  { estatus, ...origen }: Origen & { estatus: EstatusPropio },
  usuarioId: string,
): Promise<void> {
  requireConEnvio(origen);
  await savePropio(trx, origen, { estatus }, { usuarioId });
}

/** Who carries it and how far it got. */
export async function savePaqueteria(trx: Trx, form: Paqueteria, usuarioId: string): Promise<void> {
  const { estatus, paqueteria, guia, paqueteriaUrl } = form;
  requireConEnvio(form);
  await savePropio(trx, form, { estatus, paqueteria, guia, paqueteriaUrl: paqueteriaUrl ?? null }, { usuarioId });
}

/** All that the dialog of a sale lets people write of its shipment. */
export async function saveDatosEnvio(trx: Trx, form: DatosDelEnvio, usuarioId: string): Promise<void> {
  const { estatus, paqueteriaUrl } = form;
  await savePropio(
    trx,
    form,
    { ...orNull(form, CAMPOS), paqueteriaUrl: paqueteriaUrl ?? null, ...(estatus && { estatus }) },
    { usuarioId },
  );
}
