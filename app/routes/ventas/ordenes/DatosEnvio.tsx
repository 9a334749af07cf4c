import { Link, useLocation } from '@remix-run/react';
import type { Market } from '~/core/market';
import { enumerate } from '~/core/hechos';
import { withParams } from '~/core/list';
import { MERCADOS } from '~/domain/mercados/mercados';
import { ESTATUS_PROPIOS, isViva, numeroOfEnvio, PAQUETERIAS } from '~/domain/ventas/envios/envio';
import { CAMPOS_ENVIO, direccionCompuesta, type CampoEnvio } from '~/domain/ventas/ordenes/datosEnvio';
import { ACORDADA, estatusLabel, estatusTono } from '~/domain/ventas/ordenes/estatus';
import { Panel } from '~/ui/Blocks';
import { Dato, Datos } from '~/ui/Datos';
import { Direccion } from '~/ui/Direccion';
import { Estatus } from '~/ui/Estatus';
import { Visto } from '~/ui/Choque';
import { Field, SelectField } from '~/ui/Field';
import { Telefono } from '~/ui/Telefono';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden } from '~/ui/useAnswer';
import { AvisoMercado } from '~/routes/ventas/envios/AvisoMercado';
import { EnlacesEnvio } from '~/routes/ventas/envios/EnlacesEnvio';
import { Rastreo } from '~/routes/ventas/envios/Rastreo';
import { DireccionAjena } from './DireccionAjena';
import type { OrdenAbierta } from './record';

type Envio = NonNullable<OrdenAbierta['envio']>;

/** True for a shipment of ours whose sale stands, for a person who may change it. */
export const isEditable = (orden: OrdenAbierta) =>
  (orden.envio?.propio || orden.envioPropio) && isViva(orden) && orden.puede.operar;

/** The shipment of a sale. A shipment of ours may be edited in place. */
export function DatosEnvio({ orden }: { orden: OrdenAbierta }) {
  const { search } = useLocation();
  const { envio } = orden;
  const editable = envio !== null && isEditable(orden);
  return (
    <>
      <h3>Datos de envío</h3>
      {envio === null ? (
        <p className="nota">
          {orden.acordada
            ? `${ACORDADA} con el comprador, sin envío.`
            : orden.envioPropio
              ? 'Envío propio: todavía no hay datos de envío.'
              : 'La venta no tiene envío.'}
        </p>
      ) : editable && (orden.editar === 'envio' || orden.editar === 'propuesta') ? (
        <Formulario
          key={`${envio.huella}-${orden.editar}`}
          orden={orden.id}
          market={orden.market}
          envio={envio}
          propuesta={orden.editar === 'propuesta' ? orden.propuesta : null}
          cerrar={withParams(search, { editar: null })}
        />
      ) : (
        <>
          <Datos>
            <Dato de="Envío">
              {[...new Set([numeroOfEnvio(envio.marketId), ...(envio.propio ? ['Propio'] : [])])]
                .filter((dicho) => dicho !== orden.numOrden)
                .join(' · ')}
            </Dato>
            <Dato de="Estatus del envío">
              <Estatus tono={estatusTono(envio.estatus)}>{estatusLabel(envio.estatus)}</Estatus>
            </Dato>
            <Dato de="Paquetería">{envio.paqueteria}</Dato>
            <Dato de="Guía">
              <Rastreo envio={envio} />
            </Dato>
            <Dato de="Teléfono">
              <Telefono valor={envio.telefono} />
            </Dato>
            <Dato de="Dirección" ancha>
              <Direccion valor={direccionCompuesta(envio)} />
            </Dato>
            <Dato de="Referencia" ancha>
              {envio.referencia}
            </Dato>
          </Datos>
          <DireccionAjena orden={orden} envio={envio} decide={editable} />
          {editable && orden.propuesta && <Propuesta market={orden.market} propuesta={orden.propuesta} />}
          {editable && (
            <p className="botones">
              <Link
                className="boton"
                to={withParams(search, { editar: 'envio' })}
                preventScrollReset
                replace
                data-editar
              >
                Editar datos de envío
              </Link>
            </p>
          )}
        </>
      )}
      {orden.enlacesEnvio.length > 0 && (
        <EnlacesEnvio enlaces={orden.enlacesEnvio} numOrden={orden.numOrden} puedeRevocar={orden.puede.operar} />
      )}
    </>
  );
}

