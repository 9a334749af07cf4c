import { Link } from '@remix-run/react';
import { Dialog } from '~/ui/Dialog';

/** The reason why a sale cannot be invoiced, in the agreed words. Closing leads home. */
export function Aviso({ texto }: { texto: string }) {
  return (
    <Dialog titulo="Aviso" cerrar="/">
      <p>{texto}</p>
      <div className="botones">
        <Link className="boton" data-tono="acento" to="/">
          Entendido
        </Link>
      </div>
    </Dialog>
  );
}
