import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Money } from '~/core/money';
import type { Direccion } from '~/domain/mercados/venta';
import { CAMPOS_ENVIO, type CampoEnvio } from './datosEnvio';

export const CAMPOS = Object.keys(CAMPOS_ENVIO) as CampoEnvio[];

/** Columns that people may change of a shipment that we send ourselves, in any form. */
export const COLUMNAS_PROPIO = [
  'estatus',
  'costo',
  'cotizado',
  'paqueteriaUrl',
  'apellidos',
  'calleA',
  'calleB',
  'ocurre',
  ...CAMPOS,
] as const;

export type DatosPropio = Record<
  Exclude<(typeof COLUMNAS_PROPIO)[number], 'estatus' | 'costo' | 'cotizado' | 'ocurre'>,
  string | null
> & { estatus: string; costo: Money | null; cotizado: Money | null; ocurre: boolean };

/**
 * Returns the mark of a shipment, which moves with every change that a form may make. An edit names the mark it started from. A sale without shipment
 * has a mark of its own.
 */
export function huellaOf(envio: DatosPropio | null): string {
  return envio === null ? 'nuevo' : hashOf(COLUMNAS_PROPIO.map((columna) => envio[columna]));
}

/** SQL: the mark of a shipment as `huellaOf` makes it, where many are listed. Their addresses stay in the database. */
export const HUELLA_DE_ENVIO = sql<string>`left(translate(encode(sha256(convert_to('[' || concat_ws(',', ${sql.join(
  COLUMNAS_PROPIO.map((columna) => sql`coalesce(to_json(${enTexto(columna)})::text, 'null')`),
)}) || ']', 'UTF8')), 'base64'), '+/', '-_'), 22)`;

/** An amount is text in JSON, as `Money` writes it. */
function enTexto(columna: (typeof COLUMNAS_PROPIO)[number]) {
  const of = sql.ref(`envio.${columna}`);
  return columna === 'costo' || columna === 'cotizado' ? sql`${of}::text` : of;
}

const hashOf = (values: readonly unknown[]) =>
  createHash('sha256').update(JSON.stringify(values)).digest('base64url').slice(0, 22);

/** The parts of an address that a marketplace tells. */
export const PARTES = [
  'nombreReceptor',
  'telefono',
  'calle',
  'numeroE',
  'numeroI',
  'referencia',
  'colonia',
  'ciudad',
  'municipio',
  'estado',
  'cp',
] as const satisfies readonly (keyof Direccion)[];

const DireccionGuardada = z.object(
  Object.fromEntries(PARTES.map((parte) => [parte, z.string().nullable().default(null)])) as Record<
    keyof Direccion,
    z.ZodDefault<z.ZodNullable<z.ZodString>>
  >,
);

/** Returns the address among the fields of a shipment. */
export const direccionFrom = (envio: Direccion) =>
  Object.fromEntries(PARTES.map((parte) => [parte, envio[parte]])) as Direccion;

/** Returns what the marketplace told last of a shipment whose address a person wrote; null where the marketplace's own address stands. */
export const leeDireccion = (guardada: unknown): Direccion | null =>
  guardada === null ? null : DireccionGuardada.parse(guardada);

const plano = (texto: string | null) => (texto ?? '').trim().replace(/\s+/g, ' ').toLowerCase();

/** Tells whether an address says something that another does not. A part that it leaves out says nothing. */
export const saysOther = (dicha: Direccion, conocida: Direccion): boolean =>
  PARTES.some((parte) => dicha[parte] !== null && plano(dicha[parte]) !== plano(conocida[parte]));

/** The address that the marketplace has now, where it moved after a person wrote another one here, and the mark of it. */
export type DireccionAjena = { direccion: Direccion; huella: string };

/** Returns that address; null where nothing waits for a person. */
export function ajenaOf({
  direccionMercado,
  direccionDifiere,
}: {
  direccionMercado: unknown;
  direccionDifiere: boolean;
}): DireccionAjena | null {
  const direccion = direccionDifiere ? leeDireccion(direccionMercado) : null;
  return direccion && { direccion, huella: hashOf(PARTES.map((parte) => direccion[parte])) };
}
