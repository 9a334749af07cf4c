import { enumerate } from '~/core/hechos';
import { enPesos } from '~/core/importe';
import type { Moneda } from '~/core/moneda';
import { Money } from '~/core/money';
import { diezDigitosOf } from '~/core/telefono';
import type { Rol } from '~/core/usuario';
import { ESTIMADO } from '~/domain/compras/pedidos/pedido';
import { quedaOf } from '~/domain/ventas/ordenes/queda';
import { costoEnPesos, PISO, SIN_COSTO, type Fraccion, type Ofrecido } from '~/domain/compras/precios/precio';

/** Age in ms up to which a product's data is good enough to buy on. Older data is read again first. */
export const LECTURA_VALE_MS = 10 * 60_000;

/** `detiene` stops the purchase. `motivo` lets it pass only with a person's reason, which is kept. `avisa` is shown and stops nothing. */
export type Severidad = 'detiene' | 'motivo' | 'avisa';

/** Words for the kinds of findings. */
export const CLAVES = [
  'venta',
  'pago',
  'envio',
  'direccion',
  'guia',
  'paquete',
  'doble',
  'compra',
  'factura',
  'producto',
  'lectura',
  'precio',
  'existencia',
  'almacen',
  'stock',
  'subio',
  'margen',
] as const;
export type Hallazgo = { clave: (typeof CLAVES)[number]; severidad: Severidad; texto: string };

/**
 * Smallest margin, as part of what the sale pays, that each role may leave without giving a reason. A purchase without a person has the strictest
 * one.
 */
const MINIMO: Readonly<Partial<Record<Rol, Fraccion>>> = {
  sa: Money.zero,
  admin: Money.of('0.03'),
  user: PISO,
};
/** Returns the smallest margin of a role; null means nobody. */
export const margenMinimo = (rol: Rol | null): Fraccion => (rol === null ? PISO : (MINIMO[rol] ?? PISO));

/** A sale that a pedido buys for, with the part of its money that belongs to the bought articles. */
export type VentaMirada = {
  numOrden: string;
  viva: boolean;
  pagada: boolean;
  devueltaEnParte: boolean;
  /** Money that arrives: without commission, withholding and shipping. */
  recibe: Money;
  /** Whether a part of `recibe` is estimated: the marketplace has not told its charges yet. */
  estimado: boolean;
  pagado: Money;
  /** Supplier invoices that the sale has already. */
  facturas: readonly string[];
};

export type EnvioMirado = {
  /** Whether we send it with a carrier of our own, and so need an address. */
  propio: boolean;
  /** Why it cannot be sent from here: it left, or it leaves from the marketplace's warehouse. Null otherwise. */
  fuera: string | null;
  /** Missing parts of the address, in words. */
  falta: readonly string[];
  /** The marketplace whose address moved after a person wrote another one here; null while nothing waits for a choice. */
  otraEn: string | null;
  /** Whether its label is here, or why not. `nunca` means that there will be none. */
  guia: { clase: 'lista' } | { clase: 'espera' | 'nunca'; porque: string } | null;
  /** Suppliers whose goods travel in it. */
  proveedores: readonly string[];
};

export type LineaMirada = {
  nombre: string;
  cantidad: number;
  /** Null when the supplier knows no such product. */
  leido: {
    en: Date;
    /** Why the product could not be read again just now; the data is older then. Null when it was read. */
    falla: string | null;
    enVenta: boolean;
    ofrecido: Ofrecido;
    /** Null when the stock could not be told. */
    existencia: number | null;
    /** Whether `existencia` is a lower bound. */
    tope: boolean;
  } | null;
  /** Price of a piece when the pedido was proposed. */
  antes: { importe: Money; moneda: Moneda } | null;
  /** Our own stock: folios that could leave instead, and the pieces of `cantidad` that leave for the sale already. */
  stock: { disponibles: readonly string[]; yaSalen: number };
};

export type Mirada = {
  ahora: Date;
  proveedor: string;
  ventas: readonly VentaMirada[];
  envio: EnvioMirado | null;
  lineas: readonly LineaMirada[];
  /** Places from which the marketplace takes the pieces of the sales, in words; empty where it tells none. */
  saleDe: { tienda: string; lugares: readonly string[] };
  /** How the label travels to the supplier; null when the supplier takes none. */
  lleva: 'pedido' | 'api' | 'correo' | null;
  /** Other living pedidos for the same goods, in words. */
  otros: readonly string[];
  /** What nobody chose of how this account buys there, in words. */
  faltaElegir: readonly string[];
  /** Word for the place of which an order there names one, when none is known; null when a place is known or none is needed. */
  sinLugar: string | null;
  /** Whether one warehouse has all the pieces; null when the supplier does not tell where they are. */
  enUnAlmacen: boolean | null;
};

