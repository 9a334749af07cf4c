import { json, type SandboxRequest, type SandboxResponse } from '../service';
import { refuse } from './answers';
import { zulu } from './clock';
import { itemDocument, type Item } from './itemDocument';
import type { Items } from './items';
import type { NewItem, Publishing } from './publishing';
import type { Switches } from './switches';

/** Listings that the product puts on sale, describes, or moves to another category. */
interface Options {
  items: Items;
  publishing: Publishing;
  switches(): Switches;
  now(): number;
}

const FIRST = 3_900_000_000;

export class Published {
  #last = 0;

  constructor(readonly options: Options) {}

  /** Puts a product on sale. `stores` are its pieces by store, in an account that counts them so. */
  create(item: NewItem, stores?: Record<string, number>): SandboxResponse {
    const { items, publishing, switches, now } = this.options;
    if (!stores && switches().almacenes > 0)
      return refuse(400, 'bad_request', 'the fields [available_quantity] are invalid for requested call');
    const refused = publishing.problems(item);
    if (refused) return refused;
    if (switches().negarAlPublicar)
      return refuse(400, 'validation_error', 'Validation error', [
        {
          department: 'moderations',
          cause_id: 3250,
          type: 'error',
          code: 'moderations.seller.not_authorized',
          references: ['item.attributes[BRAND]'],
          message: 'Seller not authorized to sell this brand',
        },
      ]);
    const { family_name: family, pictures, sale_terms: terms, shipping, description } = item;
    do this.#last++;
    while (items.get(`MLM${FIRST + this.#last}`));
    const id = `MLM${FIRST + this.#last}`;
    const attributes = (item.attributes ?? []) as NonNullable<Item['attributes']>;
    const made = items.add({
      id,
      title: String(family ?? item.title),
      price: Number(item.price),
      quantity: stores ? Object.values(stores).reduce((sum, one) => sum + one, 0) : Number(item.available_quantity),
      ...(stores && { stores }),
      sold: 0,
      status: 'active',
      subStatus: [],
      sku: attributes.find(({ id: one }) => one === 'SELLER_SKU')?.value_name ?? null,
      categoryId: String(item.category_id),
      listingType: String(item.listing_type_id),
      createdAt: now(),
      updatedAt: now(),
      attributes: attributes.filter(({ id: one }) => one !== 'SELLER_SKU'),
      extra: {
        pictures,
        sale_terms: terms ?? [],
        ...(shipping !== undefined && { shipping }),
        ...(description !== undefined && { description }),
        ...(family !== undefined && { family_name: family, user_product_id: id.replace('MLM', 'MLMU') }),
        start_time: zulu(now()),
      },
    });
    items.options.notifier.announce('items', `/items/${id}`);
    return json(201, { ...itemDocument(made), warnings: [] });
  }

  /** Returns the refusal to move a listing to another category, which asks for attributes of its own; undefined when it may move. */
  refusesCategory(item: Item, body: NewItem): SandboxResponse | undefined {
    const attributes = new Map((item.attributes ?? []).map((one) => [one.id, one]));
    for (const one of (body.attributes ?? []) as NonNullable<Item['attributes']>) attributes.set(one.id, one);
    return this.options.publishing.problemsOfCategory({
      category_id: body.category_id,
      attributes: [...attributes.values()],
    });
  }

  describe(request: SandboxRequest, item: Item): SandboxResponse {
    const { plain_text: text } = (request.data() ?? {}) as { plain_text?: unknown };
    if (typeof text !== 'string' || /<[a-z]/i.test(text))
      return refuse(400, 'item.description.type.invalid', 'plain text only');
    if (request.method === 'POST' && item.extra?.description !== undefined)
      return refuse(400, 'bad_request', 'The description already exists');
    this.options.items.change(item.id, { extra: { ...item.extra, description: text } }, true);
    return json(request.method === 'POST' ? 201 : 200, { text: '', plain_text: text });
  }
}
