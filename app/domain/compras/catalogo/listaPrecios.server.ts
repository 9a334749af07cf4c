import { z } from 'zod';
import { cambiosEntre, withEtiquetas } from '~/core/choque';
import { NotAllowed, Stale } from '~/core/errors';
import { DineroGuardado } from '~/core/fields';
import type { Question } from '~/core/fieldRules';
import { enMiles } from '~/core/importe';
import { type Moneda, MONEDAS } from '~/core/moneda';
import { withoutUnstorable } from '~/core/text';
import { record } from '~/platform/bitacora.server';
import type { FarSide } from '~/platform/connections/definition';
import { readTabla, whatIsNoTabla } from '~/platform/files/readFile.server';
import type { ListaLeida, RenglonLeido } from '~/integrations/proveedores/cara';
import type { Db, Trx } from '~db/client.server';
import {
  applyProductos,
  type CambioDeLista,
  type CuentasDeLista,
  previewProductos,
} from './internal/applyProductos.server';
import { MAX_LISTA_MB } from './producto';

const TITULO = 'Error al cargar la lista';
/** Number of unreadable lines, and of changed ones, that a page shows. */
const SHOWN = 50;

const Renglon = z.object({
  idProveedor: z.string().nullable(),
  modelo: z.string().nullable(),
  precio: z.object({ importe: DineroGuardado, moneda: z.enum(MONEDAS) }),
  existencia: z.number().optional(),
  nombre: z.string().nullable(),
  marca: z.string().nullable(),
});
const Precio = z.object({ importe: z.string(), moneda: z.enum(MONEDAS) });
const Muestra = z.object({
  linea: z.number(),
  modelo: z.string().nullable(),
  nombre: z.string().nullable(),
  antes: Precio.nullable(),
  despues: Precio,
  existenciaAntes: z.number().nullable(),
  existencia: z.number().nullable(),
});
const Cuentas = z.object({
  nuevo: z.number(),
  cambia: z.number(),
  igual: z.number(),
  desconocido: z.number(),
  repetido: z.number(),
  /** Prices that change currency, fall below half or rise above double: signs of a list that was read wrong. */
  saltan: z.number(),
});

export type ListaVista = {
  id: string;
  proveedor: string;
  nombre: string;
  creadaEn: Date;
  cuentas: z.infer<typeof Cuentas>;
  huella: string;
  ilegibles: number;
  sinLeer: string[];
  muestra: z.infer<typeof Muestra>[];
};

/** Mark of the counts that the screen showed. */
const huellaOf = ({ nuevo, cambia, igual, desconocido, repetido }: CuentasDeLista) =>
  [nuevo, cambia, igual, desconocido, repetido].join('·');

const ilegibleOf = (file: Uint8Array) =>
  `${['No se puede leer ese archivo', whatIsNoTabla(file)].filter(Boolean).join(': ')}. Envía la lista en XLSX o CSV, sin contraseña.`;
const LIMITE = 'Ese archivo es demasiado largo o complicado. Envía solo la hoja de precios, en XLSX o CSV.';

/**
 * Reads a price list in a process of its own, tells what it would change, and keeps it until somebody applies it. The new list replaces one that
 * waited; no product changes yet. Throws `NotAllowed` for a supplier without lists, a file that is too large or cannot be read, and a list without a
 * readable line.
 */