export type Revision = {
  hallazgos: Hallazgo[];
  /** Pesos with VAT; null while a price is missing. */
  costo: Money | null;
  pagado: Money;
  recibe: Money;
  /** Whether `recibe`, and so `queda` and `margen`, are estimated. */
  estimado: boolean;
  queda: Money | null;
  /** `queda` as part of `pagado`. */
  margen: Fraccion | null;
};

/** Returns where the pieces leave from, how many there are, how the label travels, and why what is left is an estimate, in sentences. */
export function detallesOf(
  { ventas, lineas, envio, saleDe, lleva, proveedor, ahora }: Mirada,
  lugar: string | null,
): string[] {
  const existencias = lineas.flatMap(({ nombre, leido }) =>
    leido === null || leido.existencia === null || leido.tope
      ? []
      : [
          `${lineas.length > 1 ? `${nombre}: hay` : 'Hay'} ${leido.existencia === 1 ? '1 pieza' : `${leido.existencia} piezas`}, ${edadOf(leido.en, ahora)}`,
        ],
  );
  const guia =
    envio?.guia?.clase !== 'lista' || lleva === null
      ? null
      : lleva === 'pedido'
        ? 'La guía va dentro del pedido.'
        : `La guía se le manda a ${proveedor} en cuanto lo tome.`;
  const cuenta = saleDe.lugares.length > 0 && `${saleDe.tienda} descuenta las piezas de ${enumerate(saleDe.lugares)}.`;
  return [
    lugar && `Sale de ${lugar}.`,
    existencias.length > 0 && `${enumerate(existencias)}.`,
    guia,
    cuenta,
    ventas.some(({ estimado }) => estimado) && `Lo que queda está ${ESTIMADO}.`,
  ].filter((one): one is string => typeof one === 'string');
}

/** Returns everything that speaks against buying now, the worst first, with the money that the purchase leaves. */
export function review(mirada: Mirada, rol: Rol | null): Revision {
  const dinero = dineroOf(mirada);
  const hallazgos = [
    ...deVentas(mirada),
    ...deEnvio(mirada),
    ...mirada.lineas.flatMap((linea) => [...deStock(linea), ...deLinea(linea, mirada)]),
    ...deAlmacen(mirada),
    ...deMargen(dinero, rol),
  ].sort((a, b) => ORDEN[a.severidad] - ORDEN[b.severidad]);
  return { hallazgos, ...dinero };
}

const ORDEN: Readonly<Record<Severidad, number>> = { detiene: 0, motivo: 1, avisa: 2 };

/**
 * Returns the text that keeps a pedido from being bought: the first finding that stops it, or that needs a reason when none was given. Null when it
 * may go.
 */
export function impedimentoOf({ hallazgos }: Pick<Revision, 'hallazgos'>, motivo: string | null): string | null {
  const first = hallazgos[0];
  if (!first || first.severidad === 'avisa') return null;
  return first.severidad === 'motivo' && motivo ? null : first.texto;
}

/** Tells whether only a person's reason is missing. */
export const needsMotivo = ({ hallazgos }: Pick<Revision, 'hallazgos'>): boolean =>
  hallazgos[0]?.severidad === 'motivo';

const hallazgo = (clave: Hallazgo['clave'], severidad: Severidad, texto: string): Hallazgo => ({
  clave,
  severidad,
  texto,
});

function deVentas({ ventas, otros, proveedor, faltaElegir }: Mirada): Hallazgo[] {
  const found = ventas.flatMap(({ numOrden, viva, pagada, devueltaEnParte, facturas }) => {
    if (!viva) return [hallazgo('venta', 'detiene', `La venta ${numOrden} fue cancelada o devuelta.`)];
    return [
      !pagada && hallazgo('pago', 'detiene', `La venta ${numOrden} todavía no está pagada.`),
      devueltaEnParte && hallazgo('pago', 'motivo', `De la venta ${numOrden} ya se devolvió una parte del dinero.`),
      facturas.length > 0 &&
        hallazgo('factura', 'motivo', `La venta ${numOrden} ya tiene factura de proveedor: ${enumerate(facturas)}.`),
    ].filter((one) => one !== false);
  });
  if (otros.length > 0)
    found.push(hallazgo('doble', 'detiene', `Lo mismo ya se pidió, aparte de ${proveedor}: ${enumerate(otros)}.`));
  if (faltaElegir.length > 0)
    found.push(
      hallazgo(
        'compra',
        'detiene',
        `Falta elegir cómo se le compra a ${proveedor}: ${enumerate(faltaElegir)}. Se elige en Configuración de tiendas, Proveedores.`,
      ),
    );
  return found;
}

