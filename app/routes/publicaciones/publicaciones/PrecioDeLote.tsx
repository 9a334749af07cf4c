import { useRef } from 'react';
import type { CambioDePrecios } from '~/domain/publicaciones/publicaciones/forms';
import { Panel } from '~/ui/Blocks';
import { Boton } from '~/ui/Boton';
import { Field, SelectField } from '~/ui/Field';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden } from '~/ui/useAnswer';
import { useFoco } from '~/ui/useFoco';

type Props = {
  lote: string;
  /** What was said before; null while nothing was. */
  dicho: CambioDePrecios | null;
  comos: { value: string; label: string }[];
};

/** Asks by how much the chosen prices move. The page shows next each price with what it would leave. */
export function PrecioDeLote({ lote, dicho, comos }: Props) {
  const form = useActionForm<{ como: string; cuanto: string }>('decirPrecio', {
    defaultValue: dicho ?? { como: 'subeParte', cuanto: '' },
  });
  const forma = useRef<HTMLFormElement>(null);
  useFoco(forma);
  return (
    <Panel titulo={dicho === null ? '¿Cuánto cambian?' : 'Lo que cambian'}>
      <ActionForm of={form} formRef={forma}>
        <Hidden lote={lote} />
        <div className="campos">
          <SelectField field={form.fields.como} label="Cómo" data={comos} />
          <Field
            field={form.fields.cuanto}
            label="Cuánto"
            inputMode="decimal"
            autoComplete="off"
            data-foco={dicho === null || undefined}
          />
        </div>
        <div className="botones">
          <Boton tono={dicho === null ? 'acento' : undefined} type="submit" ocupado={form.pending !== undefined}>
            {dicho === null ? 'Ver los precios' : 'Ver otros precios'}
          </Boton>
        </div>
      </ActionForm>
    </Panel>
  );
}
