import { z } from 'zod';
import { ClienteGuardado } from '~/domain/facturacion/receptores/forms';
import { TASAS_IVA } from '~/domain/facturacion/cfdi/importes';
import { cambiosEntre, writeMostrado, type Choque, type Mostrado } from '~/core/choque';
import { MostradoForm, Version } from '~/core/fields';
import { enPesos } from '~/core/importe';
import { Money } from '~/core/money';
import { etiquetaEn } from '~/domain/facturacion/sat/opciones';
import { REGIMENES } from '~/domain/facturacion/sat/sat';
import type { Articulo } from '~/domain/facturacion/cfdi/articulos';

/**
 * A row of the editable table as a draft keeps it. A draft is a row of the database, so it survives a reload, a closed tab and a browser
 * without JavaScript.
 */
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

/** The receiver of a draft. `lectura`: the PAC has it, read-only. `edicion`: the PAC has it, being changed. `nuevo`: the PAC does not have it yet. */
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
  /** The e-mail addresses come from a record: a customer sees them masked and never whole. */
  correoRegistrado: z.boolean().default(false),
  /** The records of the RFC, when it has several legal names to choose from. */
  opciones: z.array(ClienteGuardado).default([]),
  /** The effect that saves this receiver at the PAC. */
  guardando: z.string().nullable().default(null),
  /** The PAC could not be asked about this RFC. */
  sinPac: z.boolean().default(false),
  /** The source of the values, when nobody typed them. */
  origen: z.enum(['mercado', 'registro', 'pac']).nullable().default(null),
});
export type DraftCliente = z.infer<typeof DraftCliente>;

/** Step 3 as the draft keeps it: payment form and use by their keys of the SAT, and the civil day of the factura ('2026-11-20'). */
export const DraftRevision = z.object({ formaPago: z.string(), usoCfdi: z.string(), fecha: z.string() });
export type DraftRevision = z.infer<typeof DraftRevision>;

/** The receiver of a draft before anything is known of it. */
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

/** The steps of a factura. `lista`: the factura was asked for. */
export const PASOS = ['1', '2', '3', 'lista'] as const;
export type Paso = (typeof PASOS)[number];
export const PASO_TITULO: Record<Exclude<Paso, 'lista'>, string> = {
  '1': 'Buscar información de la orden',
  '2': 'Datos de Facturación',
  '3': 'Revisar Datos',
};

/** The fields that every form of a draft has: the version of the draft that the screen showed, and its contents in words. */
export const visto = { version: Version, mostrado: MostradoForm };
export const Visto = z.object(visto);
export type Visto = z.infer<typeof Visto>;

type Contenido = { articulos: readonly Articulo[]; cliente: DraftCliente | null };

/**
 * Tells whether the receiver is only the trace of a look-up of this RFC that found nobody. A person who typed on meanwhile and saves that RFC
 * writes over their own look-up, and missed nothing.
 */
export const isSoloBuscado = (cliente: DraftCliente | null, rfc: string): boolean =>
  cliente?.modo === 'nuevo' && cliente.rfc === rfc && cliente.razonSocial === '';

/** A draft in the words of the screen: receiver, e-mail, rows and total. */
export function mostradoOf({ articulos, cliente }: Contenido): Mostrado {
  return {
    Receptor: cliente ? receptorInWords(cliente) : '',
    Correo: cliente?.emails.join(', ') ?? '',
    ...articulosInWords(articulos),
  };
}

/** A receiver in one line of words. */
export function receptorInWords({
  rfc,
  razonSocial,
  cp,
  regimen,
}: Pick<DraftCliente, 'rfc' | 'razonSocial' | 'cp' | 'regimen'>): string {
  return [razonSocial, rfc, cp && `C.P. ${cp}`, regimen && etiquetaEn(REGIMENES, regimen)].filter(Boolean).join(' · ');
}

/** Rows and total in words, for the comparison of what was shown with what is. */
export function articulosInWords(articulos: readonly Articulo[]): Mostrado {
  return {
    Artículos: articulos
      .map(
        ({ cantidad, nombre, codigoSat, importe }) =>
          `${cantidad} × ${nombre} (${codigoSat}) ${enPesos(Money.of(importe))}`,
      )
      .join('; '),
    Total: enPesos(Money.sum(articulos.map(({ importe }) => Money.of(importe)))),
  };
}

/** The hidden fields of a screen that shows `mostrado`. */
export const marcasOf = (version: number, mostrado: Mostrado) => ({ version, mostrado: writeMostrado(mostrado) });

/** The differences for a person who saw `antes`, with the marks of the state that holds now. */
export const choqueOf = (version: number, { antes, ahora }: { antes: Mostrado; ahora: Mostrado }): Choque => ({
  cambios: cambiosEntre(antes, ahora),
  marcas: marcasOf(version, ahora),
});
