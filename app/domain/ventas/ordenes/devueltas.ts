/** Days that a sale waits after 'Esperar' or 'Ya se reclamó' until it is asked about again. */
export const DIAS_DE_ESPERA = 30;
