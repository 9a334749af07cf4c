import { Button, TextInput } from '@mantine/core';
import { Form, useLocation } from '@remix-run/react';
import type { ReactNode } from 'react';
import { HiddenParams } from './HiddenParams';
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

/** 'Selecciona un Mes' and its Buscar, disabled while there is none. A GET form: the browser's own month field works without JavaScript, and typed by hand where there is none. */
export function MesPicker({ mes, max, without = [], boton = 'Buscar', children }: Props) {
  const { search } = useLocation();
  const [filled, watch] = useFilled('mes');
  return (
    <Form {...watch} method="get" className="rango" preventScrollReset>
      <HiddenParams search={search} without={['mes', 'pagina', 'ver', ...without]} />
      <TextInput key={mes} type="month" name="mes" label="Selecciona un Mes" placeholder="AAAA-MM" pattern="[0-9]{4}-[0-9]{2}" defaultValue={mes} max={max} />
      {children}
      <Button type="submit" disabled={!filled}>{boton}</Button>
    </Form>
  );
}
