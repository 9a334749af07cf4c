/** Where a client comes from: staff's register, or what a customer typed for one sale, which nobody else is ever offered. */
export const ORIGENES = ['registro', 'venta'] as const;
export type Origen = (typeof ORIGENES)[number];
export const ORIGEN_LABEL: Readonly<Record<Origen, string>> = { registro: 'Registro', venta: 'Por venta' };
