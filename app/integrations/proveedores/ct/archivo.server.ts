import { downloadFtp } from '../../ftp.server';
import type { HttpStream } from '../../http.server';
import { AGENTE, lowerOf } from '../llamar.server';

/** Returns a file of CT as a stream, from the address that CT gave. */
export async function archivoOf(
  url: string,
  label: string,
  timeoutMs: number,
): Promise<Pick<HttpStream, 'headers' | 'chunks'>> {
  if (url.startsWith('ftp:')) return { headers: new Headers(), chunks: downloadFtp(url, { label, timeoutMs }) };
  return await lowerOf(label, 'productos.json', { url, headers: { 'user-agent': AGENTE }, timeoutMs });
}
