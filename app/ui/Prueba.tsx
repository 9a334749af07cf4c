import { useState } from 'react';
import { deferredPart } from './deferredPart';
import { useDicho } from './useDicho';

const PruebaDialog = deferredPart(
  'PruebaDialog',
  () => import('./PruebaDialog').then(({ PruebaDialog }) => PruebaDialog),
  {
    ahead: false,
  },
);

/**
 * Asks the sender of a form to prove who they are. The form waits on the server and goes on with the proof, and the page keeps the typed text. The question is
 * a dialog with JavaScript, and a step of the page without.
 */
export function Prueba({ cancelar }: { cancelar: string }) {
  const probar = useDicho()?.probar;
  const [left, setLeft] = useState<string>();
  if (!probar || probar.token === left) return null;
  return <PruebaDialog key={probar.token} probar={probar} cancelar={cancelar} onLeave={() => setLeft(probar.token)} />;
}
