import { createHash, createHmac } from 'node:crypto';

export type LlaveAws = { llave: string; secreto: string };

type Firmable = {
  method: string;
  url: string;
  /** Headers that are signed besides the host and the moment. */
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
  /** `true` sends the hash of the body too, as S3 wants it: what arrives otherwise is refused there. */
  conResumen?: true;
  region: string;
  servicio: string;
  llave: LlaveAws;
  now: Date;
};

const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');
const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text, 'utf8').digest();
/** AWS keeps fewer letters as they are than `encodeURIComponent`. */
const escape = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);

/** Returns the headers of a request to AWS with its signature (Signature Version 4). The path is sent as it stands in the address. */
export function signAws(request: Firmable): Record<string, string> {
  const { method, headers = {}, body = '', conResumen, region, servicio, llave, now } = request;
  const resumen = sha256(body);
  const url = new URL(request.url);
  const momento = now.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const signed: Record<string, string> = {
    ...headers,
    ...(conResumen && { 'x-amz-content-sha256': resumen }),
    'x-amz-date': momento,
  };
  const lower = Object.entries({ ...signed, host: url.host })
    .map(([name, value]) => [name.toLowerCase(), value.trim().replace(/\s+/g, ' ')] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const query = [...url.searchParams]
    .map(([name, value]) => `${escape(name)}=${escape(value)}`)
    .toSorted()
    .join('&');
  const names = lower.map(([name]) => name).join(';');
  const canonical = [
    method,
    url.pathname,
    query,
    ...lower.map(([name, value]) => `${name}:${value}`),
    '',
    names,
    resumen,
  ].join('\n');
  const dia = momento.slice(0, 8);
  const alcance = `${dia}/${region}/${servicio}/aws4_request`;
  const key = [region, servicio, 'aws4_request'].reduce<Buffer>(hmac, hmac(`AWS4${llave.secreto}`, dia));
  const firma = hmac(key, ['AWS4-HMAC-SHA256', momento, alcance, sha256(canonical)].join('\n')).toString('hex');
  return {
    ...signed,
    authorization: `AWS4-HMAC-SHA256 Credential=${llave.llave}/${alcance}, SignedHeaders=${names}, Signature=${firma}`,
  };
}
