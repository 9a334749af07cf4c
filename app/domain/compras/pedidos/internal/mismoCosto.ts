import { NotAllowed } from '~/core/errors';
import { enPesos } from '~/core/importe';
import type { Money } from '~/core/money';

/** Throws `NotAllowed` when the cost moved since it was shown, in either direction: the person agreed to the shown sum. */
export function requireMismoCosto(titulo: string, mostrado: Money | null, costo: Money | null): void {
  const [antes, ahora] = [mostrado, costo].map((uno) => uno && enPesos(uno.toFixed(2)));
  if (antes === ahora) return;
  throw new NotAllowed(
    titulo,
    `El costo cambió desde que se mostró: era ${antes ?? 'desconocido'} y ahora es ${ahora ?? 'desconocido'}.`,
  );
}
