/** AWS Signature Version 4 as S3 checks it, written from its description: what came over the wire is made canonical here, whoever signed it. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface Account {
  key: string;
  secret: string;
  region: string;
}

export interface Refusal {
  status: number;
  code: string;
  message: string;
}

/** A request that is this much older or newer than the server's clock is refused. */
const MAX_SKEW_MS = 15 * 60_000;

const hash = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');
const keyed = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text, 'utf8').digest();

/** Bytes outside A-Z a-z 0-9 - . _ ~ are escaped, each as two capital digits. */
function uriEncode(text: string, keepSlash: boolean): string {
  let out = '';
  for (const byte of Buffer.from(text, 'utf8')) {
    const letter = String.fromCharCode(byte);
    if (/[\w\-.~]/.test(letter) || (keepSlash && letter === '/')) out += letter;
    else out += `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return out;
}

function canonicalQuery(raw: string): string {
  if (raw === '') return '';
  const pairs = raw.split('&').map((pair) => {
    const cut = pair.indexOf('=');
    const [name, value] = cut === -1 ? [pair, ''] : [pair.slice(0, cut), pair.slice(cut + 1)];
    // '+' is a plus here, not a blank.
    return [uriEncode(decodeURIComponent(name), false), uriEncode(decodeURIComponent(value), false)] as const;
  });
  pairs.sort(([a, x], [b, y]) => (a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1));
  return pairs.map(([name, value]) => `${name}=${value}`).join('&');
}

function headersOf(request: IncomingMessage): Map<string, string> {
  const found = new Map<string, string>();
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    const name = request.rawHeaders[at]!.toLowerCase();
    const value = request.rawHeaders[at + 1]!.trim().replace(/ +/g, ' ');
    found.set(name, found.has(name) ? `${found.get(name)},${value}` : value);
  }
  return found;
}

const dateOf = (text: string) =>
  new Date(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));

/** Returns why a request is refused; undefined for one whose signature, moment and body fit. */
export function refusalOf(request: IncomingMessage, body: Buffer, account: Account, now: Date): Refusal | undefined {
  const headers = headersOf(request);
  const said = headers.get('authorization');
  if (said === undefined) return { status: 403, code: 'AccessDenied', message: 'Access Denied.' };
  const parts =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      said,
    );
  const malformed = (message: string): Refusal => ({ status: 400, code: 'AuthorizationHeaderMalformed', message });
  if (!parts) return malformed('The authorization header is malformed.');
  const [, key, day, region, service, names, signature] = parts as unknown as string[];
  if (key !== account.key)
    return {
      status: 403,
      code: 'InvalidAccessKeyId',
      message: 'The AWS Access Key Id you provided does not exist in our records.',
    };
  if (service !== 's3') return malformed(`The authorization header is malformed; incorrect service "${service}".`);
  if (region !== account.region)
    return malformed(
      `The authorization header is malformed; the region '${region}' is wrong; expecting '${account.region}'`,
    );
  const moment = headers.get('x-amz-date') ?? '';
  const date = dateOf(moment);
  if (Number.isNaN(date.getTime()) || !moment.startsWith(day!))
    return { status: 403, code: 'AccessDenied', message: 'AWS authentication requires a valid Date.' };
  if (Math.abs(date.getTime() - now.getTime()) > MAX_SKEW_MS)
    return {
      status: 403,
      code: 'RequestTimeTooSkewed',
      message: 'The difference between the request time and the current time is too large.',
    };
  const claimed = headers.get('x-amz-content-sha256');
  if (claimed === undefined)
    return { status: 400, code: 'InvalidRequest', message: 'Missing required header: x-amz-content-sha256' };
  const signed = names!.split(';');
  // Whatever speaks to Amazon has to be signed, or somebody on the way could add it.
  const unsigned = ['host', ...[...headers.keys()].filter((name) => name.startsWith('x-amz-'))].filter(
    (name) => !signed.includes(name),
  );
  if (unsigned.length > 0)
    return {
      status: 403,
      code: 'AccessDenied',
      message: 'There were headers present in the request which were not signed',
    };
  const [path, query = ''] = (request.url ?? '').split('?') as [string, string?];
  const canonical = [
    request.method,
    uriEncode(decodeURIComponent(path), true),
    canonicalQuery(query),
    ...signed.map((name) => `${name}:${headers.get(name) ?? ''}`),
    '',
    signed.join(';'),
    claimed,
  ].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', moment, `${day}/${region}/s3/aws4_request`, hash(canonical)].join('\n');
  const ofDay = keyed(`AWS4${account.secret}`, day!);
  const expected = keyed(keyed(keyed(keyed(ofDay, region!), 's3'), 'aws4_request'), toSign);
  if (!timingSafeEqual(expected, Buffer.from(signature!, 'hex')) || [...signed].sort().join() !== signed.join())
    return {
      status: 403,
      code: 'SignatureDoesNotMatch',
      message: 'The request signature we calculated does not match the signature you provided.',
    };
  if (claimed !== hash(body))
    return {
      status: 400,
      code: 'XAmzContentSHA256Mismatch',
      message: "The provided 'x-amz-content-sha256' header does not match what was computed.",
    };
  return undefined;
}
