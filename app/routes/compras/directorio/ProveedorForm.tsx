import { Link } from '@remix-run/react';
import { REGLA_LABEL, REGLAS } from '~/domain/compras/directorio/proveedor';
import type { Proveedor } from '~/domain/compras/directorio/proveedores.server';
import { Boton } from '~/ui/Boton';
import { Visto } from '~/ui/Choque';
import { Field, SelectField } from '~/ui/Field';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden } from '~/ui/useAnswer';

const TEXTOS = [
  'label',
  'linkHome',
  'linkProductos',
  'linkFactura',
  'sufijoFactura',
  'rfc',
  'email',
  'plazoDias',
] as const;
type Fields = Partial<Record<(typeof TEXTOS)[number] | 'value' | 'reglaFactura' | 'activo', string>>;

const DEBAJO: ('label' | 'input' | 'error' | 'description')[] = ['label', 'input', 'error', 'description'];

/** The form of a supplier, new or known. `cerrar`: the address to which the dialog closes; a panel has its own cross. */
export function ProveedorForm({ proveedor, cerrar }: { proveedor?: Proveedor; cerrar?: string }) {
  const form = useActionForm<Fields>(proveedor ? 'editar' : 'agregar', {
    defaultValue: proveedor
      ? {
          ...Object.fromEntries(TEXTOS.map((name) => [name, `${proveedor[name] ?? ''}`])),
          reglaFactura: proveedor.reglaFactura,
          activo: proveedor.activo ? '1' : '0',
        }
      : { reglaFactura: 'ninguna', activo: '1' },
  });
  const { fields } = form;
  return (
    <ActionForm of={form} className="apilado">
      {proveedor && <Hidden value={proveedor.value} />}
      {proveedor && <Visto of={form} marcas={{ version: proveedor.version }} />}
      <div className="campos">
        {!proveedor && (
          <Field
            field={fields.value}
            label="Clave"
            description="Como aparece en el SKU"
            inputWrapperOrder={DEBAJO}
            autoComplete="off"
            autoCapitalize="none"
          />
        )}
        <Field field={fields.label} label="Nombre" autoComplete="off" />
        <Field
          field={fields.rfc}
          label="RFC"
          description="Reconoce sus facturas en XML"
          inputWrapperOrder={DEBAJO}
          autoComplete="off"
          className="mayusculas"
        />
        <Field
          field={fields.email}
          label="Email"
          type="email"
          description="Cuando no hay agentes activos"
          inputWrapperOrder={DEBAJO}
          autoComplete="off"
        />
        <Field
          field={fields.plazoDias}
          label="Días para pagar"
          description="Desde la fecha de su factura"
          inputWrapperOrder={DEBAJO}
          inputMode="numeric"
          autoComplete="off"
        />
        <Field field={fields.linkHome} label="Sitio" autoComplete="off" placeholder="https://" />
        <Field field={fields.linkProductos} label="Página de productos" autoComplete="off" placeholder="https://" />
        <Field
          field={fields.linkFactura}
          label="Página de facturas"
          description="Si no abre la factura, corrígela aquí: la de fábrica no está confirmada"
          inputWrapperOrder={DEBAJO}
          autoComplete="off"
          placeholder="https://"
        />
        <SelectField
          field={fields.reglaFactura}
          label="Enlace de cada factura"
          data={REGLAS.map((regla) => ({ value: regla, label: REGLA_LABEL[regla] }))}
        />
        <Field field={fields.sufijoFactura} label="Sufijo del enlace" autoComplete="off" />
        <SelectField
          field={fields.activo}
          label="Estatus"
          data={[
            { value: '1', label: 'Activo' },
            { value: '0', label: 'Inactivo' },
          ]}
        />
      </div>
      <div className="botones">
        {cerrar !== undefined && (
          <Link className="boton" to={cerrar} preventScrollReset>
            Cancelar
          </Link>
        )}
        <Boton tono="acento" type="submit">
          Guardar
        </Boton>
      </div>
    </ActionForm>
  );
}
