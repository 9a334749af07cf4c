/** The page of an address that does not exist. `inicio`: the home of the person who asked. */
export function Teapot({ inicio = '/' }: { inicio?: string }) {
  return (
    <div className="angosta" style={{ textAlign: 'center', paddingTop: 24 }}>
      <svg
        viewBox="0 0 220 160"
        width="220"
        height="160"
        role="img"
        aria-label="Una tetera"
        style={{ maxWidth: '100%', height: 'auto' }}
      >
        <g fill="none" stroke="var(--tinta)" strokeWidth="4" strokeLinecap="round" strokeLinejoin="round">
          <path d="M92 34c-6-8 6-12 0-22M116 34c-6-8 6-12 0-22" stroke="var(--linea-fuerte)" />
          <path d="M160 82c26-14 38 2 30 18-6 12-20 20-40 20" />
          <path d="M58 84C38 84 40 62 20 58c-2 22 8 42 34 48" fill="var(--papel)" />
          <path d="M56 70c-10 34 2 62 22 72h56c20-10 32-38 22-72z" fill="var(--acento-tenue)" />
          <path d="M60 70c8-22 84-22 92 0z" fill="var(--papel)" />
          <circle cx="106" cy="46" r="7" fill="var(--acento)" stroke="none" />
          <path d="M74 146h64" />
        </g>
        <g fill="var(--tinta)">
          <circle cx="92" cy="98" r="3.5" />
          <circle cx="120" cy="98" r="3.5" />
        </g>
        <path d="M98 110q8 7 16 0" fill="none" stroke="var(--tinta)" strokeWidth="3" strokeLinecap="round" />
      </svg>
      <h1 style={{ fontSize: '1.75rem', marginTop: 12 }}>ERROR 418</h1>
      <p>Soy una tetera: aquí no hay nada más que té.</p>
      <p className="nota">La página que buscas no existe o cambió de lugar.</p>
      <p className="botones" style={{ justifyContent: 'center' }}>
        <a className="boton" data-tono="acento" href={inicio}>
          Volver al inicio
        </a>
      </p>
    </div>
  );
}
