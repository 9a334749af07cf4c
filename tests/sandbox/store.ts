/** The state of a service on disk: a journal of lines, a small snapshot and loose files. A store without a folder keeps files in memory only. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Service, Store } from './service';

export interface DiskStore extends Store {
  /** Gives the service its snapshot back and starts saving the next ones. */
  attach(service: Service): void;
  /** Saves the last snapshot. Later changes are not written. */
  close(): void;
}

const SAVE_AFTER_MS = 500;

export function createStore(dataDir: string | undefined, name: string): DiskStore {
  return dataDir ? diskStore(join(dataDir, name)) : memoryStore();
}

function memoryStore(): DiskStore {
  const files = new Map<string, Buffer>();
  return {
    changed() {},
    append() {},
    records: () => [],
    write: (file, bytes) => void files.set(file, bytes),
    read: (file) => files.get(file),
    remove: (file) => void files.delete(file),
    clear: () => files.clear(),
    attach() {},
    close() {},
  };
}

function diskStore(folder: string): DiskStore {
  const journal = join(folder, 'journal.jsonl');
  const snapshot = join(folder, 'snapshot.json');
  const files = join(folder, 'files');
  mkdirSync(files, { recursive: true });
  let service: Service | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  function saveNow() {
    clearTimeout(timer);
    timer = undefined;
    if (closed || !service?.snapshot) return;
    writeFileSync(`${snapshot}.tmp`, JSON.stringify(service.snapshot()));
    renameSync(`${snapshot}.tmp`, snapshot);
  }

  return {
    changed() {
      timer ??= setTimeout(saveNow, SAVE_AFTER_MS);
    },
    append: (record) => appendFileSync(journal, `${JSON.stringify(record)}\n`),
    records: () => (existsSync(journal) ? readJournal(journal) : []),
    write(file, bytes) {
      writeFileSync(join(files, `${file}.tmp`), bytes);
      renameSync(join(files, `${file}.tmp`), join(files, file));
    },
    read: (file) => (existsSync(join(files, file)) ? readFileSync(join(files, file)) : undefined),
    remove: (file) => rmSync(join(files, file), { force: true }),
    clear() {
      rmSync(journal, { force: true });
      rmSync(files, { recursive: true, force: true });
      mkdirSync(files, { recursive: true });
      this.changed();
    },
    attach(owner) {
      service = owner;
      if (owner.restore && existsSync(snapshot)) owner.restore(JSON.parse(readFileSync(snapshot, 'utf8')) as unknown);
    },
    close() {
      saveNow();
      closed = true;
    },
  };
}

/** The records of a journal. A process that was killed may leave half a line at the end; that half is cut off, so that the next line starts clean. */
function readJournal(file: string): unknown[] {
  const text = readFileSync(file, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole.length < text.length) truncateSync(file, Buffer.byteLength(whole));
  return whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);
}
