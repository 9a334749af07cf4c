import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes, scrypt } from 'node:crypto';

const MAGIC = Buffer.from('trastienda-s3-1\n');
const SALT = 16;
const OWN_SALT = 32;
const REVISION = 16;
const IV = 12;
const TAG = 16;
const HEAD = MAGIC.length + SALT + OWN_SALT + REVISION + IV;

/** A salt of this process: the passphrase is stretched once, and each object gets a key of its own below. */
const SALT_OF_PROCESS = randomBytes(SALT);
/** Stretched passphrases by passphrase and salt. A restore meets the salt of each process that wrote. */
const stretched = new Map<string, Promise<Buffer>>();
const MOST_KEPT = 64;

function stretch(passphrase: string, salt: Buffer): Promise<Buffer> {
  const at = createHash('sha256').update(salt).update(passphrase).digest('hex');
  const kept = stretched.get(at);
  if (kept) return kept;
  if (stretched.size >= MOST_KEPT) stretched.delete(stretched.keys().next().value!);
  const made = new Promise<Buffer>((done, fail) =>
    scrypt(passphrase, salt, 32, { N: 2 ** 16, r: 8, p: 1, maxmem: 2 ** 27 }, (error, key) =>
      error ? fail(error) : done(key),
    ),
  );
  stretched.set(at, made);
  return made;
}

const below = (key: Buffer, salt: Buffer, use: string) => Buffer.from(hkdfSync('sha256', key, salt, use, 32));
const revisionOf = (key: Buffer, salt: Buffer) => below(key, salt, 'revision').subarray(0, REVISION);

/**
 * Seals what leaves this machine under a name (AES-256-GCM). Each object has a key of its own, made of the passphrase,
 * of a salt that is drawn for it, and of its name: no nonce meets the same key twice, and an object that is put in the
 * place of another does not open.
 */
export async function sealFor(passphrase: string, name: string, plain: Buffer): Promise<Buffer> {
  const key = await stretch(passphrase, SALT_OF_PROCESS);
  const [own, iv] = [randomBytes(OWN_SALT), randomBytes(IV)];
  const head = Buffer.concat([MAGIC, SALT_OF_PROCESS, own, revisionOf(key, own), iv]);
  const cipher = createCipheriv('aes-256-gcm', below(key, own, `objeto ${name}`), iv);
  cipher.setAAD(head);
  return Buffer.concat([head, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Opens what `sealFor` sealed under this name. Throws for another passphrase, and for anything that was cut, changed or moved. */
export async function openFrom(passphrase: string, name: string, sealed: Buffer): Promise<Buffer> {
  if (sealed.length < HEAD + TAG || !sealed.subarray(0, MAGIC.length).equals(MAGIC))
    throw new Error(`«${name}» del bucket no es de un respaldo, o está cortado`);
  const head = sealed.subarray(0, HEAD);
  let at = MAGIC.length;
  const take = (bytes: number) => sealed.subarray(at, (at += bytes));
  const [salt, own, revision, iv] = [take(SALT), take(OWN_SALT), take(REVISION), take(IV)];
  const key = await stretch(passphrase, salt);
  if (!revisionOf(key, own).equals(revision)) throw new Error(`RESPALDO_CLAVE no abre «${name}» del bucket`);
  const decipher = createDecipheriv('aes-256-gcm', below(key, own, `objeto ${name}`), iv);
  decipher.setAAD(head);
  decipher.setAuthTag(sealed.subarray(-TAG));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(HEAD, -TAG)), decipher.final()]);
  } catch (cause) {
    throw new Error(`«${name}» del bucket está cortado, cambiado o puesto en lugar de otro`, { cause });
  }
}
