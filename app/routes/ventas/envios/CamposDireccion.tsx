import type { FieldMetadata } from '@conform-to/react';
import { useId, useRef, type ReactNode } from 'react';
import type { Direccion } from '~/platform/direccion/direccion';
import { Field } from '~/ui/Field';
import { useHydrated } from '~/ui/useHydrated';
import { usePostal } from './usePostal';

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

/**
 * An address whose postal code fills in the rest: by leaving the field, or by a button that sends the form where there is no JavaScript. Fields are
 * filled in place, so whoever went on typing in the next one is not interrupted.
 */
export function CamposDireccion({ fields, colonias, aviso, buscar, etiquetaCp = 'CP', children }: Props) {
  const hydrated = useHydrated();
  const listId = useId();
  const box = useRef<HTMLDivElement>(null);
  const { lugar, said, lookUp, onBuscar } = usePostal(box, inputOfPart, String(fields.cp.initialValue ?? ''));
  const opciones = lugar?.colonias ?? colonias;

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
          {said ?? aviso}
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

/** The input of a part of the address, whatever prefix the form uses. */
const inputOfPart = (part: keyof Direccion) => `input[data-direccion="${part}"]`;
