/** Files at signed addresses, which take no token and die after five minutes. */
import { gzipSync } from 'node:zlib';
import { json, type SandboxRequest, type SandboxResponse } from '../service';
import { unsigned, type World } from './answers';
import { MINUTE } from './constants';

export const REPORTS = '/amazon-reportes';

export class SignedFiles {
  readonly #files = new Map<string, { until: number; type: string; body: string | Buffer }>();
  constructor(readonly now: () => number) {}

  put(place: string, type: string, body: string | Buffer) {
    this.#files.set(place, { until: this.now() + 5 * MINUTE, type, body });
  }

  download({ method, path }: SandboxRequest): SandboxResponse {
    const file = this.#files.get(path.slice(1));
    return method === 'GET' && file && file.until >= this.now()
      ? { status: 200, headers: { 'content-type': file.type }, body: file.body }
      : unsigned('AccessDenied');
  }

  reset() {
    this.#files.clear();
  }
}

/** Documents of reports at signed addresses. */
export class ReportFiles extends SignedFiles {
  constructor(readonly world: Pick<World, 'now' | 'interruptores' | 'baseUrl'>) {
    super(world.now);
  }

  /** The first line of a report: names of columns, or translated ones under the switch `encabezados`. */
  header = (names: readonly string[]) =>
    this.world.interruptores.is('encabezados', 'traducidos') ? names.map((_, n) => `columna ${n + 1}`) : names;

  /** Puts the text of a report at a place, in the code and packing that the switches say, and answers with its document. */
  publish(reportDocumentId: string, place: string, text: string): SandboxResponse {
    const { interruptores, baseUrl } = this.world;
    const latin = !interruptores.is('codificacion', 'utf8');
    const plain = Buffer.from(text, latin ? 'latin1' : 'utf8');
    const packed = interruptores.is('empaque', 'gzip');
    const charset = interruptores.is('codificacion', 'latin1SinDecirlo')
      ? ''
      : `;charset=${latin ? 'ISO-8859-1' : 'UTF-8'}`;
    this.put(place, `text/plain${charset}`, packed ? gzipSync(plain) : plain);
    return json(200, {
      reportDocumentId,
      url: `${baseUrl()}${REPORTS}/${place}`,
      ...(packed && { compressionAlgorithm: 'GZIP' }),
    });
  }
}
