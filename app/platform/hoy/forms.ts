import { z } from 'zod';
import { Id, Texto, opcional } from '~/core/fields';
import { HASTA, type Hasta } from './hasta';

const DE = { cola: Texto(60), cosa: Texto(200) };

const HASTAS = Object.keys(HASTA) as [Hasta, ...Hasta[]];

/** A press of 'Tomar'. `de` is the owner that the screen showed; absent when it showed none. */
export const TomarCosa = z.object({ ...DE, de: opcional(Id) });
/** A press that gives a thing to `usuario`. */
export const DarCosa = z.object({ ...DE, usuario: Id });
/** A press that leaves a thing without owner. */
export const SoltarCosa = z.object(DE);
/** A thing that is put aside until a moment, with its reason. */
export const PosponerCosa = z.object({
  ...DE,
  hasta: z.enum(HASTAS, { error: 'Elige hasta cuándo.' }),
  motivo: Texto(200, 'Escribe por qué se pospone.'),
});
/** A press that takes a thing back from aside. */
export const ReanudarCosa = z.object(DE);
