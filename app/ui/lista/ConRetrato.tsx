import type { ReactNode } from 'react';
import { Retrato } from '../Retrato';
import './retrato.css';

/** A title with the small picture of its product on its left. Rows on paper have nothing beside them, and no picture. */
export function ConRetrato({ lado, children }: { lado: { retrato: string | null } | undefined; children: ReactNode }) {
  if (!lado) return <>{children}</>;
  return (
    <span className="con-retrato-chico">
      <Retrato foto={lado.retrato} lado={40} />
      <span>{children}</span>
    </span>
  );
}
