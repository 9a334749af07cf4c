import { z } from 'zod';
import { Refused, Unavailable, Uncertain } from '../errors';
import { exchange } from '../http.server';
import { readJson, readShape } from './answer';
import { createLlamada, encoded, type LlamadaOptions } from './call.server';
import { MEXICO } from './client.server';
import { type AnuncioNuevo, type Problema, Recibido } from './wirePublicacion';

const texto = z.string().nullish();
const Ficha = z.object({
  asin: z.string().min(1),
  summaries: z.array(z.object({ itemName: texto, brand: texto })).nullish(),
  productTypes: z.array(z.object({ productType: texto })).nullish(),
});
const Fichas = z.object({ items: z.array(Ficha).nullish() });
const Tipos = z.object({ productTypes: z.array(z.object({ name: z.string().min(1), displayName: texto })).nullish() });
const Definicion = z.object({
  displayName: texto,
  productType: z.string(),
  schema: z.object({ link: z.object({ resource: z.string().min(1) }), checksum: texto }),
});
const Esquema = z.record(z.string(), z.unknown());
export type Esquema = z.output<typeof Esquema>;

/** A page of Amazon's catalogue, from which many sellers sell. */
export type FichaAmz = { asin: string; titulo: string; marca: string | null; tipo: string | null };
const fichaOf = ({ asin, summaries, productTypes }: z.output<typeof Ficha>): FichaAmz => ({
  asin,
  titulo: summaries?.[0]?.itemName || asin,
  marca: summaries?.[0]?.brand ?? null,
  tipo: productTypes?.[0]?.productType ?? null,
});

/** The schemas that were downloaded, by checksum: schemas are large and rarely change. */
const MAX_GUARDADOS = 20;
const guardados = new Map<string, Esquema>();

const claseOf = (codigo: string) => (codigo.length === 12 ? 'UPC' : codigo.length === 14 ? 'GTIN' : 'EAN');

