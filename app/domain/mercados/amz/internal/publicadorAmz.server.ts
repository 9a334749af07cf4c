import { disponibleCon, ofertaCon } from '~/integrations/amazon/oferta';
import type { CatalogoAmz, Esquema, FichaAmz } from '~/integrations/amazon/catalogo.server';
import { MEXICO } from '~/integrations/amazon/marketplace';
import { type AnuncioNuevo, Problema } from '~/integrations/amazon/wirePublicacion';
import { z } from 'zod';
import type { Publicador, Rama } from '~/domain/mercados/publicador';
import { atributosAmz, condicionados, formularioAmz, fotosAmz, OFERTA, textoAmz } from './camposAmz';
import { rechazosAmz } from './rechazosAmz';

/** The id of a page of the catalogue, which stands among product types to choose from. */
const FICHA = /^ASIN_([A-Z0-9]{10})$/;
const MAX_SKU = 40;
const CODIGO = /^\d{8}$|^\d{12,14}$/;
const EXISTE: Rama = { id: 'ASIN', nombre: 'Ya está en Amazon' };
const NUEVA: Rama = { id: 'PRODUCTO', nombre: 'Ficha nueva' };

const ramaOf = ({ asin, titulo, marca }: FichaAmz): Rama => ({
  id: `ASIN_${asin}`,
  nombre: [titulo, marca, asin].filter(Boolean).join(' · '),
});

const Cuerpo = z.object({
  sku: z.string(),
  productType: z.string(),
  requirements: z.enum(['LISTING', 'LISTING_OFFER_ONLY']),
  attributes: z.record(z.string(), z.unknown()),
});

/** Opens publishing at Amazon. An offer on an existing page goes first, found by its code; a product without one gets a page of its own, as its product type asks. */
export function createPublicadorAmz(amazon: CatalogoAmz): Publicador {
  async function esquemaDe(tipo: string): Promise<Esquema> {
    return (await amazon.definicion(tipo, 'LISTING'))?.esquema ?? {};
  }

  return {
    raices: () => Promise.resolve([]),

    async categoria(id) {
      const asin = FICHA.exec(id)?.[1];
      if (asin) {
        const ficha = await amazon.ficha(asin);
        return ficha && { ...ramaOf(ficha), ruta: [EXISTE, ramaOf(ficha)], hijas: [], publicable: true };
      }
      const definicion = await amazon.definicion(id, 'LISTING');
      const rama = { id, nombre: definicion?.nombre ?? id };
      return definicion && { ...rama, ruta: [NUEVA, rama], hijas: [], publicable: true };
    },

    async sugerir(texto, codigos = []) {
      const escrito = texto.trim();
      const suyos = CODIGO.test(escrito) ? [escrito] : codigos.filter((codigo) => CODIGO.test(codigo));
      const fichas = suyos.length > 0 ? await amazon.porCodigos(suyos) : [];
      // A code names one product. A page found by words is only alike, so it comes last.
      const parecidas = fichas.length > 0 || CODIGO.test(escrito) ? [] : await amazon.porTexto(escrito);
      const tipos = CODIGO.test(escrito) ? [] : await amazon.tipos(escrito);
      return [
        ...fichas.map(ramaOf),
        ...tipos,
        ...parecidas.map((ficha) => ({ ...ramaOf(ficha), parecida: true as const })),
      ].slice(0, 8);
    },

    async formulario(id) {
      return FICHA.test(id) ? OFERTA : formularioAmz(await esquemaDe(id));
    },

    async armar({ sku, categoriaId, titulo, descripcion, precio, stock, imagenes, respuestas }, { campos }) {
      const asin = FICHA.exec(categoriaId)?.[1];
      const nuestros = {
        condition_type: [{ value: 'new_new', marketplace_id: MEXICO }],
        purchasable_offer: [ofertaCon({}, precio.toFixed(2))],
        fulfillment_availability: [disponibleCon({}, stock)],
      };
      if (asin) {
        const ficha = await amazon.ficha(asin);
        return {
          sku,
          productType: ficha?.tipo ?? 'PRODUCT',
          requirements: 'LISTING_OFFER_ONLY',
          attributes: { ...nuestros, merchant_suggested_asin: [{ value: asin, marketplace_id: MEXICO }] },
        };
      }
      const esquema = await esquemaDe(categoriaId);
      return {
        sku,
        productType: categoriaId,
        requirements: 'LISTING',
        attributes: {
          ...atributosAmz(esquema, campos, respuestas),
          ...textoAmz(esquema, 'item_name', titulo),
          ...(descripcion && textoAmz(esquema, 'product_description', descripcion)),
          ...nuestros,
          ...fotosAmz(imagenes.flatMap((una) => ('source' in una ? [una.source] : []))),
        },
      };
    },

    async validar(cuerpo, { campos }) {
      const { sku, ...anuncio } = Cuerpo.parse(cuerpo);
      if (sku.length > MAX_SKU)
        return [{ campo: null, texto: `El SKU pasa de ${MAX_SKU} letras: ${sku}. Amazon no lo admite.` }];
      return rechazosAmz(await amazon.validar(sku, anuncio satisfies AnuncioNuevo), campos);
    },

    explicar: (no, formulario) => rechazosAmz(z.array(Problema).catch([]).parse(no), formulario?.campos ?? []),

    async obligados(categoriaId, cuerpo) {
      if (FICHA.test(categoriaId)) return [];
      const esquema = await esquemaDe(categoriaId);
      const { attributes } = Cuerpo.parse(cuerpo);
      const { campos } = formularioAmz(esquema);
      const pedidos = condicionados(esquema, attributes);
      return campos.filter(({ id }) => pedidos.includes(id.split('.')[0]!)).map(({ id }) => id);
    },

    // Amazon tells no fee for a page that nobody sells from yet.
    comision: () => Promise.resolve(null),
  };
}
