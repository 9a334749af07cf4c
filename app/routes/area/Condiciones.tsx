import { Link } from '@remix-run/react';
import type { CondicionActiva } from '~/domain/operacion/mantenimiento/condiciones.server';
import { Panel } from '~/ui/Blocks';
import { Fecha } from '~/ui/Fecha';

type Props = {
  condiciones: (Omit<CondicionActiva, 'desde'> & { desde: Date | string })[];
  /** The screens of this area; a link to any other screen is not offered. */ pantallas: readonly {
    label: string;
    to: string;
  }[];
};

/** The conditions that a person has to see to, over every screen: since when each holds, and what to do. */
export function Condiciones({ condiciones, pantallas }: Props) {
  return condiciones.map(({ clave, nivel, texto, remedio, pantalla, desde }) => {
    const donde = pantallas.find(({ to }) => to.split('/')[2] === pantalla);
    return (
      <Panel key={clave} tono={nivel === 'grave' ? 'mal' : 'aviso'} titulo={texto}>
        {remedio} Desde el <Fecha valor={desde} />. {donde && <Link to={donde.to}>Abrir {donde.label}</Link>}
      </Panel>
    );
  });
}
