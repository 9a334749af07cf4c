import { Link } from '@remix-run/react';
import { usePantalla } from '~/ui/Pantallas';
import { Estatus } from '~/ui/Estatus';
import type { OrdenAbierta } from './record';

type Espera = OrdenAbierta['esperas'][number];

/** What a sale waits for from us, the most urgent first, each with its clock. The words lead to where it is seen to; nothing is drawn where nothing waits. */
export function Esperas({ esperas }: { esperas: readonly Espera[] }) {
  if (esperas.length === 0) return null;
  return (
    <ul className="esperas" aria-label="Lo que espera">
      {esperas.map((espera) => (
        <li key={`${espera.paso} ${espera.de}`}>
          <Texto espera={espera} />
          {espera.reloj && <Estatus tono={espera.reloj.tono}>{espera.reloj.texto}</Estatus>}
        </li>
      ))}
    </ul>
  );
}

function Texto({ espera: { texto, pantalla } }: { espera: Espera }) {
  const a = usePantalla(pantalla ?? undefined);
  return a ? <Link to={a}>{texto}</Link> : <span>{texto}</span>;
}
