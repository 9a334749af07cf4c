import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { type De, situacionOf } from './situacion';

/** The state of a far side: linked or not, since when, and the obstacle to its answers. */
export function EstadoDe({ conexion }: { conexion: De }) {
  const { tono, dice, desde, motivo } = situacionOf(conexion);
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
