import { NativeSelect, TextInput } from '@mantine/core';
import type { Campo, Rechazo, Respuestas } from '~/domain/mercados/publicador';

const ORDEN: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error'];

type Props = { campos: readonly Campo[]; respuestas: Respuestas; problemas: readonly Rechazo[] };

/** The fields of a category, built from the category's own description, each with the reason of a refusal. */
export function Campos({ campos, respuestas, problemas }: Props) {
  const grupos = [
    ['Obligatorias', campos.filter(({ obligatorio }) => obligatorio === 'si')],
    ['Según el producto', campos.filter(({ obligatorio }) => obligatorio === 'aVeces')],
    ['Opcionales', campos.filter(({ obligatorio }) => obligatorio === 'no')],
  ] as const;
  return grupos
    .filter(([, suyos]) => suyos.length > 0)
    .map(([titulo, suyos]) => (
      <fieldset key={titulo} className="grupo">
        <legend>{titulo}</legend>
        <div className="campos">
          {suyos.map((campo) => (
            <UnCampo
              key={campo.id}
              campo={campo}
              respuesta={respuestas[campo.id]}
              error={problemas.find((one) => one.campo === campo.id)?.texto}
            />
          ))}
        </div>
      </fieldset>
    ));
}

function UnCampo({
  campo,
  respuesta,
  error,
}: {
  campo: Campo;
  respuesta: Respuestas[string] | undefined;
  error: string | undefined;
}) {
  const { id, nombre, clase, obligatorio, valores, unidades, unidad, ayuda } = campo;
  const comun = {
    id: `campo-${id}`,
    name: `valor.${id}`,
    label: nombre,
    withAsterisk: obligatorio === 'si',
    defaultValue: respuesta?.valor ?? '',
    error,
    // Help stands beneath a field, so that the fields of a row stand at one height with and without help.
    inputWrapperOrder: ORDEN,
    ...(ayuda && { description: ayuda }),
  };
  if (clase === 'lista' || clase === 'siNo')
    return (
      <NativeSelect
        {...comun}
        data={[{ value: '', label: '' }, ...valores.map((valor) => ({ value: valor.id, label: valor.nombre }))]}
      />
    );
  if (clase === 'medida')
    return (
      <div className="publicador-medida">
        <TextInput {...comun} inputMode="decimal" autoComplete="off" />
        <NativeSelect
          name={`unidad.${id}`}
          aria-label={`Unidad de ${nombre}`}
          defaultValue={respuesta?.unidad ?? unidad ?? undefined}
          data={unidades}
        />
      </div>
    );
  return (
    <>
      <TextInput
        {...comun}
        autoComplete="off"
        {...(clase === 'numero' && { inputMode: 'decimal' })}
        {...(valores.length > 0 && { list: `valores-${id}` })}
      />
      {valores.length > 0 && (
        <datalist id={`valores-${id}`}>
          {valores.map((valor) => (
            <option key={valor.id} value={valor.nombre} />
          ))}
        </datalist>
      )}
    </>
  );
}
