/** Licences under which we may hand the product on. */
export const ALLOWED: ReadonlySet<string>;
/** Returns every package that runs in production. */
export function productionParts(): { name: string; version: string; license: string }[];
/** Returns whether an SPDX expression allows a choice of allowed licences alone. */
export function isAllowed(license: string): boolean;
