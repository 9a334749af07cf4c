import { tableOf } from '~/core/table';
import type { Campo, Rechazo } from '~/domain/mercados/publicador';
import { Panel } from '~/ui/Blocks';

const PARTES: Readonly<Record<string, string>> = tableOf({
  titulo: 'Título',
  precio: 'Precio',
  categoria: 'Categoría',
  imagenes: 'Fotos',
  stock: 'Piezas',
  descripcion: 'Descripción',
});

/** The reasons of a refusal, each with its field. */
export function Rechazos({ problemas, campos }: { problemas: readonly Rechazo[]; campos: readonly Campo[] }) {
  if (problemas.length === 0) return null;
  const nombre = (campo: string | null) =>
    campo === null ? null : (PARTES[campo] ?? campos.find(({ id }) => id === campo)?.nombre ?? campo);
  return (
    <Panel tono="mal" titulo="No se puede publicar todavía">
      <ul className="publicador-lista">
        {problemas.map(({ campo, texto }) => (
          <li key={`${campo} ${texto}`}>
            {campo !== null && <strong>{nombre(campo)}: </strong>}
            {texto}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
