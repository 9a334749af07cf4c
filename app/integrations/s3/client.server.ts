import { setTimeout as sleep } from 'node:timers/promises';
import { readInstant } from '~/core/time';
import { Refused, Unavailable, Uncertain, UnexpectedShape } from '../errors';
import { type LlaveAws, signAws } from '../firmaAws.server';
import { exchange, type HttpAnswer } from '../http.server';
import { retryAfterOf } from '../retryAfter';
import { parseXml } from '../xml.server';

/** `url` is `https://server/bucket/prefix`; every name is below its prefix. */
export type OpcionesDeBucket = {
  url: string;
  region: string;
  llave: LlaveAws;
  timeoutMs?: number;
  /** The first wait before another try, in ms; each next one is twice as long. */
  esperaMs?: number;
};

/** An object of the bucket. Its name is without the prefix. */
export type Objeto = { nombre: string; bytes: number; en: Date };

export type Bucket = ReturnType<typeof createBucket>;

/** Tries of a call. Every call may be repeated: a name is written whole, and always means the same. */
const INTENTOS = 5;
const LONGEST_WAIT_MS = 30_000;
/** Codes of S3 that say: later. */
const LATER = new Set(['SlowDown', 'InternalError', 'ServiceUnavailable', 'RequestTimeout', 'OperationAborted']);

/** Opens a bucket of S3, or of a store that speaks as S3 does, by path-style addresses. What is written is hashed here and checked there. */
export function createBucket(options: OpcionesDeBucket) {
  const { region, llave, timeoutMs = 120_000, esperaMs = 500 } = options;
  const { origin, pathname } = new URL(options.url);
  const [, bucket, ...folders] = pathname.replace(/\/$/, '').split('/');
  const root = `${origin}/${bucket}`;
  const prefix = folders.map((folder) => `${folder}/`).join('');

  async function once(method: 'GET' | 'PUT' | 'DELETE', url: string, body?: Buffer): Promise<HttpAnswer> {
    const headers = signAws({
      method,
      url,
      body,
      conResumen: true,
      region,
      servicio: 's3',
      llave,
      now: new Date(),
    });
    const answer = await exchange({ side: { name: 's3', root }, method, url, headers, body, timeoutMs });
    if (answer.status >= 200 && answer.status < 300) return answer;
    throw failureOf(answer, method);
  }

  /** Calls until an answer is clear, with growing waits. */
  async function call(method: 'GET' | 'PUT' | 'DELETE', url: string, body?: Buffer): Promise<HttpAnswer> {
    for (let intento = 1; ; intento++) {
      try {
        return await once(method, url, body);
      } catch (error) {
        if (!(error instanceof Unavailable || error instanceof Uncertain)) throw error;
        if (intento === INTENTOS) throw new Unavailable(`El bucket no contesta: ${error.message}`, { cause: error });
        const asked = error instanceof Unavailable ? (error.details.retryAfterMs ?? 0) : 0;
        const wait = Math.max(asked, esperaMs * 2 ** (intento - 1) * (0.5 + Math.random()));
        await sleep(Math.min(wait, LONGEST_WAIT_MS));
      }
    }
  }

  const addressOf = (nombre: string) => `${root}/${prefix}${nombre}`;

  return {
    /** Writes an object whole: S3 keeps nothing of a body that was cut or changed on its way. */
    async put(nombre: string, body: Buffer): Promise<void> {
      await call('PUT', addressOf(nombre), body);
    },

    /** Reads an object; undefined when there is none. */
    async get(nombre: string): Promise<Buffer | undefined> {
      try {
        return (await call('GET', addressOf(nombre))).body;
      } catch (error) {
        if (error instanceof Refused && error.details.code === 'NoSuchKey') return undefined;
        throw error;
      }
    },

    async remove(nombre: string): Promise<void> {
      await call('DELETE', addressOf(nombre));
    },

    /** Lists every object below a name, in the order of names. */
    async list(below: string): Promise<Objeto[]> {
      const found: Objeto[] = [];
      for (let token: string | undefined; ;) {
        const query = new URLSearchParams({ 'list-type': '2', prefix: prefix + below });
        if (token !== undefined) query.set('continuation-token', token);
        // A blank is '+' in a form and '%20' in a signature.
        const url = `${root}?${query.toString().replaceAll('+', '%20')}`;
        const page = pageOf((await call('GET', url)).body);
        for (const { nombre, ...rest } of page.objetos) found.push({ nombre: nombre.slice(prefix.length), ...rest });
        if (page.next === undefined) return found;
        // A store that repeats a page would be listed forever.
        if (page.next === token) throw new UnexpectedShape('el bucket repite su lista');
        token = page.next;
      }
    },
  };
}

