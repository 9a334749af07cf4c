import { enumerate } from '~/core/hechos';

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
