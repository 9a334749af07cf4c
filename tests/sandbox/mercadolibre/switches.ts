import { z } from 'zod';

/** Behaviours of Mercado Libre that come and go; all are off until a test asks for them. */
const flag = z.union([z.boolean(), z.enum(['true', 'false', 'on']).transform((text) => text !== 'false')]);
const number = z.coerce.number().min(0);

export const Switches = z.object({
  /** The cancelled pass of the search also returns so many sales that are paid. */
  canceladasFalsas: number,
  /** So many reads of an order are answered 206 without buyer and shipping. */
  ordenesParciales: number,
  /** So many reads of an order come without its payments. */
  pagosVacios: number,
  /** A new sale's payment shows what was withheld after so many seconds; its net adds up meanwhile. */
  segundosSinRetencion: number,
  /** What has this in its path is answered 401 although the token lives. */
  noEsTuyo: z.string(),
  /** A new sale's shipment appears after so many seconds. */
  segundosSinEnvio: number,
  /** A new sale's payment shows its commission after so many seconds. */
  segundosSinComision: number,
  /** A new sale answers 404 for so many seconds: eventual consistency. */
  segundosSinOrden: number,
  /** The person at the authorization page is a collaborator. */
  colaborador: flag,
  /** The application demands PKCE. */
  pkceObligatorio: flag,
  /** The site of the account that gets linked. */
  sitio: z.string(),
  /** The object view of /orders/{id}/shipments is gone. */
  vistaObjetoRetirada: flag,
  /** No discounts are 404 instead of an empty list. */
  descuentos404: flag,
  /** paging.total is wrong by so many. */
  totalErroneo: number,
  /** Share of the notifications that arrive twice, and of those with user_id as text. */
  avisosDobles: number,
  avisosTexto: number,
  /** Notifications without the leading slash. */
  avisosSinDiagonal: flag,
  /** The number that a seller told of their own package is never shown. */
  guiaPropiaOculta: flag,
  /** The account sells user products: its listings have a family name, and their title is composed there. */
  cuentaUp: flag,
  /** What `/items/validate` let through is refused when it is put on sale. */
  negarAlPublicar: flag,
  /** The price of one listing type comes in a list. */
  preciosEnLista: flag,
  /** No notification leaves; all go to the missed feeds. */
  sinAvisos: flag,
  /** Calls about items in one minute before it answers 429; 0 is no limit. */
  llamadasPorMinuto: number,
  /** Two writes to one item within so long are a conflict. */
  candadoMs: number,
  /** The last page of a scan has no results at all instead of an empty list. */
  scanNulo: flag,
});
export type Switches = z.output<typeof Switches>;

export const QUIET: Switches = {
  canceladasFalsas: 0,
  ordenesParciales: 0,
  pagosVacios: 0,
  segundosSinRetencion: 0,
  noEsTuyo: '',
  segundosSinEnvio: 0,
  segundosSinComision: 0,
  segundosSinOrden: 0,
  colaborador: false,
  pkceObligatorio: false,
  sitio: 'MLM',
  vistaObjetoRetirada: false,
  descuentos404: false,
  totalErroneo: 0,
  avisosDobles: 0.1,
  avisosTexto: 0.1,
  avisosSinDiagonal: false,
  guiaPropiaOculta: false,
  cuentaUp: false,
  negarAlPublicar: false,
  preciosEnLista: false,
  sinAvisos: false,
  llamadasPorMinuto: 0,
  candadoMs: 0,
  scanNulo: false,
};
