import { z } from 'zod';
import { Money } from '~/core/money';
import { CODIGO_SAT_GENERICO, ENVIO, type Articulo } from '~/domain/facturacion/cfdi/articulos';
import { ArticulosForm } from '~/domain/facturacion/cfdi/forms';
import { formOf } from '../form.server';
import { Escrito, vacio } from './shapes';

/** Rows of a document as the old client sends them. Of its two prices the one with VAT counts; the other is read where that is missing. */
export const Articulos = z
  .array(
    z.object({
      nombre: z.string().max(2_000),
      cantidad: Escrito,
      precioUnitario: vacio(Escrito),
      precioSinIva: vacio(Escrito),
      precioSinÍva: vacio(Escrito),
      codigoSat: vacio(z.coerce.string().max(20)),
      sku: vacio(z.string().max(200)),
      orden: vacio(z.coerce.string().max(120)).meta({ description: 'El id de la orden o su número en el mercado.' }),
    }),
  )
  .max(500);
export type Articulos = z.output<typeof Articulos>;

/** An orden by the names that the old client has for it. */
type Nombrada = { id: string; marketId: string; numOrden: string };

/**
 * Returns the rows that are stamped. A row that is of the sale keeps what the old client does not know of it: its orden, unit, rate and the cents that its
 * unit price leaves out.
 */
export function articulosOf(
  dichos: Articulos,
  deLaVenta: readonly Articulo[] = [],
  ordenes: readonly Nombrada[] = [],
): Articulo[] {
  const articulos = dichos.map((dicho) => {
    const suyas = dicho.orden === undefined ? undefined : idsOf(dicho.orden, ordenes);
    const fila = deLaVenta.find((una) => isOf(dicho, una, suyas));
    const { nombre, cantidad, precioUnitario, sku, codigoSat } = dicho;
    const suya = fila && {
      ordenId: fila.ordenId,
      claveUnidad: fila.claveUnidad,
      tasaIva: fila.tasaIva,
      importe: fila.importe,
    };
    return {
      ...suya,
      nombre,
      cantidad,
      precioUnitario: precioUnitario ?? conIva(dicho.precioSinIva ?? dicho.precioSinÍva),
      codigoSat: codigoSat ?? fila?.codigoSat ?? CODIGO_SAT_GENERICO,
      sku: sku ?? fila?.sku,
    };
  });
  return formOf(ArticulosForm, { articulos }).articulos;
}

/** The ordenes that are meant: that of the id or of the marketplace's number, else those of a cart by its number. */
function idsOf(orden: string, ordenes: readonly Nombrada[]): (string | undefined)[] {
  const suyas = ordenes.filter(({ id, marketId }) => id === orden || marketId === orden);
  return (suyas.length > 0 ? suyas : ordenes.filter(({ numOrden }) => numOrden === orden)).map(({ id }) => id);
}

function isOf({ sku, codigoSat, nombre }: Articulos[number], fila: Articulo, suyas?: (string | undefined)[]): boolean {
  if (suyas && !suyas.includes(fila.ordenId)) return false;
  if (sku !== undefined) return sku === fila.sku;
  return codigoSat === ENVIO.codigoSat ? fila.codigoSat === codigoSat : nombre === fila.nombre;
}

const conIva = (neto: string | undefined) =>
  neto !== undefined && /^\d{1,9}(?:\.\d{1,6})?$/.test(neto) ? Money.of(neto).withIva().toFixed(2) : neto;
