/** What the client asks for before it calls: a token, the seller it speaks for, and which renewal it came from. */
export type Access = { token: string; sellerId: string; version: number };

/** Who keeps the link with Amazon implements this; the client knows nothing of rows and leases. */
export interface Tokens {
  /** Throws `Unavailable` with `account` when nobody is linked or the link is broken. */
  current(): Promise<Access>;
  /** The access after `seen`: renews it, or waits for whoever is renewing it. */
  renew(seen: Access): Promise<Access>;
  /** A token fresh from a renewal was refused too: the link is broken until a person authorizes again. */
  reject(seen: Access, reason: string): Promise<void>;
}
