/** The state of a large file on the server: `de` names the file there, once its first part arrived. */
export type Subido = { de: string | null; bytes: number };

/** `no`: the server refuses the file. `cortada`: `subido` tells the kept part, and the upload can go on from there. */
export type Fin = { clase: 'lista' } | { clase: 'no'; texto: string } | { clase: 'cortada' };

type Dicho = { id?: string; bytes?: number; lista?: true; texto?: string };

/** Sends a file in parts and yields the progress after each. `parte`: bytes of a part. */
export async function* uploadInParts(
  address: string,
  file: File,
  { parte, signal, ...subido }: Subido & { parte: number; signal: AbortSignal },
): AsyncGenerator<Subido, Fin> {
  for (let { de, bytes } = subido; ; yield { de, bytes }) {
    const query = new URLSearchParams({ ...(de && { de }), desde: String(bytes), total: String(file.size) });
    const form = new FormData();
    form.set('archivo', file.slice(bytes, bytes + parte), file.name);
    const said = await send(`${address}?${query}`, { method: 'POST', body: form, signal });
    if (said.texto) return { clase: 'no', texto: said.texto };
    if (said.lista) return { clase: 'lista' };
    if (said.id === undefined || said.bytes === undefined) return { clase: 'cortada' };
    ({ id: de, bytes } = said as { id: string; bytes: number });
  }
}

/** No answer means that the network or the server is gone, or that somebody stopped the upload. */
async function send(address: string, init: RequestInit): Promise<Dicho> {
  try {
    const answer = await fetch(address, init);
    return answer.ok || answer.status === 422 ? ((await answer.json()) as Dicho) : {};
  } catch {
    return {};
  }
}
