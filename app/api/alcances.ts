import { tableOf } from '~/core/table';

/** Words for the subject of a token's permission, as the screens say them. */
export const ALCANCE_LABEL: Readonly<Record<string, string>> = tableOf({
  aplicacion: 'Aplicación para teléfonos',
  catalogos: 'Catálogos',
  clientes: 'Datos fiscales de clientes',
  conciliacion: 'Conciliación',
  conexiones: 'Configuración de tiendas',
  cotizaciones: 'Cotizaciones',
  cuenta: 'Mi cuenta',
  empresas: 'Empresas',
  envios: 'Envíos',
  facturas: 'Facturas de clientes',
  ganchos: 'Webhooks',
  hoy: 'Hoy',
  listas: 'Vistas de listas',
  lotes: 'Varios a la vez',
  ordenes: 'Ordenes',
  pagos: 'Pagos a proveedores',
  pedidos: 'Pedidos a proveedores',
  pendientes: 'Pendientes',
  preguntas: 'Preguntas',
  productos: 'Productos',
  'proveedor-facturas': 'Facturas de proveedores',
  proveedores: 'Proveedores',
  publicaciones: 'Publicaciones',
  reclamos: 'Reclamos',
  publico: 'Sin entrar',
  reportes: 'Reportes',
  stock: 'Stock interno',
  usuarios: 'Usuarios',
});

const USOS = ['leer', 'escribir'] as const;
type Uso = (typeof USOS)[number];
export const USO_LABEL: Readonly<Record<Uso, string>> = { leer: 'Leer', escribir: 'Cambiar' };

const partsOf = (alcance: string) => alcance.split(':') as [string, Uso];
export const labelOf = (de: string) => ALCANCE_LABEL[de] ?? de;
const verbo = (uso: Uso) => USO_LABEL[uso].toLowerCase();

/** Returns `ordenes:leer` as people read it. */
export function alcanceLabel(alcance: string): string {
  const [de, uso] = partsOf(alcance);
  return `${labelOf(de)}: ${verbo(uso)}`;
}

/** Returns permissions by their subject, each with its uses. */
export function porAsunto(alcances: readonly string[]): { de: string; label: string; usos: Uso[] }[] {
  const asuntos = new Set(alcances.map((alcance) => partsOf(alcance)[0]));
  return [...asuntos]
    .map((de) => ({ de, label: labelOf(de), usos: USOS.filter((uso) => alcances.includes(`${de}:${uso}`)) }))
    .toSorted((a, b) => a.label.localeCompare(b.label, 'es'));
}

/** Returns several permissions in a line: «Ordenes (leer), Stock interno (leer y cambiar)». */
export const alcancesEnTexto = (alcances: readonly string[]): string =>
  porAsunto(alcances)
    .map(({ label, usos }) => `${label} (${usos.map(verbo).join(' y ')})`)
    .join(', ');
