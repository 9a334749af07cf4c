import { Refused } from '../../errors';
import type { HttpAnswer } from '../../http.server';
import type { Cumple, Item, Lecturas, Recorrido } from '../cara';
import { type ClienteOptions, createLlamadas, esExito, fallaDe, formaDe, jsonDe, negado } from '../llamar.server';
import { itemPedido, leerItems } from '../paginas';
import { type TS } from './capacidades';
import { itemOf, Lista, Sobre } from './wire';

const LABEL = 'TecnoSinergia';
/** The whole catalogue comes in one answer. */
const CATALOGO = { timeoutMs: 180_000, maxBytes: 128 * 1024 * 1024 };

export type TsOptions = ClienteOptions & {
  /** Waits until the whole catalogue may be asked for once more. */
  turnoCompleto?: () => Promise<void>;
};

/** What TecnoSinergia tells. Its key is the token. */
export function createTsReader({
  turnoCompleto,
  now = () => new Date(),
  ...lado
}: TsOptions): Cumple<typeof TS, Lecturas> & Recorrido {
  const { leer } = createLlamadas({
    ...lado,
    name: 'ts',
    label: LABEL,
    conToken: (token) => ({ 'api-token': token }),
  });

  /** What is inside; null for what it does not know, which nobody knows how it says. */
  async function get(path: string, what: string, options = {}): Promise<unknown> {
    const answer = await leer({ method: 'GET', path, ...options });
    if (answer.status === 404) return null;
    if (!esExito(answer)) throw fallaDe(answer, LABEL, what);
    const sobre = formaDe(Sobre, jsonDe(answer, LABEL, what), LABEL, what);
    if (sobre.status === true || (sobre.status !== false && sobre.code === 0)) return sobre.data ?? null;
    if (isDesconocido(sobre)) return null;
    throw noDe(sobre, answer);
  }

  async function producto(id: string): Promise<Item | null> {
    const data = await get(`/item/list?item_id=${encodeURIComponent(id)}`, 'item/list');
    return itemPedido(formaDe(Lista, data, LABEL, 'item/list'), id, (raw) => itemOf(raw, now()), LABEL);
  }

  return {
    producto,

    async existencia(id) {
      return (await producto(id))?.existencia ?? null;
    },

    async *catalogo() {
      await turnoCompleto?.();
      const rows = formaDe(Lista, await get('/item/list', 'item/list', CATALOGO), LABEL, 'item/list');
      yield { ...leerItems(rows, (raw) => itemOf(raw, now())), sigue: null, total: rows.length };
    },

    async comprobar() {
      await get('/status', 'status');
    },
  };
}

/** A no of its own, of which neither codes nor words are known. Only what speaks of the token is of the account. */
function noDe({ code, message }: Sobre, answer: HttpAnswer): Refused {
  const words = `${LABEL}: ${message ?? `error ${code ?? 'sin código'}`}`;
  const account = code === 401 || code === 403 || /token/i.test(message ?? '');
  return account ? new Refused(words, { status: answer.status, account }) : negado(words, 'desconocido', answer);
}

const isDesconocido = ({ code, message }: Sobre) =>
  code === 404 || /no (?:existe|encontrad|se encontr)|sin resultados|not found/i.test(message ?? '');
