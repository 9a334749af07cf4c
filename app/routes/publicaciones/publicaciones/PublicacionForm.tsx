import { TextInput } from '@mantine/core';
import { Link } from '@remix-run/react';
import { useState } from 'react';
import { MERCADOS } from '~/domain/mercados/mercados';
import { editablesOf, elPrecioEsDe, estatusOf } from '~/domain/publicaciones/publicaciones/publicacion';
import { Boton } from '~/ui/Boton';
import { Visto } from '~/ui/Choque';
import { Field, SelectField } from '~/ui/Field';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden } from '~/ui/useAnswer';
import { useHydrated } from '~/ui/useHydrated';
import type { PublicacionAbierta } from './record';

type Fields = Record<'titulo' | 'precio' | 'stock' | 'estatus' | 'autoSync', string>;

const DEL_PROVEEDOR = 'Lo pone el proveedor: elige No arriba para escribirlo.';

/** A field that cannot be typed, with its value and the reason. */
function SinEscribir({
  de: { id, name, errors },
  label,
  leftSection,
  valor,
  porque = DEL_PROVEEDOR,
}: {
  de: { id: string; name: string; errors?: string[] | undefined };
  label: string;
  leftSection?: string;
  valor: string;
  porque?: string;
}) {
  return (
    <TextInput
      id={id}
      name={name}
      label={label}
      leftSection={leftSection}
      description={porque}
      value={valor}
      readOnly
      error={errors?.[0]}
    />
  );
}

/** The form of a listing's data at its marketplace. */
export function PublicacionForm({ publicacion, cerrar }: { publicacion: PublicacionAbierta; cerrar: string }) {
  const { market, estatus, stockAjeno, precioAjeno, sinAlmacen } = publicacion;
  const { label, publicaciones } = MERCADOS[market];
  const { tituloPropio } = publicaciones;
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
  const puestas = editablesOf(market);
  const [sigue, setSigue] = useState(fields.autoSync.initialValue === '1');
  const cerrado = useHydrated() && sigue;
  // Without JavaScript both are sent, and the server decides by the chosen option.
  const dePrecioYStock = sigue && { description: DEL_PROVEEDOR };
  return (
    <ActionForm of={form} className="apilado publicacion-edicion">
      <Hidden id={publicacion.id} />
      <Visto of={form} marcas={{ version: publicacion.version }} />
      <div className="campos">
        <Field
          field={fields.titulo}
          label="Titulo"
          autoComplete="off"
          {...(!tituloPropio && { readOnly: true, description: 'Es el de la ficha del catálogo: se cambia allá.' })}
        />
        <SelectField
          field={fields.autoSync}
          label="Sincronización automática"
          description="Con ella, el precio y el stock siguen al proveedor."
          onChange={({ currentTarget: { value } }) => setSigue(value === '1')}
          data={[
            { value: '0', label: 'No' },
            { value: '1', label: 'Sí' },
          ]}
        />
        {cerrado || precioAjeno ? (
          <SinEscribir
            de={fields.precio}
            label="Precio"
            leftSection="$"
            valor={publicacion.precio ?? ''}
            {...(precioAjeno && { porque: elPrecioEsDe(label) })}
          />
        ) : (
          <Field
            field={fields.precio}
            label="Precio"
            inputMode="decimal"
            leftSection="$"
            autoComplete="off"
            {...dePrecioYStock}
          />
        )}
        {stockAjeno ? (
          <Hidden stock={publicacion.stock ?? 0} />
        ) : sinAlmacen !== null ? (
          <SinEscribir de={fields.stock} label="Stock" valor={String(publicacion.stock ?? 0)} porque={sinAlmacen} />
        ) : cerrado ? (
          <SinEscribir de={fields.stock} label="Stock" valor={String(publicacion.stock ?? '')} />
        ) : (
          <Field field={fields.stock} label="Stock" inputMode="numeric" autoComplete="off" {...dePrecioYStock} />
        )}
        <SelectField
          field={fields.estatus}
          label="Estatus"
          data={[
            ...(puestas.some(({ value }) => value === estatus)
              ? []
              : [{ value: estatus, label: estatusOf(market, estatus).label }]),
            ...puestas,
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
