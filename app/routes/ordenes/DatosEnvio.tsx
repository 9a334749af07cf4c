import { getFormProps, useForm } from '@conform-to/react';
import { parseWithZod } from '@conform-to/zod/v4';
import { Form, Link, useLocation } from '@remix-run/react';
import { withParams } from '~/core/list';
import { answerTo, type Answer } from '~/core/submission';
import { CAMPOS_ENVIO, DatosEnvioForm, direccionCompuesta, PAQUETERIAS, type CampoEnvio } from '~/domain/ordenes/datosEnvio';
import { estatusLabel, estatusTono } from '~/domain/ordenes/estatus';
import { Estatus } from '~/ui/Estatus';
import { Field, SelectField } from '~/ui/Field';
import { FormErrors } from '~/ui/FormErrors';
import type { OrdenAbierta } from './openOrden.server';
import { FORM_ENVIO } from './preguntas';

type Props = { orden: OrdenAbierta; answer: Answer | undefined };
type Envio = NonNullable<OrdenAbierta['envio']>;

/** The shipment of a sale; what we send ourselves may be edited in place. */
export function DatosEnvio({ orden, answer }: Props) {
  const { search } = useLocation();
  const { envio } = orden;
  const editable = envio !== null && (envio.propio || orden.envioPropio) && orden.puede.operar;
  return (
    <>
      <h3>Datos de envío</h3>
      {envio === null ? <p className="nota">{orden.envioPropio ? 'Envío propio: todavía no hay datos de envío.' : 'La venta no tiene envío.'}</p>
        : editable && orden.editar ? <Formulario key={envio.huella} orden={orden.id} envio={envio} cerrar={withParams(search, { editar: null })} answer={answer} /> : (
          <>
            <dl className="ficha">
              <div><dt>Envío</dt><dd>{envio.marketId}{envio.propio && ' (propio)'}</dd></div>
              <div><dt>Estatus del envío</dt><dd><Estatus tono={estatusTono(envio.estatus)}>{estatusLabel(envio.estatus)}</Estatus></dd></div>
              <div><dt>Paquetería</dt><dd>{envio.paqueteria ?? '—'}</dd></div>
              <div><dt>Guía</dt><dd>{envio.guia === null ? '—' : envio.paqueteriaUrl ? <a href={envio.paqueteriaUrl} target="_blank" rel="noopener noreferrer">{envio.guia}</a> : envio.guia}</dd></div>
              <div><dt>Recibe</dt><dd>{envio.nombreReceptor ?? '—'}</dd></div>
              <div><dt>Teléfono</dt><dd>{envio.telefono ?? '—'}</dd></div>
              <div className="ancha"><dt>Dirección</dt><dd>{direccionCompuesta(envio) || '—'}</dd></div>
              <div className="ancha"><dt>Referencia</dt><dd>{envio.referencia ?? '—'}</dd></div>
            </dl>
            {editable && <p className="botones"><Link className="boton" to={withParams(search, { editar: 'envio' })} preventScrollReset replace>Editar datos de envío</Link></p>}
          </>
        )}
    </>
  );
}

const CAMPOS = Object.keys(CAMPOS_ENVIO) as CampoEnvio[];

function Formulario({ orden, envio, cerrar, answer }: { orden: string; envio: Envio; cerrar: string; answer: Answer | undefined }) {
  const mine = answerTo(FORM_ENVIO, answer);
  const [form, fields] = useForm({
    id: FORM_ENVIO,
    lastResult: mine,
    defaultValue: { ...envio, orden },
    onValidate: ({ formData }) => parseWithZod(formData, { schema: DatosEnvioForm }),
    shouldValidate: 'onBlur',
    shouldRevalidate: 'onInput',
  });
  const paqueterias = [...new Set([...PAQUETERIAS, ...(envio.paqueteria ? [envio.paqueteria] : [])])];
  return (
    <Form method="post" {...getFormProps(form)} preventScrollReset>
      <input type="hidden" name="intent" value="envio" />
      <input type="hidden" name="orden" value={orden} />
      <input type="hidden" name="huella" value={envio.huella} />
      <div className="campos">
        {CAMPOS.map((campo) => (campo === 'paqueteria'
          ? <SelectField key={campo} field={fields.paqueteria} label={CAMPOS_ENVIO.paqueteria} data={[{ value: '', label: 'Sin paquetería' }, ...paqueterias]} />
          : <Field key={campo} field={fields[campo]} label={CAMPOS_ENVIO[campo]} type={campo === 'telefono' ? 'tel' : 'text'} autoComplete="off" />))}
      </div>
      <FormErrors form={form} answer={mine} />
      <div className="botones">
        <Link className="boton" to={cerrar} preventScrollReset replace>Cancelar</Link>
        <button className="boton" data-tono="acento" type="submit">Guardar datos de envío</button>
      </div>
    </Form>
  );
}
