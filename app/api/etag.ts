/** Returns the mark of a version, as ETag and If-Match write it. */
export const etagOf = (version: number) => `"v${version}"`;

/** Returns the ETag of a row with a version. */
export const etagOfVersion = ({ version }: { version: number }): string => etagOf(version);
