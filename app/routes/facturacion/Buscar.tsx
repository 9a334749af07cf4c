import { Button, TextInput } from '@mantine/core';
import { Form, useNavigation } from '@remix-run/react';
import { useState } from 'react';
import { ErrorDialog } from '~/ui/ErrorDialog';
import { useHydrated } from '~/ui/useHydrated';

export type RespuestaBuscar = { buscar: { numOrden: string; titulo: string; texto: string; id: string } };

/** 'No. Orden' with its two buttons; the search opens (or finds) a draft, so it is a POST. */
export function Buscar({ numOrden, respuesta, enfocar }: { numOrden: string; respuesta?: RespuestaBuscar['buscar']; enfocar: boolean }) {
  const hydrated = useHydrated();
  const navigation = useNavigation();
  const [texto, setTexto] = useState(respuesta?.numOrden ?? numOrden);
  const buscando = navigation.formData?.get('intent') === 'buscar';
  return (
    <Form method="post" className="hoja buscar-orden">
      <TextInput
        label="No. Orden"
        name="numOrden"
        value={texto}
        onChange={(event) => setTexto(event.currentTarget.value)}
        required
        withAsterisk
        autoFocus={enfocar}
        inputMode="text"
        autoComplete="off"
        error={respuesta?.texto}
        aria-invalid={respuesta ? true : undefined}
      />
      <div className="botones">
        <Button type="submit" name="intent" value="buscar" loading={buscando} disabled={hydrated && texto.trim() === ''}>Buscar Orden</Button>
        <Button type="submit" name="intent" value="limpiar" variant="default" formNoValidate>Limpiar</Button>
      </div>
      {respuesta && <ErrorDialog key={respuesta.id} titulo={respuesta.titulo} texto={respuesta.texto} />}
    </Form>
  );
}
