/** Largest file of a constancia, in megabytes. The SAT's own files are a thirtieth of it, and a telephone's photograph half. */
export const CONSTANCIA_MAX_MB = 6;
/** The types of file that the form accepts. */
export const CONSTANCIA_TIPOS = 'application/pdf,image/jpeg,image/png';
