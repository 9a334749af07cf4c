/** The sources of tax data: staff's register, or what a customer typed for one sale. Data of a sale are never offered to anybody else. */
export const ORIGENES = ['registro', 'venta'] as const;
export type Origen = (typeof ORIGENES)[number];
export const ORIGEN_LABEL: Readonly<Record<Origen, string>> = { registro: 'Registro', venta: 'Por venta' };