/** The part of an address that suppliers cannot do without, in words. */
export const TELEFONO = 'un teléfono de 10 dígitos';

/** Returns the telephone that goes with an order: that of the shipment, else ours beside a label whose marketplace hides the buyer's. Null for none. */
export const telefonoDe = (
  { propio, telefono }: { propio: boolean; telefono: string | null },
  contacto: string | null,
): string | null => diezDigitosOf(telefono) ?? (propio ? null : contacto);

function deEnvio({ envio, lleva, proveedor }: Mirada): Hallazgo[] {
  if (!envio) return [hallazgo('envio', 'detiene', 'La orden no tiene un envío.')];
  const { fuera, falta, otraEn, guia, proveedores, propio } = envio;
  if (fuera !== null) return [hallazgo('envio', 'detiene', fuera)];
  const found: Hallazgo[] = [];
  // A supplier that takes the label inside the order asks for a telephone beside it.
  const faltan = propio ? falta : lleva === 'pedido' ? falta.filter((dato) => dato === TELEFONO) : [];
  const salida = propio
    ? ''
    : ` El mercado no dice el del comprador: escribe uno de contacto en Configuración de tiendas, Proveedores, en la tarjeta de ${proveedor}.`;
  if (faltan.length > 0)
    found.push(hallazgo('direccion', 'detiene', `Faltan datos del envío: ${enumerate(faltan)}.${salida}`));
  if (propio && otraEn !== null)
    found.push(
      hallazgo(
        'direccion',
        'motivo',
        `${otraEn} tiene ahora otra dirección que la escrita aquí, y el paquete iría a esta: elige una en los datos de envío de la venta.`,
      ),
    );
  if (proveedores.length > 1)
    found.push(
      hallazgo(
        'paquete',
        'motivo',
        `El paquete lleva artículos de ${enumerate(proveedores)} y tiene una sola guía: solo uno de ellos puede mandarlo.`,
      ),
    );
  if (guia === null || guia.clase === 'lista') return found;
  if (guia.clase === 'nunca') found.push(hallazgo('guia', 'motivo', guia.porque));
  else if (lleva === 'pedido')
    found.push(
      hallazgo('guia', 'detiene', `${guia.porque} ${proveedor} la recibe dentro del pedido, que espera por ella.`),
    );
  else found.push(hallazgo('guia', 'avisa', `${guia.porque} Se manda a ${proveedor} en cuanto esté.`));
  return found;
}

/** Folios that a text names before it counts the rest. */
const FOLIOS_DICHOS = 3;

/** Findings about our own stock, which is used before a supplier is asked. */
function deStock({ nombre, stock: { disponibles, yaSalen } }: LineaMirada): Hallazgo[] {
  const found: Hallazgo[] = [];
  if (yaSalen > 0)
    found.push(
      hallazgo(
        'stock',
        'detiene',
        `${yaSalen === 1 ? 'Ya sale 1 pieza' : `Ya salen ${yaSalen} piezas`} de ${nombre} del stock interno: quita el pedido y hazlo otra vez.`,
      ),
    );
  if (disponibles.length > 0) {
    const dichos = disponibles.slice(0, FOLIOS_DICHOS);
    const mas = disponibles.length - dichos.length;
    found.push(
      hallazgo(
        'stock',
        'motivo',
        `Hay ${disponibles.length === 1 ? '1 pieza' : `${disponibles.length} piezas`} de ${nombre} en el stock interno (${enumerate(mas > 0 ? [...dichos, `${mas} más`] : dichos)}): surte con lo que hay antes de comprar.`,
      ),
    );
  }
  return found;
}

