import { tableOf } from '~/core/table';

const NOMBRE: Record<string, string> = tableOf({ global: 'factura global', notaCredito: 'nota de crédito' });

/** The name of a kind of CFDI in the middle of a sentence: 'factura', 'factura global' or 'nota de crédito'. */
export const nombreOf = (tipo: string) => NOMBRE[tipo] ?? 'factura';

/** The name of the list that asked for a credit note; '' for any other document. */
export const motivoOfNota = (motivo: string | null) => MOTIVO[motivo ?? ''] ?? '';
const MOTIVO: Record<string, string> = tableOf({
  refacturacion: 'Refacturación',
  devuelta: 'Devolución',
  parcial: 'Devolución parcial',
});
