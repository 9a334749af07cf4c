import { createHash, randomBytes } from 'node:crypto';

/** 32 random bytes that only their holder has. What the tables keep is their fingerprint, which a token of that length needs no slow hash for. */
export const newToken = () => randomBytes(32).toString('base64url');

export const fingerprint = (token: string) => createHash('sha256').update(token).digest();
