import { Link } from '@remix-run/react';
import { Dialog } from '~/ui/Dialog';

/** The reason why a sale cannot be invoiced, or why its link opens nothing, in the agreed words. Closing leads home. */
export function Aviso({ titulo = 'Aviso', texto }: { titulo?: string; texto: string }) {
  return (
    <Dialog titulo={titulo} cerrar="/">
      <p>{texto}</p>
      <div className="botones">
        <Link className="boton" data-tono="acento" to="/">
          Entendido
        </Link>
      </div>
    </Dialog>
  );
}
