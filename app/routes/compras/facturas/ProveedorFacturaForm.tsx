import { Link, useLocation, useNavigate } from '@remix-run/react';
import { parseImporte, unmaskMonto } from '~/core/importe';
import { labelOf } from '~/domain/compras/directorio/proveedor';
import { Boton } from '~/ui/Boton';
import { Visto } from '~/ui/Choque';
import { Confirm } from '~/ui/Confirm';
import { Field, SelectField } from '~/ui/Field';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden } from '~/ui/useAnswer';
import { useFilled } from '~/ui/useFilled';
import { editFactura } from './textos';

type Fields = Partial<{ proveedor: string; monto: string; folio: string }>;
type Props = {
  proveedores: { value: string; label: string; activo: boolean }[];
  /** The invoice that is edited; without it the form adds one to `ordenId`. */
  factura?: {
    id: string;
    version: number;
    proveedor: string;
    proveedorLabel: string;
    monto: string;
    folio: string;
    numOrden: string;
    vendidaEn: string;
    cfdiId: string | null;
  };
  ordenId?: string;
  /** Initial values of the fields: the sale's supplier, or those of a document that was read. */
  inicial?: Fields & { cfdi?: string };
  cerrar: string;
};

/** Supplier, amount and folio of one invoice, new or known. */
export function ProveedorFacturaForm({ proveedores, factura, ordenId, inicial, cerrar }: Props) {
  const { search } = useLocation();
  const navigate = useNavigate();
  const [filled, { ref, ...watch }] = useFilled('proveedor', 'monto', 'folio');
  const form = useActionForm<Fields>(factura ? 'editarFactura' : 'agregarFactura', {
    defaultValue: factura
      ? { proveedor: factura.proveedor, monto: factura.monto, folio: factura.folio }
      : (inicial ?? {}),
  });
  const { fields, ready } = form;
  const despues = {
    folio: fields.folio.value?.trim() ?? '',
    monto: fields.monto.value ?? '',
    proveedorLabel: labelOf(proveedores, fields.proveedor.value ?? null),
  };
  const offered = proveedores.filter(
    ({ value, activo }) => activo || value === factura?.proveedor || value === inicial?.proveedor,
  );

  return (
    <ActionForm
      of={form}
      {...watch}
      formRef={ref}
      className="apilado"
      onUnderstood={() => navigate(search, { replace: true, preventScrollReset: true })}
    >
      {factura ? <Hidden id={factura.id} /> : <Hidden ordenId={ordenId} />}
      {factura && <Visto of={form} marcas={{ version: factura.version }} />}
      <Hidden cfdi={inicial?.cfdi} />
      <div className="campos">
        <SelectField
          field={fields.proveedor}
          label="Proveedor"
          data={[
            { value: '', label: 'Selecciona un proveedor' },
            ...offered.map(({ value, label }) => ({ value, label })),
          ]}
        />
        <Field
          field={fields.monto}
          label="Monto"
          inputMode="decimal"
          autoComplete="off"
          placeholder="0.00"
          leftSection="$"
          onBlur={({ currentTarget }) => {
            currentTarget.value = withCents(currentTarget.value);
          }}
        />
        <Field field={fields.folio} label="Folio" autoComplete="off" maxLength={60} />
      </div>
      <div className="botones">
        <Link className="boton" to={cerrar} preventScrollReset>
          Cancelar
        </Link>
        {factura ? (
          <Confirm {...editFactura(factura, despues)} disabled={!filled} ready={ready}>
            Guardar
          </Confirm>
        ) : (
          <Boton tono="acento" type="submit" disabled={!filled}>
            Guardar
          </Boton>
        )}
      </div>
    </ActionForm>
  );
}

/** The amount understood, once the field is left: '1,50' shows 1.50. What is no amount, or could be two, stays as it was typed. */
function withCents(text: string): string {
  const lectura = parseImporte(unmaskMonto(text));
  return lectura.clase === 'importe' ? lectura.importe : text;
}
