import { useState, type ComponentProps } from 'react';
import { Field } from '~/ui/Field';
import { useHydrated } from '~/ui/useHydrated';
import './stock.css';

/** 'Orden': the number of a piece's sale, locked until somebody presses 'Desbloquear'. Without scripts the field is open from the start. */
export function OrdenField({ field, description }: Pick<ComponentProps<typeof Field>, 'field' | 'description'>) {
  const hydrated = useHydrated();
  const [abierta, setAbierta] = useState(false);
  const cerrada = hydrated && !abierta;
  return (
    <div className="pieza-orden">
      <Field
        field={field}
        label="Orden"
        description={cerrada ? undefined : description}
        autoComplete="off"
        readOnly={cerrada}
      />
      {cerrada && (
        <button type="button" className="boton solo-js" onClick={() => setAbierta(true)}>
          Desbloquear
        </button>
      )}
    </div>
  );
}
