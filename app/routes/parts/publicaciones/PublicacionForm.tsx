import { Button } from '@mantine/core';
import { Link } from '@remix-run/react';
import { MERCADOS } from '~/domain/mercados/mercados';
import { editablesDe, estatusDe } from '~/domain/publicaciones/publicacion';
import { Visto } from '~/ui/Choque';
import { Field, SelectField } from '~/ui/Field';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden } from '~/ui/useAnswer';
import type { PublicacionAbierta } from './abierta';

type Fields = Record<'titulo' | 'precio' | 'stock' | 'estatus' | 'autoSync', string>;

/** What people change of a listing at its marketplace. */
export function PublicacionForm({ publicacion, cerrar }: { publicacion: PublicacionAbierta; cerrar: string }) {
  const { market, estatus, stockAjeno } = publicacion;
  const { tituloPropio } = MERCADOS[market].publicaciones;
  const form = useActionForm<Fields>('editarPublicacion', {
    defaultValue: {
      titulo: publicacion.titulo,
      precio: publicacion.precio ?? '',
      stock: publicacion.stock === null ? '' : String(publicacion.stock),
      estatus,
      autoSync: publicacion.autoSync ? '1' : '0',
    },
  });
  const { fields } = form;
  const puestas = editablesDe(market);
  return (
    <ActionForm of={form} className="apilado">
      <Hidden id={publicacion.id} />
      <Visto of={form} marcas={{ version: publicacion.version }} />
      <div className="campos">
        <Field
          field={fields.titulo}
          label="Titulo"
          autoComplete="off"
          {...(!tituloPropio && { readOnly: true, description: 'Es el de la ficha del catálogo: se cambia allá.' })}
        />
        <Field field={fields.precio} label="Precio" inputMode="decimal" leftSection="$" autoComplete="off" />
        {stockAjeno ? (
          <Hidden stock={publicacion.stock ?? 0} />
        ) : (
          <Field field={fields.stock} label="Stock" inputMode="numeric" autoComplete="off" />
        )}
        <SelectField
          field={fields.estatus}
          label="Estatus"
          data={[
            ...(puestas.some(({ value }) => value === estatus)
              ? []
              : [{ value: estatus, label: estatusDe(market, estatus).label }]),
            ...puestas,
          ]}
        />
        <SelectField
          field={fields.autoSync}
          label="Sincronización automática"
          description="Con ella, el precio y el stock siguen al proveedor."
          data={[
            { value: '0', label: 'No' },
            { value: '1', label: 'Sí' },
          ]}
        />
      </div>
      <div className="botones">
        <Button component={Link} to={cerrar} variant="default" preventScrollReset>
          Cancelar
        </Button>
        <Button type="submit">Guardar</Button>
      </div>
    </ActionForm>
  );
}
