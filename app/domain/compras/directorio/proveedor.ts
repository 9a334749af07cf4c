import { rowOf } from '~/core/table';
import type { ReglaFactura } from '~db/columns';
import { enumerate } from '~/core/hechos';

/**
 * Ways to make the address of a supplier's invoice from its folio: Syscom's slash becomes a dash, TVC adds a fixed suffix, others have one page for
 * all.
 */
export const REGLAS = ['ninguna', 'base', 'guion', 'sufijo'] as const satisfies readonly ReglaFactura[];

/** Texts of those ways. */
export const REGLA_LABEL: Record<ReglaFactura, string> = {
  ninguna: 'Sin enlace',
  base: 'La misma dirección para todas',
  guion: 'Dirección + folio, con guion en lugar de la diagonal',
  sufijo: 'Dirección + folio + sufijo',
};

export type EnlaceDeFactura = { linkFactura: string | null; reglaFactura: ReglaFactura; sufijoFactura: string | null };

const ERROR_PROVEEDOR = 'Error proveedor';

/** Returns the supplier's page of an invoice; null when the supplier has none. */
export function enlaceFactura(proveedor: EnlaceDeFactura | undefined | null, folio: string): string | null {
  if (!proveedor?.linkFactura) return null;
  switch (proveedor.reglaFactura) {
    case 'base':
      return proveedor.linkFactura;
    case 'guion':
      return proveedor.linkFactura + encodeURIComponent(folio.split('/').join('-'));
    case 'sufijo':
      return proveedor.linkFactura + encodeURIComponent(folio) + (proveedor.sufijoFactura ?? '');
    default:
      return null;
  }
}

/** Returns a supplier's name by the code that a sku or an invoice carries, in any case. */
export function labelOf(proveedores: readonly { value: string; label: string }[], codigo: string | null): string {
  const value = codigo?.toLowerCase();
  return proveedores.find((proveedor) => proveedor.value === value)?.label ?? ERROR_PROVEEDOR;
}

/** Warehouses that people may put in order at one supplier. */
export const MAX_ALMACENES = 5;

/** A supplier as the addressee of a letter. Without `emails` no letter can leave. */
export type Destinatario = { proveedor: string; label: string; emails: string[] };

/** Addressees by the key of their supplier. */
export type Directorio = Readonly<Record<string, Destinatario>>;

/** Returns the addressees of a letter about some lines: each known supplier once, in the order of the lines. */
export function destinatariosOf(directorio: Directorio, proveedores: readonly (string | null)[]): Destinatario[] {
  const keys = [...new Set(proveedores.map((proveedor) => proveedor?.toLowerCase() ?? ''))];
  return keys.flatMap((key) => rowOf(directorio, key) ?? []);
}

/** Returns what a letter lacks, in words: the address of its first addressee without one; null when all have theirs. */
export function faltaCorreo(destinatarios: readonly Destinatario[]): string | null {
  const sin = destinatarios.find(({ emails }) => emails.length === 0);
  return sin ? `Falta el correo de ${sin.label}` : null;
}

/** Returns a sentence that names the addressees: 'Se envía a SYSCOM (ana@syscom.mx) y a CT (ventas@ct.mx).' */
export function aQuienes(destinatarios: readonly Destinatario[]): string {
  if (destinatarios.length === 0) return 'Ningún artículo es de un proveedor del catálogo.';
  const nombres = destinatarios.map(({ label, emails }) => `a ${label} (${emails.join(', ') || 'no tiene correo'})`);
  return `Se envía ${enumerate(nombres)}.`;
}
