import { createHash, randomBytes } from 'node:crypto';

/** Returns a token of 32 random bytes, which only its holder has. The tables keep its fingerprint; a token of that length needs no slow hash. */
export const newToken = () => randomBytes(32).toString('base64url');

/** Returns the SHA-256 of a token, as the tables keep it. */
export const fingerprint = (token: string) => createHash('sha256').update(token).digest();
