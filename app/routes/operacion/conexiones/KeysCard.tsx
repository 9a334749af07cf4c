import { Checkbox } from '@mantine/core';
import type { Question } from '~/core/fieldRules';
import { enLinea } from '~/core/hechos';
import type { KeyField } from '~/platform/connections/definition';
import { Boton } from '~/ui/Boton';
import { Confirm } from '~/ui/Confirm';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { PasswordField } from '~/ui/Field';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden } from '~/ui/useAnswer';
import { useFilled } from '~/ui/useFilled';
import type { ConnectionView } from '~/platform/connections/list.server';
import { abrirTo } from './Tarjeta';

export const updateLlaves = (label: string, cuenta: string | null): Question => ({
  titulo: 'Actualización',
  texto: '¿Estas seguro que quieres actualizar los Tokens?',
  hechos: `${enLinea(label, cuenta)}. La llave anterior deja de usarse.`,
});

type Props = {
  conexion: ConnectionView;
  fields: readonly KeyField[];
  guardadas: readonly string[];
  /** Keys are the next step of the far side: their button is the primary. */ principal: boolean;
};

/** The card of an account that is linked by keys. */
export function KeysCard({ conexion, fields, guardadas, principal }: Props) {
  const { label, linked: link, seen } = conexion;
  return (
    <>
      <p>
        <Estatus tono={link ? 'ok' : 'neutro'}>
          <span className="parrafo">
            El token de la empresa {label} {link ? 'si' : 'no'} existe.
          </span>
        </Estatus>
        {link && (
          <>
            {' '}
            <span className="nota">
              {link.label} ({link.account}), desde <Fecha valor={link.linkedAt} />
            </span>
          </>
        )}
      </p>
      {link && seen.map((one) => <LoVisto key={one.texto} {...one} />)}
      <LlavesForm conexion={conexion} fields={fields} guardadas={guardadas} principal={principal} />
    </>
  );
}

/**
 * The form of an account's keys. Saved keys are never shown again; new keys replace them. Without JavaScript the question is a checkbox, since keys do not
 * travel through a page.
 */
export function LlavesForm({ conexion: { kind, label, linked: link }, fields: llaves, guardadas, principal }: Props) {
  const [filled, { ref, ...watch }] = useFilled(...llaves.filter(({ opcional }) => !opcional).map(({ name }) => name));
  const form = useActionForm<Record<string, string>>('llaves', { id: kind });
  const { fields, ready } = form;
  const pregunta = updateLlaves(label, link && `cuenta ${link.account}`);
  return (
    <ActionForm of={form} action={abrirTo(kind)} {...watch} formRef={ref} className="apilado">
      <Hidden conexion={kind} />
      <div className="campos">
        {llaves.map((one) => (
          <PasswordField
            key={one.name}
            field={fields[one.name]!}
            label={one.label}
            description={guardadas.includes(one.name) ? 'Hay uno guardado. Si lo dejas vacío se conserva.' : undefined}
            inputWrapperOrder={['label', 'input', 'error', 'description']}
            autoComplete="off"
          />
        ))}
      </div>
      {llaves.map(
        (one) =>
          guardadas.includes(one.name) && (
            <Checkbox key={one.name} name="olvidar" value={one.name} label={`Quitar: ${one.label}`} />
          ),
      )}
      {link && (
        <noscript>
          <label>
            <input type="checkbox" name="confirmado" value="1" required /> {pregunta.texto} {pregunta.hechos}
          </label>
        </noscript>
      )}
      <div className="botones">
        {link ? (
          <Confirm {...pregunta} tono={principal ? 'acento' : undefined} disabled={!filled} ready={ready}>
            Actualizar Token
          </Confirm>
        ) : (
          <Boton tono={principal ? 'acento' : undefined} type="submit" disabled={!filled}>
            Guardar Token
          </Boton>
        )}
      </div>
    </ActionForm>
  );
}

/** The account's last observed activity. */
export function LoVisto({ tono, texto, en, nota }: ConnectionView['seen'][number]) {
  return (
    <p>
      <Estatus tono={tono}>
        <span className="parrafo">{texto}</span>
      </Estatus>{' '}
      <span className="nota">
        {en ? (
          <>
            Visto el <Fecha valor={en} />
          </>
        ) : (
          nota
        )}
      </span>
    </p>
  );
}
