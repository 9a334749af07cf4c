import { writeRango, hasRango, type Chip, type ListFilter } from '~/core/list';
import { nombreOfPeriodo, type Periodo } from '~/core/periodo';

/** Field of an address that names a view of the list's own. */
export const CUALES = 'cuales';

type Propios = {
  /** Texts of chips for the list's own filters, by their field. */
  propios: Record<string, (valor: string) => string> | undefined;
  /** Name of the view of the list's own that is chosen. */
  cual: string | undefined;
};

/** Returns a chip for each filter that differs from what the list shows by itself; its range stands at the end. */
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
