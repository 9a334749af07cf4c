import { Checkbox, Textarea } from '@mantine/core';
import { getInputProps } from '@conform-to/react';
import { nombreCorto } from '~/domain/compras/catalogo/producto';
import { Boton } from '~/ui/Boton';
import { Visto } from '~/ui/Choque';
import { Field, SelectField } from '~/ui/Field';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden } from '~/ui/useAnswer';
import type { PiezaAbierta } from './record';
import type { ProductoHallado } from './actions';
import { ArchivoFactura } from './ArchivoFactura';
import { OrdenField } from './OrdenField';

type Fields = Record<
  | 'orden'
  | 'estado'
  | 'proveedor'
  | 'observaciones'
  | 'folioFactura'
  | 'costo'
  | 'recuperado'
  | 'factura'
  | 'producto'
  | 'parametros',
  string
>;

/** 'Información a actualizar': the form of a piece's own data. */
export function PiezaForm({ pieza, area }: { pieza: PiezaAbierta; area: string }) {
  const { id, version, estados, proveedores, facturaId, facturaNombre, productoId } = pieza;
  const form = useActionForm<Fields>('guardarPieza', {
    defaultValue: {
      orden: pieza.numOrden ?? '',
      estado: pieza.estado,
      proveedor: pieza.proveedor ?? '',
      observaciones: pieza.observaciones ?? '',
      folioFactura: pieza.facturaFolio ?? '',
      costo: pieza.costo,
      recuperado: pieza.recuperado,
    },
  });
  const { fields, answer } = form;
  return (
    <ActionForm of={form} encType="multipart/form-data" className="apilado">
      <h3>Información a actualizar</h3>
      <Hidden id={id} conOrden="1" />
      <Visto of={form} marcas={{ version }} />
      <div className="campos">
        <OrdenField field={fields.orden} description="Vacía: la pieza se queda sin orden." />
        <SelectField field={fields.estado} label="Estatus" data={estados} />
        <SelectField
          field={fields.proveedor}
          label="Proveedor"
          data={[{ value: '', label: 'Selecciona un proveedor' }, ...proveedores]}
        />
        <Observaciones field={fields.observaciones} />
        <Field field={fields.folioFactura} label="Folio de la factura" autoComplete="off" />
        <Field field={fields.costo} label="Costo" inputMode="decimal" autoComplete="off" leftSection="$" />
        <Field
          field={fields.recuperado}
          label="Monto recuperado"
          inputMode="decimal"
          autoComplete="off"
          leftSection="$"
        />
      </div>
      {facturaId && (
        <div className="pieza-archivo">
          <a href={`${area}/descargas/facturaStock/${id}`} download>
            {facturaNombre}
          </a>
          <Checkbox name="eliminarFactura" value="1" label="Eliminar" />
        </div>
      )}
      <ArchivoFactura error={fields.factura.errors?.[0]} />
      {!productoId && (
        <>
          <div className="campos">
            <Field field={fields.parametros} label="Parametros de busqueda" autoComplete="off" />
          </div>
          <button type="submit" name="intent" value="buscarProducto" className="boton">
            Buscar porducto
          </button>
          <Hallados hallados={answer?.resultado as ProductoHallado[] | undefined} />
        </>
      )}
      <div className="botones">
        <Boton tono="acento" type="submit" ocupado={form.pending === 'guardarPieza'}>
          Actualizar devolución
        </Boton>
      </div>
    </ActionForm>
  );
}

function Hallados({ hallados }: { hallados: ProductoHallado[] | undefined }) {
  if (!hallados) return null;
  if (hallados.length === 0) return <p role="status">No se encontro un producto</p>;
  return (
    <fieldset className="grupo">
      <legend>Elige su producto</legend>
      {hallados.map(({ id, nombre, modelo, proveedorLabel }) => (
        <label key={id} className="pieza-hallado">
          <input type="radio" name="producto" value={id} />
          <span>
            {nombreCorto(nombre)} <span className="nota">{`${proveedorLabel} · ${modelo}`}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

export function Observaciones({ field }: { field: Parameters<typeof Field>[0]['field'] }) {
  const { key, required: _, type: _type, ...props } = getInputProps(field as never, { type: 'text' });
  return <Textarea key={key} {...props} label="Observaciones" rows={3} error={field.errors?.[0]} />;
}
