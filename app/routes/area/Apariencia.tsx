import { Form, useLocation } from '@remix-run/react';
import { useId } from 'react';
import type { Apariencia as Elegida, Densidad, Preferencias } from '~/core/aspecto';
import { Hidden } from '~/ui/useAnswer';

const APARIENCIA: [Elegida, string][] = [
  ['claro', 'Claro'],
  ['oscuro', 'Oscuro'],
  ['sistema', 'Como el sistema'],
];
const DENSIDAD: [Densidad, string][] = [
  ['compacta', 'Compacta'],
  ['normal', 'Normal'],
  ['amplia', 'Amplia'],
];

/** The screen preferences of a person, one press each, with and without JavaScript. */
export function Apariencia({ area, preferencias }: { area: string; preferencias: Preferencias }) {
  return (
    <div className="apariencia">
      <Choice area={area} campo="apariencia" label="Apariencia" now={preferencias.apariencia} choices={APARIENCIA} />
      <Choice area={area} campo="densidad" label="Filas de las listas" now={preferencias.densidad} choices={DENSIDAD} />
    </div>
  );
}

/** One preference, as a button for each choice. */
export function Choice({
  area,
  campo,
  label,
  now,
  choices,
}: {
  area: string;
  campo: 'apariencia' | 'densidad' | 'etiquetas';
  label: string;
  now: string;
  choices: [string, string][];
}) {
  const { pathname, search } = useLocation();
  const id = useId();
  return (
    <Form method="post" action={`${area}/preferencias`} replace preventScrollReset>
      <p id={id}>{label}</p>
      <Hidden intent={campo} volver={pathname + search} />
      <div className="segmentos" role="group" aria-labelledby={id}>
        {choices.map(([value, text]) => (
          <button key={value} type="submit" name={campo} value={value} aria-pressed={value === now}>
            {text}
          </button>
        ))}
      </div>
    </Form>
  );
}
