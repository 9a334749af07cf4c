import { Link } from '@remix-run/react';
import { Boton } from '~/ui/Boton';
import { Visto } from '~/ui/Choque';
import { Field, SelectField } from '~/ui/Field';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden } from '~/ui/useAnswer';
import type { ProductoAbierto } from './record';

type Fields = Record<'productoMaximo' | 'costoEnvio' | 'precioLista' | 'autoOrden', string>;

/** The form of our own data of a product. The supplier's data cannot be changed here. */
export function ProductoForm({ producto, cerrar }: { producto: ProductoAbierto; cerrar: string }) {
  const form = useActionForm<Fields>('guardar', {
    defaultValue: {
      productoMaximo: producto.productoMaximo === null ? '' : String(producto.productoMaximo),
      costoEnvio: producto.costoEnvio ?? '',
      precioLista: producto.precioLista ?? '',
      autoOrden: producto.autoOrden ? '1' : '0',
    },
  });
  const { fields } = form;
  return (
    <ActionForm of={form} className="apilado">
      <Hidden id={producto.id} />
      <Visto of={form} marcas={{ version: producto.version }} />
      <div className="campos par">
        <Field
          field={fields.costoEnvio}
          label="Costo del envio"
          inputMode="decimal"
          leftSection="$"
          autoComplete="off"
        />
        <Field
          field={fields.productoMaximo}
          label="Productos máximos por envio"
          inputMode="numeric"
          autoComplete="off"
        />
        <Field
          field={fields.precioLista}
          label="Precio de lista"
          inputMode="decimal"
          leftSection="$"
          autoComplete="off"
        />
        <SelectField
          field={fields.autoOrden}
          label="Auto orden"
          data={[
            { value: '0', label: 'Desactivado' },
            { value: '1', label: 'Activado' },
          ]}
        />
      </div>
      <div className="botones">
        <Link className="boton grande" to={cerrar} preventScrollReset>
          Cancelar
        </Link>
        <Boton tono="acento" type="submit">
          Guardar
        </Boton>
      </div>
    </ActionForm>
  );
}
