import type { Cliente } from './cliente';

/** What reads the product. */
export type Lector = Pick<Cliente, 'get' | 'list' | 'broken'>;

export const centavos = (pesos: string | number | null | undefined) => Math.round(Number(pesos ?? 0) * 100);
export const enPesos = (amount: number) => (amount / 100).toFixed(2);
/** Proveedores whose orders are made by call, and so can be counted at them. */
export const POR_LLAMADA = ['syscom', 'ct', 'cva'] as const;