/** The questions before something is put on sale at Amazon México. No question changes anything there. */
export function createCatalogoAmz(options: LlamadaOptions) {
  const call = createLlamada(options);
  const seller = async () => (await options.tokens.current()).sellerId;

  async function buscar(query: Record<string, string | readonly string[]>): Promise<FichaAmz[]> {
    const what = 'búsqueda en el catálogo';
    const answer = await call(
      {
        operacion: 'searchCatalogItems',
        method: 'GET',
        path: '/catalog/2022-04-01/items',
        query: { marketplaceIds: [MEXICO], includedData: ['summaries', 'productTypes'], locale: 'es_MX', ...query },
      },
      what,
    );
    return (readShape(Fichas, readJson(answer, what), what).items ?? []).map(fichaOf);
  }

  return {
    /** Finds the pages of the catalogue with one of these codes. */
    async porCodigos(codigos: readonly string[]): Promise<FichaAmz[]> {
      const halladas = new Map<string, FichaAmz>();
      for (const clase of new Set(codigos.map(claseOf))) {
        const suyos = codigos.filter((codigo) => claseOf(codigo) === clase).slice(0, 20);
        for (const ficha of await buscar({ identifiers: suyos, identifiersType: clase }))
          halladas.set(ficha.asin, ficha);
      }
      return [...halladas.values()];
    },

    porTexto: (palabras: string) => buscar({ keywords: palabras.split(/\s+/).slice(0, 20), pageSize: '5' }),

    async ficha(asin: string): Promise<FichaAmz | null> {
      const what = 'ficha del catálogo';
      try {
        const answer = await call(
          {
            operacion: 'getCatalogItem',
            method: 'GET',
            path: `/catalog/2022-04-01/items/${encoded(asin)}`,
            query: { marketplaceIds: [MEXICO], includedData: ['summaries', 'productTypes'], locale: 'es_MX' },
          },
          what,
        );
        return fichaOf(readShape(Ficha, readJson(answer, what), what));
      } catch (error) {
        if (error instanceof Refused && error.details.status === 404) return null;
        throw error;
      }
    },

    /** Finds product types for a text; without a text, all of them. */
    async tipos(itemName: string | null): Promise<{ id: string; nombre: string }[]> {
      const what = 'tipos de producto';
      const answer = await call(
        {
          operacion: 'searchDefinitionsProductTypes',
          method: 'GET',
          path: '/definitions/2020-09-01/productTypes',
          query: {
            marketplaceIds: [MEXICO],
            locale: 'es_MX',
            searchLocale: 'es_MX',
            itemName: itemName ?? undefined,
          },
        },
        what,
      );
      const { productTypes } = readShape(Tipos, readJson(answer, what), what);
      return (productTypes ?? []).map(({ name, displayName }) => ({ id: name, nombre: displayName || name }));
    },

    /** Reads a product type; null when none has that name. */
    async definicion(
      tipo: string,
      requirements: AnuncioNuevo['requirements'],
    ): Promise<{ nombre: string; esquema: Esquema } | null> {
      const what = 'tipo de producto';
      try {
        const answer = await call(
          {
            operacion: 'getDefinitionsProductType',
            method: 'GET',
            path: `/definitions/2020-09-01/productTypes/${encoded(tipo)}`,
            query: {
              marketplaceIds: [MEXICO],
              sellerId: await seller(),
              requirements,
              requirementsEnforced: 'ENFORCED',
              locale: 'es_MX',
            },
          },
          what,
        );
        const { displayName, productType, schema } = readShape(Definicion, readJson(answer, what), what);
        return { nombre: displayName || productType, esquema: await bajar(schema.link.resource, schema.checksum) };
      } catch (error) {
        if (error instanceof Refused && [400, 404].includes(error.details.status ?? 0)) return null;
        throw error;
      }
    },

    /** Returns the problems that Amazon finds in a listing, without putting it anywhere. */
    async validar(sku: string, anuncio: AnuncioNuevo): Promise<Problema[]> {
      const what = 'revisión de una publicación';
      try {
        const answer = await call(
          {
            operacion: 'putListingsItem',
            method: 'PUT',
            path: `/listings/2021-08-01/items/${encoded(await seller())}/${encoded(sku)}`,
            query: {
              marketplaceIds: [MEXICO],
              issueLocale: 'es_MX',
              includedData: ['issues'],
              mode: 'VALIDATION_PREVIEW',
            },
            body: anuncio,
          },
          what,
        );
        const { status, issues } = readShape(Recibido, readJson(answer, what), what);
        const errores = (issues ?? []).filter(({ severity }) => severity === 'ERROR');
        return status === 'INVALID' && errores.length === 0 ? [{ message: null, severity: 'ERROR' }] : errores;
      } catch (error) {
        if (error instanceof Uncertain)
          throw new Unavailable(`Amazon no contestó (${error.message})`, { cause: error });
        throw error;
      }
    },
  };

  /** Downloads a schema. Its address is signed, and takes no token of ours. */
  async function bajar(url: string, checksum: string | null | undefined): Promise<Esquema> {
    const known = checksum ? guardados.get(checksum) : undefined;
    if (known) return known;
    const what = 'esquema del tipo de producto';
    const answer = await exchange({
      side: { name: 'amazon-esquemas', root: new URL(url).origin },
      method: 'GET',
      url,
      timeoutMs: options.timeoutMs,
      trace: options.trace,
    }).catch((error: unknown) => {
      if (error instanceof Uncertain) throw new Unavailable(`Amazon no contestó (${error.message})`, { cause: error });
      throw error;
    });
    if (answer.status !== 200) throw new Unavailable(`Amazon no entregó el esquema (${answer.status})`);
    const esquema = readShape(Esquema, readJson(answer, what), what);
    const [primero] = guardados.keys();
    if (guardados.size >= MAX_GUARDADOS && primero !== undefined) guardados.delete(primero);
    if (checksum) guardados.set(checksum, esquema);
    return esquema;
  }
}

export type CatalogoAmz = ReturnType<typeof createCatalogoAmz>;
