import { Form, useSubmit } from '@remix-run/react';
import { useRef } from 'react';
import type { z } from 'zod';
import { isRfc, normalizeRfc } from '~/core/rfc';
import { etiquetaEn, opcionesOf, regimenesFor } from '~/domain/facturacion/sat/opciones';
import { REGIMENES } from '~/domain/facturacion/sat/sat';
import type { DraftCliente } from '~/domain/facturacion/emision/draft';
import type { ClienteForm } from '~/domain/facturacion/emision/forms';
import type { Aviso } from '~/domain/facturacion/cfdi/precheck';
import { Boton } from '~/ui/Boton';
import { Panel } from '~/ui/Blocks';
import { useForma, Visto } from '~/ui/Choque';
import { Field, SelectField, WholeText } from '~/ui/Field';
import { OtroCorreo } from '~/routes/facturacion/receptores/OtroCorreo';
import { useFoundCliente } from '~/routes/facturacion/receptores/useFoundCliente';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden } from '~/ui/useAnswer';
import { useHydrated } from '~/ui/useHydrated';
import { useFoco } from '~/ui/useFoco';

const IGUAL = 'Igual que en la constancia de situación fiscal, sin el tipo de sociedad.';
type Props = {
  cliente: DraftCliente;
  advertencias: Aviso[];
  /** A sentence about the documents that an edit leaves as they are. */ alcance: string | null;
  visto: { version: number; mostrado: string };
};

const ORIGEN = {
  mercado: 'Estos datos los dio el comprador en su compra. Compáralos con su constancia antes de guardar.',
  registro: 'Cliente conocido.',
  pac: 'Cliente registrado en factura.com.',
} as const;

/** The modes in which people type. */
const ESCRIBEN = ['nuevo', 'edicion'] as const;
export const formCliente = ({ modo }: Pick<DraftCliente, 'modo'>) => `cliente-${modo}`;

/** 'Datos de Facturación' in its three states: new, read-only with UID, being edited. */
export function Cliente({ cliente: hallado, visto: ahora, ...props }: Props) {
  const { cliente, visto, ronda } = useFoundCliente(hallado, ahora, formCliente, camposOf);
  return <Formulario key={ronda} cliente={cliente} visto={cliente.modo === 'lectura' ? ahora : visto} {...props} />;
}

const camposOf = ({ razonSocial, cp, regimen, emails: [email = '', email2 = ''] }: DraftCliente) => ({
  razonSocial,
  cp,
  regimen,
  email,
  email2,
});

