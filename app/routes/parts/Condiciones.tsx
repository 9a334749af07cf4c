import type { CondicionActiva } from '~/domain/mantenimiento/condiciones.server';
import { Panel } from '~/ui/Blocks';
import { Fecha } from '~/ui/Fecha';

type Props = {
  condiciones: (Omit<CondicionActiva, 'desde'> & { desde: Date | string })[];
  area: string;
  /** The screens of this area: a way that leads nowhere is not offered. */ pantallas: readonly string[];
};

/** What somebody has to see to, over every screen of those who can: since when, and what to do. */
export function Condiciones({ condiciones, area, pantallas }: Props) {
  return condiciones.map(({ clave, nivel, texto, remedio, pantalla, desde }) => (
    <Panel key={clave} tono={nivel === 'grave' ? 'mal' : 'aviso'} titulo={texto}>
      {remedio} Desde el <Fecha valor={desde} />.
      {pantalla && pantallas.includes(pantalla) && (
        <>
          {' '}
          <a href={`${area}/${pantalla}`}>Ir ahí</a>
        </>
      )}
    </Panel>
  ));
}
