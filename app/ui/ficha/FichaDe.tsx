import { useLocation } from '@remix-run/react';
import { Suspense, useEffect, useMemo, type ComponentType, type ReactNode } from 'react';
import { useAsked } from '../useAnswer';
import { Ficha, FichaPorLeer } from './Ficha';
import { savesData } from './readFicha';
import { useFicha } from './useFicha';

/** What the list itself needs comes first. */
const OCIO_MS = 1_000;

/** What the panel of a record is drawn with: the record, and whether it changed while one looked. */
export type DentroProps<T> = { ficha: T; area: string; cambio: boolean };

/** Which of a record's own forms is open (`?editar=`), if it has any. */
type Abierta = { id: string; editar?: string | boolean | null };

type Props<T extends Abierta> = {
  /** The list it stands beside, as its loader answered. */
  lista: { lista: string; corte: string };
  area: string;
  /** The record of `?ver=` when the page was made with it; 'ausente' when there was none. */
  inicial: T | 'ausente' | null;
  que: string;
  ausente: { titulo: string; texto: string };
  Dentro: ComponentType<DentroProps<T>>;
  /** Fetches it ahead, once the list stands. */
  anticipar: () => void;
  /** What else of the address its record is read by. */
  con?: readonly string[];
  /** It is a form all of it: what another person changes does not take the place of what is typed. */
  edita?: true;
};

/** The panel of the record that `?ver=` names, for `DataTable`; null where none is open. What the page asks comes first. */
export function useFichaOf<T extends Abierta>(props: Props<T>): ReactNode {
  const { search } = useLocation();
  const asked = useAsked();
  const { anticipar } = props;
  useEffect(() => {
    if (savesData()) return;
    const timer = setTimeout(anticipar, OCIO_MS);
    return () => clearTimeout(timer);
  }, [anticipar]);
  const params = new URLSearchParams(search);
  const ver = params.get('ver');
  if (!ver || asked) return null;
  const editar = params.get('editar');
  const asks = ['editar', ...(props.con ?? [])].flatMap((name) => {
    const value = params.get(name);
    return value ? [[name, value]] : [];
  });
  return <FichaDe {...props} id={ver} editar={editar} consulta={String(new URLSearchParams(asks))} />;
}

function FichaDe<T extends Abierta>({
  lista: { lista, corte },
  area,
  id,
  editar,
  inicial,
  que,
  ausente,
  Dentro,
  edita,
  consulta,
}: Props<T> & { id: string; editar: string | null; consulta: string }) {
  const { ficha, cambio, fallo, reintentar } = useFicha<T>({
    url: `${area}/fichas/${lista}/${encodeURIComponent(id)}${consulta && `?${consulta}`}`,
    inicial: inicial === 'ausente' || inicial?.id === id ? inicial : null,
    corte,
    editando: edita === true || editar !== null,
  });
  // The same element while nothing of it changed: what the server wrote is woken undisturbed.
  return useMemo(() => {
    const porLeer = <FichaPorLeer que={que} fallo={fallo} reintentar={reintentar} />;
    if (ficha === undefined) return porLeer;
    if (ficha === null)
      return (
        <Ficha que={que} numero={undefined}>
          <p role="alert">
            <strong>{ausente.titulo}</strong>
          </p>
          <p>{ausente.texto}</p>
        </Ficha>
      );
    return (
      <Suspense fallback={porLeer}>
        <Dentro ficha={ficha} area={area} cambio={cambio} />
      </Suspense>
    );
  }, [ficha, fallo, cambio, reintentar, que, ausente, area, Dentro]);
}
