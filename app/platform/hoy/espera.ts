import type { Reloj } from './reloj';

/**
 * One thing that a record waits for, as its panel tells it. `paso` names what is to be done and `de` what it is done about. `pantalla` is the screen where
 * it is seen to, with its search, and null where the panel of the record itself has what sees to it. `reloj` is null where nothing tells since when or
 * until when.
 */
export type Espera = { paso: string; de: string; texto: string; reloj: Reloj | null; pantalla: string | null };
