import { Link } from '@remix-run/react';
import { useEffect, useRef, type RefObject } from 'react';
import { tableOf } from '~/core/table';
import type { Campo, Rechazo } from '~/domain/mercados/publicador';
import { Panel } from '~/ui/Blocks';
import { focusOn } from '~/ui/foco';
import { useHydrated } from '~/ui/useHydrated';

const PARTES: Readonly<Record<string, string>> = tableOf({
  titulo: 'Título',
  precio: 'Precio',
  categoria: 'Categoría',
  imagenes: 'Fotos',
  stock: 'Piezas',
  descripcion: 'Descripción',
});

/** Ids of what a part is corrected in; an answer about the product has the id of its question. */
const IDS: Readonly<Record<string, string>> = tableOf({
  titulo: 'oferta-titulo',
  precio: 'oferta-clasica',
  categoria: 'elegir-categoria',
  imagenes: 'oferta-imagenes',
  stock: 'oferta-stock',
  descripcion: 'oferta-descripcion',
});
export const idDeCampo = (campo: string): string => IDS[campo] ?? `campo-${campo}`;

type Props = {
  problemas: readonly Rechazo[];
  campos: readonly Campo[];
  /** Returns the address of the step that corrects a part; empty on that step. */
  stepOf?: (campo: string) => string;
};

/** The reasons of a refusal, each with a link to its field. */
export function Rechazos({ problemas, campos, stepOf = () => '' }: Props) {
  if (problemas.length === 0) return null;
  const nombre = (campo: string) => PARTES[campo] ?? campos.find(({ id }) => id === campo)?.nombre;
  return (
    <Panel tono="mal" titulo="No se puede publicar todavía">
      <ul className="publicador-lista">
        {problemas.map(({ campo, texto }) => (
          <li key={`${campo} ${texto}`}>
            {campo !== null && (
              <strong>
                {nombre(campo) ? (
                  <Link to={`${stepOf(campo)}#${idDeCampo(campo)}`} preventScrollReset>
                    {nombre(campo)}
                  </Link>
                ) : (
                  campo
                )}
                :{' '}
              </strong>
            )}
            {texto}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** Returns a ref for a step. A refusal that leads to the step puts the focus on the first field that was refused; a page just loaded keeps its focus. */
export function useRefused(problemas: readonly Rechazo[]): RefObject<HTMLDivElement> {
  const step = useRef<HTMLDivElement>(null);
  const arrives = useRef(useHydrated());
  const refused = useRef(problemas.length > 0);
  useEffect(() => {
    const field =
      arrives.current && refused.current ? step.current?.querySelector<HTMLElement>('[aria-invalid="true"]') : null;
    if (!field) return;
    focusOn(field);
    field.scrollIntoView({ block: 'center' });
  }, []);
  return step;
}
