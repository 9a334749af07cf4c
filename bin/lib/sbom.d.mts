/** Licences under which we may hand the product on. */
export const ALLOWED: ReadonlySet<string>;
/** Every package that runs in production. */
export function productionParts(): { name: string; version: string; license: string }[];
/** Whether an SPDX expression lets us choose allowed licences alone. */
export function isAllowed(license: string): boolean;
