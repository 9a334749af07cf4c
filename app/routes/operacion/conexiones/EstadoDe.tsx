import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import type { Situacion } from './situacion';

/** The state of a far side: linked or not, since when, and the obstacle to its answers. */
export function EstadoDe({ situacion: { tono, dice, desde, motivo } }: { situacion: Situacion }) {
  return (
    <>
      <Estatus tono={tono}>
        {dice}
        {desde && tono !== 'ok' && (
          <>
            {' '}
            desde el <Fecha valor={desde} />
          </>
        )}
      </Estatus>
      {motivo && <p className="nota">{motivo}</p>}
    </>
  );
}
