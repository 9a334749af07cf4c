/** The header in which each answer says the version of the browser's files, and a page that opens another one says its own. */
export const CONSTRUCCION = 'X-Construccion';
