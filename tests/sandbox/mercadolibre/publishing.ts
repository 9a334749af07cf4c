import { json, type SandboxRequest, type SandboxResponse } from '../service';
import { refuse } from './answers';
import { categoryDocument, categoryOf, MAX_TITLE, predict, rootsDocument, type Attribute } from './categories';
import type { Switches } from './switches';

/** Calls before a listing is put on sale: categories, prices, pictures, and whether it may be published. */

type Cause = {
  department: string;
  cause_id: number;
  type: 'error' | 'warning';
  code: string;
  references: string[];
  message: string;
};
type Given = { id?: unknown; value_id?: unknown; value_name?: unknown };
export type NewItem = Record<string, unknown> & { attributes?: Given[]; pictures?: { id?: string; source?: string }[] };

/** Price from which shipping is free by force, and the fixed fees below it: a third party's figures, undated and unconfirmed. */
const FREE_SHIPPING = 299;
const FLEX = 'self_service';

/** How the account sends. Kinds of logistics come as text or as objects; nobody has confirmed which. */
export const preferencesDocument = (logistics: string) => ({
  modes: ['custom', 'not_specified', 'me2'],
  logistics: [
    { mode: 'custom', types: ['custom'] },
    { mode: 'me2', types: [{ type: 'fulfillment' }, { type: logistics }] },
  ],
});

const cause = (
  cause_id: number,
  code: string,
  message: string,
  references: string[],
  type: Cause['type'] = 'error',
) => ({
  department: code.startsWith('shipping.')
    ? 'shipping'
    : code.startsWith('item.attribute')
      ? 'structured-data'
      : 'items',
  cause_id,
  type,
  code,
  references,
  message,
});

/** Returns a function that adds an error to these causes. */
const wrongsInto =
  (causes: Cause[]) =>
  (id: number, code: string, message: string, ...references: string[]) =>
    void causes.push(cause(id, code, message, references));

/** Whether a code is a GTIN by its check digit, whatever its length. */
export function isGtin(code: string): boolean {
  if (!/^(?:\d{8}|\d{10}|\d{12,14})$/.test(code)) return false;
  if (code.length === 10) return true;
  const digits = [...code].reverse().map(Number);
  const sum = digits.slice(1).reduce((total, digit, n) => total + digit * (n % 2 === 0 ? 3 : 1), 0);
  return (10 - (sum % 10)) % 10 === digits[0];
}

const textOf = (given: Given | undefined) =>
  typeof given?.value_name === 'string' ? given.value_name : given?.value_id ? String(given.value_id) : '';

export class Publishing {
  /** Uploaded pictures by id. */
  readonly pictures = new Map<string, { width: number; height: number }>();
  #last = 0;

  constructor(readonly switches: () => Switches) {}

  reset() {
    this.pictures.clear();
    this.#last = 0;
  }

  read(parts: string[], params: URLSearchParams): SandboxResponse | undefined {
    const [first, second, third, fourth] = parts;
    if (first === 'sites' && second === 'MLM' && third === 'categories') return json(200, rootsDocument());
    if (first === 'sites' && second === 'MLM' && third === 'domain_discovery' && fourth === 'search') {
      const limit = Math.min(8, Math.max(1, Number(params.get('limit') ?? 4)));
      return json(200, predict(params.get('q') ?? '', limit));
    }
    if (first === 'sites' && second === 'MLM' && third === 'listing_prices') return this.#prices(params);
    if (first !== 'categories' || !second) return undefined;
    const found = categoryOf(second);
    if (!found) return refuse(404, 'not_found', `Category not found: ${second}`);
    if (third === undefined) return json(200, categoryDocument(found));
    if (third === 'attributes') return json(200, found.node.attributes ?? []);
    return undefined;
  }

