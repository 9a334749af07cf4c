import { civilDay, toInstant } from '~/core/time';
import type { Tono } from './estatus';

type Suceso = {
  id: string;
  en: Date | string;
  tono: Tono;
  quien: string | null;
  /** Name of several such events: 'actualizaciones del envío'. Null for an event that is always told alone. */
  varios: string | null;
};

/** One event, or several alike that came one after another and nobody has to look at one by one. */
export type Renglon<S> = { id: string; de: S[]; titulo: string | null };
export type Dia<S> = { dia: string; renglones: Renglon<S>[] };

/** Fewer events than these are told one by one. */
const MUCHOS = 3;

/**
 * Returns events by their day in the business zone, the newest first. Equal events of a machine are folded into one line; an event that went wrong never
 * is.
 */
export function porDia<S extends Suceso>(sucesos: readonly S[]): Dia<S>[] {
  const dias: Dia<S>[] = [];
  for (const suceso of sucesos) {
    const dia = civilDay(toInstant(suceso.en));
    if (dias.at(-1)?.dia !== dia) dias.push({ dia, renglones: [] });
    const { renglones } = dias.at(-1)!;
    const before = renglones.at(-1);
    if (before && isAlike(before.de[0]!, suceso)) before.de.push(suceso);
    else renglones.push({ id: suceso.id, de: [suceso], titulo: null });
  }
  return dias.map(({ dia, renglones }) => ({ dia, renglones: renglones.flatMap(folded) }));
}

const isOfAMachine = ({ quien, tono, varios }: Suceso) => varios !== null && quien === null && tono !== 'mal';
const isAlike = (one: Suceso, other: Suceso) => isOfAMachine(one) && isOfAMachine(other) && one.varios === other.varios;

function folded<S extends Suceso>({ id, de }: Renglon<S>): Renglon<S>[] {
  if (de.length >= MUCHOS) return [{ id, de, titulo: `${de.length} ${de[0]!.varios}` }];
  return de.map((suceso) => ({ id: suceso.id, de: [suceso], titulo: null }));
}
