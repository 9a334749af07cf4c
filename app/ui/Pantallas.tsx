import { Link } from '@remix-run/react';
import { createContext, useContext } from 'react';

type Pantalla = { label: string; to: string };

/** The screens a person may open, by the names that texts use. Empty outside an area. */
const PantallasContext = createContext<readonly Pantalla[]>([]);

export const PantallasProvider = PantallasContext.Provider;

/** A text that names a screen ('… en Pendientes.'), with the name as a link for people who may open the screen. */
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

/** Returns what gives the address of a screen of the area; undefined for one that the person may not open. */
export function usePantallas(): (pantalla: string | undefined) => string | undefined {
  const pantallas = useContext(PantallasContext);
  return (pantalla) => {
    const [nombre, ...resto] = pantalla?.split('?') ?? [];
    const found = nombre && pantallas.find(({ to }) => to.endsWith(`/${nombre}`));
    return found ? [found.to, ...resto].join('?') : undefined;
  };
}

/** Returns the address of a screen of the area; undefined when the person may not open the screen. */
export const usePantalla = (pantalla: string | undefined): string | undefined => usePantallas()(pantalla);
