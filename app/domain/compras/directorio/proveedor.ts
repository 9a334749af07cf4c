import type { ReglaFactura } from '~db/columns';

/** How the address of a supplier's invoice is made (spec 001, section 9): Syscom's slash becomes a dash, TVC adds a fixed suffix, others have one page. */
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
