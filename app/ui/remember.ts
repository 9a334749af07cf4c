/**
 * Saves a screen preference through the form at this address. Nobody waits for the request, and a page that is being left sends it too. A failed request is not
 * repeated.
 */
export function remember(action: string, fields: Record<string, string>) {
  fetch(action, {
    method: 'POST',
    body: new URLSearchParams(fields),
    keepalive: true,
    redirect: 'manual',
  }).catch(() => undefined);
}
