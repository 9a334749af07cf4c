import { NativeSelect } from '@mantine/core';

/** One supplier or all of them, as a field of the form that asks for a report. */
export function FiltroProveedor({
  valor = '',
  proveedores,
}: {
  valor?: string | undefined;
  proveedores: { value: string; label: string }[];
}) {
  return (
    <NativeSelect
      key={valor}
      name="proveedor"
      label="Proveedor"
      defaultValue={valor}
      data={[{ value: '', label: 'Todos' }, ...proveedores]}
    />
  );
}
