import { z } from 'zod';
import { telefonoEscrito } from '~/core/escrito';
import { Email, Huella, Lista, opcional, REQUERIDO, Texto, TextoOpcional } from '~/core/fields';
import { MAX_ALMACENES } from './proveedor';
import type { DatoDeCompra, Eleccion, Elecciones } from '~/integrations/proveedores/cara';

/** A value that an order names: chosen by people, or `omision` until then. `fijas` are the choices of a supplier whose API tells none. */
export type CampoDeCompra = {
  clave: Exclude<DatoDeCompra, 'sucursal'>;
  label: string;
  omision?: string;
  fijas?: readonly Eleccion[];
};

/**
 * What people choose once for all orders at a supplier. `lugar` is the warehouse or branch of which each order names one; with `porNombre` the stock
 * names it otherwise than the order does.
 */
export type FormaDeCompra = {
  datos: readonly CampoDeCompra[];
  lugar?: { label: string; fijas?: readonly Eleccion[]; porNombre?: true };
};

/** Returns a name without accents, case, signs and double spaces, as two lists of one supplier may write it. */
export const plegado = (nombre: string): string =>
  nombre
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, ' ')
    .trim();

/** Uses of a CFDI for goods that are sold again. */
export const USOS_DE_COMPRA: readonly Eleccion[] = [
  { clave: 'G01', nombre: 'Adquisición de mercancías' },
  { clave: 'G03', nombre: 'Gastos en general' },
];

/** How this account buys at a supplier, as it is kept. Empty where nobody filled it in. */
export const Compra = z
  .object({
    /** Preferred warehouses, the first one first. */
    almacenes: z.array(z.string()).catch([]),
    /** Way of payment, carrier and use of the CFDI, in the supplier's own words. */
    opciones: z.record(z.string(), z.string()).catch({}),
    /** Branch of each name of a stock that people told, by the folded name. */
    sucursales: z.record(z.string(), z.string()).catch({}),
    numeroCliente: z.string().nullable().catch(null),
    /** More addresses that get its letters. */
    cc: z.array(z.string()).catch([]),
    /** Name on the invoice that a letter asks for; null asks for the usual one. */
    facturarA: z.string().nullable().catch(null),
    /** Telephone of ours beside a marketplace's label, where the marketplace hides the buyer's. */
    telefono: z.string().nullable().catch(null),
  })
  .catch({ almacenes: [], opciones: {}, sucursales: {}, numeroCliente: null, cc: [], facturarA: null, telefono: null });
export type Compra = z.output<typeof Compra>;

const MAX_CC = 5;

const Correos = opcional(Texto(600)).transform((texto, context): string[] => {
  const correos = (texto ?? '').split(/[\s,;]+/).filter(Boolean);
  const read = z.array(Email).max(MAX_CC, `Hasta ${MAX_CC} correos.`).safeParse(correos);
  if (read.success) return read.data;
  context.addIssue({ code: 'custom', message: read.error.issues[0]!.message });
  return z.NEVER;
});

/** The form of how a supplier is bought from, with the mark of what the screen showed. */
export const CompraForm = z.object({
  huella: Huella,
  metodoPago: TextoOpcional(60),
  fletera: TextoOpcional(60),
  tipoPago: TextoOpcional(60),
  usoCfdi: TextoOpcional(60),
  almacenes: Lista(Texto(60).optional(), MAX_ALMACENES).transform((claves) => [
    ...new Set(claves.filter((clave) => clave !== undefined)),
  ]),
  numeroCliente: TextoOpcional(40),
  facturarA: TextoOpcional(120),
  telefono: opcional(telefonoEscrito(REQUERIDO)),
  cc: Correos,
});
export type CompraForm = z.output<typeof CompraForm>;

/** The branch that a name in a supplier's stock stands for, with the mark of what the screen showed. */
export const SucursalForm = z.object({ huella: Huella, nombre: Texto(120), sucursal: Texto(60) });
export type SucursalForm = z.output<typeof SucursalForm>;

/** Returns the choices of a value: as the supplier told them, else those of its documents. Undefined when nobody told any. */
export const eleccionesOf = (
  { clave, fijas }: Pick<CampoDeCompra, 'fijas'> & { clave: DatoDeCompra },
  leidas: Elecciones | null,
): readonly Eleccion[] | undefined => {
  const dichas = leidas?.[clave];
  return dichas && dichas.length > 0 ? dichas : fijas;
};

/** Returns what an order at the supplier lacks, in words: values that nobody chose, or that the supplier no longer offers. */
export function faltaDeCompra({ datos }: FormaDeCompra, { opciones }: Compra, leidas: Elecciones | null): string[] {
  return datos.flatMap((dato) => {
    const nombre = dato.label.toLowerCase().replace('cfdi', 'CFDI');
    const valor = opciones[dato.clave] ?? dato.omision;
    if (valor === undefined) return [nombre];
    const hay = eleccionesOf(dato, leidas);
    return hay && !hay.some(({ clave }) => clave === valor) ? [`${nombre} (ya no ofrece «${valor}»)`] : [];
  });
}

/** Returns the values that an order sends; a value that nobody chose is its `omision`. */
export const opcionesDePedido = ({ datos }: FormaDeCompra, { opciones }: Compra): Record<string, string> => ({
  ...Object.fromEntries(datos.flatMap(({ clave, omision }) => (omision === undefined ? [] : [[clave, omision]]))),
  ...opciones,
});

/**
 * Returns the branch of an order that a key or name in the stock stands for: a number of the supplier is itself, then comes what people told, then a
 * branch of the same name. Null when none is known: a guess would buy at the wrong branch.
 */
export function sucursalOf(
  almacen: string,
  { sucursales }: Pick<Compra, 'sucursales'>,
  leidas: Elecciones | null,
): string | null {
  if (/^\d{1,4}$/.test(almacen)) return almacen;
  const nombre = plegado(almacen);
  if (Object.hasOwn(sucursales, nombre)) return sucursales[nombre]!;
  const iguales = (leidas?.sucursal ?? []).filter((una) => plegado(una.nombre) === nombre);
  return iguales.length === 1 ? iguales[0]!.clave : null;
}
