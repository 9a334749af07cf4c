import { Link } from '@remix-run/react';
import { toInstant } from '~/core/time';
import { relojOf } from '~/platform/hoy/reloj';
import { Estatus } from '~/ui/Estatus';
import { usePantalla } from '~/ui/Pantallas';
import type { OrdenAbierta } from './record';

type Espera = OrdenAbierta['esperas'][number];

/** What a sale waits for from us, the most urgent first, each with its clock. The words lead to where it is seen to; nothing is drawn where nothing waits. */
export function Esperas({ esperas, ahora }: Pick<OrdenAbierta, 'esperas' | 'ahora'>) {
  if (esperas.length === 0) return null;
  return (
    <ul className="esperas" aria-label="Lo que espera">
      {esperas.map((espera) => (
        <li key={`${espera.paso} ${espera.de}`}>
          <Texto espera={espera} />
          {espera.plazo && <Reloj plazo={espera.plazo} ahora={ahora} />}
        </li>
      ))}
    </ul>
  );
}

function Reloj({ plazo: { desde, vence, plazos }, ahora }: { plazo: NonNullable<Espera['plazo']>; ahora: string }) {
  const plazo = { desde: toInstant(desde), vence: vence === null ? null : toInstant(vence) };
  const { texto, tono } = relojOf(plazo, plazos, toInstant(ahora));
  return <Estatus tono={tono}>{texto}</Estatus>;
}

function Texto({ espera: { texto, pantalla } }: { espera: Espera }) {
  const a = usePantalla(pantalla ?? undefined);
  return a ? <Link to={a}>{texto}</Link> : <span>{texto}</span>;
}
