import { Refused } from '../../errors';
import type { Cumple, Item, Lecturas, Recorrido } from '../cara';
import { type ClienteOptions, createLlamadas, isExito, fallaOf, formaOf, jsonOf, negado } from '../llamar.server';
import { itemPedido } from '../paginas';
import { tramosOfLista } from '../porPartes.server';
import { type TS } from './capacidades';
import { itemOf, Lista, Sobre } from './wire';

const LABEL = 'TecnoSinergia';
/** The whole catalogue comes in one answer. */
const CATALOGO = { timeoutMs: 180_000 };

export type TsOptions = ClienteOptions & {
  /** Waits until the whole catalogue may be asked for once more. */
  takeFullRead?: () => Promise<void>;
};

/** Makes the half of TecnoSinergia that reads. Its key is the token. */
export function createTsReader({
  takeFullRead,
  now = () => new Date(),
  ...lado
}: TsOptions): Cumple<typeof TS, Lecturas> & Recorrido {
  const { leer, bajar } = createLlamadas({
    ...lado,
    name: 'ts',
    label: LABEL,
    conToken: (token) => ({ 'api-token': token }),
  });

  /** Returns the data inside the envelope; null when the supplier does not know it. The words for not known are guessed. */
  async function get(path: string, what: string, options = {}): Promise<unknown> {
    const answer = await leer({ method: 'GET', path, ...options });
    if (answer.status === 404) return null;
    if (!isExito(answer)) throw fallaOf(answer, LABEL, what);
    const sobre = formaOf(Sobre, jsonOf(answer, LABEL, what), LABEL, what);
    if (isYes(sobre)) return sobre.data ?? null;
    if (isDesconocido(sobre)) return null;
    throw noOf(sobre, answer.status);
  }

  async function producto(id: string): Promise<Item | null> {
    const data = await get(`/item/list?item_id=${encodeURIComponent(id)}`, 'item/list');
    return itemPedido(formaOf(Lista, data, LABEL, 'item/list'), id, (raw) => itemOf(raw, now()), LABEL);
  }

  return {
    producto,

    async existencia(id) {
      return (await producto(id))?.existencia ?? null;
    },

    async *catalogo() {
      await takeFullRead?.();
      const en = now();
      const answer = await bajar({ path: '/item/list', ...CATALOGO }, 'item/list');
      const alrededor = (json: unknown) => {
        const sobre = formaOf(Sobre, json, LABEL, 'item/list');
        if (!isYes(sobre)) throw noOf(sobre, answer.status);
      };
      yield* tramosOfLista(answer, { label: LABEL, clave: 'item_id', itemOf, en, alrededor });
    },

    async comprobar() {
      await get('/status', 'status');
    },
  };
}

/** Returns the error of a refusal. Its codes and words are not documented; only words about the token are about the account. */
function noOf({ code, message }: Sobre, status: number): Refused {
  const words = `${LABEL}: ${message ?? `error ${code ?? 'sin código'}`}`;
  const account = code === 401 || code === 403 || /token/i.test(message ?? '');
  return account
    ? new Refused(words, { status, account, raw: JSON.stringify({ code, message }) })
    : negado(words, 'desconocido', { status });
}

const isYes = ({ status, code }: Sobre) => status === true || (status !== false && code === 0);

const isDesconocido = ({ code, message }: Sobre) =>
  code === 404 || /no (?:existe|encontrad|se encontr)|sin resultados|not found/i.test(message ?? '');
