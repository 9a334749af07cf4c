/** A token, and which one it is: a newer one has a higher version. */
export type Llave = { token: string; version: number };

/** Who keeps the keys of an account implements this; clients know nothing of rows and leases. */
export interface Acceso {
  /** Throws `Unavailable` or `Refused` with `account` where there is none. */
  current(): Promise<Llave>;
  /** The token after `seen`: asks for it, or waits for whoever is asking. Absent where the key is the token: nothing renews it. */
  renew?(seen: Llave): Promise<Llave>;
  /** A token fresh from a renewal was refused too: the link is broken until a person saves other keys. */
  reject?(seen: Llave, reason: string): Promise<void>;
}

/** A token in hand that nobody renews. */
export const accesoFijo = (token: string): Acceso => ({ current: () => Promise.resolve({ token, version: 0 }) });
