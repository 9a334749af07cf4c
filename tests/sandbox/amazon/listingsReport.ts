/** The report of all listings of the seller: asked for, made a while later, and fetched at a signed address. */
import { randomUUID } from 'node:crypto';
import { bodyOf, json, type SandboxRequest, type SandboxResponse } from '../service';
import { no, pesos, zulu, type World } from './answers';
import { MARKETPLACE_ID } from './constants';
import type { Listings } from './listings';
import type { Publicacion } from './publicacion';
import type { ReportFiles } from './signedFiles';

const TYPE = 'GET_MERCHANT_LISTINGS_ALL_DATA';

type Reporte = { id: string; creado: number; documento: string; vacio: boolean };
type Options = Pick<World, 'now' | 'interruptores'> & { listings: Listings; files: ReportFiles };

export class ListingsReport {
  readonly #reports = new Map<string, Reporte>();
  constructor(readonly options: Options) {}

  reset() {
    this.#reports.clear();
  }

  create(request: SandboxRequest): SandboxResponse {
    const { now, interruptores, listings } = this.options;
    const { reportType, marketplaceIds } = bodyOf(request) as { reportType?: string; marketplaceIds?: string[] };
    if (reportType !== TYPE || marketplaceIds?.[0] !== MARKETPLACE_ID)
      return no(400, '400', 'reportType or marketplaceIds is invalid.');
    const id = String(50_000_000_000 + this.#reports.size);
    const vacio = listings.todas.size === 0 || interruptores.is('reporte', 'cancelado');
    this.#reports.set(id, { id, creado: now(), documento: `amzn1.spdoc.1.4.na.${randomUUID()}`, vacio });
    return json(202, { reportId: id });
  }

  report(id: string): SandboxResponse {
    const report = this.#reports.get(id);
    if (!report) return no(404, '404', 'The requested report was not found.');
    const status = this.#statusOf(report);
    return json(200, {
      reportId: id,
      reportType: TYPE,
      marketplaceIds: [MARKETPLACE_ID],
      createdTime: zulu(report.creado),
      processingStatus: status,
      ...(status === 'DONE' && { reportDocumentId: report.documento }),
    });
  }

  #statusOf({ creado, vacio }: Reporte) {
    const { now, interruptores, listings } = this.options;
    const { reporte } = listings.retrasos;
    if (now() < creado + reporte) return now() < creado + reporte / 2 ? 'IN_QUEUE' : 'IN_PROGRESS';
    if (interruptores.is('reporte', 'fatal')) return 'FATAL';
    return vacio ? 'CANCELLED' : 'DONE';
  }

  document(id: string): SandboxResponse {
    if (![...this.#reports.values()].some(({ documento }) => documento === id))
      return no(404, '404', 'The requested document was not found.');
    const { listings, files } = this.options;
    const lines = [files.header(COLUMNS), ...[...listings.todas.values()].map((one) => this.#lineOf(one))];
    return files.publish(id, randomUUID(), lines.map((fields) => fields.join('\t')).join('\r\n'));
  }

  #lineOf(one: Publicacion): string[] {
    const told: Record<string, string> = {
      'item-name': one.titulo,
      'listing-id': `1120X${one.asin.slice(-6)}`,
      'seller-sku': one.sku,
      price: one.centavos === null ? '' : pesos(one.centavos),
      quantity: one.canal === 'DEFAULT' ? String(one.cantidad ?? 0) : '',
      'open-date': zulu(one.creada),
      asin1: one.asin,
      'fulfillment-channel': one.canal,
      status: this.options.listings.shown(one).status.includes('BUYABLE') ? 'Active' : 'Inactive',
    };
    return COLUMNS.map((name) => told[name] ?? '');
  }
}

const COLUMNS =
  'item-name item-description listing-id seller-sku price quantity open-date image-url item-is-marketplace product-id-type zshop-shipping-fee item-note item-condition zshop-category1 zshop-browse-path zshop-storefront-feature asin1 asin2 asin3 will-ship-internationally expedited-shipping zshop-boldface product-id bid-for-featured-placement add-delete pending-quantity fulfillment-channel merchant-shipping-group status'.split(
    ' ',
  );
