import { parseTelefono } from '~/core/telefono';

/** A phone number in groups, one press from being called. A text that is no phone stays as it was written. */
export function Telefono({ valor }: { valor: string | null | undefined }) {
  const leido = valor ? parseTelefono(valor) : null;
  if (!leido) return valor || '—';
  const { numero, extension } = leido;
  return (
    <a href={`tel:+52${numero}${extension === null ? '' : `;ext=${extension}`}`}>
      {numero.slice(0, 2)} {numero.slice(2, 6)} {numero.slice(6)}
      {extension !== null && ` ext. ${extension}`}
    </a>
  );
}
