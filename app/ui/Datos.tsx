import type { ReactNode } from 'react';
import { Copiar } from './Copiar';

/** A list of facts: rows of a label and its value (`Dato`). */
export function Datos({ children }: { children: ReactNode }) {
  return <dl className="ficha">{children}</dl>;
}

type DatoProps = {
  /** The label. */
  de: string;
  /** Set where the value takes the whole width. */
  ancha?: boolean | undefined;
  /** The noun that a copy button beside the value says aloud: 'folio fiscal'. The value is then a text. */
  copia?: string | undefined;
  children?: ReactNode;
};

/** One fact. An unknown value (null, undefined or '') is shown as '—'. */
export function Dato({ de, ancha, copia, children }: DatoProps) {
  const unknown = children === null || children === undefined || children === '';
  return (
    <div className={ancha ? 'ancha' : undefined}>
      <dt>{de}</dt>
      <dd>
        {unknown ? '—' : children}
        {copia && typeof children === 'string' && children !== '' && (
          <>
            {' '}
            <Copiar texto={children} que={copia} />
          </>
        )}
      </dd>
    </div>
  );
}
