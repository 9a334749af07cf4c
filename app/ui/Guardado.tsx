import { Fecha } from './Fecha';

/** When a draft was last saved. */
export function Guardado({ en }: { en: string | Date }) {
  return (
    <>
      {' '}
      · Borrador guardado el <Fecha valor={en} />
    </>
  );
}
