import { useState } from 'react';
import type { Wire } from '~/core/list';
import type { DeQue } from '~/domain/compras/stock/devoluciones.server';
import { ESTADO_INICIAL, ESTADO_LABEL } from '~/domain/compras/stock/pieza';
import { Boton } from '~/ui/Boton';
import { Visto } from '~/ui/Choque';
import { Field, SelectField } from '~/ui/Field';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden } from '~/ui/useAnswer';
import { ArchivoFactura } from './ArchivoFactura';
import { OrdenField } from './OrdenField';
import { Observaciones } from './PiezaForm';

type Fields = Record<
  | 'numOrden'
  | 'estado'
  | 'proveedor'
  | 'cantidad'
  | 'observaciones'
  | 'folioFactura'
  | 'costo'
  | 'recuperado'
  | 'factura',
  string
>;

type Props = {
  deQue: Wire<DeQue>;
  /** The key of a new form. */
  nueva: string;
  estados: readonly (keyof typeof ESTADO_LABEL)[];
  proveedores: { value: string; label: string }[];
  id?: string;
  /** Shows first what a return needs, and folds the rest. */
  breve?: true;
};

/** 'Información a Agregar': creates several pieces of one article, each with its own folio. */
export function CrearForm({ deQue: { articulo, producto, propuesta }, nueva, estados, proveedores, id, breve }: Props) {
  // The key of this form, kept until the form is done: sending twice creates once.
  const [clave] = useState(nueva);
  const form = useActionForm<Fields>('crear', {
    ...(id !== undefined && { id }),
    defaultValue: {
      numOrden: articulo?.numOrden ?? '',
      estado: ESTADO_INICIAL,
      proveedor: producto?.proveedor ?? articulo?.proveedor ?? '',
      cantidad: String(propuesta.cantidad),
      costo: propuesta.costo ?? '',
      observaciones: propuesta.observaciones ?? '',
    },
  });
  const { fields } = form;
  const orden = <OrdenField field={fields.numOrden} description="El número de la venta de la que regresa." />;
  const estatus = (
    <SelectField
      field={fields.estado}
      label="Estatus"
      data={estados.map((value) => ({ value, label: ESTADO_LABEL[value] }))}
    />
  );
  const proveedor = (
    <SelectField
      field={fields.proveedor}
      label="Proveedor"
      data={[{ value: '', label: 'Selecciona un proveedor' }, ...proveedores]}
    />
  );
  const cantidad = <Field field={fields.cantidad} label="Cantidad" inputMode="numeric" autoComplete="off" />;
  const observaciones = <Observaciones field={fields.observaciones} />;
  const folio = <Field field={fields.folioFactura} label="Folio de la factura" autoComplete="off" />;
  const pesos = { inputMode: 'decimal', autoComplete: 'off', leftSection: '$' } as const;
  const costo = <Field field={fields.costo} label="Costo por pieza con IVA" {...pesos} />;
  const recuperado = <Field field={fields.recuperado} label="Monto recuperado" {...pesos} />;
  const factura = <ArchivoFactura error={fields.factura.errors?.[0]} />;
  return (
    <ActionForm of={form} encType="multipart/form-data" className="apilado">
      {!breve && <h3>Información a Agregar</h3>}
      <Hidden
        clave={clave}
        orden={articulo?.ordenId}
        producto={producto?.id}
        descripcion={articulo?.nombre.slice(0, 300)}
      />
      {articulo && <Visto of={form} marcas={{ recibidas: propuesta.deLaOrden }} />}
      {breve ? (
        <>
          <div className="campos">
            {estatus}
            {cantidad}
            {costo}
          </div>
          <details>
            <summary>Más datos</summary>
            <div className="campos">
              {orden}
              {proveedor}
              {observaciones}
              {folio}
              {recuperado}
            </div>
            {factura}
          </details>
        </>
      ) : (
        <>
          <div className="campos">
            {orden}
            {estatus}
            {proveedor}
            {cantidad}
            {observaciones}
            {folio}
            {costo}
            {recuperado}
          </div>
          {factura}
        </>
      )}
      <div className="botones">
        <Boton tono="acento" type="submit" ocupado={form.pending !== undefined}>
          Crear devolución
        </Boton>
      </div>
    </ActionForm>
  );
}
