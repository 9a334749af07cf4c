import { downloadFtp } from '../../ftp.server';
import type { HttpStream } from '../../http.server';
import { AGENTE, lowerOf } from '../llamar.server';

/** A file of CT as it comes, from where CT said that it is. */
export async function archivoOf(
  url: string,
  label: string,
  timeoutMs: number,
): Promise<Pick<HttpStream, 'headers' | 'chunks'>> {
  if (url.startsWith('ftp:')) return { headers: new Headers(), chunks: downloadFtp(url, { label, timeoutMs }) };
  return await lowerOf(label, 'productos.json', { url, headers: { 'user-agent': AGENTE }, timeoutMs });
}
