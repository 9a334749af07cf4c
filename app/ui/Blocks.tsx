import type { ReactNode } from 'react';

/** The title of a screen and what can be done on it. */
export function PageHeader({ titulo, nota, children }: { titulo: ReactNode; nota?: ReactNode; children?: ReactNode }) {
  return (
    <div className="encabezado">
      <div>
        <h1>{titulo}</h1>
        {nota && <p className="nota">{nota}</p>}
      </div>
      {children && <div className="acciones">{children}</div>}
    </div>
  );
}

export function EmptyState({ children = 'No encontre nada para ti' }: { children?: ReactNode }) {
  return <p className="vacio">{children}</p>;
}

/** A tinted box with a title: what a screen has to say about itself. */
export function Panel({
  tono,
  titulo,
  children,
}: {
  tono?: 'ok' | 'aviso' | 'mal';
  titulo?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className="panel" data-tono={tono}>
      {titulo && <strong>{titulo}</strong>}
      {children}
    </div>
  );
}
