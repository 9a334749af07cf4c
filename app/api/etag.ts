/** Returns the mark of a version, as ETag and If-Match write it. */
export const etagOf = (version: number) => `"v${version}"`;
