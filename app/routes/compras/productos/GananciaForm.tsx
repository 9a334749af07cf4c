import { Link } from '@remix-run/react';
import { PRECIO_DE, type PrecioKey, PRECIOS } from '~/core/market';
import { Boton } from '~/ui/Boton';
import { Visto } from '~/ui/Choque';
import { Field } from '~/ui/Field';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden } from '~/ui/useAnswer';
import type { ProductoAbierto } from './record';

/** The form of one product's mark-up. Before it saves, the server tells what each mark-up would change. */
export function GananciaForm({ producto, cerrar }: { producto: ProductoAbierto; cerrar: string }) {
  const { propias, suyas, huella } = producto.ganancias;
  const form = useActionForm<Record<PrecioKey, string>>('gananciaPropia', { defaultValue: propias });
  return (
    <ActionForm of={form} className="apilado">
      <Hidden id={producto.id} />
      <Visto of={form} marcas={{ huella }} />
      <div className="campos">
        {PRECIOS.map((key) => (
          <Field
            key={key}
            field={form.fields[key]}
            label={PRECIO_DE[key].label}
            aria-label={`Ganancia en ${PRECIO_DE[key].label}`}
            placeholder={suyas[key]}
            inputMode="decimal"
            maxLength={20}
            autoComplete="off"
          />
        ))}
      </div>
      <p className="nota">Vacía, vale la de {producto.proveedorLabel}; la de Premium, primero la de Clásica de aquí.</p>
      <div className="botones">
        <Link className="boton grande" to={cerrar} preventScrollReset>
          Cancelar
        </Link>
        <Boton tono="acento" type="submit" ocupado={form.pending !== undefined}>
          Guardar
        </Boton>
      </div>
    </ActionForm>
  );
}
