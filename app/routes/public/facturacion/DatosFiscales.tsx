import { Checkbox, TextInput } from '@mantine/core';
import { Form } from '@remix-run/react';
import type { z } from 'zod';
import { isRfc, normalizeRfc } from '~/core/rfc';
import { etiquetaEn, opcionesOf, regimenesFor } from '~/domain/facturacion/sat/opciones';
import { REGIMENES } from '~/domain/facturacion/sat/sat';
import type { ClientePublico, VistaPublica } from '~/domain/facturacion/publico/publico.server';
import type { ConstanciaLeida } from '~/domain/facturacion/publico/publicoConstancia.server';
import type { DatosForm } from '~/domain/facturacion/publico/forms';
import { Boton } from '~/ui/Boton';
import { Panel } from '~/ui/Blocks';
import { useForma, Visto } from '~/ui/Choque';
import { EnEspera } from '~/ui/EnEspera';
import { ErrorDialog } from '~/ui/ErrorDialog';
import { Field, SelectField, WholeText } from '~/ui/Field';
import { Titular } from '~/ui/Titular';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden, Refusal } from '~/ui/useAnswer';
import { OtroCorreo } from '~/routes/facturacion/receptores/OtroCorreo';
import { Privacidad } from '../Privacidad';
import { Constancia, Leida, SAT } from './Constancia';

const IDENTICA = (
  <>
    Debe ser idéntica a la de tu constancia de situación fiscal, sin el tipo de sociedad (SA DE CV).{' '}
    <a href={SAT} target="_blank" rel="noopener noreferrer">
      Consulta tu constancia
    </a>
  </>
);
type Paso = Extract<VistaPublica, { tipo: 'paso' }>;

export const formDatos = ({ modo }: Pick<ClientePublico, 'modo'>) => `datos-${modo}`;

/** 'Datos de Facturación' for the customer: new, known and read-only, or being edited. */
export function DatosFiscales({ vista }: { vista: Paso }) {
  if (vista.guardando)
    return (
      <EnEspera titulo="Guardando tus datos">
        Los guardamos desde las {vista.guardandoDesde} y el servicio de timbrado todavía no confirma. Esta página se
        actualiza sola.
      </EnEspera>
    );
  return (
    <>
      <Refusal of="elegir" />
      {vista.errorCliente && <ErrorDialog key={vista.version} titulo="Error" texto={vista.errorCliente} />}
      {vista.cliente.opciones.length > 1 && <Razones cliente={vista.cliente} visto={vista.visto} />}
      {(vista.cliente.opciones.length < 2 || vista.cliente.razonSocial !== '' || vista.cliente.modo !== 'nuevo') && (
        <Formulario vista={vista} />
      )}
    </>
  );
}

/** The modes in which people type. */
const ESCRIBEN = ['nuevo', 'edicion'] as const;

/** Returns the found data for a form in which somebody goes on typing. */
const camposOf = ({ razonSocial, cp, regimen, email }: ClientePublico) => ({ razonSocial, cp, regimen, email });

