import { getFormProps, useForm } from '@conform-to/react';
import { parseWithZod } from '@conform-to/zod/v4';
import { Button, Checkbox, Switch, TextInput } from '@mantine/core';
import { Form, Link, useNavigation } from '@remix-run/react';
import { useRef, type FormEvent } from 'react';
import { z } from 'zod';
import { isRfc, normalizeRfc } from '~/core/rfc';
import type { Answer } from '~/core/submission';
import { EMAIL_NO_VALIDO, isEmail } from '~/core/email';
import { etiquetaEn, opcionesDe, regimenesFor } from '~/domain/catalogo/opciones';
import { REGIMENES } from '~/domain/catalogo/sat';
import type { ClientePublico, VistaPublica } from '~/domain/publico/publico.server';
import { normalizarRazonSocial } from '~/domain/cfdi/precheck';
import { Panel } from '~/ui/Blocks';
import { EnEspera } from '~/ui/EnEspera';
import { ErrorDialog } from '~/ui/ErrorDialog';
import { Field, SelectField, WholeText } from '~/ui/Field';
import { FormErrors } from '~/ui/FormErrors';
import { Titular } from '~/ui/Titular';
import { useHydrated } from '~/ui/useHydrated';

const REQUERIDO = 'Este dato es requerido';
const CONSTANCIA = 'https://www.sat.gob.mx/aplicacion/53027/genera-tu-constancia-de-situacion-fiscal';
const IDENTICA = (
  <>
    Debe ser idéntica a la de tu constancia de situación fiscal, sin el tipo de sociedad (SA DE CV).{' '}
    <a href={CONSTANCIA} target="_blank" rel="noopener noreferrer">
      ¿Dónde la encuentro?
    </a>
  </>
);
const correo = z.string().trim().refine(isEmail, EMAIL_NO_VALIDO).optional();

/** Step 1 as it is sent; texts of spec 000, section 5. */
export const DatosForm = z
  .object({
    rfc: z.string({ error: REQUERIDO }).transform(normalizeRfc).refine(isRfc, 'RFC No Valido'),
    razonSocial: z
      .string({ error: REQUERIDO })
      .transform(normalizarRazonSocial)
      .pipe(z.string().min(1, REQUERIDO).max(300)),
    cp: z
      .string({ error: REQUERIDO })
      .trim()
      .regex(/^\d{5}$/, 'Código Postal No Valido'),
    regimen: z.string({ error: REQUERIDO }),
    usarRegistrado: z
      .string()
      .optional()
      .transform((on) => on === 'on'),
    email: correo,
    email2: correo,
  })
  .superRefine(({ usarRegistrado, email }, ctx) => {
    if (!usarRegistrado && email === undefined) ctx.addIssue({ code: 'custom', path: ['email'], message: REQUERIDO });
  });

/** For the buttons that save nothing of the form: what was typed comes back as it was. */
export const LibreForm = z.looseObject({ rfc: z.string().optional(), razon: z.string().optional() });

type Paso = Extract<VistaPublica, { tipo: 'paso' }>;

/** 'Datos de Facturación' for the customer: new, known and read-only, or being edited. */
export function DatosFiscales({ vista, answer }: { vista: Paso; answer?: Answer }) {
  if (vista.guardando)
    return (
      <EnEspera titulo="Guardando tus datos">
        Los guardamos desde las {vista.guardandoDesde} y el servicio de timbrado todavía no confirma. Esta página se
        actualiza sola.
      </EnEspera>
    );
  return (
    <>
      {vista.errorCliente && <ErrorDialog key={vista.version} titulo="Error" texto={vista.errorCliente} />}
      {vista.cliente.opciones.length > 1 && <Razones cliente={vista.cliente} />}
      {(vista.cliente.opciones.length < 2 || vista.cliente.razonSocial !== '' || vista.cliente.modo !== 'nuevo') && (
        <Formulario vista={vista} answer={answer} />
      )}
    </>
  );
}

