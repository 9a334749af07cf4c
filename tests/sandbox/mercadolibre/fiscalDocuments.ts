import { randomUUID } from 'node:crypto';
import { filesOf } from '../multipart';
import { json, type SandboxRequest, type SandboxResponse, type Store } from '../service';
import { refuse } from './answers';
import { zulu } from './clock';
import { SELLER_ID } from './constants';

export interface FiscalDocument {
  id: string;
  date: string;
  file_type: string;
  filename: string;
}

const TYPES = ['application/pdf', 'application/xml', 'text/xml'];
const MAX_BYTES = 1024 * 1024;
const kindOf = (type: string) => (type === 'application/pdf' ? 'pdf' : 'xml');

/** The CFDI that the seller hands to the buyer: at most one PDF and one XML for each sale. */
export class FiscalDocuments {
  state: Record<string, FiscalDocument[]> = {};
  constructor(private readonly options: { store: Store; now(): number }) {}

  /** Answers a call about the documents of a sale. `pack` is the number of an existing sale, and `rest` the path after /fiscal_documents. */
  handle(request: SandboxRequest, pack: string, rest: string | undefined): SandboxResponse {
    const held = this.state[pack] ?? [];
    if (request.method === 'POST' && rest === undefined) return this.#post(request, pack, held);
    if (held.length === 0) return refuse(404, 'not_found', 'There are no fiscal documents for the pack');
    if (request.method === 'DELETE' && rest === undefined) {
      for (const { id } of held) this.options.store.remove(id);
      delete this.state[pack];
      this.options.store.changed();
      return json(200, { message: 'deleted' });
    }
    if (request.method !== 'GET') return refuse(405, 'method_not_allowed', 'Method not allowed');
    if (rest === undefined) return json(200, { pack_id: Number(pack), fiscal_documents: held });
    const document = held.find(({ id }) => id === rest);
    const bytes = document && this.options.store.read(document.id);
    if (!document || !bytes) return refuse(400, 'bad_request', 'Unknown document');
    return {
      status: 200,
      headers: {
        'content-type': document.file_type,
        'content-disposition': `attachment; filename="${document.filename}"`,
      },
      body: bytes,
    };
  }

  #post(request: SandboxRequest, pack: string, held: FiscalDocument[]): SandboxResponse {
    const files = filesOf(request).filter(({ field }) => field === 'fiscal_document');
    if (files.length === 0) return refuse(400, 'bad_request', 'The file is empty');
    if (files.length > 2) return refuse(400, 'bad_request', 'No more than two files');
    for (const { filename, type, bytes } of files) {
      if (bytes.length === 0 || filename === '') return refuse(400, 'bad_request', 'The file or its name is empty');
      if (!TYPES.includes(type)) return refuse(400, 'bad_request', `The type ${type} is not allowed`);
      if (bytes.length > MAX_BYTES) return refuse(400, 'bad_request', 'The file is over 1 MB');
    }
    const kinds = [...held.map(({ file_type }) => kindOf(file_type)), ...files.map(({ type }) => kindOf(type))];
    if (new Set(kinds).size < kinds.length)
      return refuse(409, 'conflict', 'There is already a fiscal document of that type');
    const added = files.map(({ filename, type, bytes }) => {
      const id = `${SELLER_ID}_${randomUUID()}`;
      this.options.store.write(id, bytes);
      return { id, date: zulu(this.options.now()), file_type: type, filename };
    });
    this.state[pack] = [...held, ...added];
    this.options.store.changed();
    return json(200, { ids: added.map(({ id }) => id) });
  }
}
