/** The access of one call: a token, its seller, and the version of the renewal. */
export type Access = { token: string; sellerId: string; version: number };

/** The tokens of a client. The keeper of the link implements them; the client knows nothing of rows and leases. */
export interface Tokens {
  /** Returns the access there is. Throws `Unavailable` with `account` when no account is linked or the link is broken. */
  current(): Promise<Access>;
  /** Returns the access after `seen`: renews the token, or waits for the caller that does. */
  renew(seen: Access): Promise<Access>;
  /** Breaks the link until a person authorizes again: a token fresh from a renewal was refused too. */
  reject(seen: Access, reason: string): Promise<void>;
}
