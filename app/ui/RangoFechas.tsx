import { Button, TextInput } from '@mantine/core';
import { Form, useLocation } from '@remix-run/react';
import type { ReactNode } from 'react';
import type { Rango } from '~/core/list';
import { HiddenParams } from './HiddenParams';
import { useFilled } from './useFilled';

/**
 * The range of a list and its button, disabled while there is no range. A GET form like any other: the rest of the address stays. Neither day
 * bounds the other, since to move a range both are typed one after the other: a reversed one is answered with a sentence.
 */
export function RangoFechas({
  desde,
  hasta,
  conHora = false,
  boton = 'Buscar',
  without = [],
  children,
}: Rango & {
  /** Each end has its hour. */ conHora?: boolean;
  boton?: string;
  /** Fields of the address that `children` ask for. */ without?: string[];
  children?: ReactNode;
}) {
  const { search } = useLocation();
  const [filled, watch] = useFilled('desde', 'hasta');
  const type = conHora ? 'datetime-local' : 'date';
  return (
    <Form {...watch} method="get" className="rango" data-hora={conHora || undefined} preventScrollReset>
      <HiddenParams search={search} without={['desde', 'hasta', 'pagina', 'ver', ...without]} />
      <TextInput key={`desde ${desde}`} type={type} name="desde" label="Desde" defaultValue={desde} />
      <TextInput key={`hasta ${hasta}`} type={type} name="hasta" label="Hasta" defaultValue={hasta} />
      {children}
      <Button type="submit" disabled={!filled}>
        {boton}
      </Button>
    </Form>
  );
}