type PropuestaProps = { market: Market; propuesta: NonNullable<OrdenAbierta['propuesta']> };

/** What an address that came in lines would be. Nothing is written before a person confirms it in the form. */
function Propuesta({ market, propuesta: { cambios } }: PropuestaProps) {
  const { search } = useLocation();
  return (
    <Panel tono="aviso" titulo="Faltan partes de la dirección">
      <p>Por lo que dice {MERCADOS[market].label}, sería:</p>
      <Datos>
        {cambios.map(({ campo, valor }) => (
          <Dato key={campo} de={campo}>
            {valor}
          </Dato>
        ))}
      </Datos>
      <p className="botones">
        <Link className="boton" to={withParams(search, { editar: 'propuesta' })} preventScrollReset replace>
          Revisar y guardar
        </Link>
      </p>
    </Panel>
  );
}

type Fields = Record<CampoEnvio | 'estatus' | 'paqueteriaUrl', string>;

const CAMPOS = (Object.keys(CAMPOS_ENVIO) as CampoEnvio[]).filter(
  (campo) => campo !== 'paqueteria' && campo !== 'guia',
);

type FormularioProps = {
  orden: string;
  market: Market;
  envio: Envio;
  propuesta: OrdenAbierta['propuesta'];
  cerrar: string;
};

function Formulario({ orden, market, envio, propuesta, cerrar }: FormularioProps) {
  const propio = ESTATUS_PROPIOS.some(({ value }) => value === envio.estatus);
  const form = useActionForm<Fields>('envio', {
    defaultValue: { ...envio, ...propuesta?.partes, estatus: propio ? envio.estatus : '' },
  });
  const { fields } = form;
  const paqueterias = [...new Set([...PAQUETERIAS, ...(envio.paqueteria ? [envio.paqueteria] : [])])];
  return (
    <ActionForm of={form}>
      <Hidden orden={orden} />
      <Visto of={form} marcas={{ huella: envio.huella }} />
      {propuesta && (
        <p className="nota sobre-campos">
          Propuesto, sin guardar todavía: {enumerate(propuesta.cambios.map(({ campo }) => campo))}. Compáralo con la
          dirección de la venta.
        </p>
      )}
      <div className="campos">
        {CAMPOS.map((campo) => (
          <Field
            key={campo}
            field={fields[campo]}
            label={CAMPOS_ENVIO[campo]}
            type={campo === 'telefono' ? 'tel' : 'text'}
            autoComplete="off"
          />
        ))}
        <SelectField
          field={fields.estatus}
          label="Estatus del envío"
          data={[
            ...(propio ? [] : [{ value: '', label: `Sin cambio (${estatusLabel(envio.estatus)})` }]),
            ...ESTATUS_PROPIOS,
          ]}
        />
        <SelectField
          field={fields.paqueteria}
          label={CAMPOS_ENVIO.paqueteria}
          data={[{ value: '', label: 'Sin paquetería' }, ...paqueterias]}
        />
        <Field field={fields.guia} label={CAMPOS_ENVIO.guia} autoComplete="off" />
        <Field
          field={fields.paqueteriaUrl}
          label="Link de rastreo"
          placeholder="https://"
          inputMode="url"
          autoComplete="off"
        />
      </div>
      <AvisoMercado market={market} modo={envio.modo} />
      <div className="botones">
        <Link className="boton" to={cerrar} preventScrollReset replace>
          Cancelar
        </Link>
        <button className="boton" data-tono="acento" type="submit">
          Guardar datos de envío
        </button>
      </div>
    </ActionForm>
  );
}
