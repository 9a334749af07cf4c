import type { Proveedor } from '~/domain/compras/directorio/proveedores.server';
import { Estatus } from '~/ui/Estatus';
import { Ficha } from '~/ui/ficha/Ficha';
import { ProveedorForm } from './ProveedorForm';

/** The panel of a supplier of the catalogue, corrected in place. */
export function ProveedorFicha({ proveedor }: { proveedor: Proveedor }) {
  const { value, label, activo, version } = proveedor;
  return (
    <Ficha
      que="Proveedor"
      numero={label}
      estado={<Estatus tono={activo ? 'ok' : 'mal'}>{activo ? 'Activo' : 'Inactivo'}</Estatus>}
    >
      <ProveedorForm key={`${value}-${version}`} proveedor={proveedor} />
    </Ficha>
  );
}
