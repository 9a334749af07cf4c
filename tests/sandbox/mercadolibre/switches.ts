import { z } from 'zod';

/** Behaviours of Mercado Libre that come and go. Each is off until a test turns it on. */
const flag = z.union([z.boolean(), z.enum(['true', 'false', 'on']).transform((text) => text !== 'false')]);
const number = z.coerce.number().min(0);

export const Switches = z.object({
  /** Number of paid sales that a search for cancelled ones returns too. */
  canceladasFalsas: number,
  /** Number of next reads of an order that are answered 206, without buyer and shipping. */
  ordenesParciales: number,
  /** Number of next reads of an order that come without its payments. */
  pagosVacios: number,
  /** Seconds until a new sale's payment shows its withheld taxes. Its net adds up meanwhile. */
  segundosSinRetencion: number,
  /** Numbers of orders, parted by commas, that no search shows. Who knows the number reads them. */
  ordenesOcultas: z.string(),
  /** Part of a path that is answered 401 although the token lives. */
  noEsTuyo: z.string(),
  /** Whether the application is blocked: every call is answered 401 although the token lives. */
  aplicacionBloqueada: flag,
  /** Seconds until a new sale's shipment appears. */
  segundosSinEnvio: number,
  /** Seconds until a new sale's payment shows its commission. */
  segundosSinComision: number,
  /** Seconds in which a new sale is answered 404. */
  segundosSinOrden: number,
  /** Whether the person at the authorization page is a collaborator. */
  colaborador: flag,
  /** Whether the application demands PKCE. */
  pkceObligatorio: flag,
  /** The site of the account that gets linked. */
  sitio: z.string(),
  /** Whether the object view of /orders/{id}/shipments is gone. */
  vistaObjetoRetirada: flag,
  /** Whether the prices have left the documents of listings. */
  preciosAparte: flag,
  /** Whether notices of a price come under the topic of listings, as the vendor's sample has it. */
  avisoDePrecioComoItem: flag,
  /** Whether an order without discounts is answered 404 instead of an empty list. */
  descuentos404: flag,
  /** Error of paging.total. */
  totalErroneo: number,
  /** Share of the notifications that arrive twice, and of those with user_id as text. */
  avisosDobles: number,
  avisosTexto: number,
  /** Whether notifications come without the leading slash. */
  avisosSinDiagonal: flag,
  /** Whether the number of a seller's own package is never shown. */
  guiaPropiaOculta: flag,
  /** Whether the account sells user products. Its listings then have a family name, and the marketplace composes their title. */
  cuentaUp: flag,
  /** Number of stores of an account whose pieces go by place; 0 is an account that counts them by listing. */
  almacenes: number,
  /** Whether such an account takes an amount of a listing and changes nothing. Else it refuses the amount. */
  stockIgnorado: flag,
  /** Whether the nodes of stores are told with letters before their digits. */
  nodoConLetras: flag,
  /** Number of next changes by place before which somebody else writes the pieces. */
  versionesMovidas: number,
  /** Whether the question before publishing does not know bodies with stores. */
  validarSinLugares: flag,
  /** The one way of telling an item's condition that is taken; both are by default. */
  condicion: z.enum(['ambas', 'campo', 'atributo']),
  /** Whether a listing that passes `/items/validate` is refused when it is put on sale. */
  negarAlPublicar: flag,
  /** Whether the price of one listing type comes in a list. */
  preciosEnLista: flag,
  /** The kind of logistics that the account's preferences tell. */
  logistica: z.string(),
  /** Whether no notification leaves. All then go to the missed feeds. */
  sinAvisos: flag,
  /** Calls about items in a minute before a 429; 0 is no limit. */
  llamadasPorMinuto: number,
  /** Milliseconds in which a second write to an item is a conflict. */
  candadoMs: number,
  /** The answer about the price to win: as documented, refused to the account, without a price, or with a state that nobody knows. */
  precioParaGanar: z.enum(['llega', '403', 'sinPrecio', 'estadoNuevo']),
  /** The answer about the promotions of a listing: as documented, refused to the account, or with a state that nobody knows. */
  promociones: z.enum(['llega', '403', 'estadoNuevo']),
  /** Whether a promotion that is the only one of its listing comes without a list, as in the vendor's sample. */
  promocionesSueltas: flag,
  /** The answer to an exclusion, which nobody has shown: with the state, empty, refused, or taken without any effect. */
  exclusion: z.enum(['estado', 'vacia', 'niega', 'sinEfecto']),
  /** Whether an exclusion ends the automatic offers that run: nobody knows it. */
  excluirTermina: flag,
  /** The answer to the removal of an offer: with its ids, empty, or a success of nothing but errors. */
  quitarOferta: z.enum(['ids', 'vacia', 'soloErrores']),
  /** Number of next removals of an offer that find it locked. */
  ofertasConCandado: number,
  /** The ZPL of a label: in a ZIP, as it stands, or refused. */
  zpl: z.enum(['zip', 'suelto', 'niega']),
  /** Whether the last page of a scan has null results instead of an empty list. */
  scanNulo: flag,
});
export type Switches = z.output<typeof Switches>;

export const QUIET: Switches = {
  canceladasFalsas: 0,
  ordenesParciales: 0,
  pagosVacios: 0,
  segundosSinRetencion: 0,
  noEsTuyo: '',
  aplicacionBloqueada: false,
  segundosSinEnvio: 0,
  segundosSinComision: 0,
  segundosSinOrden: 0,
  colaborador: false,
  pkceObligatorio: false,
  sitio: 'MLM',
  vistaObjetoRetirada: false,
  preciosAparte: false,
  avisoDePrecioComoItem: false,
  descuentos404: false,
  totalErroneo: 0,
  avisosDobles: 0.1,
  avisosTexto: 0.1,
  avisosSinDiagonal: false,
  guiaPropiaOculta: false,
  cuentaUp: false,
  almacenes: 0,
  stockIgnorado: false,
  nodoConLetras: false,
  versionesMovidas: 0,
  validarSinLugares: false,
  condicion: 'ambas',
  negarAlPublicar: false,
  preciosEnLista: false,
  logistica: 'drop_off',
  ordenesOcultas: '',
  sinAvisos: false,
  llamadasPorMinuto: 0,
  candadoMs: 0,
  precioParaGanar: 'llega',
  promociones: 'llega',
  promocionesSueltas: false,
  exclusion: 'estado',
  excluirTermina: false,
  quitarOferta: 'ids',
  ofertasConCandado: 0,
  zpl: 'zip',
  scanNulo: false,
};
