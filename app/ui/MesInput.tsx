import { NativeSelect } from '@mantine/core';
import { groupBy } from '~/core/groupBy';
import { capitalize } from '~/core/text';
import { mesBefore, nombreOfMes } from '~/core/time';

type Props = {
  /** The chosen month, 'YYYY-MM'; '' for none. */
  mes: string;
  label: string;
  /** The newest month that is offered, 'YYYY-MM': the one of today. */
  max: string;
  required?: boolean;
};

/** So far back the SAT asks for what was invoiced (CFF, article 30). */
const MESES = 5 * 12;

/**
 * The field `mes` of a form, 'YYYY-MM', chosen from the months of five years, the newest first. A browser's own month field speaks the language of
 * the browser, and some browsers have none.
 */
export function MesInput({ mes, max, ...rest }: Props) {
  return (
    <NativeSelect
      key={mes}
      name="mes"
      defaultValue={mes}
      data={[...(mes === '' ? [{ value: '', label: 'Elige un mes' }] : []), ...yearsOf(mesesUntil(max, mes))]}
      {...rest}
    />
  );
}

/** Months up to `max`, the newest first, and the chosen one where it is none of them. */
function mesesUntil(max: string, chosen: string): string[] {
  const meses = [max];
  while (meses.length < MESES) meses.push(mesBefore(meses.at(-1)!));
  return chosen === '' || meses.includes(chosen) ? meses : [...meses, chosen].sort().reverse();
}

const yearsOf = (meses: string[]) =>
  [...groupBy(meses, (mes) => mes.slice(0, 4))].map(([group, suyos]) => ({
    group,
    items: suyos.map((value) => ({ value, label: capitalize(nombreOfMes(value)) })),
  }));
