/** What is read from a customer's constancia: the SAT's own are a tenth of this. */
export const CONSTANCIA_MAX_MB = 2;
