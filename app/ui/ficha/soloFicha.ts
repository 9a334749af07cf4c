import type { ShouldRevalidateFunction } from '@remix-run/react';

/** Fields of an address that open something beside or over a list and change nothing of the list. */
const CAMPOS = ['ver', 'editar', 'descargar'] as const;

const without = ({ searchParams }: URL) => {
  const rest = new URLSearchParams(searchParams);
  for (const campo of CAMPOS) rest.delete(campo);
  return rest.toString();
};

/** Returns false where only a row was opened, changed or closed: the panel reads its own record. */
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
 * Returns false where only the list of a screen was searched, sorted or filtered: the frame says nothing of the address. The frame is read again after every
 * action, on every other screen, and when the page is asked for again.
 */
export const soloPantalla: ShouldRevalidateFunction = ({ currentUrl, nextUrl, formMethod, defaultShouldRevalidate }) =>
  (formMethod === undefined || formMethod === 'GET') &&
  currentUrl.pathname === nextUrl.pathname &&
  currentUrl.search !== nextUrl.search
    ? false
    : defaultShouldRevalidate;
