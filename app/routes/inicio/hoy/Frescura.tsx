import type { Leida } from '~/platform/hoy/leida.server';
import { Estatus } from '~/ui/Estatus';
import { formatFecha } from '~/ui/Fecha';
import { edadOf } from '../../area/estadoDeFuente';
import type { Frescuras } from './frescuraOf';
import { SinLeer } from './SinLeer';

type Props = {
  frescuras: Leida<Frescuras>;
  ahora: Date;
  /** Address of the screen that connects; null for who may not open it. */
  conectar: string | null;
};

/** How fresh every far side is: those that are connected, one line each, and the names of the others. */
export function Frescura({ frescuras: { valor, sinLeer }, ahora, conectar }: Props) {
  const nombre = ({ kind, label }: { kind: string; label: string }) =>
    conectar ? <a href={`${conectar}?abrir=${kind}#titulo-${kind}`}>{label}</a> : label;
  return (
    <section className="hoja frescura" aria-labelledby="frescura">
      <h2 id="frescura">De cuándo es lo que ves</h2>
      {sinLeer && <SinLeer desde={sinLeer.desde} />}
      {valor && (
        <ul>
          {valor.conectadas.map(({ tono, dice, en, ...una }) => (
            <li key={una.kind}>
              {nombre(una)}
              <span>
                <Estatus tono={sinLeer ? 'neutro' : tono}>{dice}</Estatus>
                {en && (
                  <time className="nota" dateTime={en.toISOString()} title={formatFecha(en)}>
                    {edadOf(en, ahora.getTime())}
                  </time>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
      {valor && valor.sinConectar.length > 0 && (
        <p className="nota">
          Sin conectar:{' '}
          {valor.sinConectar.map((una, n) => (
            <span key={una.kind}>
              {n > 0 && ', '}
              {nombre(una)}
            </span>
          ))}
          .{!conectar && ' Un administrador las conecta.'}
        </p>
      )}
    </section>
  );
}
