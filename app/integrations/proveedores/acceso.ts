/** A token. A newer one has a higher version. */
export type Llave = { token: string; version: number };

/** Keys of an account, as clients see them. The keeper of the keys implements it; clients know nothing of rows and leases. */
export interface Acceso {
  /** Returns the token. Throws `Unavailable` or `Refused` with `account` when there is none. */
  current(): Promise<Llave>;
  /**
   * Returns the token after `seen`: asks for a new one, or waits for whoever is asking. Absent when the key is the token itself, since nothing renews
   * it.
   */
  renew?(seen: Llave): Promise<Llave>;
  /** Reports that a freshly renewed token was refused too. The link stays broken until a person saves other keys. */
  reject?(seen: Llave, reason: string): Promise<void>;
}

/** Access with a token in hand that nobody renews. */
export const accesoFijo = (token: string): Acceso => ({ current: () => Promise.resolve({ token, version: 0 }) });
