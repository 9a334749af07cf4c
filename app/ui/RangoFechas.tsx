import { Button, TextInput } from '@mantine/core';
import { Form, useLocation } from '@remix-run/react';
import { useEffect, useState } from 'react';
import type { Rango } from '~/core/list';
import { HiddenParams } from './HiddenParams';
import { useHydrated } from './useHydrated';

/** The range of a list and its button, disabled while there is no range. A GET form like any other: the rest of the address stays. */
export function RangoFechas({ desde, hasta, boton = 'Buscar' }: Rango & { boton?: string }) {
  const { search } = useLocation();
  const hydrated = useHydrated();
  const [rango, setRango] = useState({ desde, hasta });
  useEffect(() => setRango({ desde, hasta }), [desde, hasta]);
  const incomplete = rango.desde === '' || rango.hasta === '';

  return (
    <Form method="get" className="rango" preventScrollReset>
      <HiddenParams search={search} without={['desde', 'hasta', 'pagina', 'ver']} />
      <TextInput type="date" name="desde" label="Desde" value={rango.desde} max={rango.hasta || undefined} onChange={(event) => setRango({ ...rango, desde: event.currentTarget.value })} />
      <TextInput type="date" name="hasta" label="Hasta" value={rango.hasta} min={rango.desde || undefined} onChange={(event) => setRango({ ...rango, hasta: event.currentTarget.value })} />
      <Button type="submit" disabled={hydrated && incomplete}>{boton}</Button>
    </Form>
  );
}
