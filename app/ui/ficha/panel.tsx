import { useLocation } from '@remix-run/react';
import { Suspense, useEffect, useMemo, type ComponentType, type ReactNode } from 'react';
import { lazyPart } from '../lazyPart';
import { useAsked } from '../useAnswer';
import { Ficha, FichaPorLeer } from './Ficha';
import { savesData } from './readFicha';
import { useFicha } from './useFicha';

/** The wait before a panel's file is fetched ahead: the list's own requests go first. */
const OCIO_MS = 1_000;

/** The props of a panel's component: the record, and whether somebody else changed the record while this person looked. */
export type DentroProps<T> = { ficha: T; area: string; cambio: boolean };

/** A record, with the open form of its panel (`?editar=`) where the panel has forms. */
type Abierta = { id: string; editar?: string | boolean | null };

type Definition = {
  /** The noun above the record: 'Orden'. */
  que: string;
  /** The words for an address whose record does not exist. */
  ausente: { titulo: string; texto: string };
  /** Fields of the address, besides `editar`, that the record is read by. */
  con?: readonly string[];
  /** Set where the whole panel is one form: another person's change then never replaces text that is being typed. */
  edita?: true;
  /** A field of the address whose content takes the panel's place. */
  cede?: string;
};

/** The side panel of one kind of record. The noun defines it once; every list of the noun shows it. */
export type Panel<T extends Abierta> = Definition & {
  Dentro: ComponentType<DentroProps<T>>;
  prefetch: () => void;
};

/** Defines the panel of a kind of record. `name` is unique in the product; `load` imports the component, which a browser fetches only when needed. */
export function definePanel<T extends Abierta>(
  name: string,
  { load, ...definition }: Definition & { load: () => Promise<ComponentType<DentroProps<T>>> },
): Panel<T> {
  const { Part, prefetch } = lazyPart(name, async () => ({ default: await load() }));
  return { ...definition, Dentro: Part, prefetch };
}

type Beside<T> = {
  /** The list beside the panel, as its loader answered. */
  lista: { lista: string; corte: string };
  area: string;
  /** The record of `?ver=` as the page was made with it; 'ausente' where no such record exists. */
  inicial: T | 'ausente' | null;
};

/** Returns the panel of the record that `?ver=` names; null while no record is open, and while the page asks a question. */
export function usePanel<T extends Abierta>(panel: Panel<T> | undefined, beside: Beside<T>): ReactNode {
  const { search } = useLocation();
  const asked = useAsked();
  const prefetch = panel?.prefetch;
  useEffect(() => {
    if (!prefetch || savesData()) return;
    const timer = setTimeout(prefetch, OCIO_MS);
    return () => clearTimeout(timer);
  }, [prefetch]);
  const params = new URLSearchParams(search);
  const ver = params.get('ver');
  if (!panel || !ver || asked || (panel.cede && params.has(panel.cede))) return null;
  const editar = params.get('editar');
  const asks = ['editar', ...(panel.con ?? [])].flatMap((name) => {
    const value = params.get(name);
    return value ? [[name, value]] : [];
  });
  return <PanelOf panel={panel} {...beside} id={ver} editar={editar} consulta={String(new URLSearchParams(asks))} />;
}

type PanelOfProps<T extends Abierta> = Beside<T> & {
  panel: Panel<T>;
  id: string;
  editar: string | null;
  consulta: string;
};

function PanelOf<T extends Abierta>({
  panel,
  lista: { lista, corte },
  area,
  id,
  editar,
  inicial,
  consulta,
}: PanelOfProps<T>) {
  const { que, ausente, Dentro, edita } = panel;
  const { ficha, cambio, fallo, reintentar } = useFicha<T>({
    url: `${area}/fichas/${lista}/${encodeURIComponent(id)}${consulta && `?${consulta}`}`,
    inicial: inicial === 'ausente' || inicial?.id === id ? inicial : null,
    corte,
    editando: edita === true || editar !== null,
  });
  // The element stays the same while its inputs do, so React hydrates the server's panel without drawing it again.
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
