import { Estatus } from '~/ui/Estatus';
import type { ConnectionView } from '~/platform/connections/list.server';

type Props = { conexion: ConnectionView; isSet: boolean; where: string };

/** The card of a far side that the server's environment configures. There is nothing to type. */
export function SettingsCard({ conexion: { kind, label }, isSet, where }: Props) {
  return (
    <section className="hoja" aria-labelledby={`titulo-${kind}`}>
      <h2 id={`titulo-${kind}`}>{label}</h2>
      <p>
        <Estatus tono={isSet ? 'ok' : 'neutro'}>{isSet ? 'Está configurado.' : 'No está configurado.'}</Estatus>{' '}
        <span className="nota">Se configura en el servidor ({where}).</span>
      </p>
    </section>
  );
}
