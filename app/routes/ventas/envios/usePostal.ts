import { useEffect, useRef, type MouseEvent, type RefObject } from 'react';
import { useArea } from '~/access/useArea';
import { avisoPostal, isCp, type HallazgoPostal } from '~/core/codigoPostal';
import { withLugar, type Direccion } from '~/platform/direccion/direccion';
import { fillUntouched } from '~/ui/fillIn';
import { useLookUp } from '~/ui/useLookUp';

const SIN_RESPUESTA: HallazgoPostal = { tipo: 'sinRespuesta' };

type Part = keyof Direccion;
type Input = HTMLInputElement | HTMLSelectElement;

/**
 * Returns the look-up of a postal code inside `box`: by leaving the field (`lookUp`) or by a button (`onBuscar`). The rest of the address is filled in
 * place, so whoever went on typing in the next field is not interrupted. `selector` names the input of a part and never changes.
 */
export function usePostal(box: RefObject<HTMLElement>, selector: (part: Part) => string, empieza: string) {
  const area = useArea();
  const { ask, asking, failed, found } = useLookUp<HallazgoPostal>();
  const asked = useRef(empieza);
  const filled = useRef(new Map<string, string>());
  const hallazgo = failed ? SIN_RESPUESTA : found?.answer;
  const lugar = hallazgo?.tipo === 'encontrado' ? hallazgo.lugar : undefined;
  const inputOf = (part: Part) => box.current?.querySelector<Input>(selector(part)) ?? null;

  const lookUp = (force: boolean) => {
    const cp = inputOf('cp')?.value.trim() ?? '';
    if (!isCp(cp) || (!force && !failed && cp === asked.current)) return false;
    asked.current = cp;
    ask(cp, `${area}/codigosPostales/${cp}`);
    return true;
  };
  const fill = useRef(inputOf);
  useEffect(() => {
    // Another code was typed meanwhile, so this answer is dropped.
    if (!lugar || fill.current('cp')?.value.trim() !== found?.about) return;
    const there = withLugar({ colonia: fill.current('colonia')?.value ?? '' }, lugar);
    for (const name of ['colonia', 'ciudad', 'municipio', 'estado'] as const) {
      const input = fill.current(name);
      if (input) fillUntouched(input, there[name], filled.current);
    }
  }, [lugar, found]);
  // A code that was typed while the page was still loading: no event of leaving the field was heard.
  const first = useRef(lookUp);
  useEffect(() => void first.current(false), []);
  return {
    lugar,
    said: asking ? 'Buscando el código postal…' : hallazgo && avisoPostal(hallazgo),
    lookUp,
    onBuscar: (event: MouseEvent) => lookUp(true) && event.preventDefault(),
  };
}
