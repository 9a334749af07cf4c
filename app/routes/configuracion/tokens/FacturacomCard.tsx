import { getFormProps, useForm } from '@conform-to/react';
import { parseWithZod } from '@conform-to/zod/v4';
import { Button } from '@mantine/core';
import { Form } from '@remix-run/react';
import { z } from 'zod';
import { answerTo, type Answer } from '~/core/submission';
import type { CredentialView } from '~/domain/connections/credentials.server';
import type { CuentaPac } from '~/domain/connections/cuentaPac.server';
import { Confirm } from '~/ui/Confirm';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { PasswordField } from '~/ui/Field';
import { FormErrors } from '~/ui/FormErrors';
import { useFilled } from '~/ui/useFilled';

const llave = z
  .string({ error: 'Este dato es requerido' })
  .trim()
  .min(1, 'Este dato es requerido')
  .max(300, 'Máximo 300 caracteres');
export const Llaves = z.object({ apiKey: llave, secret: llave });

export const ACTUALIZAR = { titulo: 'Actualización', texto: '¿Estas seguro que quieres actualizar los Tokens?' };

/** What was saved is never shown again: new keys replace it. Its question without JavaScript is a checkbox, since keys do not travel through a page. */
export function FacturacomCard({
  link,
  cuenta,
  answer,
}: {
  link: CredentialView | null;
  cuenta: CuentaPac;
  answer?: Answer;
}) {
  const mine = answerTo('facturacom', answer);
  const [filled, watch] = useFilled('apiKey', 'secret');
  const check = (formData: FormData) => parseWithZod(formData, { schema: Llaves });
  const [form, fields] = useForm({
    id: 'facturacom',
    lastResult: mine,
    onValidate: ({ formData }) => check(formData),
    shouldRevalidate: 'onBlur',
  });
  return (
    <section className="hoja" aria-labelledby="titulo-facturacom">
      <h2 id="titulo-facturacom">factura.com</h2>
      <p>
        <Estatus tono={link ? 'ok' : 'neutro'}>
          <span className="parrafo">El token de la empresa factura.com {link ? 'si' : 'no'} existe.</span>
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
      {link && <LoVisto cuenta={cuenta} />}
      <Form
        {...getFormProps(form)}
        {...watch}
        method="post"
        className="apilado"
        preventScrollReset
        style={{ marginTop: 12 }}
      >
        <FormErrors form={form} answer={mine} />
        <div className="campos">
          <PasswordField field={fields.apiKey} label="apiKey" autoComplete="off" />
          <PasswordField field={fields.secret} label="secret" autoComplete="off" />
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

/** What the account was seen to do with what an unclear stamp depends on. */
function LoVisto({ cuenta: { listaError, repetidos, repetidosEn, sondeo } }: { cuenta: CuentaPac }) {
  return (
    <>
      {listaError && (
        <p>
          <Estatus tono="mal">
            <span className="parrafo">
              No se pudo leer la lista de CFDI de la cuenta: {listaError}. Sin ella no se puede comprobar si se timbró
              lo que quedó sin respuesta.
            </span>
          </Estatus>
        </p>
      )}
      <p>
        <Estatus tono={repetidos === 'rechaza' ? 'ok' : 'aviso'}>
          <span className="parrafo">
            {repetidos === 'rechaza'
              ? 'La cuenta rechaza un número de orden repetido: un timbrado que no llegó se vuelve a enviar solo.'
              : repetidos === 'admite'
                ? 'La cuenta timbra un número de orden repetido: si un timbrado queda sin respuesta, una persona decide en Pendientes si se envía otra vez.'
                : 'No se ha visto si la cuenta rechaza un número de orden repetido: mientras tanto, si un timbrado queda sin respuesta, una persona decide en Pendientes si se envía otra vez.'}
          </span>
        </Estatus>{' '}
        <span className="nota">
          {repetidosEn ? (
            <>
              Visto el <Fecha valor={repetidosEn} />
            </>
          ) : (
            sondeo && `Última prueba: ${sondeo}.`
          )}
        </span>
      </p>
    </>
  );
}