function Formulario({ vista: { cliente, advertencias, siguiente, visto } }: { vista: Paso }) {
  const { registrado, encontrado } = cliente;
  const modo = useForma('datos', ESCRIBEN, cliente.modo);
  const soloLectura = modo === 'lectura';
  const form = useActionForm<z.input<typeof DatosForm>>(soloLectura ? 'siguiente' : 'guardar', {
    id: formDatos({ modo }),
    defaultValue: {
      rfc: cliente.rfc,
      razonSocial: cliente.razonSocial,
      cp: cliente.cp,
      regimen: cliente.regimen,
      email: cliente.email,
      email2: cliente.email2,
      usarRegistrado: registrado ? 'on' : '',
    },
    required: { email: registrado === null },
  });
  const { fields, answer } = form;
  const leida = answer?.resultado as ConstanciaLeida | undefined;
  const rfc = normalizeRfc(String(fields.rfc.value ?? ''));
  const regimenes = isRfc(rfc) ? regimenesFor(rfc) : REGIMENES;

  return (
    <ActionForm of={form} className="hoja" data-hallado={JSON.stringify(camposOf(cliente))}>
      <Visto of={form} marcas={visto} enVivo={soloLectura} />
      {/* Enter in any field goes on, instead of looking the RFC up. */}
      <button type="submit" className="oculto" tabIndex={-1} aria-hidden="true">
        Continuar
      </button>
      {soloLectura ? <h2>Datos de Facturación</h2> : <Titular>Datos de Facturación</Titular>}
      {!soloLectura && <Constancia error={answer?.error?.constancia?.[0]} />}
      <Leida resultado={leida} />
      {soloLectura && (
        <Panel tono="ok">
          <Titular como="h3">
            {encontrado
              ? 'Encontramos tus datos. Compáralos con tu constancia.'
              : 'Éxito, la información fue guardada correctamente.'}
          </Titular>
        </Panel>
      )}
      <div role="status" data-vivo="dicho">
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
      </div>
      <div className="campos">
        <div className={soloLectura ? undefined : 'con-boton'}>
          <Field
            field={fields.rfc}
            label="RFC"
            readOnly={soloLectura}
            maxLength={20}
            className="mayusculas"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
          />
          {!soloLectura && (
            <button type="submit" name="intent" value="buscarRfc" formNoValidate className="boton">
              Buscar RFC
            </button>
          )}
        </div>
        {soloLectura ? (
          <WholeText label="Razón Social" value={cliente.razonSocial} className="mayusculas" description={IDENTICA} />
        ) : (
          <Field
            field={fields.razonSocial}
            label="Razón Social"
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
          <div data-vivo="regimen">
            <SelectField
              field={fields.regimen}
              label="Regimen a facturar"
              data={[{ value: '', label: 'Elige un régimen' }, ...enSuOrden(regimenes, leida)]}
            />
          </div>
        )}
        <Correos fields={fields} cliente={cliente} soloLectura={soloLectura} />
      </div>
      <Privacidad>Usamos estos datos solo para emitir y entregarte la factura de esta compra.</Privacidad>
      <div className="botones">
        {soloLectura && (
          <Boton type="submit" name="intent" value="otro">
            Otro RFC
          </Boton>
        )}
        {modo === 'edicion' && (
          <Boton tono="acento" type="submit" name="intent" value="guardar">
            Guardar edición
          </Boton>
        )}
        {modo === 'nuevo' && (
          <Boton tono="acento" type="submit" name="intent" value="guardar">
            Guardar
          </Boton>
        )}
        {siguiente && (
          <Boton type="submit" name="intent" value="editar">
            Editar
          </Boton>
        )}
        {siguiente && (
          <Boton tono="acento" type="submit" name="intent" value="siguiente">
            Siguiente
          </Boton>
        )}
      </div>
    </ActionForm>
  );
}

/** Returns the regimes with those of the read constancia first. */
function enSuOrden(regimenes: typeof REGIMENES, leida: ConstanciaLeida | undefined) {
  const suyos = leida?.leida ? leida.regimenes : [];
  if (suyos.length === 0) return opcionesOf(regimenes);
  const es = ({ id }: (typeof REGIMENES)[number]) => suyos.includes(id);
  return [
    { group: 'De tu constancia', items: opcionesOf(regimenes.filter(es)) },
    { group: 'Otros', items: opcionesOf(regimenes.filter((one) => !es(one))) },
  ];
}

type Fields = ReturnType<typeof useActionForm<z.input<typeof DatosForm>>>['fields'];

/** The addresses on record are masked; the customer can keep them and cannot read them. */
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
      <OtroCorreo
        field={fields.email2}
        email2={email2}
        soloLectura={soloLectura}
        autoComplete="off"
        {...(registrado === null && { tras: fields.email })}
      />
    </div>
  );
}

/** Several legal names on record for the RFC: the selector stands where the name is typed. */
function Razones({
  cliente: { opciones, razonSocial, cp, rfc },
  visto,
}: {
  cliente: ClientePublico;
  visto: Paso['visto'];
}) {
  const chosen = opciones.findIndex((opcion) => opcion.razonSocial === razonSocial && opcion.cp === cp);
  return (
    <Form method="post" className="hoja">
      <Hidden intent="elegir" {...visto} />
      <p className="nota">Hay varias razones sociales registradas con el RFC {rfc}.</p>
      <div className="con-boton">
        <label className="selector">
          <span>Razón Social</span>
          <select name="razon" defaultValue={chosen < 0 ? '' : String(chosen)} required className="celda">
            <option value="">Elige tu razón social</option>
            {opciones.map((opcion, at) => (
              <option key={at} value={at}>
                {opcion.razonSocial} · C.P. {opcion.cp}
              </option>
            ))}
            <option value="otra">Otra: la escribo yo</option>
          </select>
        </label>
        <button type="submit" className="boton">
          Elegir
        </button>
        <button type="submit" name="intent" value="otro" formNoValidate className="boton">
          Otro RFC
        </button>
      </div>
    </Form>
  );
}
