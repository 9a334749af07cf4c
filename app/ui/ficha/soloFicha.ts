import type { ShouldRevalidateFunction } from '@remix-run/react';

/** Fields of an address that open something beside a list or over it, and change nothing of the list. */
const CAMPOS = ['ver', 'editar', 'descargar'] as const;

const without = ({ searchParams }: URL) => {
  const rest = new URLSearchParams(searchParams);
  for (const campo of CAMPOS) rest.delete(campo);
  return rest.toString();
};

/** A list is not read again because one of its rows is opened, changed for the next one or closed: what opens is read by itself. */
export const shouldRevalidate: ShouldRevalidateFunction = ({
  currentUrl,
  nextUrl,
  formMethod,
  defaultShouldRevalidate,
}) =>
  formMethod === undefined &&
  currentUrl.pathname === nextUrl.pathname &&
  currentUrl.search !== nextUrl.search &&
  without(currentUrl) === without(nextUrl)
    ? false
    : defaultShouldRevalidate;

/**
 * What stands around a screen is not read again because its list is searched, sorted or filtered: it says nothing of the address. It is after every action,
 * on every other screen, and whenever the page is asked for again.
 */
export const soloPantalla: ShouldRevalidateFunction = ({ currentUrl, nextUrl, formMethod, defaultShouldRevalidate }) =>
  (formMethod === undefined || formMethod === 'GET') &&
  currentUrl.pathname === nextUrl.pathname &&
  currentUrl.search !== nextUrl.search
    ? false
    : defaultShouldRevalidate;