function Formulario({ cliente, advertencias, alcance, visto }: Props) {
  const modo = useForma('cliente', ESCRIBEN, cliente.modo);
  const soloLectura = modo === 'lectura';
  const formRef = useRef<HTMLFormElement>(null);
  const buscarRef = useRef<HTMLButtonElement>(null);
  const submit = useSubmit();
  const hydrated = useHydrated();
  useFoco(formRef);
  const [email = '', email2 = ''] = cliente.emails;
  const form = useActionForm<z.input<typeof ClienteForm>>(soloLectura ? 'siguiente' : 'guardar', {
    id: formCliente({ modo }),
    defaultValue: {
      rfc: cliente.rfc,
      razonSocial: cliente.razonSocial,
      cp: cliente.cp,
      regimen: cliente.regimen,
      email,
      email2,
    },
    required: { rfc: true, razonSocial: true, cp: true, regimen: true, email: true },
  });
  const { fields, pending } = form;
  const rfc = normalizeRfc(String(fields.rfc.value ?? ''));
  // After a refusal the same data may be sent again.
  const nadaQueGuardar =
    hydrated &&
    form.answer === undefined &&
    ((modo === 'edicion' && !form.form.dirty) || (modo === 'nuevo' && rfc === ''));
  const regimenes = isRfc(rfc) ? regimenesFor(rfc) : REGIMENES;

  /** The look-up starts by itself once an RFC of 12 or 13 characters is left; the button does it without JavaScript. */
  const onRfcBlur = () => {
    if (!soloLectura && rfc.length > 11 && isRfc(rfc) && rfc !== cliente.rfc)
      submit(buscarRef.current, { preventScrollReset: true, replace: true });
  };

  return (
    <>
      {/* The buttons of the legal names stand in the form below and send this form. */}
      <Form id={ELEGIR} method="post">
        <Hidden intent="elegir" {...visto} />
      </Form>
      <ActionForm of={form} formRef={formRef} preventScrollReset={false} className="hoja">
        <Visto key={visto.version} of={form} marcas={visto} enVivo={soloLectura} />
        {/* Enter in any field goes on, instead of looking the RFC up. */}
        <button type="submit" className="oculto" tabIndex={-1} aria-hidden="true">
          Continuar
        </button>
        <h2 tabIndex={-1}>Datos de Facturación</h2>
        {cliente.origen && <Panel tono={cliente.origen === 'mercado' ? 'aviso' : 'ok'}>{ORIGEN[cliente.origen]}</Panel>}
        {cliente.sinPac && (
          <Panel tono="aviso">factura.com no contesta en este momento; escribe los datos y guárdalos.</Panel>
        )}
        {isDesconocido(cliente) && (
          <Panel tono="aviso">
            <span role="status">No hay datos guardados con ese RFC. Escríbelos como aparecen en su constancia.</span>
          </Panel>
        )}
        {modo === 'edicion' && alcance && <Panel>{alcance}</Panel>}
        {advertencias.length > 0 && (
          <Panel tono="aviso" titulo="Revisa estos datos">
            <ul>
              {advertencias.map(({ texto }) => (
                <li key={texto}>{texto}</li>
              ))}
            </ul>
          </Panel>
        )}
        <Opciones cliente={cliente} />
        <div className="campos dos">
          <div className={soloLectura ? undefined : 'con-boton'}>
            <Field
              field={fields.rfc}
              label="RFC"
              readOnly={soloLectura}
              maxLength={20}
              onBlur={onRfcBlur}
              className="mayusculas"
              autoComplete="off"
            />
            {!soloLectura && (
              <button
                ref={buscarRef}
                type="submit"
                name="intent"
                value="buscarRfc"
                formNoValidate
                className={hydrated ? 'boton' : 'boton espera-js'}
              >
                {pending === 'buscarRfc' ? 'Buscando…' : 'Buscar RFC'}
              </button>
            )}
          </div>
          {pending === 'buscarRfc' && (
            <p className="nota" role="status">
              Si aquí no se conoce ese RFC, se busca en factura.com: puede tardar unos segundos.
            </p>
          )}
          {soloLectura ? (
            <WholeText label="Razón Social" value={cliente.razonSocial} className="mayusculas" description={IGUAL} />
          ) : (
            <Field
              field={fields.razonSocial}
              label="Razón Social"
              className="mayusculas"
              autoComplete="off"
              description={IGUAL}
              inputWrapperOrder={['label', 'input', 'error', 'description']}
            />
          )}
          <Field
            field={fields.cp}
            label="Código postal"
            readOnly={soloLectura}
            inputMode="numeric"
            maxLength={5}
            autoComplete="off"
          />
          {soloLectura ? (
            <WholeText label="Regimen a facturar" value={etiquetaEn(REGIMENES, cliente.regimen)} />
          ) : (
            <SelectField
              field={fields.regimen}
              label="Regimen a facturar"
              data={[{ value: '', label: 'Elige un régimen' }, ...opcionesOf(regimenes)]}
            />
          )}
          <div className="dos-correos">
            <Field field={fields.email} label="Email" type="email" readOnly={soloLectura} />
            <OtroCorreo field={fields.email2} email2={email2} soloLectura={soloLectura} tras={fields.email} />
          </div>
        </div>
        <div className="botones">
          {modo === 'nuevo' && (
            <Boton
              tono="acento"
              type="submit"
              name="intent"
              value="guardar"
              data-principal
              ocupado={pending === 'guardar'}
              disabled={nadaQueGuardar}
            >
              Guardar
            </Boton>
          )}
          {modo === 'edicion' && (
            <Boton type="submit" name="intent" value="cancelarEdicion" formNoValidate>
              Cancelar
            </Boton>
          )}
          {modo === 'edicion' && (
            <Boton
              tono="acento"
              type="submit"
              name="intent"
              value="guardar"
              data-principal
              ocupado={pending === 'guardar'}
              disabled={nadaQueGuardar}
            >
              Guardar edición
            </Boton>
          )}
          {soloLectura && (
            <Boton type="submit" name="intent" value="otro">
              Otro RFC
            </Boton>
          )}
          {soloLectura && (
            <Boton type="submit" name="intent" value="editar">
              Editar
            </Boton>
          )}
          {soloLectura && (
            <Boton
              tono="acento"
              type="submit"
              name="intent"
              value="siguiente"
              data-principal
              ocupado={pending === 'siguiente'}
            >
              Siguiente
            </Boton>
          )}
        </div>
        {nadaQueGuardar && (
          <p className="nota">{modo === 'edicion' ? 'No hay cambios que guardar.' : 'Escribe el RFC del cliente.'}</p>
        )}
      </ActionForm>
    </>
  );
}

/** The look-up of an RFC found nobody. */
const isDesconocido = ({ modo, rfc, razonSocial, opciones, sinPac }: DraftCliente) =>
  modo === 'nuevo' && rfc !== '' && razonSocial === '' && opciones.length === 0 && !sinPac;

const ELEGIR = 'elegir-cliente';

/** Several legal names are known and none is chosen: there the person goes on. */
const faltaElegir = ({ modo, opciones, uid }: DraftCliente) => modo === 'nuevo' && opciones.length > 0 && uid === null;

/** The legal names on record for an RFC; a press fills the form. */
function Opciones({ cliente }: { cliente: DraftCliente }) {
  if (cliente.opciones.length === 0) return null;
  return (
    <fieldset className="opciones">
      <legend tabIndex={-1} data-foco={faltaElegir(cliente) || undefined}>
        Razones sociales registradas con este RFC
      </legend>
      {cliente.opciones.map((opcion) => (
        <button
          key={opcion.uid}
          type="submit"
          form={ELEGIR}
          name="uid"
          value={opcion.uid}
          formNoValidate
          className="boton"
          aria-pressed={opcion.uid === cliente.uid}
        >
          <strong>{opcion.razonSocial}</strong> · C.P. {opcion.cp}
          <span className="nota">
            {[etiquetaEn(REGIMENES, opcion.regimen), ...opcion.emails].filter(Boolean).join(' · ')}
          </span>
        </button>
      ))}
    </fieldset>
  );
}
