import { Link } from '@remix-run/react';
import type { ReactNode } from 'react';

/** The simplified notice of a form that asks for personal data: what for and who receives them, with the whole notice a link away. */
export function Privacidad({ children }: { children: ReactNode }) {
  return (
    <p className="nota privacidad">
      <strong>Aviso de privacidad.</strong> {children} Puedes pedir su acceso, corrección, cancelación u oponerte a su
      uso. <Link to="/terminosYCondiciones">Aviso completo</Link>
    </p>
  );
}
