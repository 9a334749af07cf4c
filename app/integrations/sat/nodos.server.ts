import type { Element } from '@xmldom/xmldom';
import { UnexpectedShape } from '~/integrations/errors';

/** Returns the children of a node with a name of a namespace. Prefixes do not count. */
export function children(node: Element, namespace: string, name: string): Element[] {
  const found: Element[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling)
    if (child.nodeType === child.ELEMENT_NODE && child.namespaceURI === namespace && child.localName === name)
      found.push(child as Element);
  return found;
}

/** Returns the first child with that name. Throws `UnexpectedShape` without one. */
export function one(node: Element, namespace: string, name: string): Element {
  const found = children(node, namespace, name)[0];
  if (!found) throw new UnexpectedShape(`al CFDI le falta ${name}`);
  return found;
}

/** Returns an attribute that may not be missing. Throws `UnexpectedShape` without one. */
export function required(node: Element, name: string): string {
  const value = optional(node, name);
  if (value === '') throw new UnexpectedShape(`a ${node.localName} le falta ${name}`);
  return value;
}

/** Returns an attribute; an empty text without one. */
export const optional = (node: Element, name: string): string => node.getAttribute(name) ?? '';
