/** The place of a thing that is being read, as high as the form that will stand there. */
export const Huesos = () => (
  <div className="huesos-aqui" aria-busy="true">
    <span className="hueso" />
    <span className="hueso" />
  </div>
);

/** In the same place: the thing could not be read. */
export const NoSeLeyo = ({ reintentar }: { reintentar: () => void }) => (
  <p role="alert">
    No se pudo cargar.{' '}
    <button type="button" className="boton" onClick={reintentar}>
      Reintentar
    </button>
  </p>
);
