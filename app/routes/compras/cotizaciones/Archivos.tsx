import { useId } from 'react';
import { CLASES } from '~/platform/files/tipos';
import type { PagoAbierto } from '~/routes/compras/pagos/record';
import { Fecha } from '~/ui/Fecha';
import { tamano } from '~/ui/tamano';
import './archivos.css';

/** Text of a quotation without files. */
export const SIN_ARCHIVOS = 'La cotización no cuenta con un archivo';

export type Archivo = PagoAbierto['archivos'][number];

/** The papers of payments in a tab for each kind: pictures and PDF in sight, each to be opened, printed and saved. The tabs are a choice of one, also without scripts. */
export function Archivos({ archivos, area }: { archivos: readonly Archivo[]; area: string }) {
  const id = useId();
  const clases = CLASES.map((clase) => ({
    ...clase,
    suyos: archivos.filter((archivo) => archivo.clase === clase.clase),
  })).filter(({ suyos }) => suyos.length > 0);
  if (clases.length === 0) return <p className="vacio">{SIN_ARCHIVOS}</p>;
  return (
    <div className="archivos-de-pago" key={clases.map(({ clase }) => clase).join(' ')}>
      <fieldset>
        <legend className="oculto">Tipo de archivo</legend>
        {clases.map(({ clase, label, suyos }, at) => (
          <label key={clase}>
            <input type="radio" name={`${id}-clase`} value={clase} defaultChecked={at === 0} />
            {label} ({suyos.length})
          </label>
        ))}
      </fieldset>
      {clases.map(({ clase, label, suyos }) => (
        <section key={clase} data-clase={clase} aria-label={label}>
          {suyos.map((archivo) => (
            <Papel key={`${archivo.pagoId}${archivo.archivoId}`} archivo={archivo} area={area} />
          ))}
        </section>
      ))}
    </div>
  );
}

function Papel({
  archivo: { pagoId, archivoId, nombre, clase, folio, bytes, creadoEn, usuario },
  area,
}: {
  archivo: Archivo;
  area: string;
}) {
  const href = `${area}/archivos/pago/${pagoId}/${archivoId}`;
  return (
    <figure>
      {clase === 'imagenes' && (
        <a href={href} target="_blank" rel="noopener noreferrer">
          <img src={href} alt={nombre} loading="lazy" />
        </a>
      )}
      {clase === 'pdf' && <iframe src={href} title={nombre} loading="lazy" />}
      <figcaption>
        <strong>{nombre}</strong>
        <span className="nota">
          Pago {folio} · {tamano(bytes)} · <Fecha valor={creadoEn} />
          {usuario && ` · ${usuario}`}
        </span>
        <span className="botones">
          {clase !== 'xml' && (
            <a className="boton" href={href} target="_blank" rel="noopener noreferrer" aria-label={`Abrir ${nombre}`}>
              Abrir e imprimir
            </a>
          )}
          <a className="boton" href={`${href}?descargar=1`} download aria-label={`Descargar ${nombre}`}>
            Descargar
          </a>
        </span>
      </figcaption>
    </figure>
  );
}
