import { z } from 'zod';
import { ClienteGuardado } from '~/domain/facturacion/receptores/forms';
import { TASAS_IVA } from '~/domain/facturacion/cfdi/importes';
import { cambiosEntre, writeMostrado, type Choque, type Mostrado } from '~/core/choque';
import { MostradoForm, Version } from '~/core/fields';
import { Money } from '~/core/money';
import { etiquetaEn } from '~/domain/facturacion/sat/opciones';
import { REGIMENES } from '~/domain/facturacion/sat/sat';
import type { Articulo } from '~/domain/facturacion/cfdi/articulos';

/** A factura being prepared: a row, so it survives a reload, a closed tab and a browser without JavaScript. */
export const DraftArticulo = z.object({
  ordenId: z.string().optional(),
  nombre: z.string(),
  codigoSat: z.string(),
  claveUnidad: z.string(),
  cantidad: z.number(),
  precioUnitario: z.string(),
  importe: z.string(),
  sku: z.string().optional(),
  tasaIva: z.enum(TASAS_IVA),
});

/** `lectura`: known at the PAC and read-only. `edicion`: known, being changed. `nuevo`: nobody knows it yet. */
export const DraftCliente = z.object({
  modo: z.enum(['nuevo', 'edicion', 'lectura']),
  rfc: z.string(),
  razonSocial: z.string(),
  cp: z.string(),
  regimen: z.string(),
  emails: z.array(z.string()),
  usoCfdi: z.string().nullable().default(null),
  uid: z.string().nullable().default(null),
  clienteFiscalId: z.string().nullable().default(null),
  /** The addresses are those on record: a customer sees them masked and never whole. */
  correoRegistrado: z.boolean().default(false),
  /** Several legal names known for the RFC: the person chooses. */
  opciones: z.array(ClienteGuardado).default([]),
  /** The effect that is saving it. */
  guardando: z.string().nullable().default(null),
  /** The PAC could not be asked about this RFC. */
  sinPac: z.boolean().default(false),
  /** Where the values came from, when nobody typed them. */
  origen: z.enum(['mercado', 'registro', 'pac']).nullable().default(null),
});
export type DraftCliente = z.infer<typeof DraftCliente>;

export const DraftRevision = z.object({ formaPago: z.string(), usoCfdi: z.string(), fecha: z.string() });
export type DraftRevision = z.infer<typeof DraftRevision>;

export const clienteVacio = (): DraftCliente => ({
  modo: 'nuevo',
  rfc: '',
  razonSocial: '',
  cp: '',
  regimen: '',
  emails: [],
  usoCfdi: null,
  uid: null,
  clienteFiscalId: null,
  correoRegistrado: false,
  opciones: [],
  guardando: null,
  sinPac: false,
  origen: null,
});

export const PASOS = ['1', '2', '3', 'lista'] as const;
export type Paso = (typeof PASOS)[number];
export const PASO_TITULO: Record<Exclude<Paso, 'lista'>, string> = {
  '1': 'Buscar información de la orden',
  '2': 'Datos de Facturación',
  '3': 'Revisar Datos',
};

/** What every form of a draft carries: which state of it the screen showed, and what that said. */
export const visto = { version: Version, mostrado: MostradoForm };
export const Visto = z.object(visto);
export type Visto = z.infer<typeof Visto>;

type Contenido = { articulos: readonly Articulo[]; cliente: DraftCliente | null };

/**
 * What a look-up left that found nobody. Whoever typed on meanwhile and saves that very RFC writes over their own look-up, and has missed nothing.
 */
export const isSoloBuscado = (cliente: DraftCliente | null, rfc: string): boolean =>
  cliente?.modo === 'nuevo' && cliente.rfc === rfc && cliente.razonSocial === '';

/** A draft in the words of the screen: to whom, what, how much. */
export function mostradoOf({ articulos, cliente }: Contenido): Mostrado {
  return {
    Receptor: cliente ? receptorEnPalabras(cliente) : '',
    Correo: cliente?.emails.join(', ') ?? '',
    ...articulosEnPalabras(articulos),
  };
}

export function receptorEnPalabras({
  rfc,
  razonSocial,
  cp,
  regimen,
}: Pick<DraftCliente, 'rfc' | 'razonSocial' | 'cp' | 'regimen'>): string {
  return [razonSocial, rfc, cp && `C.P. ${cp}`, regimen && etiquetaEn(REGIMENES, regimen)].filter(Boolean).join(' · ');
}

export function articulosEnPalabras(articulos: readonly Articulo[]): Mostrado {
  return {
    Artículos: articulos
      .map(({ cantidad, nombre, codigoSat, importe }) => `${cantidad} × ${nombre} (${codigoSat}) $${importe}`)
      .join('; '),
    Total: `$${Money.sum(articulos.map(({ importe }) => Money.of(importe))).toFixed(2)}`,
  };
}

/** The hidden fields of a screen that shows `mostrado`. */
export const marcasOf = (version: number, mostrado: Mostrado) => ({ version, mostrado: writeMostrado(mostrado) });

/** What moved, for whoever saw `antes`. */
export const choqueOf = (version: number, { antes, ahora }: { antes: Mostrado; ahora: Mostrado }): Choque => ({
  cambios: cambiosEntre(antes, ahora),
  marcas: marcasOf(version, ahora),
});
