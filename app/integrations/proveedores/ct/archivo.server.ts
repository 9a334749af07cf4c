import { descargarFtp } from '../../ftp.server';
import type { HttpStream } from '../../http.server';
import { AGENTE, bajarDe } from '../llamar.server';

/** A file of CT as it comes, from where CT said that it is. */
export async function archivoDe(
  url: string,
  label: string,
  timeoutMs: number,
): Promise<Pick<HttpStream, 'headers' | 'chunks'>> {
  if (url.startsWith('ftp:')) return { headers: new Headers(), chunks: descargarFtp(url, { label, timeoutMs }) };
  return await bajarDe(label, 'productos.json', { url, headers: { 'user-agent': AGENTE }, timeoutMs });
}
