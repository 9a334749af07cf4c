import { NativeSelect } from '@mantine/core';
import { SIN_PROVEEDOR } from '~/domain/cierre/reportes/sinProveedor';

/** The field of a report's form that chooses one supplier or all. */
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
      aria-label="Proveedor"
      defaultValue={valor}
      data={[{ value: '', label: 'Todos los proveedores' }, ...proveedores, SIN_PROVEEDOR]}
    />
  );
}
