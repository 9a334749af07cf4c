/**
 * Keeps how the person wants their frame. Nobody waits for it, and it is sent from a page that is being left too. What did not arrive is pressed
 * again another time.
 */
export function recordar(area: string, fields: Record<string, string>) {
  fetch(`${area}/preferencias`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    keepalive: true,
    redirect: 'manual',
  }).catch(() => undefined);
}
