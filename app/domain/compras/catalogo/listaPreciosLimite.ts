/** What a price list may weigh. */
export const MAX_LISTA_MB = 10;
