import { useActionData, useNavigate, useNavigation, useRouteLoaderData } from '@remix-run/react';
import { useEffect, useRef } from 'react';
import { rowOf } from '~/core/table';
import { say, type Aviso } from '../notify';
import { useShapes } from '../useAnswer';

/**
 * Follows an act that may finish a record (`termina`) from its press. `empieza` returns what is to be known of the record then, null where the form is about
 * another one. Once the act is done `acaba` is asked until it returns true; an act that was refused, or that asks back, is forgotten.
 */
export function useActo<T>(empieza: (form: FormData) => T | null, acaba: (acto: T) => boolean): void {
  const { state, formData } = useNavigation();
  const answer = useActionData();
  const shapes = useShapes();
  const sent = useRef<FormData>();
  const acto = useRef<T | null>(null);
  useEffect(() => {
    if (state === 'submitting' && formData && formData !== sent.current) {
      sent.current = formData;
      const intent = String(formData.getAll('intent').at(-1));
      acto.current = rowOf(shapes, intent)?.termina ? empieza(formData) : null;
    }
    if (state !== 'idle' || acto.current === null) return;
    if (answer !== undefined || acaba(acto.current)) acto.current = null;
  });
}

/** Returns a function that names the finished record in the notice of what was done, and gives the notice a way back to its address. */
export function useVuelta(area: string): (nombre: string, volver: string) => void {
  const frame = useRouteLoaderData<{ aviso: Aviso | null }>(area.slice(1));
  const navigate = useNavigate();
  return (nombre, volver) => {
    if (!frame?.aviso) return;
    const { texto, deshacer } = frame.aviso;
    say({
      ...frame.aviso,
      texto: nombre === '' ? texto : `${nombre}: ${texto}`,
      // 'Deshacer' comes back to the record.
      ...(typeof deshacer === 'object'
        ? { deshacer: { ...deshacer, campos: { ...deshacer.campos, volver } } }
        : { deshacer: () => navigate(volver, { preventScrollReset: true }), boton: 'Volver' }),
    });
  };
}
