import { writeRango, hasRango, type Chip, type ListFilter } from '~/core/list';
import { nombreOfPeriodo, type Periodo } from '~/core/periodo';

/** The field of an address that names one of the views everybody finds. */
export const CUALES = 'cuales';

type Propios = {
  /** The list's own filters, by their field, and what a chip says of one. */
  propios: Record<string, (valor: string) => string> | undefined;
  /** The view that everybody finds which it is looked through by. */
  cual: string | undefined;
};

/** What filters a list beyond what it shows by itself, with its range at the end. */
export function chipsOf<F extends ListFilter>(filtro: F, byDefault: F, { propios, cual }: Propios): Chip[] {
  const chips = Object.entries(propios ?? {}).flatMap(([campo, write]) => {
    const [valor, usual] = [filtro, byDefault].map((one) => (one as Record<string, unknown>)[campo] ?? '');
    return valor === usual || valor === '' ? [] : [{ texto: write(String(valor)), quita: [campo] }];
  });
  if (cual) chips.unshift({ texto: cual, quita: [CUALES] });
  if (filtro.q !== '') chips.unshift({ texto: `«${filtro.q}»`, quita: ['q'] });
  if (hasRango(filtro) && hasRango(byDefault) && writeRango(filtro) !== writeRango(byDefault)) {
    const { rango } = filtro as { rango?: Periodo };
    chips.push({
      texto: rango ? nombreOfPeriodo(rango) : writeRango(filtro),
      quita: ['desde', 'hasta', 'rango'],
    });
  }
  return chips;
}
