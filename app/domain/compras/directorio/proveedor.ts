import type { ReglaFactura } from '~db/columns';
import { enumerate } from '~/core/hechos';

/** How the address of a supplier's invoice is made: Syscom's slash becomes a dash, TVC adds a fixed suffix, others have one page. */
export const REGLAS = ['ninguna', 'base', 'guion', 'sufijo'] as const satisfies readonly ReglaFactura[];

export const REGLA_LABEL: Record<ReglaFactura, string> = {
  ninguna: 'Sin enlace',
  base: 'La misma dirección para todas',
  guion: 'Dirección + folio, con guion en lugar de la diagonal',
  sufijo: 'Dirección + folio + sufijo',
};

export type EnlaceDeFactura = { linkFactura: string | null; reglaFactura: ReglaFactura; sufijoFactura: string | null };

const ERROR_PROVEEDOR = 'Error proveedor';

/** Where the supplier shows the invoice of a folio; null for those that have no such page. */
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

/** The people's name of a code that a sku or a factura carries, in whatever case it came. */
export function labelOf(proveedores: readonly { value: string; label: string }[], codigo: string | null): string {
  const value = codigo?.toLowerCase();
  return proveedores.find((proveedor) => proveedor.value === value)?.label ?? ERROR_PROVEEDOR;
}

/** A supplier as a letter is addressed to it. Without addresses no letter can leave. */
export type Destinatario = { proveedor: string; label: string; emails: string[] };

/** By the key of each supplier. */
export type Directorio = Readonly<Record<string, Destinatario>>;

/** Whom a letter about some lines goes to: each supplier of the catalogue once, in their order. */
export function destinatariosOf(directorio: Directorio, proveedores: readonly (string | null)[]): Destinatario[] {
  const keys = [...new Set(proveedores.map((proveedor) => proveedor?.toLowerCase() ?? ''))];
  return keys.flatMap((key) => directorio[key] ?? []);
}

/** 'Se envía a SYSCOM (ana@syscom.mx) y a CT (ventas@ct.mx).' */
export function aQuienes(destinatarios: readonly Destinatario[]): string {
  if (destinatarios.length === 0) return 'Ningún artículo es de un proveedor del catálogo.';
  const nombres = destinatarios.map(({ label, emails }) => `a ${label} (${emails.join(', ') || 'no tiene correo'})`);
  return `Se envía ${enumerate(nombres)}.`;
}
