import type { ReactNode } from 'react';

/** The heading of a screen with its buttons. */
export function PageHeader({ titulo, nota, children }: { titulo: ReactNode; nota?: ReactNode; children?: ReactNode }) {
  return (
    <div className="encabezado">
      <div>
        <h1>{titulo}</h1>
        {nota && (
          <p className="nota" title={typeof nota === 'string' ? nota : undefined}>
            {nota}
          </p>
        )}
      </div>
      {children && <div className="acciones">{children}</div>}
    </div>
  );
}

export function EmptyState({ children = 'No encontre nada para ti' }: { children?: ReactNode }) {
  return <p className="vacio">{children}</p>;
}

/** A tinted box with a title, for a message of the screen. */
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
