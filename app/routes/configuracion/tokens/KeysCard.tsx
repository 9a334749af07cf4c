import { getFormProps, useForm } from '@conform-to/react';
import { parseWithZod } from '@conform-to/zod/v4';
import { Button } from '@mantine/core';
import { Form } from '@remix-run/react';
import { z } from 'zod';
import { answerTo, type Answer } from '~/core/submission';
import type { KeyField } from '~/domain/connections/definition';
import { Confirm } from '~/ui/Confirm';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { PasswordField } from '~/ui/Field';
import { FormErrors } from '~/ui/FormErrors';
import { useFilled } from '~/ui/useFilled';
import type { ConnectionView } from '~/domain/connections/list.server';

const llave = z
  .string({ error: 'Este dato es requerido' })
  .trim()
  .min(1, 'Este dato es requerido')
  .max(300, 'Máximo 300 caracteres');
/** The keys this far side asks for, all of them. */
export const llavesOf = (fields: readonly KeyField[]) =>
  z.object(Object.fromEntries(fields.map(({ name }) => [name, llave])));

export const ACTUALIZAR = { titulo: 'Actualización', texto: '¿Estas seguro que quieres actualizar los Tokens?' };

type Props = { conexion: ConnectionView; fields: readonly KeyField[]; answer?: Answer };

/** What was saved is never shown again: new keys replace it. Its question without JavaScript is a checkbox, since keys do not travel through a page. */
export function KeysCard({ conexion: { kind, label, linked: link, seen }, fields: llaves, answer }: Props) {
  const mine = answerTo(kind, answer);
  const [filled, watch] = useFilled(...llaves.map(({ name }) => name));
  const check = (formData: FormData) => parseWithZod(formData, { schema: llavesOf(llaves) });
  const [form, fields] = useForm<Record<string, string>>({
    id: kind,
    lastResult: mine,
    onValidate: ({ formData }) => check(formData),
    shouldRevalidate: 'onBlur',
  });
  return (
    <section className="hoja" aria-labelledby={`titulo-${kind}`}>
      <h2 id={`titulo-${kind}`}>{label}</h2>
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
      <Form
        {...getFormProps(form)}
        {...watch}
        method="post"
        className="apilado"
        preventScrollReset
        style={{ marginTop: 12 }}
      >
        <input type="hidden" name="conexion" value={kind} />
        <FormErrors form={form} answer={mine} />
        <div className="campos">
          {llaves.map((one) => (
            <PasswordField key={one.name} field={fields[one.name]!} label={one.label} autoComplete="off" />
          ))}
        </div>
        {link && (
          <noscript>
            <label>
              <input type="checkbox" name="confirmado" value="1" required /> {ACTUALIZAR.texto}
            </label>
          </noscript>
        )}
        <div className="botones">
          {link ? (
            <Confirm
              {...ACTUALIZAR}
              disabled={!filled}
              ready={(element) => check(new FormData(element)).status === 'success'}
            >
              Actualizar Token
            </Confirm>
          ) : (
            <Button type="submit" disabled={!filled}>
              Guardar Token
            </Button>
          )}
        </div>
      </Form>
    </section>
  );
}

/** What the account was seen to do. */
function LoVisto({ tono, texto, en, nota }: ConnectionView['seen'][number]) {
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
