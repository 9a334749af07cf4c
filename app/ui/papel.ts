import './papel.css';

/** Ink on paper is dark, whatever the person's screen is. */
export function paperIsLight() {
  const root = document.documentElement;
  const own = root.dataset.mantineColorScheme;
  const before = () => (root.dataset.mantineColorScheme = 'light');
  const after = () => (root.dataset.mantineColorScheme = own);
  window.addEventListener('beforeprint', before);
  window.addEventListener('afterprint', after);
  return () => {
    window.removeEventListener('beforeprint', before);
    window.removeEventListener('afterprint', after);
  };
}
