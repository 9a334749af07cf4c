/** What is read from a customer's constancia: the SAT's own are a thirtieth of this, and a telephone's photograph half of it. */
export const CONSTANCIA_MAX_MB = 6;
/** What the form says it takes. */
export const CONSTANCIA_TIPOS = 'application/pdf,image/jpeg,image/png';
