import type { Leida } from '~/platform/hoy/leida.server';
import { formatHora } from '~/ui/Fecha';
import type { CifrasDichas, Dibujo } from './cifrasDichas';
import { SinLeer } from './SinLeer';

type Props = {
  cifras: Leida<CifrasDichas>;
  ahora: Date;
  /** Address of what tells why the profit of the day changed; null for who may not open it. */
  porQue: string | null;
};

/** The day so far beside the same weekday at the same hour. */
export function Cifras({ cifras: { valor, sinLeer }, ahora, porQue }: Props) {
  return (
    <section className="hoja cifras" aria-labelledby="cifras">
      <h2 id="cifras">El día</h2>
      {sinLeer && (
        <p>
          <SinLeer desde={sinLeer.desde} />
        </p>
      )}
      {valor && (
        <>
          <p className="nota">
            Hasta las {formatHora(sinLeer?.desde ?? ahora)}; debajo, el {valor.dia} a esta hora.
          </p>
          <dl>
            {valor.cifras.map(({ nombre, hoy, nota, antes }) => (
              <div key={nombre}>
                <dt>{nombre}</dt>
                <dd>
                  {hoy}
                  {nota && <span className="nota">{nota}</span>}
                </dd>
                <dd className="nota">{antes}</dd>
              </div>
            ))}
          </dl>
          {valor.dibujos.map((dibujo) => (
            <PorHora key={dibujo.nombre} {...dibujo} dia={valor.dia} />
          ))}
        </>
      )}
      {porQue && (
        <p className="nota">
          <a href={porQue}>Por qué cambió la utilidad</a>
        </p>
      )}
    </section>
  );
}

function PorHora({ nombre, hoy, antes, cero, dicho, dia }: Dibujo & { dia: string }) {
  return (
    <figure className="por-hora">
      <figcaption>
        <span>{nombre} por hora</span>
        <span className="clave-hoy">hoy</span>
        <span className="clave-antes">{dia}</span>
      </figcaption>
      <svg viewBox="0 0 240 64" preserveAspectRatio="none" role="img" aria-label={dicho}>
        <path className="antes" d={antes} />
        <path className="hoy" d={hoy} />
        {cero && <path className="cero" d={cero} />}
      </svg>
      <p className="horas" aria-hidden="true">
        <span>0 h</span>
        <span>12 h</span>
        <span>24 h</span>
      </p>
    </figure>
  );
}
