import { Button, TextInput } from '@mantine/core';
import { Form, useLocation } from '@remix-run/react';
import { useEffect, useState } from 'react';
import { HiddenParams } from './HiddenParams';
import { useHydrated } from './useHydrated';

type Props = {
  /** 'YYYY-MM', or nothing chosen yet. */
  mes: string;
  max?: string;
  /** Fields of the address that another month makes meaningless. */
  without?: string[];
  boton?: string;
};

/** 'Selecciona un Mes' and its Buscar, disabled while there is none. A GET form: the browser's own month field works without JavaScript, and typed by hand where there is none. */
export function MesPicker({ mes, max, without = [], boton = 'Buscar' }: Props) {
  const { search } = useLocation();
  const hydrated = useHydrated();
  const [value, setValue] = useState(mes);
  useEffect(() => setValue(mes), [mes]);
  return (
    <Form method="get" className="rango" preventScrollReset>
      <HiddenParams search={search} without={['mes', 'pagina', 'ver', ...without]} />
      <TextInput type="month" name="mes" label="Selecciona un Mes" placeholder="AAAA-MM" pattern="[0-9]{4}-[0-9]{2}" value={value} max={max} onChange={(event) => setValue(event.currentTarget.value)} />
      <Button type="submit" disabled={hydrated && value === ''}>{boton}</Button>
    </Form>
  );
}
