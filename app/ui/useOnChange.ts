import { useState } from 'react';

/**
 * Runs `act` in the render that first sees another `value`, and not for the first value. `act` sets state of the calling component only.
 *
 * An effect would run for the first value as well, and a press that made React take over the page comes before that effect: what the press opened would be shut.
 */
export function useOnChange(value: unknown, act: () => void): void {
  const [seen, setSeen] = useState(value);
  if (Object.is(seen, value)) return;
  setSeen(() => value);
  act();
}
