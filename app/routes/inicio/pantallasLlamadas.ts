import { entradasOf, otrasPantallasOf, pantallaOf, type MenuEntry } from '~/access/menu';
import type { Rol } from '~/access/screens';
import { rowOf, tableOf } from '~/core/table';

/** Other words by which people look for a screen. */
const TAMBIEN: Readonly<Record<string, string>> = tableOf({
  ordenes: 'ventas pedidos',
  ordenesActivas: 'por enviar preparacion',
  enviosPendientes: 'guias paquetes',
  bodega: 'almacen escanear empacar',
  stockInterno: 'inventario almacen piezas',
  etiquetasStock: 'imprimir etiqueta qr',
  conteos: 'contar inventario estante',
  devoluciones: 'recibir devolucion regreso',
  productos: 'catalogo precios',
  publicaciones: 'anuncios',
  publicadorML: 'publicar',
  agentesVentas: 'correos proveedores',
  facturacion: 'facturar timbrar cfdi',
  facturacionGeneral: 'cerrar mes cierre global',
  rFacturacionGeneral: 'cierre global',
  balanceFiscal: 'sat impuestos mes',
  loQueVeElSat: 'retenciones impuestos',
  facturasProveedores: 'subir xml cfdi compras',
  pagosProveedores: 'pagar deuda transferencia',
  estadoDeCuenta: 'deuda saldo proveedor',
  conciliacion: 'depositos liquidaciones banco',
  mensual: 'utilidad ganancia margen mes',
  utilidadPor: 'ganancia margen',
  grafica: 'utilidad ganancia cambio',
  llenarReporte: 'utilidad costos',
  tokens: 'conexiones vincular mercado libre amazon pac',
  tokensApi: 'contraseña programa',
  segundoFactor: 'contraseña codigo seguridad',
  datosUsuario: 'cuenta contraseña',
  estado: 'salud rendimiento metricas',
});

/** An act by the words of who looks for it: where it begins. */
type Acto = { titulo: string; pantalla: string; a?: string; palabras: string };
const ACTOS: readonly Acto[] = [
  { titulo: 'Facturar una orden', pantalla: 'facturacion', palabras: 'timbrar cfdi' },
  { titulo: 'Cerrar el mes', pantalla: 'facturacionGeneral', palabras: 'cierre factura global' },
  { titulo: 'Pagar a proveedores', pantalla: 'pagosProveedores', a: '?tabla=porPagar', palabras: 'pago transferencia' },
  { titulo: 'Imprimir etiquetas', pantalla: 'etiquetasStock', palabras: 'etiqueta qr imprimir' },
  { titulo: 'Recibir una devolución', pantalla: 'devoluciones', palabras: 'regreso' },
  { titulo: 'Contar un estante', pantalla: 'conteos', palabras: 'conteo inventario' },
  { titulo: 'Subir facturas de proveedores', pantalla: 'facturasProveedores', palabras: 'xml cfdi' },
  { titulo: 'Ver por qué cambió la utilidad', pantalla: 'grafica', palabras: 'ganancia margen' },
  { titulo: 'Cambiar mi contraseña', pantalla: 'datosUsuario', palabras: 'clave password' },
];

const todasOf = (rol: Rol) => [...entradasOf(rol), ...otrasPantallasOf(rol)];

/**
 * Returns the screens of a role that every word of a text leads to, without accents and capitals: those so called first, then those that people call so. All
 * screens for an empty text.
 */
export function pantallasLlamadas(rol: Rol, texto: string): MenuEntry[] {
  const todas = todasOf(rol);
  const porNombre = todas.filter(({ label }) => has(label, texto));
  return [...porNombre, ...todas.filter((entry) => !porNombre.includes(entry) && has(withOtherWords(entry), texto))];
}

/** Returns the acts of a role that every word of a text leads to, with their addresses; none for an empty text. */
export function actosLlamados(rol: Rol, texto: string): { titulo: string; to: string }[] {
  if (texto.trim() === '') return [];
  const todas = todasOf(rol);
  return ACTOS.flatMap(({ titulo, pantalla, a = '', palabras }) => {
    const entry = todas.find((one) => pantallaOf(one) === pantalla);
    return entry && has(`${titulo} ${palabras}`, texto) ? [{ titulo, to: `${entry.to}${a}` }] : [];
  });
}

const withOtherWords = (entry: MenuEntry) => `${entry.label} ${rowOf(TAMBIEN, pantallaOf(entry)) ?? ''}`;

function has(called: string, texto: string): boolean {
  const name = plain(called);
  return plain(texto)
    .split(/\s+/)
    .every((word) => name.includes(word));
}

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();
