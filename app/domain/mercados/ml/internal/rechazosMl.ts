import { tableOf } from '~/core/table';
import { CATEGORIA_CON_VENTAS } from '~/integrations/mercadolibre/rechazos';
import { isNoPorPublicacion } from '~/integrations/mercadolibre/wireLugares';
import type { Causa } from '~/integrations/mercadolibre/wireItems';
import type { Campo, Rechazo } from '~/domain/mercados/publicador';

type Dicho = { campo?: string; texto: string };
/** Why Mercado Libre does not take a listing, with its remedy, by the number of the reason. A reason that is not here keeps its own words. */
const POR_ID: Readonly<Record<number, Dicho>> = {
  107: { campo: 'titulo', texto: 'El título es más largo de lo que admite la categoría.' },
  109: { campo: 'precio', texto: 'El precio es menor al mínimo de la categoría.' },
  126: {
    campo: 'categoria',
    texto: 'La categoría no admite publicaciones, o ya no se puede cambiar: la publicación tiene ventas.',
  },
  129: { campo: 'precio', texto: 'El precio es mayor al máximo que admite.' },
  147: { texto: 'Es obligatorio en esta categoría.' },
  154: { texto: 'Es más largo de lo que admite.' },
  173: { campo: 'imagenes', texto: 'Hace falta al menos una foto.' },
  201: { campo: 'imagenes', texto: 'Son más fotos de las que admite la categoría.' },
  204: { campo: 'imagenes', texto: 'Una de las fotos ya no existe: vuelve a elegirlas.' },
  369: { texto: 'Falta un dato que la cuenta pide.' },
  394: { texto: 'Es más largo de lo que admite.' },
  398: { campo: 'descripcion', texto: 'La descripción lleva solo texto: sin HTML ni emojis.' },
  3250: { campo: 'BRAND', texto: 'La marca pide que Mercado Libre autorice a la cuenta.' },
  3510: { texto: 'Este valor no es de los que admite: elige otro.' },
  3701: { campo: 'GTIN', texto: 'El código ya se usa con otra marca o en otro tipo de producto.' },
  3703: { campo: 'imagenes', texto: 'Una foto mide menos de 500 px por lado.' },
  3704: { texto: 'El catálogo lo pide.' },
  3705: { campo: 'titulo', texto: 'El título es demasiado corto.' },
  3706: { campo: 'imagenes', texto: 'Una foto no se pudo procesar: elige otra.' },
  3707: { campo: 'descripcion', texto: 'La descripción es demasiado larga.' },
  3708: { texto: 'Se escribe solo con números.' },
  3709: { texto: 'La unidad no es de las que admite.' },
  3711: { campo: 'GTIN', texto: 'El código es de otro tipo de producto.' },
  3712: { campo: 'GTIN', texto: 'El código es de otra marca.' },
  5400: { campo: 'SELLER_PACKAGE_WEIGHT', texto: 'Faltan las medidas o el peso del paquete.' },
  5401: { campo: 'SELLER_PACKAGE_WEIGHT', texto: 'Las medidas o el peso del paquete no son válidos.' },
  5402: {
    campo: 'SELLER_PACKAGE_WEIGHT',
    texto: 'Las medidas van en centímetros enteros y el peso en gramos enteros.',
  },
  7710: { campo: 'GTIN', texto: 'El código no existe.' },
  7711: {
    campo: 'GTIN',
    texto: 'El código no es un GTIN: son 8, 12, 13 o 14 números, y el último es su dígito de control.',
  },
  7712: { campo: 'GTIN', texto: 'El código es de otro producto del catálogo.' },
  7714: { campo: 'GTIN', texto: 'El código no es válido.' },
  7810: { texto: 'Es obligatorio por lo que dicen los demás datos.' },
};
/** The refusal of an account that counts pieces by place since a moment ago. The body is built anew with each press. */
const POR_ALMACEN: Dicho = {
  campo: 'stock',
  texto: 'La cuenta cuenta ahora sus piezas por almacén. Publica otra vez: salen con el tuyo.',
};
const SIN_GTIN = 'Escribe el código de barras, o elige por qué no lo tiene.';
/** Our field for each part of a listing as it is sent. */
const PARTES: Readonly<Record<string, string>> = tableOf({
  title: 'titulo',
  family_name: 'titulo',
  price: 'precio',
  category_id: 'categoria',
  pictures: 'imagenes',
  available_quantity: 'stock',
});
const POR_CODIGO: Readonly<Record<string, Dicho>> = tableOf({
  'item.category_id.not_modifiable': {
    campo: 'categoria',
    texto: CATEGORIA_CON_VENTAS,
  },
});

/** Returns the fields of the form that a text names, as in `[GTIN, MODEL]`. */
function nombrados(texto: string, campos: readonly Campo[]): string[] {
  const ids = new Set(campos.map(({ id }) => id));
  return [...texto.matchAll(/\[([^[\]]+)\]/g)]
    .flatMap(([, inside]) => inside!.split(','))
    .map((id) => id.trim())
    .filter((id) => ids.has(id));
}

/** Returns why Mercado Libre does not take a listing, by the fields of the form. */
export function rechazosMl(causas: readonly Causa[], campos: readonly Campo[]): Rechazo[] {
  const rechazos = causas.flatMap((causa): Rechazo[] => {
    const { id, codigo, referencias, mensaje } = causa;
    const porAlmacen = id === null && isNoPorPublicacion(`${codigo} ${mensaje}`);
    const dicho = porAlmacen ? POR_ALMACEN : (POR_CODIGO[codigo] ?? (id === null ? undefined : POR_ID[id]));
    const texto = dicho?.texto ?? `Mercado Libre dice: ${mensaje || codigo}`;
    const ids = nombrados([mensaje, ...referencias].join(' '), campos);
    if (ids.length > 0)
      return [...new Set(ids)].map((campo) => ({
        campo,
        texto: campo === 'GTIN' && (id === 7810 || id === 147) ? SIN_GTIN : texto,
      }));
    const parte = referencias.map((one) => PARTES[/^item\.(\w+)/.exec(one)?.[1] ?? '']).find(Boolean);
    return [{ campo: dicho?.campo ?? parte ?? null, texto }];
  });
  const vistos = new Set<string>();
  return rechazos.filter(({ campo, texto }) => {
    const clave = `${campo} ${texto}`;
    return !vistos.has(clave) && vistos.add(clave);
  });
}
