import { tableOf } from '~/core/table';
import type { Attribute } from '~/integrations/mercadolibre/wireItems';
import type { Campo, ClaseDeCampo, Formulario, Respuesta } from '~/domain/mercados/publicador';

/** Attributes that the form does not ask: Mercado Libre fills them, we fill them, or nobody does. */
const NO_SE_PIDEN = ['fixed', 'inferred', 'read_only', 'others', 'restricted_values'];
const NUESTROS = new Set(['SELLER_SKU', 'ITEM_CONDITION']);
/** Hidden attributes that are asked all the same: without them Mercado Libre refuses the packages that it carries. */
const PAQUETE = /^SELLER_PACKAGE_(?:HEIGHT|LENGTH|WIDTH|WEIGHT)$/;
const GTIN = new Set(['GTIN', 'EMPTY_GTIN_REASON']);

const CLASES: Readonly<Record<string, ClaseDeCampo>> = tableOf({
  string: 'texto',
  number: 'numero',
  number_unit: 'medida',
  list: 'lista',
  boolean: 'siNo',
});
const SIN_SOPORTE: Readonly<Record<string, string>> = tableOf({
  grid_id: 'pide una guía de tallas, y esas se hacen en Mercado Libre',
  grid_row_id: 'pide una guía de tallas, y esas se hacen en Mercado Libre',
  picture_id: 'pide una foto propia de cada variante',
});

/** Returns the form of a category, made of its attributes. An attribute of an unknown kind is told only where it is obligatory. */
export function formularioMl(
  attributes: readonly Attribute[],
  limites: Pick<Formulario, 'maxTitulo' | 'maxImagenes' | 'pide'>,
) {
  const formulario: Formulario = { campos: [], sinSoporte: [], ...limites };
  for (const attribute of attributes) {
    const { id, name, tags } = attribute;
    const obligatorio = obligatoriedad(attribute);
    if (NUESTROS.has(id) || NO_SE_PIDEN.some((tag) => tags.has(tag))) continue;
    if (tags.has('hidden') && obligatorio === 'no' && !GTIN.has(id) && !PAQUETE.test(id)) continue;
    const clase = CLASES[attribute.value_type];
    if (clase) formulario.campos.push(campoOf(attribute, clase, obligatorio));
    else if (obligatorio === 'si')
      formulario.sinSoporte.push({
        nombre: name || id,
        porque: SIN_SOPORTE[attribute.value_type] ?? `es de un tipo que no conocemos (${attribute.value_type})`,
      });
  }
  const peso = { si: 0, aVeces: 1, no: 2 };
  formulario.campos.sort((a, b) => peso[a.obligatorio] - peso[b.obligatorio]);
  return formulario;
}

function obligatoriedad({ id, tags }: Attribute): Campo['obligatorio'] {
  if (tags.has('required') || tags.has('new_required')) return 'si';
  return tags.has('conditional_required') || PAQUETE.test(id) ? 'aVeces' : 'no';
}

function campoOf(attribute: Attribute, clase: ClaseDeCampo, obligatorio: Campo['obligatorio']): Campo {
  const { id, name, values, allowed_units: units, default_unit: unidad, hint, tooltip, example } = attribute;
  const unidades = units.map((unit) => unit.name || unit.id);
  return {
    id,
    nombre: name || id,
    clase,
    obligatorio,
    valores: values.map((value) => ({ id: value.id, nombre: value.name || value.id })),
    unidades,
    unidad: unidad ?? unidades[0] ?? null,
    maximo: attribute.value_max_length ?? 255,
    ayuda: hint ?? tooltip ?? (example ? `Por ejemplo: ${example}` : null),
  };
}

/** Returns an answer as Mercado Libre takes it; null for an empty one. A chosen value travels by its id. */
export function atributoMl({ id, clase, valores, unidad }: Campo, respuesta: Respuesta | undefined) {
  const valor = respuesta?.valor.trim() ?? '';
  if (valor === '') return null;
  if (clase === 'lista' || clase === 'siNo') return { id, value_id: valor };
  if (clase === 'medida') return { id, value_name: `${valor} ${respuesta?.unidad || unidad}` };
  const conocido = valores.find(({ nombre }) => nombre.toLowerCase() === valor.toLowerCase());
  return { id, value_name: conocido?.nombre ?? valor };
}

/** Returns an answer that a listing shows, for a field of another category; null where the field does not take it. */
export function respuestaMl(
  { clase, valores, unidades }: Campo,
  { value_id: elegido, value_name: nombre }: { value_id?: string | null; value_name?: string | null },
): Respuesta | null {
  if (clase === 'lista' || clase === 'siNo') {
    const valor = valores.find((one) => one.id === elegido || one.nombre === nombre);
    return valor ? { valor: valor.id } : null;
  }
  if (!nombre) return null;
  if (clase !== 'medida') return { valor: nombre };
  const [valor = '', unidad = ''] = nombre.split(' ');
  return unidades.includes(unidad) ? { valor, unidad } : null;
}