export async function receiveLista(
  db: Db,
  { kind, label, proveedor }: FarSide,
  { archivo, moneda }: { archivo: File; moneda?: Moneda | undefined },
  usuarioId: string | null,
): Promise<string> {
  if (!proveedor?.lista) throw new NotAllowed(TITULO, `${label} no tiene lista de precios que enviar.`);
  if (archivo.size > MAX_LISTA_MB * 1_048_576)
    throw new NotAllowed(TITULO, `El archivo pesa más de ${MAX_LISTA_MB} MB.`, { campo: 'archivo' });
  const bytes = new Uint8Array(await archivo.arrayBuffer());
  const leido = await readTabla(bytes);
  if (leido.tipo !== 'leido')
    throw new NotAllowed(TITULO, leido.tipo === 'limite' ? LIMITE : ilegibleOf(bytes), { campo: 'archivo' });
  const lista = bestOf(
    hojasOf(leido.dice.map(withoutUnstorable)).map((filas) => proveedor.lista!(filas, moneda ?? null)),
  );
  if ('motivo' in lista) throw new NotAllowed(TITULO, lista.motivo, { campo: 'archivo' });
  const { renglones, ilegibles } = lista;
  if (renglones.length === 0)
    throw new NotAllowed(TITULO, `No se pudo leer ningún renglón. ${ilegibles[0] ?? 'La lista está vacía.'}`, {
      campo: 'archivo',
    });
  const { cuentas, cambios } = await previewProductos(db, kind, renglones);
  const desconocidos = cambios.flatMap((cambio) =>
    cambio.clase === 'desconocido' ? [desconocidoOf(renglones[cambio.renglon]!)] : [],
  );
  const cambian = cambios.filter(({ clase }) => clase === 'cambia' || clase === 'nuevo');
  const saltan = cambian.filter((cambio) => jumps(cambio, renglones[cambio.renglon]!)).length;
  return await db.transaction().execute(async (trx) => {
    await trx.deleteFrom('listaPrecios').where('proveedor', '=', kind).where('aplicadaEn', 'is', null).execute();
    const { id } = await trx
      .insertInto('listaPrecios')
      .values({
        proveedor: kind,
        nombre: withoutUnstorable(archivo.name).slice(0, 200),
        renglones: JSON.stringify(renglones),
        ilegibles: ilegibles.length,
        sinLeer: [...ilegibles, ...desconocidos].slice(0, SHOWN),
        cuentas: JSON.stringify({ ...cuentas, saltan }),
        muestra: JSON.stringify(cambian.slice(0, SHOWN).map((cambio) => showOf(cambio, renglones[cambio.renglon]!))),
        usuarioId,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  });
}

/** Returns the rows of each sheet of a file. */
function hojasOf(lineas: readonly string[]): string[][] {
  const hojas: string[][] = lineas[0]?.startsWith('\f') ? [] : [[]];
  for (const linea of lineas) {
    if (linea.startsWith('\f')) hojas.push([]);
    else hojas.at(-1)!.push(linea);
  }
  return hojas;
}

/** Returns the reading with most lines of the sheets of a book: covers and notes have none. */
const bestOf = (listas: ListaLeida[]): ListaLeida =>
  listas.reduce((best, one) => (rowsOf(one) > rowsOf(best) ? one : best));
const rowsOf = (lista: ListaLeida) => ('motivo' in lista ? -1 : lista.renglones.length);

const desconocidoOf = ({ linea, modelo, idProveedor }: RenglonLeido) =>
  `Renglón ${linea} (${modelo ?? idProveedor}): no es de un producto que conozcamos, o es de varios.`;

function jumps({ precioAntes, monedaAntes }: CambioDeLista, { precio }: RenglonLeido): boolean {
  if (!precioAntes || !monedaAntes) return false;
  if (monedaAntes !== precio.moneda) return true;
  const [antes, ahora] = [precioAntes, precio.importe];
  return ahora.times(2).compare(antes) < 0 || antes.times(2).compare(ahora) < 0;
}

function showOf(cambio: CambioDeLista, { linea, precio, existencia }: RenglonLeido): z.infer<typeof Muestra> {
  const { modelo, nombre, precioAntes, monedaAntes, existenciaAntes } = cambio;
  return {
    linea,
    modelo,
    nombre,
    antes: precioAntes && monedaAntes && { importe: precioAntes.toFixed(2), moneda: monedaAntes },
    despues: { importe: precio.importe.toFixed(2), moneda: precio.moneda },
    existenciaAntes,
    existencia: existencia ?? null,
  };
}

/** Returns the list that waits for each supplier. */
export async function listEnEspera(db: Db): Promise<ReadonlyMap<string, ListaVista>> {
  const rows = await db
    .selectFrom('listaPrecios')
    .select(['id', 'proveedor', 'nombre', 'creadaEn', 'cuentas', 'ilegibles', 'sinLeer', 'muestra'])
    .where('aplicadaEn', 'is', null)
    .execute();
  return new Map(
    rows.map((row) => {
      const cuentas = Cuentas.parse(row.cuentas);
      return [
        row.proveedor,
        { ...row, cuentas, huella: huellaOf(cuentas), muestra: Muestra.array().parse(row.muestra) },
      ];
    }),
  );
}

const cuantos = (n: number, uno: string, varios: string) => `${enMiles(String(n))} ${n === 1 ? uno : varios}`;

/** Returns the question before a list is applied; null when the list no longer waits. */
export async function askLista(db: Db, id: string): Promise<Question | null> {
  const lista = [...(await listEnEspera(db)).values()].find((one) => one.id === id);
  if (!lista) return null;
  const { cambia, nuevo, saltan } = lista.cuentas;
  return {
    titulo: 'Aplicar la lista de precios',
    texto: '¿Esta seguro que desea guardar la información?',
    hechos: [
      `${lista.nombre}: ${cuantos(cambia, 'producto cambia', 'productos cambian')} y ${cuantos(nuevo, 'es nuevo', 'son nuevos')}.`,
      ...(saltan > 0
        ? [`${cuantos(saltan, 'precio cambia', 'precios cambian')} de moneda, a menos de la mitad o a más del doble.`]
        : []),
    ].join(' '),
  };
}

const ETIQUETAS = {
  cambia: 'Cambian',
  nuevo: 'Nuevos',
  igual: 'Iguales',
  desconocido: 'Desconocidos',
  repetido: 'Repetidos',
} as const;

/**
 * Applies a list once, about what the screen showed. Throws `Stale` with the new counts when the catalogue moved meanwhile, and `NotAllowed` when the
 * list was applied or replaced. Nothing is written then.
 */
export async function applyLista(
  trx: Trx,
  { lista: id, huella }: { lista: string; huella: string },
  usuarioId: string | null,
): Promise<CuentasDeLista> {
  const lista = await trx
    .selectFrom('listaPrecios')
    .select(['proveedor', 'nombre', 'renglones', 'creadaEn', 'cuentas'])
    .where('id', '=', id)
    .where('aplicadaEn', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (!lista) throw new NotAllowed(TITULO, 'Esa lista ya se aplicó, o alguien envió otra.');
  const renglones = Renglon.array().parse(lista.renglones);
  const cuentas = await applyProductos(trx, lista.proveedor, renglones, { en: lista.creadaEn });
  if (huellaOf(cuentas) !== huella)
    throw new Stale({
      cambios: cambiosEntre(withEtiquetas(ETIQUETAS, Cuentas.parse(lista.cuentas)), withEtiquetas(ETIQUETAS, cuentas)),
      marcas: { huella: huellaOf(cuentas) },
    });
  await trx
    .updateTable('listaPrecios')
    .set({ aplicadaEn: new Date(), renglones: '[]', muestra: '[]' })
    .where('id', '=', id)
    .execute();
  const { proveedor, nombre } = lista;
  await record(trx, {
    usuarioId,
    entidad: 'listaPrecios',
    entidadId: id,
    accion: 'aplicar',
    datos: { proveedor, nombre, ...cuentas },
  });
  return cuentas;
}

/** Throws a waiting list away. A list that is gone already is no error. */
export async function discardLista(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('listaPrecios').where('id', '=', id).where('aplicadaEn', 'is', null).execute();
}