function Formulario({ vista: { cliente, advertencias, siguiente }, answer }: { vista: Paso; answer?: Answer }) {
  const { modo, registrado, encontrado } = cliente;
  const soloLectura = modo === 'lectura';
  const navigation = useNavigation();
  const formRef = useRef<HTMLFormElement>(null);
  const buscarRef = useRef<HTMLButtonElement>(null);
  const [form, fields] = useForm({
    id: `datos-${modo}`,
    lastResult: answer,
    defaultValue: {
      rfc: cliente.rfc,
      razonSocial: cliente.razonSocial,
      cp: cliente.cp,
      regimen: cliente.regimen,
      email: cliente.email,
      email2: cliente.email2,
      usarRegistrado: registrado ? 'on' : '',
    },
    constraint: {
      rfc: { required: true },
      razonSocial: { required: true },
      cp: { required: true },
      regimen: { required: true },
      email: { required: registrado === null },
    },
    shouldValidate: 'onBlur',
    shouldRevalidate: 'onInput',
    onValidate: ({ formData, submitter }) => {
      const saving = submitter instanceof HTMLButtonElement ? submitter.value === 'guardar' : true;
      return parseWithZod(formData, { schema: saving ? DatosForm : (LibreForm as unknown as typeof DatosForm) });
    },
  });
  const rfc = normalizeRfc(String(fields.rfc.value ?? ''));
  const regimenes = isRfc(rfc) ? regimenesFor(rfc) : REGIMENES;
  const enviando = navigation.state !== 'idle' ? navigation.formData?.get('intent') : undefined;

  /** By itself once an RFC of 12 or 13 characters is left (spec 000, section 4); the button does it without JavaScript. */
  const onRfcBlur = () => {
    if (modo === 'nuevo' && isRfc(rfc) && rfc !== cliente.rfc && String(fields.razonSocial.value ?? '') === '')
      formRef.current?.requestSubmit(buscarRef.current);
  };

  return (
    <Form method="post" {...getFormProps(form)} ref={formRef} className="hoja" preventScrollReset={!soloLectura}>
      <button
        type="submit"
        name="intent"
        value={soloLectura ? 'siguiente' : 'guardar'}
        className="oculto"
        tabIndex={-1}
        aria-hidden="true"
      >
        Continuar
      </button>
      <FormErrors form={form} answer={answer} />
      {soloLectura ? <h2>Datos de Facturación</h2> : <Titular>Datos de Facturación</Titular>}
      <Privacidad />
      {soloLectura && (
        <Panel tono="ok">
          <Titular como="h3">
            {encontrado
              ? 'Encontramos tus datos. Compáralos con tu constancia.'
              : 'Éxito, la información fue guardada correctamente.'}
          </Titular>
        </Panel>
      )}
      {modo === 'nuevo' && cliente.rfc !== '' && cliente.razonSocial === '' && (
        <Panel tono="aviso">No tenemos datos guardados con ese RFC. Escríbelos como aparecen en tu constancia.</Panel>
      )}
      {advertencias.length > 0 && (
        <Panel tono="aviso" titulo="Revisa estos datos">
          <ul>
            {advertencias.map(({ texto }) => (
              <li key={texto}>{texto}</li>
            ))}
          </ul>
        </Panel>
      )}
      <div className="campos dos">
        <div className={soloLectura ? undefined : 'con-boton'}>
          <Field
            field={fields.rfc}
            label="RFC"
            readOnly={soloLectura}
            maxLength={20}
            onInput={capitals}
            onBlur={onRfcBlur}
            className="mayusculas"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
          />
          {!soloLectura && (
            <button ref={buscarRef} type="submit" name="intent" value="buscarRfc" formNoValidate className="boton">
              {enviando === 'buscarRfc' ? 'Buscando…' : 'Buscar RFC'}
            </button>
          )}
        </div>
        {soloLectura ? (
          <WholeText label="Razón Social" value={cliente.razonSocial} className="mayusculas" description={IDENTICA} />
        ) : (
          <Field
            field={fields.razonSocial}
            label="Razón Social"
            onInput={capitals}
            className="mayusculas"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            inputWrapperOrder={['label', 'input', 'error', 'description']}
            description={IDENTICA}
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
            data={[{ value: '', label: 'Elige un régimen' }, ...opcionesDe(regimenes)]}
          />
        )}
        <Correos fields={fields} cliente={cliente} soloLectura={soloLectura} />
      </div>
      <div className="botones">
        {soloLectura && (
          <Button type="submit" name="intent" value="otro" variant="default">
            Otro RFC
          </Button>
        )}
        {modo === 'edicion' && (
          <Button type="submit" name="intent" value="guardar" loading={enviando === 'guardar'}>
            Guardar edición
          </Button>
        )}
        {modo === 'nuevo' && (
          <Button type="submit" name="intent" value="guardar" loading={enviando === 'guardar'}>
            Guardar
          </Button>
        )}
        {siguiente && (
          <Button type="submit" name="intent" value="editar" variant="default">
            Editar
          </Button>
        )}
        {siguiente && (
          <Button type="submit" name="intent" value="siguiente" loading={enviando === 'siguiente'}>
            Siguiente
          </Button>
        )}
      </div>
    </Form>
  );
}

