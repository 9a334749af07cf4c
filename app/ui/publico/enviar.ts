/**
 * A request of a page without React. Every request names its origin: an answer that leads elsewhere is told (`X-Ir`, http/lead.server.ts) and not followed,
 * since only the browser itself may open a page with its own scripts.
 */
type Answered = { ok: boolean; ir?: string; page?: Document };

const AWAY = new Set([502, 503, 504]);

/** The open page has its styles and scripts already, and takes none with another page's nonce. */
const bare = (html: string) => html.replace(/<(style|script)\b.*?<\/\1>/gs, '');

/** Sends a request; undefined where no answer came. */
export async function ask(
  url: string,
  body?: BodyInit,
  { patienceMs }: { patienceMs?: number } = {},
): Promise<Answered | undefined> {
  try {
    const answer = await fetch(url, {
      headers: { 'X-Publico': '1', Accept: 'text/html' },
      ...(body && { method: 'POST', body }),
      ...(patienceMs !== undefined && { signal: AbortSignal.timeout(patienceMs) }),
    });
    const ir = answer.headers.get('X-Ir');
    if (ir !== null) return { ok: true, ir: new URL(ir, location.href).href };
    const isPage = answer.headers.get('Content-Type')?.startsWith('text/html') === true;
    if (!isPage) return AWAY.has(answer.status) ? undefined : { ok: false };
    const page = new DOMParser().parseFromString(bare(await answer.text()), 'text/html');
    // A proxy in front of the server writes pages too.
    if (AWAY.has(answer.status) && page.documentElement.dataset.estatica === undefined) return undefined;
    return { ok: answer.ok, page };
  } catch {
    return undefined;
  }
}

/** Returns the body that the form would send with that button. */
export function bodyOf(form: HTMLFormElement, pressed: HTMLButtonElement | null): BodyInit {
  const data = new FormData(form);
  if (pressed?.name) data.append(pressed.name, pressed.value);
  const kind = pressed?.getAttribute('formenctype') ?? form.enctype;
  if (kind === 'multipart/form-data') return data;
  return new URLSearchParams([...data].map(([name, value]) => [name, String(value)]));
}
