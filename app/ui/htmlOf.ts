import { Fragment, isValidElement, type ReactElement, type ReactNode } from 'react';
import { tableOf } from '~/core/table';

/** The HTML names of React's attributes. */
const NAMES: Record<string, string> = tableOf({
  action: 'action',
  alt: 'alt',
  className: 'class',
  colSpan: 'colSpan',
  d: 'd',
  dateTime: 'dateTime',
  decoding: 'decoding',
  form: 'form',
  height: 'height',
  href: 'href',
  htmlFor: 'for',
  id: 'id',
  loading: 'loading',
  method: 'method',
  name: 'name',
  popovertarget: 'popovertarget',
  rel: 'rel',
  role: 'role',
  rowSpan: 'rowspan',
  scope: 'scope',
  src: 'src',
  tabIndex: 'tabindex',
  target: 'target',
  title: 'title',
  type: 'type',
  value: 'value',
  viewBox: 'viewBox',
  width: 'width',
});
/** Attributes without a value. */
const FLAGS: Record<string, string> = tableOf({
  checked: 'checked',
  disabled: 'disabled',
  hidden: 'hidden',
  open: 'open',
  readOnly: 'readonly',
  required: 'required',
});
/** Elements that React writes in its own way. */
const OWN_WAY = new Set(['select', 'option', 'textarea', 'menuitem', 'title', 'listing', 'pre', 'html', 'template']);
const WITHOUT_END = new Set([
  'area',
  'base',
  'br',
  'col',
  'embed',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'source',
  'wbr',
]);

const FORWARD_REF = Symbol.for('react.forward_ref');
const MEMO = Symbol.for('react.memo');

/**
 * Returns the HTML of a node exactly as React would write it; null where a part is unknown here and React has to write the node. Called while React renders:
 * components are called in place, so their hooks read the contexts around the caller.
 */
export function htmlOf(node: ReactNode): string | null {
  const page: Page = { html: '', afterText: false };
  return write(page, node) ? page.html : null;
}

type Page = { html: string; /** React keeps two texts in a row apart. */ afterText: boolean };
type Props = Record<string, unknown> & { children?: ReactNode };

/** Writes a node; false where a part is unknown here and React has to write the node. */
function write(page: Page, node: ReactNode): boolean {
  if (typeof node === 'string' || typeof node === 'number') {
    if (node === '') return true;
    page.html += page.afterText ? `<!-- -->${escaped(String(node))}` : escaped(String(node));
    page.afterText = true;
    return true;
  }
  if (node === null || node === undefined || typeof node === 'boolean') return true;
  if (Array.isArray(node)) {
    for (const one of node as ReactNode[]) if (!write(page, one)) return false;
    return true;
  }
  if (!isValidElement(node)) return false;
  const { type, props } = node as ReactElement<Props>;
  if (typeof type === 'string') return writeElement(page, type, props);
  if (type === (Fragment as unknown)) return write(page, props.children);
  return writeComponent(page, type, props);
}

function writeComponent(page: Page, type: unknown, props: Props): boolean {
  if (typeof type === 'function') {
    const isClass = (type as { prototype?: { isReactComponent?: object } }).prototype?.isReactComponent !== undefined;
    return !isClass && write(page, (type as (props: Props) => ReactNode)(props));
  }
  const { $$typeof, render, type: inner } = type as { $$typeof?: symbol; render?: RenderRef; type?: unknown };
  if ($$typeof === FORWARD_REF) return write(page, render!(props, null));
  return $$typeof === MEMO && writeComponent(page, inner, props);
}
type RenderRef = (props: Props, ref: null) => ReactNode;

function writeElement(page: Page, tag: string, props: Props): boolean {
  if (OWN_WAY.has(tag) || tag.includes('-')) return false;
  let last = '';
  page.html += `<${tag}`;
  for (const name in props) {
    const value = props[name];
    if (name === 'children' || value === null || value === undefined) continue;
    const attribute = attributeOf(name, value);
    if (attribute === null) return false;
    // React writes `value` and `checked` after the other attributes.
    if (tag === 'input' && name === 'value') last += attribute;
    else if (tag === 'input' && name === 'checked') last = attribute + last;
    else page.html += attribute;
  }
  page.afterText = false;
  if (WITHOUT_END.has(tag)) {
    page.html += `${last}/>`;
    return true;
  }
  page.html += '>';
  if (!write(page, props.children)) return false;
  page.html += `</${tag}>`;
  page.afterText = false;
  return true;
}

/** Returns an attribute with its leading space; '' for one that is not written, null for one that is unknown here. */
function attributeOf(name: string, value: unknown): string | null {
  const flag = FLAGS[name];
  if (flag !== undefined) return value ? ` ${flag}=""` : '';
  const isWord = name.startsWith('data-') || name.startsWith('aria-');
  const known = isWord ? name : NAMES[name];
  if (known === undefined) {
    if (name === 'style') return styleOf(value as Record<string, unknown>);
    if (name === 'download')
      return value === true ? ' download=""' : value === false ? '' : ` download="${escaped(String(value))}"`;
    // Listeners and `suppressHydrationWarning` are not written.
    return /^on[A-Z]/.test(name) || name === 'suppressHydrationWarning' ? '' : null;
  }
  if (typeof value === 'boolean' && !isWord && name !== 'value') return '';
  if (typeof value === 'object' || typeof value === 'function' || typeof value === 'symbol') return null;
  return ` ${known}="${escaped(String(value))}"`;
}

/** Text of CSS only, and custom properties: a number would need its unit. */
function styleOf(style: Record<string, unknown>): string | null {
  const said: string[] = [];
  for (const [name, value] of Object.entries(style)) {
    if (value === null || value === undefined || value === '' || typeof value === 'boolean') continue;
    if (typeof value !== 'string') return null;
    const own = name.startsWith('--') ? name : name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    said.push(`${own}:${escaped(value.trim())}`);
  }
  return said.length === 0 ? '' : ` style="${said.join(';')}"`;
}

const ENTITIES: Record<string, string> = tableOf({
  '"': '&quot;',
  '&': '&amp;',
  "'": '&#x27;',
  '<': '&lt;',
  '>': '&gt;',
});
const escaped = (text: string) =>
  /["&'<>]/.test(text) ? text.replace(/["&'<>]/g, (letter) => ENTITIES[letter]!) : text;
