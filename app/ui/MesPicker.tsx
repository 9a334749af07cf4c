import { Form, useLocation } from '@remix-run/react';
import type { ReactNode } from 'react';
import { Boton } from './Boton';
import { HiddenParams } from './HiddenParams';
import { MesInput } from './MesInput';
import { useFilled } from './useFilled';

type Props = {
  /** The chosen month, 'YYYY-MM'; '' for none. */
  mes: string;
  /** The newest month that is offered, 'YYYY-MM'. */
  max: string;
  /** Fields of the address that `children` ask for, or that lose their meaning with another month. */
  without?: string[];
  boton?: string;
  children?: ReactNode;
};

/** 'Selecciona un Mes' with its button, disabled while no month is chosen. A GET form. */
export function MesPicker({ mes, max, without = [], boton = 'Buscar', children }: Props) {
  const { search } = useLocation();
  const [filled, watch] = useFilled('mes');
  return (
    <Form {...watch} method="get" className="rango" preventScrollReset>
      <HiddenParams search={search} without={['mes', 'pagina', 'ver', ...without]} />
      <MesInput mes={mes} max={max} label="Selecciona un Mes" />
      {children}
      <Boton tono="acento" type="submit" disabled={!filled}>
        {boton}
      </Boton>
    </Form>
  );
}
