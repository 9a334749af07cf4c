import { TextInput } from '@mantine/core';
import { Form, useNavigation, useSubmit } from '@remix-run/react';
import { useEffect, useRef } from 'react';
import { Boton } from '~/ui/Boton';
import { Hidden, Refusal, useAnswer } from '~/ui/useAnswer';
import { useFilled } from '~/ui/useFilled';

type Props = {
  numOrden: string;
  enfocar: boolean;
  /** True where the person came with a number, which is then searched at once. The button shows only without JavaScript. */ alLlegar?: boolean;
  /** The draft that 'Limpiar' discards. */ visto?: { version: number; mostrado: string };
};

/**
 * 'No. Orden' with its two buttons. The search opens or finds a draft, so it is a POST. The field is uncontrolled and keeps text typed before hydration; its
 * `key` has to change with each answer.
 */
export function Buscar({ numOrden, enfocar, alLlegar = false, visto }: Props) {
  const navigation = useNavigation();
  const answer = useAnswer('buscar');
  const texto = answer?.error ? Object.values(answer.error).flat().join(' ') : undefined;
  const [filled, watch] = useFilled('numOrden');
  const submit = useSubmit();
  const llego = useRef(!alLlegar);
  useEffect(() => {
    if (llego.current) return;
    llego.current = true;
    // The search replaces this page in the history, so Back leads to the page before.
    void submit({ intent: 'buscar', numOrden }, { method: 'post', replace: true });
  }, [numOrden, submit]);
  const buscando = navigation.formData?.get('intent') === 'buscar';
  return (
    <Form {...watch} method="post" className="hoja buscar-orden">
      <Hidden {...visto} />
      <TextInput
        label="No. Orden"
        name="numOrden"
        defaultValue={answer ? String(answer.initialValue?.numOrden ?? '') : numOrden}
        required
        withAsterisk
        autoFocus={enfocar}
        inputMode="text"
        autoComplete="off"
        error={texto}
        aria-invalid={answer ? true : undefined}
      />
      <div className="botones">
        <Boton tono="acento" type="submit" name="intent" value="buscar" ocupado={buscando} disabled={!filled}>
          Buscar Orden
        </Boton>
        <Boton type="submit" name="intent" value="limpiar" formNoValidate>
          Limpiar
        </Boton>
      </div>
      {buscando && (
        <p className="nota" role="status">
          Si la venta todavía no llega, se pregunta por ella al mercado: puede tardar unos segundos.
        </p>
      )}
      <Refusal of="buscar" />
      <Refusal of="limpiar" />
    </Form>
  );
}
