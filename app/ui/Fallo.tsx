import { FALLO } from '~/core/errors';

/** In place, with everything that was typed around it: nobody knows more yet, and the same press may be made again. */
export function Fallo() {
  return (
    <div className="panel" data-tono="mal" role="alert">
      <strong>{FALLO.titulo}</strong>
      {FALLO.texto}
    </div>
  );
}
