import { FALLO } from '~/core/errors';

/** The message of a request without an answer, in place. Everything typed stays, and the same press may be made again. */
export function Fallo() {
  return (
    <div className="panel" data-tono="mal" role="alert">
      <strong>{FALLO.titulo}</strong>
      {FALLO.texto}
    </div>
  );
}
