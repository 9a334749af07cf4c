import type { Plazos } from './reloj';

/**
 * One thing that a record waits for, as its panel tells it. `paso` names what is to be done and `de` what it is done about. `pantalla` is the screen where
 * it is seen to, with its search, and null where the panel of the record itself has what sees to it. `plazo` is what its clock is told from (`relojOf`), and
 * null where nothing tells since when or until when.
 */
export type Espera = {
  paso: string;
  de: string;
  texto: string;
  plazo: { desde: Date; vence: Date | null; plazos: Plazos } | null;
  pantalla: string | null;
};
