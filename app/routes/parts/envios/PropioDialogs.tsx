import { getFormProps, useForm } from '@conform-to/react';
import { parseWithZod } from '@conform-to/zod/v4';
import { Button } from '@mantine/core';
import { Form, Link } from '@remix-run/react';
import type { Wire } from '~/core/list';
import { answerTo } from '~/core/submission';
import { ESTATUS_PROPIOS, PAQUETERIAS } from '~/domain/envios/envio';
import { CostoForm, PaqueteriaForm } from '~/domain/envios/formularios';
import type { OrdenPropia } from '~/domain/envios/propios.server';
import { Dialog } from '~/ui/Dialog';
import { Field, SelectField } from '~/ui/Field';
import { FormErrors } from '~/ui/FormErrors';
import type { LugarBuscado, PropioAnswer } from './actOnPropio.server';
import { AvisoMl } from './AvisoMl';
import { Colonia } from './Colonia';
import './envios.css';

type Props = { orden: Wire<OrdenPropia>; answer: PropioAnswer | undefined; cerrar: string };

const Origen = ({ orden, intent }: { orden: Wire<OrdenPropia>; intent: string }) => (
  <>
    <button type="submit" name="intent" value={intent} className="oculto" tabIndex={-1} aria-hidden="true">
      Guardar
    </button>
    <input type="hidden" name="orden" value={orden.id} />
    <input type="hidden" name="huella" value={orden.huella} />
  </>
);

const Botones = ({ cerrar, intent }: { cerrar: string; intent: string }) => (
  <div className="botones">
    <Link className="boton" to={cerrar} preventScrollReset>
      Cancelar
    </Link>
    <Button type="submit" name="intent" value={intent}>
      Guardar
    </Button>
  </div>
);

/** 'costo del envio': the price of a shipment there is, or all of one that nobody has yet. */
export function CostoDialog({ orden, answer, cerrar }: Props) {
  return (
    <Dialog
      titulo={`Costo del envio · Orden ${orden.numOrden}`}
      cerrar={cerrar}
      ancho={orden.envio ? 'normal' : 'grande'}
    >
      {orden.envio ? (
        <Costo key={orden.huella} orden={orden} answer={answer} cerrar={cerrar} />
      ) : (
        <Ocurre key={answer?.lugar ? answer.id : 'ocurre'} orden={orden} answer={answer} cerrar={cerrar} />
      )}
    </Dialog>
  );
}

function Costo({ orden, answer, cerrar }: Props) {
  const mine = answerTo('costo', answer);
  const [form, fields] = useForm({
    id: 'costo',
    lastResult: mine,
    defaultValue: { costo: orden.envio?.costo && Number(orden.envio.costo) > 0 ? orden.envio.costo : '' },
    constraint: { costo: { required: true } },
    onValidate: ({ formData }) => parseWithZod(formData, { schema: CostoForm }),
    shouldValidate: 'onSubmit',
    shouldRevalidate: 'onInput',
  });
  return (
    <Form method="post" {...getFormProps(form)} preventScrollReset>
      <Origen orden={orden} intent="costo" />
      <FormErrors form={form} answer={mine} />
      <Field field={fields.costo} label="Costo del envio" leftSection="$" inputMode="decimal" autoComplete="off" />
      <Botones cerrar={cerrar} intent="costo" />
    </Form>
  );
}

const SIN_LUGAR: LugarBuscado = { colonias: [], aviso: null };

