import type { Pausada } from '~/domain/personal/empresas.server';
import { Panel } from '~/ui/Blocks';
import { Fecha } from '~/ui/Fecha';

type Props = {
  pausadas: (Pick<Pausada, 'conexion' | 'nombre' | 'enEspera' | 'seDetiene'> & { pausedAt: Date | string })[];
  area: string;
  /** The person may activate the integration; others read whom to ask. */ puedeActivar: boolean;
  /** The way to activate is the primary of the place where the panel stands. */ principal?: true;
};

/** The address where a paused integration is activated. */
export const empresaTo = (area: string, nombre: string) => `${area}/empresas?q=${encodeURIComponent(nombre)}`;

/** The integrations that somebody paused: the work that stands still, and the screen that activates them. */
export function Pausadas({ pausadas, area, puedeActivar, principal }: Props) {
  return pausadas.map(({ conexion, nombre, pausedAt, enEspera, seDetiene }) => (
    <Panel key={conexion} tono="aviso" titulo={`${nombre} está en pausa`}>
      Desde el <Fecha valor={pausedAt} />. {seDetiene}
      {enEspera > 0 && ` ${enEspera === 1 ? 'Una solicitud está' : `${enEspera} solicitudes están`} en espera.`}{' '}
      {puedeActivar ? (
        <a href={empresaTo(area, nombre)} {...(principal && { className: 'boton', 'data-tono': 'acento' })}>
          Activar en Empresas
        </a>
      ) : (
        'Un Super Usuario la activa en Empresas.'
      )}
    </Panel>
  ));
}