/** In capitals as it is typed, the caret where it was. */
function capitals({ currentTarget: input }: FormEvent<HTMLInputElement>) {
  const { value, selectionStart, selectionEnd } = input;
  const upper = value.toUpperCase();
  if (upper === value) return;
  input.value = upper;
  input.setSelectionRange(selectionStart, selectionEnd);
}

type Fields = ReturnType<typeof useForm<z.input<typeof DatosForm>, z.output<typeof DatosForm>>>[1];

/** The addresses on record are shown masked and can be kept; nobody reads them here. */
function Correos({
  fields,
  cliente: { registrado, email2 },
  soloLectura,
}: {
  fields: Fields;
  cliente: ClientePublico;
  soloLectura: boolean;
}) {
  if (soloLectura && registrado !== null)
    return (
      <TextInput
        label="Email"
        value={registrado}
        readOnly
        description="La factura se enviará al correo registrado. Para usar otro, presiona Editar."
        inputWrapperOrder={['label', 'input', 'description']}
      />
    );
  return (
    <div className="dos-correos">
      {registrado !== null && (
        <Checkbox
          name={fields.usarRegistrado.name}
          value="on"
          defaultChecked
          label={`Usar el correo registrado (${registrado})`}
        />
      )}
      <Field
        field={fields.email}
        label={registrado === null ? 'Email' : 'Otro correo'}
        type="email"
        readOnly={soloLectura}
        autoComplete="email"
      />
      {(!soloLectura || email2 !== '') && (
        <>
          {!soloLectura && (
            <Switch
              defaultChecked={email2 !== ''}
              label="Otro correo"
              title="Agrega otro correo"
              className="otro-correo"
            />
          )}
          <div className="correo2">
            <Field field={fields.email2} label="Email 2" type="email" readOnly={soloLectura} autoComplete="off" />
          </div>
        </>
      )}
    </div>
  );
}

/** Several legal names on record for the RFC: the selector stands where the name is typed. */
function Razones({ cliente: { opciones, razonSocial, cp, rfc } }: { cliente: ClientePublico }) {
  const hydrated = useHydrated();
  const chosen = opciones.findIndex((opcion) => opcion.razonSocial === razonSocial && opcion.cp === cp);
  return (
    <Form method="post" className="hoja" preventScrollReset>
      <input type="hidden" name="intent" value="elegir" />
      <p className="nota">Hay varias razones sociales registradas con el RFC {rfc}.</p>
      <div className="con-boton">
        <label className="selector">
          <span>Razón Social</span>
          <select
            name="razon"
            defaultValue={chosen < 0 ? '' : String(chosen)}
            required
            className="celda"
            onChange={(event) => event.currentTarget.value !== '' && event.currentTarget.form?.requestSubmit()}
          >
            <option value="">Elige tu razón social</option>
            {opciones.map((opcion, at) => (
              <option key={at} value={at}>
                {opcion.razonSocial} · C.P. {opcion.cp}
              </option>
            ))}
            <option value="otra">Otra: la escribo yo</option>
          </select>
        </label>
        {!hydrated && (
          <button type="submit" className="boton">
            Elegir
          </button>
        )}
      </div>
    </Form>
  );
}

/** The simplified notice, before the first field that asks for personal data. */
function Privacidad() {
  return (
    <p className="nota privacidad">
      <strong>Aviso de privacidad.</strong> Usamos los datos que escribas aquí solo para emitir y entregarte la factura
      (CFDI) de esta compra; los reciben el proveedor que la timbra, el SAT y el marketplace donde compraste. Puedes
      pedir su acceso, corrección, cancelación u oponerte a su uso.{' '}
      <Link to="/terminosYCondiciones">Aviso completo</Link>
    </p>
  );
}