function Ocurre({ orden, answer, cerrar }: Props) {
  const mine = answerTo('ocurre', answer);
  const [form, fields] = useForm<
    Record<
      | 'costo'
      | 'nombreReceptor'
      | 'apellidos'
      | 'telefono'
      | 'cp'
      | 'colonia'
      | 'calle'
      | 'numeroE'
      | 'ciudad'
      | 'municipio'
      | 'estado'
      | 'referencia',
      string
    >
  >({
    id: 'ocurre',
    lastResult: mine,
    constraint: { costo: { required: true } },
  });
  const { colonias, aviso } = answer?.lugar ?? SIN_LUGAR;
  return (
    <Form method="post" {...getFormProps(form)} className="envio-form" preventScrollReset>
      <Origen orden={orden} intent="ocurre" />
      <FormErrors form={form} answer={mine} />
      <p className="nota sobre-campos">
        La venta todavía no tiene datos de envío. Sin código postal se guarda solo el costo.
      </p>
      <div className="campos">
        <Field field={fields.costo} label="Costo del envio" leftSection="$" inputMode="decimal" autoComplete="off" />
        <Field field={fields.nombreReceptor} label="Nombre" autoComplete="off" />
        <Field field={fields.apellidos} label="Apellidos" autoComplete="off" />
        <Field field={fields.telefono} label="Telefono" type="tel" autoComplete="off" />
        <div>
          <div className="con-boton">
            <Field field={fields.cp} label="Código postal" inputMode="numeric" maxLength={5} autoComplete="off" />
            <button type="submit" name="intent" value="buscarCp" formNoValidate className="boton">
              Buscar CP
            </button>
          </div>
          <p className="nota" role="status">
            {aviso}
          </p>
        </div>
        <Colonia field={fields.colonia} colonias={colonias} />
        <Field field={fields.calle} label="Calle" autoComplete="off" />
        <Field field={fields.numeroE} label="Número exterior" autoComplete="off" />
        <Field field={fields.ciudad} label="Ciudad" autoComplete="off" readOnly={colonias.length > 0} />
        <Field field={fields.municipio} label="Municipio" autoComplete="off" readOnly={colonias.length > 0} />
        <Field field={fields.estado} label="Estado" autoComplete="off" readOnly={colonias.length > 0} />
        <Field field={fields.referencia} label="Referencia" autoComplete="off" />
      </div>
      <Botones cerrar={cerrar} intent="ocurre" />
    </Form>
  );
}

/** 'datos paqueteria': the carrier, its number and how far the package got. */
export function PaqueteriaDialog({ orden, answer, cerrar }: Props) {
  const mine = answerTo('paqueteria', answer);
  const { envio } = orden;
  const conocido = ESTATUS_PROPIOS.some(({ value }) => value === envio?.estatus);
  const [form, fields] = useForm({
    id: 'paqueteria',
    lastResult: mine,
    defaultValue: {
      estatus: conocido ? envio?.estatus : 'enPreparacion',
      paqueteria: envio?.paqueteria ?? '',
      guia: envio?.guia ?? '',
      paqueteriaUrl: envio?.paqueteriaUrl ?? '',
    },
    constraint: { estatus: { required: true }, paqueteria: { required: true }, guia: { required: true } },
    onValidate: ({ formData }) => parseWithZod(formData, { schema: PaqueteriaForm }),
    shouldValidate: 'onSubmit',
    shouldRevalidate: 'onInput',
  });
  return (
    <Dialog titulo={`Datos paqueteria · Orden ${orden.numOrden}`} cerrar={cerrar}>
      <Form method="post" {...getFormProps(form)} key={orden.huella} preventScrollReset>
        <Origen orden={orden} intent="paqueteria" />
        <FormErrors form={form} answer={mine} />
        <div className="campos">
          <SelectField field={fields.estatus} label="Estatus" data={ESTATUS_PROPIOS} />
          <SelectField
            field={fields.paqueteria}
            label="Paquetería"
            data={[{ value: '', label: 'Elige una paquetería' }, ...PAQUETERIAS]}
          />
          <Field field={fields.guia} label="Número de guía" autoComplete="off" />
          <Field
            field={fields.paqueteriaUrl}
            label="Link de rastreo"
            placeholder="https://"
            inputMode="url"
            autoComplete="off"
          />
        </div>
        <AvisoMl modo={envio?.modo ?? null} />
        <Botones cerrar={cerrar} intent="paqueteria" />
      </Form>
    </Dialog>
  );
}
