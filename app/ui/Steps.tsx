import { Link } from '@remix-run/react';

export type Step = {
  titulo: string;
  /** Absent while it cannot be opened yet. */ href?: string;
  actual: boolean;
  hecho: boolean;
};

/** The header of a stepper: a step can be reached only once those before it are saved. */
export function Steps({ pasos, children }: { pasos: Step[]; children?: React.ReactNode }) {
  return (
    <ol className="pasos" aria-label="Pasos">
      {pasos.map(({ titulo, href, actual, hecho }, at) => (
        <li key={titulo} data-hecho={hecho || undefined} aria-current={actual ? 'step' : undefined}>
          {href && !actual ? (
            <Link to={href}>
              <Numero at={at} hecho={hecho} />
              {titulo}
            </Link>
          ) : (
            <span>
              <Numero at={at} hecho={hecho} />
              {titulo}
            </span>
          )}
        </li>
      ))}
      {children}
    </ol>
  );
}

function Numero({ at, hecho }: { at: number; hecho: boolean }) {
  return <b aria-hidden="true">{hecho ? '✓' : at + 1}</b>;
}
