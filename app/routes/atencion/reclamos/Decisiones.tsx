import { getTextareaProps } from '@conform-to/react';
import { NativeSelect, Textarea } from '@mantine/core';
import { Form } from '@remix-run/react';
import { useId, useState } from 'react';
import { Money } from '~/core/money';
import {
  accionDe,
  askResolve,
  askWrite,
  EVIDENCIA,
  MAX_MENSAJE,
  mayDo,
  objecionDe,
  PIDE,
  pideEvidencia,
  type Resolucion,
} from '~/domain/atencion/reclamos/reclamo';
import { ArchivoInput } from '~/ui/ArchivoInput';
import { Panel } from '~/ui/Blocks';
import { Confirm } from '~/ui/Confirm';
import { formatPesos } from '~/ui/Pesos';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden } from '~/ui/useAnswer';
import type { ReclamoAbierto } from './record';

/** Resolutions that take money from us at once. */
const PAGA: ReadonlySet<Resolucion> = new Set(['refund', 'partial-refund', 'return-review']);

/** One resolution that Mercado Libre offers, with its question. */
export function ResolverForm({
  reclamo: { id, version, marketId, pagado, costoDevolucion },
  resolucion,
  oferta,
}: {
  reclamo: ReclamoAbierto;
  resolucion: Resolucion;
  oferta: { monto: string; porcentaje: number } | null;
}) {
  const monto = oferta && Money.of(oferta.monto);
  return (
    <Form method="post" preventScrollReset>
      <Hidden
        intent="resolverReclamo"
        reclamo={id}
        version={version}
        resolucion={resolucion}
        porcentaje={oferta?.porcentaje}
      />
      <Confirm
        plain="boton"
        data-tono={PAGA.has(resolucion) ? 'mal' : undefined}
        {...askResolve({
          resolucion,
          marketId,
          pagado: pagado === null ? null : Money.of(pagado),
          monto,
          costoDevolucion: costoDevolucion === null ? null : Money.of(costoDevolucion),
        })}
      >
        {accionDe(PIDE[resolucion][0]!)}
        {oferta && ` (${formatPesos(oferta.monto)})`}
      </Confirm>
    </Form>
  );
}

/** A message to the buyer or to the mediator. */
export function MensajeForm({
  reclamo: { id, version, acciones, responsable },
  para,
}: {
  reclamo: ReclamoAbierto;
  para: 'complainant' | 'mediator';
}) {
  const form = useActionForm<{ texto: string; archivos: string }>('escribirEnReclamo', {
    id: `mensaje-${para}-${id}`,
    required: false,
  });
  const [texto, escribir] = useState(form.fields.texto.initialValue ?? '');
  const { key: _key, ...props } = getTextareaProps(form.fields.texto);
  const sobran = texto.trim().length - MAX_MENSAJE;
  const pregunta = askWrite(para, texto);
  return (
    <ActionForm of={form} encType="multipart/form-data">
      <Hidden reclamo={id} version={version} para={para} />
      <Textarea
        {...props}
        // A claim that waits for others is read.
        data-foco={responsable === 'vendedor' || undefined}
        defaultValue={undefined}
        value={texto}
        onChange={(event) => escribir(event.currentTarget.value)}
        label={para === 'complainant' ? 'Mensaje al comprador' : 'Mensaje a Mercado Libre'}
        rows={3}
        error={form.fields.texto.errors?.[0]}
        description={sobran > 0 ? `Sobran ${sobran} caracteres` : undefined}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
      />
      {mayDo(acciones, 'send_attachments') && <Evidencia error={form.fields.archivos.errors?.[0]} />}
      {/* Files do not travel through a page that asks a question. */}
      <noscript>
        <label className="nota">
          <input type="checkbox" name="confirmado" value="1" /> {pregunta.texto} Sí, enviarlo.
        </label>
      </noscript>
      <div className="botones">
        <Confirm {...pregunta} ready={(element) => form.ready(element)}>
          Enviar mensaje
        </Confirm>
      </div>
    </ActionForm>
  );
}

/** The objection to what came back: its reason, what is wrong, and the evidence. The cost of the return stands in its question. */
export function ObjetarForm({
  reclamo: { id, version, marketId, pagado, costoDevolucion },
  objecion: { motivos, fallo },
}: {
  reclamo: ReclamoAbierto;
  objecion: NonNullable<ReclamoAbierto['objecion']>;
}) {
  const form = useActionForm<{ motivo: string; texto: string; archivos: string }>('resolverReclamo', {
    id: `objetar-${id}`,
    required: false,
  });
  const { motivo, texto, archivos } = form.fields;
  const { key: _key, ...props } = getTextareaProps(texto);
  if (motivos.length === 0)
    return (
      <Panel tono="aviso" titulo="Mercado Libre no dijo por qué se puede objetar.">
        {fallo ?? 'No ofrece ningún motivo para esta devolución.'}
      </Panel>
    );
  return (
    <ActionForm of={form} encType="multipart/form-data" aria-label="Objetar lo devuelto">
      <Hidden reclamo={id} version={version} resolucion="return-review-fail" />
      <NativeSelect
        name={motivo.name}
        label="Qué tiene de malo"
        defaultValue={motivo.initialValue}
        error={motivo.errors?.[0]}
        data={motivos.map((uno) => ({
          value: uno.id,
          label: `${objecionDe(uno)}${pideEvidencia(uno.id) ? ' (con evidencia)' : ''}`,
        }))}
      />
      <Textarea {...props} label="Cómo llegó" rows={3} error={texto.errors?.[0]} />
      <Evidencia error={archivos.errors?.[0]} />
      {/* Files do not travel through a page that asks a question. */}
      <noscript>
        <label className="nota">
          <input type="checkbox" name="confirmado" value="1" /> Sí, objetar lo devuelto.
        </label>
      </noscript>
      <div className="botones">
        <Confirm
          {...askResolve({
            resolucion: 'return-review-fail',
            marketId,
            pagado: pagado === null ? null : Money.of(pagado),
            monto: null,
            costoDevolucion: costoDevolucion === null ? null : Money.of(costoDevolucion),
          })}
          ready={(element) => form.ready(element)}
        >
          Objetar
        </Confirm>
      </div>
    </ActionForm>
  );
}

/** The photographs and papers sent with a message. */
function Evidencia({ error }: { error: string | undefined }) {
  const id = useId();
  return (
    <div className="evidencia">
      <label htmlFor={id}>Evidencia</label>
      <ArchivoInput
        id={id}
        name="archivos"
        multiple
        accept=".jpg,.jpeg,.png,.pdf,image/jpeg,image/png,application/pdf"
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-nota`}
      />
      <p id={`${id}-nota`} className={error ? 'error' : 'nota'}>
        {error ?? `Hasta ${EVIDENCIA.archivos} fotos JPG o PNG, o PDF, de ${EVIDENCIA.MB} MB cada uno.`}
      </p>
    </div>
  );
}
