import { Link } from '@remix-run/react';
import type { CondicionActiva } from '~/domain/operacion/mantenimiento/condiciones.server';
import { Panel } from '~/ui/Blocks';
import { Fecha } from '~/ui/Fecha';
import { Icono } from '~/ui/Icono';
import { useDesplegable } from '~/ui/useDesplegable';

type Props = {
  condiciones: (Omit<CondicionActiva, 'desde'> & { desde: Date | string })[];
  /** The screens of this area; a link to any other screen is not offered. */ pantallas: readonly {
    label: string;
    to: string;
  }[];
};

/** Conditions that a person has to see to: since when each holds, and what to do. */
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

/** Conditions that are not grave hang from the bar: one that holds for a month takes no place from the work. */
export function Avisos({ condiciones, pantallas }: Props) {
  const box = useDesplegable();
  return (
    condiciones.length > 0 && (
      <details ref={box} className="desplegable avisos" name="barra">
        <summary>
          <Icono nombre="aviso" />
          Avisos {condiciones.length}
        </summary>
        <div className="lista">
          <Condiciones condiciones={condiciones} pantallas={pantallas} />
        </div>
      </details>
    )
  );
}
