import { Link } from '@remix-run/react';
import type { ReactNode } from 'react';

/** The simplified notice of a form that asks for personal data, above the button that sends them: what for, with the whole notice a press away. */
export function Privacidad({ children }: { children: ReactNode }) {
  return (
    <p className="nota privacidad">
      <strong>Aviso de privacidad.</strong> {children} <Link to="/terminosYCondiciones">Aviso completo</Link>
    </p>
  );
}
