import { enPalabras, parteOf } from '~/integrations/amazon/problemas';
import type { Problema } from '~/integrations/amazon/wirePublicacion';
import type { Campo, Rechazo } from '~/domain/mercados/publicador';

/** Returns why Amazon does not take a listing, by the fields of the form. */
export function rechazosAmz(problemas: readonly Problema[], campos: readonly Campo[] = []): Rechazo[] {
  const vistos = new Set<string>();
  return problemas
    .flatMap((problema): Rechazo[] => {
      const texto = enPalabras(problema);
      const atributos = problema.attributeNames ?? [];
      if (atributos.length === 0) return [{ campo: null, texto }];
      return atributos.map((atributo) => ({ campo: campoOf(atributo, campos), texto }));
    })
    .filter(({ campo, texto }) => {
      const clave = `${campo} ${texto}`;
      return !vistos.has(clave) && vistos.add(clave);
    });
}

/** Returns the field of the form that writes an attribute; of an attribute with several fields, the first. */
const campoOf = (atributo: string, campos: readonly Campo[]): string =>
  campos.find(({ id }) => id === atributo || id.startsWith(`${atributo}.`))?.id ?? parteOf(atributo);
