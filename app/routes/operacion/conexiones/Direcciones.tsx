import type { Direccion } from '~/platform/connections/definition';
import { Dato, Datos } from '~/ui/Datos';

/** The addresses of ours that an application has to name at its far side, to be copied. */
export function Direcciones({ label, direcciones }: { label: string; direcciones: readonly Direccion[] }) {
  if (direcciones.length === 0) return null;
  const sinTls = direcciones.some(({ direccion }) => direccion.startsWith('http:'));
  return (
    <details className="plegable">
      <summary>Direcciones que registrar en {label}</summary>
      <Datos>
        {direcciones.map(({ nombre, direccion }) => (
          <Dato key={nombre} de={nombre} copia="dirección" ancha>
            {direccion}
          </Dato>
        ))}
      </Datos>
      {sinTls && (
        <p className="nota">
          {label} solo acepta direcciones https: configura APP_URL en el servidor con la dirección pública de la tienda.
        </p>
      )}
    </details>
  );
}
