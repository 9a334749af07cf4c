import { Link } from '@remix-run/react';
import { type ComponentProps, useRef } from 'react';
import type { LugarBuscado } from '~/core/codigoPostal';
import type { Wire } from '~/core/list';
import type { Answer } from '~/core/submission';
import { ESTATUS_PROPIOS, PAQUETERIAS } from '~/domain/ventas/envios/envio';
import type { OcurreEscrito } from '~/domain/ventas/envios/forms';
import type { OrdenPropia } from '~/domain/ventas/envios/propios.server';
import { Boton } from '~/ui/Boton';
import { Visto } from '~/ui/Choque';
import { Dialog } from '~/ui/Dialog';
import { Field, SelectField } from '~/ui/Field';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden, useAnswer } from '~/ui/useAnswer';
import { AvisoMercado } from './AvisoMercado';
import { Colonia } from './Colonia';
import { usePostal } from './usePostal';
import './envios.css';

type Props = { orden: Wire<OrdenPropia>; cerrar: string };
type CampoDePaqueteria = 'paqueteria' | 'guia' | 'paqueteriaUrl';
type Paqueteria = Record<'estatus' | CampoDePaqueteria, string>;

/** The hidden fields of the sale and of the state in which its dialog was opened. */
const Origen = ({ of, orden }: { of: { answer: Answer | undefined }; orden: Wire<OrdenPropia> }) => (
  <>
    <Hidden orden={orden.id} />
    <Visto of={of} marcas={{ huella: orden.huella }} />
  </>
);

const Botones = ({ cerrar }: { cerrar: string }) => (
  <div className="botones">
    <Link className="boton" to={cerrar} preventScrollReset>
      Cancelar
    </Link>
    <Boton tono="acento" type="submit">
      Guardar
    </Boton>
  </div>
);

const CamposDePaqueteria = ({
  fields,
}: {
  fields: Record<CampoDePaqueteria, ComponentProps<typeof Field>['field']>;
}) => (
  <>
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
  </>
);

/** 'costo del envio': the price and the carrier of an existing shipment, or the whole form of a shipment that does not exist yet. */
export function CostoDialog({ orden, cerrar }: Props) {
  const answer = useAnswer('ocurre');
  // The form stays whole for a person who was filling it in when somebody else began the shipment.
  const conEnvio = orden.envio !== null && !answer?.choque;
  return (
    <Dialog titulo={`Costo del envio · Orden ${orden.numOrden}`} cerrar={cerrar} ancho={conEnvio ? 'normal' : 'grande'}>
      {conEnvio ? (
        <Costo key={orden.huella} orden={orden} cerrar={cerrar} />
      ) : (
        <Ocurre key={answer?.resultado ? answer.id : 'ocurre'} orden={orden} cerrar={cerrar} />
      )}
    </Dialog>
  );
}

function Costo({ orden, cerrar }: Props) {
  const { envio } = orden;
  const form = useActionForm<Record<'costo' | CampoDePaqueteria, string>>('costo', {
    defaultValue: {
      costo: envio?.costo && Number(envio.costo) > 0 ? envio.costo : '',
      paqueteria: envio?.paqueteria ?? '',
      guia: envio?.guia ?? '',
      paqueteriaUrl: envio?.paqueteriaUrl ?? '',
    },
  });
  return (
    <ActionForm of={form}>
      <Origen of={form} orden={orden} />
      <div className="campos">
        <Field
          field={form.fields.costo}
          label="Costo del envio"
          leftSection="$"
          inputMode="decimal"
          autoComplete="off"
        />
        <CamposDePaqueteria fields={form.fields} />
      </div>
      <Botones cerrar={cerrar} />
    </ActionForm>
  );
}

/** The input of a part of the address: this form has one of each name. */
const inputNamed = (part: string) => `[name="${part}"]`;

const SIN_LUGAR: LugarBuscado = { colonias: [], aviso: null };

function Ocurre({ orden, cerrar }: Props) {
  const form = useActionForm<Record<keyof typeof OcurreEscrito.shape, string>>('ocurre');
  const { fields, answer } = form;
  const { colonias, aviso } = (answer?.resultado as LugarBuscado | undefined) ?? SIN_LUGAR;
  const box = useRef<HTMLDivElement>(null);
  const { lugar, said, lookUp, onBuscar } = usePostal(box, inputNamed, String(fields.cp.initialValue ?? ''));
  const opciones = lugar?.colonias ?? colonias;
  return (
    <ActionForm of={form} className="envio-form">
      {/* Enter in any field saves, instead of pressing the button of the postal code. */}
      <button type="submit" className="oculto" tabIndex={-1} aria-hidden="true">
        Guardar
      </button>
      <Origen of={form} orden={orden} />
      <p className="nota sobre-campos">
        La venta todavía no tiene datos de envío. Sin código postal se guarda solo el costo.
      </p>
      <div className="campos" ref={box}>
        <Field field={fields.costo} label="Costo del envio" leftSection="$" inputMode="decimal" autoComplete="off" />
        <Field field={fields.nombreReceptor} label="Nombre" autoComplete="off" />
        <Field field={fields.apellidos} label="Apellidos" autoComplete="off" />
        <Field field={fields.telefono} label="Telefono" type="tel" autoComplete="off" />
        <div>
          <div className="con-boton">
            <Field
              field={fields.cp}
              label="Código postal"
              inputMode="numeric"
              maxLength={5}
              autoComplete="off"
              onBlur={() => void lookUp(false)}
            />
            <button type="submit" name="intent" value="buscarCp" formNoValidate className="boton" onClick={onBuscar}>
              Buscar CP
            </button>
          </div>
          <p className="nota" role="status">
            {said ?? aviso}
          </p>
        </div>
        <Colonia field={fields.colonia} colonias={opciones} />
        <Field field={fields.calle} label="Calle" autoComplete="off" />
        <Field field={fields.numeroE} label="Número exterior" autoComplete="off" />
        <Field field={fields.ciudad} label="Ciudad" autoComplete="off" readOnly={opciones.length > 0} />
        <Field field={fields.municipio} label="Municipio" autoComplete="off" readOnly={opciones.length > 0} />
        <Field field={fields.estado} label="Estado" autoComplete="off" readOnly={opciones.length > 0} />
        <Field field={fields.referencia} label="Referencia" autoComplete="off" />
        <CamposDePaqueteria fields={fields} />
      </div>
      <Botones cerrar={cerrar} />
    </ActionForm>
  );
}

/** 'datos paqueteria': the carrier, its number and how far the package got. */
export function PaqueteriaDialog({ orden, cerrar }: Props) {
  const { envio } = orden;
  const conocido = ESTATUS_PROPIOS.some(({ value }) => value === envio?.estatus);
  const form = useActionForm<Paqueteria>('paqueteria', {
    defaultValue: {
      estatus: conocido ? envio?.estatus : 'enPreparacion',
      paqueteria: envio?.paqueteria ?? '',
      guia: envio?.guia ?? '',
      paqueteriaUrl: envio?.paqueteriaUrl ?? '',
    },
  });
  const { fields } = form;
  return (
    <Dialog titulo={`Datos paqueteria · Orden ${orden.numOrden}`} cerrar={cerrar}>
      <ActionForm of={form}>
        <Origen of={form} orden={orden} />
        <div className="campos">
          <SelectField field={fields.estatus} label="Estatus" data={ESTATUS_PROPIOS} />
          <CamposDePaqueteria fields={fields} />
        </div>
        <AvisoMercado market={envio?.market} modo={envio?.modo ?? null} />
        <Botones cerrar={cerrar} />
      </ActionForm>
    </Dialog>
  );
}
