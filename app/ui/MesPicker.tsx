import { Form, useLocation } from '@remix-run/react';
import type { ReactNode } from 'react';
import { Boton } from './Boton';
import { HiddenParams } from './HiddenParams';
import { MesInput } from './MesInput';
import { useFilled } from './useFilled';

type Props = {
  /** 'YYYY-MM', or nothing chosen yet. */
  mes: string;
  max?: string;
  /** Fields of the address that another month makes meaningless, or that `children` ask for. */
  without?: string[];
  boton?: string;
  children?: ReactNode;
};

/** 'Selecciona un Mes' and its Buscar, disabled while there is none. A GET form like any other. */
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
