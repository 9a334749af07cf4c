import type { Accion } from './batches/prepared.server';
import type { OfferedEffect } from './effects/definition';
import type { Cola } from './hoy/cola';
import type { List } from './lists/list.server';
import type { Buscador } from './search/buscador';

/**
 * The rows that one noun adds to the catalogs of the product. The noun exports one `<noun>Offer` from its `offers.server.ts`, and
 * `app/domain/operacion/offers.server.ts` lists the offers. Board, 'Hoy', search box, lists and bulk work read them from there, so none of these rows
 * is part of the noun's face by itself. The order of the rows inside an offer means nothing: a catalog whose order people see keeps its own.
 */
export type Offer = {
  /** The calls that change the outside world. */
  effects?: readonly OfferedEffect[];
  /** The queues of work that waits for people on 'Hoy'. */
  colas?: readonly Cola[];
  /** The kinds of things that the search box finds. */
  buscadores?: readonly Buscador[];
  /** The lists that are scrolled in windows and exported to Excel. */
  lists?: readonly List[];
  /** The acts that people do to many rows of a list at once. */
  acciones?: readonly Accion[];
};
