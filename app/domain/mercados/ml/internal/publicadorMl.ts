import type { Categorias } from '~/integrations/mercadolibre/categorias.server';
import { type Causa, sellsUserProducts } from '~/integrations/mercadolibre/wireItems';
import type { Publicador, Rama } from '~/domain/mercados/publicador';
import { atributoMl, formularioMl, respuestaMl } from './camposMl';
import { type CuentaMl, faltaDeAlmacen } from './cuentaMl';
import { rechazosMl } from './rechazosMl';

const TITULO = 60;
const IMAGENES = 10;
/** Mercado Libre's values of WARRANTY_TYPE and of ITEM_CONDITION. */
const GARANTIA_DEL_VENDEDOR = '2230280';
const SIN_GARANTIA = '6150835';
const NUEVO = '2230284';

const rama = ({ id, name }: { id: string; name: string }): Rama => ({ id, nombre: name || id });

type DeLaCuenta = {
  /** Reads the account at Mercado Libre, as it is now. */
  cuenta(): Promise<CuentaMl>;
  /** Reads what is kept of the account. */
  guardada(): Promise<CuentaMl>;
  /** Asks with a body that tells the condition as the account takes it. */
  conCondicion(
    cuerpo: Record<string, unknown>,
    ask: (cuerpo: Record<string, unknown>) => Promise<Causa[]>,
  ): Promise<Causa[]>;
};

/** Causes about pieces in a body that names stores. Nobody has confirmed that the question before publishing knows such bodies. */
const isOfLugares = ({ codigo, mensaje, referencias }: Causa) =>
  [codigo, mensaje, ...referencias].some((uno) => /\b(available_quantity|stock_locations)\b/.test(uno));

/** Opens publishing at Mercado Libre. Only a category without others below it takes listings. */
export function createPublicadorMl(ml: Categorias, { cuenta, guardada, conCondicion }: DeLaCuenta): Publicador {
  return {
    raices: async () => (await ml.roots()).map(rama),

    async categoria(id) {
      const category = await ml.category(id);
      return (
        category && {
          ...rama(category),
          ruta: category.path_from_root.map(rama),
          hijas: category.children_categories.map(rama),
          publicable: category.children_categories.length === 0 && category.settings?.listing_allowed !== false,
        }
      );
    },

    sugerir: async (texto) =>
      (await ml.predict(texto)).map((one) => ({
        id: one.category_id,
        nombre: one.category_name ?? one.domain_name ?? one.category_id,
      })),

    async formulario(id) {
      const [category, attributes] = await Promise.all([ml.category(id), ml.attributes(id)]);
      return formularioMl(attributes, {
        maxTitulo: category?.settings?.max_title_length ?? TITULO,
        maxImagenes: category?.settings?.max_pictures_per_item ?? IMAGENES,
        pide: { titulo: true, descripcion: true, garantia: true },
      });
    },

    async armar({ sku, tipo, categoriaId, titulo, precio, stock, garantiaMeses, imagenes, respuestas }, { campos }) {
      const { etiquetas, porLugar, almacen } = await cuenta();
      return {
        ...(sellsUserProducts(etiquetas) ? { family_name: titulo } : { title: titulo }),
        category_id: categoriaId,
        price: Number(precio.toFixed(2)),
        currency_id: 'MXN',
        ...(porLugar
          ? {
              stock_locations: almacen
                ? [
                    {
                      store_id: almacen.id,
                      ...(almacen.nodo !== null && { network_node_id: almacen.nodo }),
                      quantity: stock,
                    },
                  ]
                : [],
            }
          : { available_quantity: stock }),
        buying_mode: 'buy_it_now',
        condition: 'new',
        listing_type_id: tipo,
        pictures: imagenes,
        attributes: [
          ...campos.map((campo) => atributoMl(campo, respuestas[campo.id])).filter((one) => one !== null),
          { id: 'ITEM_CONDITION', value_id: NUEVO },
          { id: 'SELLER_SKU', value_name: sku },
        ],
        sale_terms:
          garantiaMeses === null || garantiaMeses === 0
            ? [{ id: 'WARRANTY_TYPE', value_id: SIN_GARANTIA }]
            : [
                { id: 'WARRANTY_TYPE', value_id: GARANTIA_DEL_VENDEDOR },
                { id: 'WARRANTY_TIME', value_name: `${garantiaMeses} meses` },
              ],
        channels: ['marketplace'],
      };
    },

    mover: {
      async respuestasDe(clave, { campos }) {
        const item = await ml.item(clave);
        if (!item) return null;
        const suyas = new Map(item.attributes.map((one) => [one.id, one]));
        const respuestas = campos.flatMap((campo) => {
          const suya = suyas.get(campo.id);
          const respuesta = suya && respuestaMl(campo, suya);
          return respuesta ? [[campo.id, respuesta] as const] : [];
        });
        return {
          categoriaId: item.category_id ?? null,
          vendido: item.sold_quantity ?? 0,
          respuestas: Object.fromEntries(respuestas),
        };
      },

      armarCambio: (categoriaId, respuestas, { campos }) => ({
        category_id: categoriaId,
        attributes: campos.map((campo) => atributoMl(campo, respuestas[campo.id])).filter((one) => one !== null),
      }),
    },

    async validar(cuerpo, { campos }) {
      const porLugar = 'stock_locations' in cuerpo;
      const falta = porLugar ? faltaDeAlmacen(await guardada()) : null;
      const causas = await conCondicion(cuerpo, (dicho) => ml.validate(dicho));
      const suyas = porLugar ? causas.filter((causa) => !isOfLugares(causa)) : causas;
      return [...(falta === null ? [] : [{ campo: 'stock', texto: falta }]), ...rechazosMl(suyas, campos)];
    },
    explicar: (no, formulario) => rechazosMl(Array.isArray(no) ? (no as Causa[]) : [], formulario?.campos ?? []),
    obligados: (categoriaId, cuerpo) => ml.conditional(categoriaId, cuerpo),
    comision: ({ precio, categoriaId, tipo }) => ml.fee({ precio: precio.toFixed(2), categoria: categoriaId, tipo }),
  };
}