  /**
   * Answers with the sale fee of a price. Nobody has confirmed whether one fee comes alone or in a list. Since 2026-04-08 a cheap sale has a fixed fee only
   * where Mercado Libre does not carry it or Flex does; a question without logistics and mode is answered as if it had one.
   */
  #prices(params: URLSearchParams): SandboxResponse {
    const price = Number(params.get('price'));
    const type = params.get('listing_type_id');
    if (!(price > 0)) return refuse(400, 'bad_request', 'price is required');
    const isCarriedThere = params.get('shipping_mode') === 'me2' && (params.get('logistic_type') ?? FLEX) !== FLEX;
    const fixed = price >= FREE_SHIPPING || isCarriedThere ? 0 : price < 149 ? 28 : 33;
    const of = (id: string, percent: number) => ({
      currency_id: 'MXN',
      listing_type_id: id,
      listing_type_name: id === 'gold_pro' ? 'Premium' : 'Clásica',
      listing_fee_amount: 0,
      sale_fee_amount: Math.round(price * percent + fixed * 100) / 100,
      sale_fee_details: {
        financing_add_on_fee: 0,
        fixed_fee: fixed,
        gross_amount: Math.round(price * percent + fixed * 100) / 100,
        percentage_fee: percent,
      },
    });
    const all = [of('gold_special', 14), of('gold_pro', 18.5)];
    const one = all.find(({ listing_type_id: id }) => id === type);
    if (!type) return json(200, all);
    if (!one) return refuse(400, 'bad_request', 'listing_type_id is invalid');
    return json(200, this.switches().preciosEnLista ? [one] : one);
  }

  conditional(id: string, item: NewItem): SandboxResponse {
    const found = categoryOf(id);
    if (!found) return refuse(404, 'not_found', `Category not found: ${id}`);
    return json(200, { required_attributes: this.#conditional(found.node.attributes ?? [], item) });
  }

  #conditional(attributes: Attribute[], item: NewItem) {
    const given = new Map((item.attributes ?? []).map((one) => [String(one.id), one]));
    const has = (attributeId: string) => textOf(given.get(attributeId)) !== '';
    return attributes
      .filter(({ id, tags }) => {
        if (!tags.conditional_required) return false;
        if (id === 'GTIN') return !has('EMPTY_GTIN_REASON') && textOf(given.get('BRAND')) !== 'Genérica';
        if (id === 'WIFI_STANDARD') return given.get('IS_WIRELESS')?.value_id === '242085';
        return false;
      })
      .map(({ id, name }) => ({ id, name }));
  }

  /** Returns the refusal of a new listing; undefined when it may be published. Warnings alone refuse nothing. */
  problems(item: NewItem): SandboxResponse | undefined {
    const wrongType = (['price', 'available_quantity'] as const).find(
      (key) => item[key] !== undefined && typeof item[key] !== 'number',
    );
    if (wrongType)
      return refuse(
        400,
        `[invalid property type: [${wrongType}] expected Number but was String value: ${String(item[wrongType])}]`,
        'body.invalid_field_types',
      );
    const { cuentaUp: up, condicion } = this.switches();
    const causes: Cause[] = [];
    const wrong = wrongsInto(causes);
    const told = {
      campo: item.condition !== undefined,
      atributo: (item.attributes ?? []).some(({ id }) => id === 'ITEM_CONDITION'),
    };
    if (condicion === 'atributo' && told.campo)
      wrong(374, 'body.invalid_fields', 'The fields [condition] are invalid for requested call.', 'item.condition');
    if (condicion === 'campo' && told.atributo)
      wrong(
        3510,
        'item.attributes.invalid',
        'Attribute [ITEM_CONDITION] is not valid',
        'item.attributes[ITEM_CONDITION]',
      );
    if ((condicion === 'atributo' && !told.atributo) || (condicion === 'campo' && !told.campo))
      wrong(
        369,
        'body.required_fields',
        `The fields [${condicion === 'campo' ? 'condition' : 'ITEM_CONDITION'}] are required for requested call`,
        condicion === 'campo' ? 'item.condition' : 'item.attributes[ITEM_CONDITION]',
      );
    const name = up ? 'family_name' : 'title';
    const wrongName = up ? 'title' : 'family_name';
    if (typeof item[name] !== 'string' || item[name] === '')
      wrong(
        369,
        'body.required_fields',
        `The body does not contains some or none of the following properties [${name}]`,
        `item.${name}`,
      );
    else if (item[name].length > MAX_TITLE)
      wrong(107, 'item.title.length.invalid', `The length of title must be at most ${MAX_TITLE}`, 'item.title');
    if (item[wrongName] !== undefined)
      wrong(
        374,
        'body.invalid_fields',
        `The fields [${wrongName}] are invalid for requested call.`,
        `item.${wrongName}`,
      );
    const found = categoryOf(String(item.category_id ?? ''));
    if (!found || found.node.children.length > 0)
      wrong(
        126,
        'item.category_id.invalid',
        `Category ${String(item.category_id)} is not valid: only leaf categories`,
        'item.category_id',
      );
    if (item.currency_id !== 'MXN')
      wrong(100, 'item.currency_id.invalid', 'currency_id is invalid', 'item.currency_id');
    if (typeof item.price !== 'number' || item.price < 35)
      wrong(109, 'item.price.invalid', 'Item price is under the minimum of the category: 35', 'item.price');
    if (!['gold_special', 'gold_pro'].includes(String(item.listing_type_id)))
      wrong(172, 'item.listing_type_id.invalid', 'Invalid listing_type_id', 'item.listing_type_id');
    const pictures = item.pictures ?? [];
    if (pictures.length === 0)
      wrong(
        173,
        'item.listing_type_id.requiresPictures',
        'Listing type requires at least one picture',
        'item.pictures',
      );
    if (pictures.length > 12) wrong(201, 'item.pictures.max', 'Too many pictures', 'item.pictures');
    for (const [n, { id }] of pictures.entries()) {
      if (id === undefined) continue;
      const size = this.pictures.get(id);
      if (!size) wrong(204, 'item.pictures.picture_not_found', `Picture ${id} not found`, `item.pictures[${n}]`);
      else if (Math.max(size.width, size.height) < 500)
        wrong(3703, 'item.pictures.invalid_size', `Picture ${id} is under 500 px`, `item.pictures[${n}]`);
    }
    if (found) causes.push(...this.#attributes(found.node.attributes ?? [], item));
    if (!(item.shipping as { mode?: string } | undefined)?.mode)
      causes.push(cause(4029, 'shipping.me2_adoption_mandatory', 'User adopted ME2', ['shipping.modes'], 'warning'));
    return causes.some(({ type }) => type === 'error')
      ? refuse(400, 'validation_error', 'Validation error', causes)
      : undefined;
  }

  problemsOfCategory(item: NewItem): SandboxResponse | undefined {
    const found = categoryOf(String(item.category_id ?? ''));
    if (!found || found.node.children.length > 0)
      return refuse(400, 'validation_error', 'Validation error', [
        cause(126, 'item.category_id.invalid', 'Only leaf categories', ['item.category_id']),
      ]);
    const causes = this.#attributes(found.node.attributes ?? [], item);
    return causes.length > 0 ? refuse(400, 'validation_error', 'Validation error', causes) : undefined;
  }

  #attributes(attributes: Attribute[], item: NewItem): Cause[] {
    const causes: Cause[] = [];
    const wrong = wrongsInto(causes);
    const known = new Map(attributes.map((one) => [one.id, one]));
    const given = new Map((item.attributes ?? []).map((one) => [String(one.id), one]));
    const missing = attributes
      .filter(({ id, tags }) => tags.required && textOf(given.get(id)) === '')
      .map(({ id }) => id);
    if (missing.length > 0)
      wrong(
        147,
        'item.attributes.missing_required',
        `The attributes [${missing.join(', ')}] are required for category ${String(item.category_id)}`,
        'item.attributes',
      );
    const conditional = this.#conditional(attributes, item).filter(({ id }) => textOf(given.get(id)) === '');
    if (conditional.length > 0)
      wrong(
        7810,
        'item.attribute.missing_conditional_required',
        `The attributes [${conditional.map(({ id }) => id).join(', ')}] are required for category ${String(item.category_id)}`,
        'item.attributes',
      );
    for (const [id, value] of given) {
      const attribute = known.get(id);
      if (!attribute) continue;
      const text = textOf(value);
      const place = `item.attributes[${id}]`;
      if (text.length > 255)
        wrong(154, 'item.attributes.invalid_length', `Attribute [${id}] has more than 255 characters`, place);
      if (id === 'GTIN')
        for (const code of text
          .split(',')
          .map((one) => one.trim())
          .filter(Boolean))
          if (!isGtin(code))
            wrong(
              7711,
              'item.attribute.product_identifier.invalid_format',
              `Product identifier [${code}] of attribute [GTIN] has an invalid format`,
              place,
            );
      if (attribute.value_type === 'number' && text !== '' && !/^\d+(?:\.\d+)?$/.test(text))
        wrong(3708, 'item.attribute.number_invalid_format', `Attribute [${id}] is not a number`, place);
      if (attribute.value_type === 'number_unit' && text !== '') {
        const [, unit] = /^\d+(?:\.\d+)? (\S+)$/.exec(text) ?? [];
        if (!attribute.allowed_units?.some(({ id: one }) => one === unit))
          wrong(3709, 'item.attribute.invalid_sale_units', `Attribute [${id}] has an invalid unit: ${text}`, place);
      }
      if (['list', 'boolean'].includes(attribute.value_type) && text !== '') {
        const allowed = attribute.values ?? [];
        if (!allowed.some((one) => one.id === value.value_id || one.name === value.value_name))
          wrong(3510, 'item.attributes.invalid', `Attribute [${id}] is not valid, item values [(${text})]`, place);
      }
    }
    return causes;
  }

  /** Takes a whole JPEG or PNG. The size of a PNG is read from its bytes. */
  upload(request: SandboxRequest): SandboxResponse {
    const bytes = request.body;
    const png = bytes.indexOf(Buffer.from([0x89, 0x50, 0x4e, 0x47]));
    const jpg = bytes.indexOf(Buffer.from([0xff, 0xd8, 0xff]));
    if (!String(request.headers['content-type']).startsWith('multipart/form-data') || (png < 0 && jpg < 0))
      return refuse(400, 'bad_request', 'file is required');
    if (bytes.length > 10 * 1024 * 1024) return refuse(400, 'bad_request', 'The picture is over 10 MB');
    const size = png >= 0 ? pngSize(bytes.subarray(png)) : { width: 1200, height: 1200 };
    const id = `${String(600_000 + ++this.#last)}-MLM${70_000_000_000 + this.#last}_112026`;
    this.pictures.set(id, size);
    return json(201, {
      id,
      variations: [
        {
          size: `${size.width}x${size.height}`,
          url: `http://http2.mlstatic.com/D_${id}-F.jpg`,
          secure_url: `https://http2.mlstatic.com/D_${id}-F.jpg`,
        },
      ],
    });
  }
}

const pngSize = (bytes: Buffer) => ({ width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) });
