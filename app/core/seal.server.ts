import { createCipheriv, createDecipheriv, createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * Keys for AES-256-GCM, by id. Credentials and the bodies of effect attempts are sealed, so a dump of the database
 * shows neither. The id of the key travels with the sealed bytes, so two keys can live during a rotation.
 */
export type Keyring = { current: string; keys: ReadonlyMap<string, Buffer> };

/** Reads `id:base64,id:base64`; the first key seals. Throws when a key does not have 32 bytes. */
export function parseKeyring(text: string): Keyring {
  const keys = new Map<string, Buffer>();
  for (const part of text.split(',')) {
    const [id, base64] = [part.slice(0, part.indexOf(':')).trim(), part.slice(part.indexOf(':') + 1).trim()];
    const key = Buffer.from(base64, 'base64');
    if (!/^[a-z0-9-]{1,20}$/i.test(id) || key.length !== 32)
      throw new Error('LLAVES: cada llave es id:base64 de 32 bytes');
    keys.set(id, key);
  }
  return { current: [...keys.keys()][0]!, keys };
}

/**
 * Returns the sealed bytes: 1 byte id length, id, 12 bytes iv, 16 bytes tag, ciphertext. `context` is authenticated and
 * not stored: the same `context` opens the bytes.
 */
export function seal(keyring: Keyring, plain: string | Buffer, context: string): Buffer {
  const id = Buffer.from(keyring.current, 'utf8');
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keyring.keys.get(keyring.current)!, iv).setAAD(
    Buffer.from(context, 'utf8'),
  );
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([Buffer.from([id.length]), id, iv, cipher.getAuthTag(), body]);
}

/**
 * Returns the plain bytes. Throws when the key is gone, the bytes were changed, or another `context` sealed the bytes.
 */
export function unseal(keyring: Keyring, sealed: Buffer, context: string): Buffer {
  const idLength = sealed[0]!;
  const id = sealed.subarray(1, 1 + idLength).toString('utf8');
  const key = keyring.keys.get(id);
  if (!key) throw new Error(`no hay llave «${id}» para abrir este dato`);
  const at = 1 + idLength;
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(at, at + 12)).setAAD(
    Buffer.from(context, 'utf8'),
  );
  decipher.setAuthTag(sealed.subarray(at + 12, at + 28));
  return Buffer.concat([decipher.update(sealed.subarray(at + 28)), decipher.final()]);
}

/** Returns the id of the key that sealed the bytes. Rotation seals again whatever an older key sealed. */
export function sealedWith(sealed: Buffer): string {
  return sealed.subarray(1, 1 + sealed[0]!).toString('utf8');
}

/** Returns whether two secrets are equal, in a time that does not tell how many characters match. */
export function isSameSecret(given: string, kept: string): boolean {
  const [one, other] = [given, kept].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer];
  return timingSafeEqual(one, other);
}
