import { Link } from '@remix-run/react';
import { createContext, useContext } from 'react';

type Pantalla = { label: string; to: string };

/** The screens whoever looks may open, by the names that texts call them by. Outside an area there are none. */
const PantallasContext = createContext<readonly Pantalla[]>([]);

export const PantallasProvider = PantallasContext.Provider;

/** A text that sends people somewhere ('… en Pendientes.') with that screen as a link, for who may open it. */
export function Frase({ texto }: { texto: string }) {
  const pantallas = useContext(PantallasContext);
  if (pantallas.length === 0) return texto;
  // The longest first: 'Facturación general' is not 'Facturación'.
  const nombres = pantallas.map(({ label }) => label).sort((a, b) => b.length - a.length);
  const partes = texto.split(new RegExp(`(?<=\\b[Ee]n )(${nombres.join('|')})(?![\\p{L}\\d])`, 'u'));
  return partes.map((parte, at) =>
    at % 2 === 0 ? (
      parte
    ) : (
      <Link key={at} to={pantallas.find(({ label }) => label === parte)!.to}>
        {parte}
      </Link>
    ),
  );
}

/** Where a screen of the area is for whoever looks; undefined when they may not open it. */
export function usePantalla(pantalla: string | undefined): string | undefined {
  const pantallas = useContext(PantallasContext);
  if (pantalla === undefined) return undefined;
  const [nombre, ...resto] = pantalla.split('?');
  const found = pantallas.find(({ to }) => to.endsWith(`/${nombre ?? ''}`));
  return found && [found.to, ...resto].join('?');
}
