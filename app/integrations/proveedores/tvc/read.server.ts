import { Refused, UnexpectedShape } from '../../errors';
import type { Cumple, Item, Lecturas, Recorrido } from '../cara';
import { type ClienteOptions, createLlamadas, isExito, fallaOf, formaOf, jsonOf } from '../llamar.server';
import { itemPedido, tramoOf } from '../paginas';
import { type TVC } from './capacidades';
import { itemOf, Pagina, tipoOfCambioOf } from './wire';

const LABEL = 'TVC';
const POR_PAGINA = 100;
const COMPLETO = 'withPrice=true&withInventory=detailed&withMedia=true&withWeightsAndDimensions=true';

/** Makes the half of TVC that reads. Its key is the token, which a customer makes by hand and nothing renews. */
export function createTvcReader({
  now = () => new Date(),
  ...lado
}: ClienteOptions): Cumple<typeof TVC, Lecturas> & Recorrido {
  const { leer } = createLlamadas({
    ...lado,
    name: 'tvc',
    label: LABEL,
    conToken: (token) => ({ authorization: `Bearer ${token}` }),
  });

  /** Returns null for a 404, which may stand for an empty page. */
  async function get(path: string, what: string): Promise<unknown> {
    const answer = await leer({ method: 'GET', path });
    if (answer.status === 404) return null;
    if (!isExito(answer)) throw fallaOf(answer, LABEL, what);
    return jsonOf(answer, LABEL, what);
  }

  async function pagina(query: string) {
    const json = await get(`/products?${query}`, 'products');
    return formaOf(Pagina, json ?? {}, LABEL, 'products');
  }

  async function producto(id: string): Promise<Item | null> {
    const { data } = await pagina(`tvcIds[]=${encodeURIComponent(id)}&${COMPLETO}`);
    return itemPedido(data, id, (raw) => itemOf(raw, now()), LABEL);
  }

  return {
    producto,

    async existencia(id) {
      return (await producto(id))?.existencia ?? null;
    },

    async tipoCambio() {
      const pesos = tipoOfCambioOf(await get('/exchange-rates', 'exchange-rates'));
      if (!pesos || pesos.isZero()) throw new UnexpectedShape(`${LABEL} no dijo su tipo de cambio`);
      return { pesos, leidoEn: now() };
    },

    async *catalogo(desde) {
      for (let page = Number(desde ?? 1), more = true; more; page++) {
        const { data, meta } = await pagina(`page=${page}&perPage=${POR_PAGINA}&${COMPLETO}`);
        more = data.length > 0 && page < (meta?.last_page ?? Infinity);
        yield {
          ...tramoOf(data, 'tvc_id', itemOf, now()),
          sigue: more ? String(page + 1) : null,
          total: meta?.total ?? null,
        };
      }
    },

    async comprobar() {
      if ((await pagina('page=1&perPage=1')).data.length === 0)
        throw new Refused(`${LABEL} no enseña ningún producto con esa llave`, { account: true });
    },
  };
}
