import { Link } from '@remix-run/react';
import type { ReactNode } from 'react';

/** The simplified privacy notice above the button of a form that asks for personal data: the purpose, and a link to the whole notice. */
export function Privacidad({ children }: { children: ReactNode }) {
  return (
    <p className="nota privacidad">
      <strong>Aviso de privacidad.</strong> {children} <Link to="/terminosYCondiciones">Aviso completo</Link>
    </p>
  );
}
