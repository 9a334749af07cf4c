import type { FieldMetadata } from '@conform-to/react';
import { useEffect, useId, useRef, type MouseEvent, type ReactNode } from 'react';
import { useArea } from '~/access/useArea';
import { avisoPostal, isCp, type HallazgoPostal } from '~/core/codigoPostal';
import { withLugar, type Direccion } from '~/platform/direccion/direccion';
import { Field } from '~/ui/Field';
import { fillUntouched } from '~/ui/fillIn';
import { useHydrated } from '~/ui/useHydrated';
import { useLookUp } from '~/ui/useLookUp';

type Fields = { [K in keyof Direccion]: FieldMetadata<string> | FieldMetadata<string | undefined> };
type Props = {
  fields: Fields;
  /** The colonias of the postal code in the form. */
  colonias: string[];
  /** The message of the look-up without JavaScript. */
  aviso: string | null;
  /** Name and value of the button that looks up by sending the form. */
  buscar: { name: string; value: string };
  /** The label of the postal code: 'CP'. */
  etiquetaCp?: string;
  /** Fields after the address, in the same grid. */
  children?: ReactNode;
};

const SIN_RESPUESTA: HallazgoPostal = { tipo: 'sinRespuesta' };

/**
 * An address whose postal code fills in the rest: by leaving the field, or by a button that sends the form where there is no JavaScript. Fields are
 * filled in place, so whoever went on typing in the next one is not interrupted.
 */
export function CamposDireccion({ fields, colonias, aviso, buscar, etiquetaCp = 'CP', children }: Props) {
  const area = useArea();
  const { ask, asking, failed, found } = useLookUp<HallazgoPostal>();
  const hydrated = useHydrated();
  const listId = useId();
  const box = useRef<HTMLDivElement>(null);
  const asked = useRef(String(fields.cp.initialValue ?? ''));
  const filled = useRef(new Map<string, string>());
  const hallazgo = failed ? SIN_RESPUESTA : found?.answer;
  const lugar = hallazgo?.tipo === 'encontrado' ? hallazgo.lugar : undefined;
  const opciones = lugar?.colonias ?? colonias;
  const said = asking ? 'Buscando el código postal…' : hallazgo ? avisoPostal(hallazgo) : aviso;

  const lookUp = (force: boolean) => {
    const cp = inputIn(box.current, 'cp')?.value.trim() ?? '';
    if (!isCp(cp) || (!force && !failed && cp === asked.current)) return false;
    asked.current = cp;
    ask(cp, `${area}/codigosPostales/${cp}`);
    return true;
  };
  useEffect(() => {
    // Another code was typed meanwhile, so this answer is dropped.
    if (!lugar || inputIn(box.current, 'cp')?.value.trim() !== found?.about) return;
    const there = withLugar({ colonia: inputIn(box.current, 'colonia')?.value ?? '' }, lugar);
    for (const name of ['colonia', 'ciudad', 'municipio', 'estado'] as const) {
      const input = inputIn(box.current, name);
      if (input) fillUntouched(input, there[name], filled.current);
    }
  }, [lugar, found]);
  // A code that was typed while the page was still loading: no event of leaving the field was heard.
  const first = useRef(lookUp);
  useEffect(() => void first.current(false), []);
  const onBuscar = (event: MouseEvent) => lookUp(true) && event.preventDefault();

  return (
    <div className="campos" ref={box}>
      <div>
        <div className="con-boton">
          <Field
            field={fields.cp}
            data-direccion="cp"
            label={etiquetaCp}
            inputMode="numeric"
            maxLength={5}
            autoComplete="postal-code"
            onBlur={() => void lookUp(false)}
          />
          {/* Pressed before the page is ready it would load the page again, and what is typed meanwhile would be lost. */}
          <button
            type="submit"
            {...buscar}
            formNoValidate
            className={hydrated ? 'boton' : 'boton espera-js'}
            onClick={onBuscar}
          >
            Buscar CP
          </button>
        </div>
        <p className="nota" role="status">
          {said}
        </p>
      </div>
      <Field
        field={fields.colonia}
        data-direccion="colonia"
        label="Colonia"
        list={listId}
        placeholder={opciones.length > 1 ? 'Elige una o escríbela' : undefined}
        autoComplete="off"
      />
      <datalist id={listId}>
        {opciones.map((colonia) => (
          <option key={colonia} value={colonia} />
        ))}
      </datalist>
      <Field field={fields.calle} label="Calle" autoComplete="address-line1" />
      <Field field={fields.numeroExterior} label="Número ext." autoComplete="off" />
      <Field field={fields.numeroInterior} label="Número int." autoComplete="off" />
      <Field field={fields.ciudad} data-direccion="ciudad" label="Ciudad" autoComplete="off" />
      <Field field={fields.municipio} data-direccion="municipio" label="Municipio" autoComplete="off" />
      <Field field={fields.estado} data-direccion="estado" label="Estado" autoComplete="off" />
      {children}
    </div>
  );
}

/** Returns the input of a part of the address, whatever prefix the form uses. */
function inputIn(box: HTMLElement | null, part: keyof Direccion) {
  return box?.querySelector<HTMLInputElement>(`input[data-direccion="${part}"]`);
}