function deLinea({ nombre, cantidad, leido, antes }: LineaMirada, { proveedor, ahora }: Mirada): Hallazgo[] {
  if (!leido) return [hallazgo('producto', 'detiene', `${proveedor} ya no conoce ${nombre}.`)];
  const { en, falla, enVenta, ofrecido, existencia, tope } = leido;
  const edad = edadOf(en, ahora);
  const found: Hallazgo[] = [];
  if (!enVenta) found.push(hallazgo('producto', 'detiene', `${proveedor} dejó de vender ${nombre}.`));
  if (falla !== null)
    found.push(
      hallazgo(
        'lectura',
        'motivo',
        `No se pudo leer ahora ${nombre} en ${proveedor} (${falla}): lo que se sabe fue ${edad}.`,
      ),
    );
  const costo = costoEnPesos(ofrecido);
  if (typeof costo === 'string') found.push(hallazgo('precio', 'detiene', `${nombre}: ${SIN_COSTO[costo]}`));
  if (existencia === null)
    found.push(hallazgo('existencia', 'motivo', `${proveedor} no dice cuántas piezas tiene de ${nombre}.`));
  else if (existencia < cantidad && !tope)
    found.push(
      hallazgo(
        'existencia',
        'detiene',
        `${proveedor} tiene ${existencia === 1 ? '1 pieza' : `${existencia} piezas`} de ${nombre} y hacen falta ${cantidad} (${edad}).`,
      ),
    );
  if (antes && ofrecido.precio && ofrecido.moneda)
    if (antes.moneda !== ofrecido.moneda)
      found.push(
        hallazgo(
          'subio',
          'avisa',
          `El precio de ${nombre} cambió de moneda: de ${precioOf(antes)} a ${precioOf({ importe: ofrecido.precio, moneda: ofrecido.moneda })}.`,
        ),
      );
    else if (ofrecido.precio.compare(antes.importe) > 0)
      found.push(
        hallazgo(
          'subio',
          'avisa',
          `El precio de ${nombre} subió de ${precioOf(antes)} a ${precioOf({ importe: ofrecido.precio, moneda: ofrecido.moneda })} por pieza.`,
        ),
      );
  return found;
}

function deAlmacen({ enUnAlmacen, sinLugar, proveedor }: Mirada): Hallazgo[] {
  if (sinLugar !== null)
    return [
      hallazgo(
        'almacen',
        'detiene',
        `${proveedor} no dice dónde están las piezas, y un pedido suyo es de un lugar: ${sinLugar.toLowerCase()} por conocer.`,
      ),
    ];
  if (enUnAlmacen !== false) return [];
  return [
    hallazgo(
      'almacen',
      'motivo',
      `Ningún almacén de ${proveedor} tiene todas las piezas: saldrían en varios paquetes y la guía es una.`,
    ),
  ];
}

function deMargen(
  { costo, recibe, estimado, queda, margen }: Omit<Revision, 'hallazgos'>,
  rol: Rol | null,
): Hallazgo[] {
  if (costo === null || queda === null || margen === null) return [];
  const cifras = `cuesta ${enPesos(costo.toFixed(2))} con IVA y de la venta se reciben ${enPesos(recibe.toFixed(2))}${estimado ? `, ${ESTIMADO}` : ''}`;
  if (queda.isNegative())
    return [hallazgo('margen', 'motivo', `Se perderían ${enPesos(queda.toFixed(2).slice(1))}: ${cifras}.`)];
  const minimo = margenMinimo(rol);
  if (margen.compare(minimo) >= 0) return [];
  return [
    hallazgo(
      'margen',
      'motivo',
      `Quedan ${enPesos(queda.toFixed(2))} (${porciento(margen)}), menos del ${porciento(minimo)}: ${cifras}.`,
    ),
  ];
}

function dineroOf({ ventas, lineas }: Mirada): Omit<Revision, 'hallazgos'> {
  const pagado = Money.sum(ventas.map((venta) => venta.pagado));
  const recibe = Money.sum(ventas.map((venta) => venta.recibe));
  const estimado = ventas.some((venta) => venta.estimado);
  const costos = lineas.map(({ cantidad, leido }) => {
    const costo = leido ? costoEnPesos(leido.ofrecido) : 'ilegible';
    return typeof costo === 'string' ? null : costo.times(cantidad);
  });
  if (costos.length === 0 || costos.some((costo) => costo === null))
    return { costo: null, pagado, recibe, estimado, queda: null, margen: null };
  const costo = Money.sum(costos as Money[])
    .withIva()
    .cents();
  return { costo, pagado, recibe, estimado, ...quedaOf({ pagado, recibe, costo }) };
}

/** Returns a fraction as '12.3 %'. */
export const porciento = (fraccion: Fraccion): string => `${fraccion.times(100).toFixed(1)} %`;

/** Returns a price as '$37.50 USD'. */
export const precioOf = ({ importe, moneda }: { importe: Money; moneda: Moneda }): string =>
  moneda === 'MXN' ? enPesos(importe.toFixed(2)) : `${enPesos(importe.toFixed(2))} ${moneda}`;

const edadOf = (en: Date, ahora: Date) => `leído ${hace(ahora.getTime() - en.getTime())}`;

/** Returns an age as 'hace 3 h'. */
function hace(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'ahora';
  if (minutes < 60) return `hace ${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `hace ${hours} h`;
  return `hace ${Math.floor(hours / 24)} días`;
}
