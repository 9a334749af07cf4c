import type { Paso } from '~/domain/operacion/primerosPasos.server';
import { Estatus } from '~/ui/Estatus';
import { Direcciones } from '~/routes/operacion/conexiones/Direcciones';

const ESTADO = {
  listo: ['ok', 'Listo'],
  falta: ['neutro', 'Falta'],
  mal: ['mal', 'Dejó de servir'],
} as const;

/** The way from an empty installation to the first invoiced sale. The next step is the one with the button. */
export function PrimerosPasos({ pasos, area }: { pasos: readonly Paso[]; area: string }) {
  const listos = pasos.filter(({ estado }) => estado === 'listo').length;
  const siguiente = pasos.find(
    ({ estado, opcional, pantalla }) => estado !== 'listo' && !opcional && pantalla !== null,
  );
  return (
    <section className="hoja primeros-pasos" aria-labelledby="primeros-pasos">
      <h2 id="primeros-pasos">
        Primeros pasos <span className="nota">{`${listos} de ${pasos.length}`}</span>
      </h2>
      <ol>
        {pasos.map((paso) => (
          <UnPaso key={paso.clave} paso={paso} area={area} siguiente={paso === siguiente} />
        ))}
      </ol>
    </section>
  );
}

function UnPaso({ paso, area, siguiente }: { paso: Paso; area: string; siguiente: boolean }) {
  const { titulo, estado, porque, donde, pantalla, registra, opcional } = paso;
  const [tono, texto] = ESTADO[estado];
  return (
    <li>
      <Estatus tono={tono}>{estado === 'falta' && opcional ? 'Opcional' : texto}</Estatus>
      <div className="que">
        <strong>{titulo}</strong>
        {estado !== 'listo' && (
          <>
            <p>{porque}</p>
            {donde && <p className="nota">{donde}</p>}
            <Direcciones label={titulo} direcciones={registra} />
          </>
        )}
      </div>
      {estado !== 'listo' && pantalla && (
        <a
          className="boton"
          data-tono={siguiente ? 'acento' : undefined}
          href={`${area}/${pantalla}`}
          aria-label={`Hacerlo: ${titulo}`}
        >
          Hacerlo
        </a>
      )}
    </li>
  );
}