function pageOf(body: Buffer): { objetos: Objeto[]; next: string | undefined } {
  const document = parseXml(body);
  const list = document.documentElement;
  if (list?.localName !== 'ListBucketResult') throw new UnexpectedShape('la lista del bucket no se entiende');
  const textIn = (
    of: { getElementsByTagName(name: string): ArrayLike<{ textContent: string | null }> },
    name: string,
  ) => of.getElementsByTagName(name)[0]?.textContent ?? undefined;
  const objetos = [...Array.from(list.getElementsByTagName('Contents'))].map((one) => {
    const [nombre, size, at] = ['Key', 'Size', 'LastModified'].map((name) => textIn(one, name));
    const en = readInstant(at ?? '');
    const bytes = Number(size ?? Number.NaN);
    if (nombre === undefined || !Number.isInteger(bytes) || !en)
      throw new UnexpectedShape('la lista del bucket no dice nombre, tamaño y fecha de cada objeto');
    return { nombre, bytes, en };
  });
  const next = textIn(list, 'IsTruncated') === 'true' ? textIn(list, 'NextContinuationToken') : undefined;
  if (next === undefined && textIn(list, 'IsTruncated') === 'true')
    throw new UnexpectedShape('la lista del bucket no dice cómo sigue');
  return { objetos, next };
}

/** What each refusal means to whoever set the bucket up. */
const WORDS = new Map([
  ['SignatureDoesNotMatch', 'no aceptó la firma: revisa RESPALDOS_S3_LLAVE y RESPALDOS_S3_SECRETO'],
  ['InvalidAccessKeyId', 'no conoce la llave: revisa RESPALDOS_S3_LLAVE'],
  ['AccessDenied', 'no deja: a las llaves les falta permiso de leer, escribir, listar o borrar ahí'],
  ['NoSuchBucket', 'no existe con ese nombre: revisa RESPALDOS_S3'],
  ['RequestTimeTooSkewed', 'dice que el reloj de esta máquina está mal'],
  ['AuthorizationHeaderMalformed', 'es de otra región: revisa RESPALDOS_S3_REGION'],
  ['XAmzContentSHA256Mismatch', 'recibió otra cosa que lo enviado'],
]);

function failureOf(answer: HttpAnswer, method: string): Refused | Unavailable {
  const { status, headers, body } = answer;
  const raw = body.toString('utf8');
  const code = /<Code>([A-Za-z0-9]+)<\/Code>/.exec(raw)?.[1];
  const detail = /<Message>([^<]*)<\/Message>/.exec(raw)?.[1];
  if (status === 429 || status >= 500 || (code !== undefined && LATER.has(code)))
    return new Unavailable(`no está disponible (${status}${code ? ` ${code}` : ''})`, {
      status,
      retryAfterMs: retryAfterOf(headers),
    });
  const said = code === undefined ? undefined : WORDS.get(code);
  return new Refused(`El bucket ${said ?? `dijo que no a ${method}`} (${status}${code ? ` ${code}` : ''})`, {
    status,
    code,
    detail,
    raw,
  });
}
