import type { MetaFunction } from '@remix-run/node';

export const meta: MetaFunction = () => [{ title: 'Aviso de privacidad' }];

export default function TerminosYCondiciones() {
  return (
    <article className="lectura hoja">
      <h1>Aviso de privacidad y términos de uso</h1>
    </article>
  );
}
