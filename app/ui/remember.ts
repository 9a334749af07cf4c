/**
 * Keeps how the person wants their screens, by the form at this address. Nobody waits for it, and it is sent from a page that is being left too. What did
 * not arrive is pressed again another time.
 */
export function remember(action: string, fields: Record<string, string>) {
  fetch(action, {
    method: 'POST',
    body: new URLSearchParams(fields),
    keepalive: true,
    redirect: 'manual',
  }).catch(() => undefined);
}
