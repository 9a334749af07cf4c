import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { Link, useLoaderData, useLocation } from '@remix-run/react';
import type { ReactNode } from 'react';
import { avisoPostal, CP_NO_VALIDO, isCp, type HallazgoPostal, type LugarPostal } from '~/core/codigoPostal';
import { findCp } from '~/platform/direccion/codigosPostales.server';
import { withLugar } from '~/platform/direccion/direccion';
import { takeRate } from '~/platform/rateLimit.server';
import { FALTAN, type Escrito } from '~/domain/ventas/envios/datosCliente';
import { datosClienteForm, EscritoForm } from '~/domain/ventas/envios/forms';
import { readDatosCliente, saveDatosCliente } from '~/domain/ventas/envios/datosCliente.server';
import { rastreoUrl } from '~/domain/ventas/envios/envio';
import { findEnlace, noteUse } from '~/domain/facturacion/enlaces/enlaces.server';
import { definePublicActions, outcome } from '~/http/actions.server';
import { Boton } from '~/ui/Boton';
import { Dato, Datos } from '~/ui/Datos';
import { Panel } from '~/ui/Blocks';
import { Visto } from '~/ui/Choque';
import { Dialog } from '~/ui/Dialog';
import { Field } from '~/ui/Field';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { useAnswer } from '~/ui/useAnswer';
import { db } from '~db/shared.server';
import { Colonia } from '~/routes/ventas/envios/Colonia';
import { Aviso } from './facturacion/Aviso';
import { Privacidad } from './Privacidad';
import { Resumen } from './Resumen';
import '../ventas/envios/envios.css';

/** One text for an unknown link, an ended link, a withdrawn link, and a link for another purpose. */
const SIN_ENLACE = 'Este enlace no es válido o ya venció. Pide uno nuevo por los mensajes de tu compra.';
/** The limit of postal code look-ups for one link. */
const LIMITE_CP = { hits: 40, seconds: 3_600 };

export const meta: MetaFunction = () => [{ title: 'Datos del envío' }, { name: 'robots', content: 'noindex' }];

export async function loader({ params }: LoaderFunctionArgs) {
  const enlace = await findEnlace(db(), params.token ?? '', 'datosEnvio');
  if (!enlace) return data({ pagina: null, lugar: null }, { status: 404 });
  const pagina = await readDatosCliente(db(), enlace.numOrden);
  const known =
    pagina.motivo === null && isCp(pagina.escrito.cp) ? lugarOf(await lookUp(enlace.id, pagina.escrito.cp)) : null;
  return { pagina, lugar: known };
}

/** Reads the link and the place of the postal code in the form. The place stays beside the form whenever the form comes back. */
async function open({ request, params }: ActionFunctionArgs, typed: Record<string, string>) {
  const enlace = await findEnlace(db(), params.token ?? '', 'datosEnvio');
  if (!enlace) throw redirect(new URL(request.url).pathname.replace(/\.data$/, ''));
  const cp = (typed.cp ?? '').trim();
  const hallazgo = isCp(cp) ? await lookUp(enlace.id, cp) : null;
  return { enlace, hallazgo, lugar: hallazgo && lugarOf(hallazgo) };
}
type Abierto = Awaited<ReturnType<typeof open>>;
type Sabido = { lugar: LugarPostal | null; aviso?: string | null };

const datosOf = ({ lugar }: Abierto) => datosClienteForm(lugar);

export const action = definePublicActions(open, {
  guardar: {
    schema: datosOf,
    marcas: ['huella'],
    commit: async (trx, datos, { enlace, lugar }) => {
      await saveDatosCliente(trx, enlace.numOrden, datos, lugar);
      await noteUse(trx, enlace.id);
    },
    to: (_, { path }) => `${path}?guardado=1`,
    beside: (_db, _typed, { lugar }): Sabido => ({ lugar }),
  },
  buscarCp: {
    schema: EscritoForm,
    run: (_, escrito, { hallazgo, lugar }) => {
      const resultado: Sabido = { lugar, aviso: hallazgo ? avisoPostal(hallazgo) : CP_NO_VALIDO };
      return Promise.resolve(outcome({ resultado, valores: lugar ? withLugar(escrito, lugar) : escrito }));
    },
  },
});

async function lookUp(enlaceId: string, cp: string): Promise<HallazgoPostal> {
  const { allowed } = await takeRate(db(), `cpEnvio:${enlaceId}`, LIMITE_CP);
  return allowed ? findCp(db(), cp) : { tipo: 'sinRespuesta' };
}

const SIN_RESPUESTA: HallazgoPostal = { tipo: 'sinRespuesta' };
const lugarOf = (hallazgo: HallazgoPostal) => (hallazgo.tipo === 'encontrado' ? hallazgo.lugar : null);

const FORM = 'envio';
/** The time for which an error is told over the page; afterwards the error stands in its form. */
const NOTICIA_MS = 8_000;
const sabidoOf = ({ resultado }: { resultado?: unknown }) => (resultado ?? { lugar: null }) as Sabido;

/** The public form in which a buyer tells where to send the package. */
export default function DatosEnvio() {
  const { pagina, lugar } = useLoaderData<typeof loader>();
  const answer = useAnswer(FORM);
  const { search } = useLocation();
  if (!pagina) return <Aviso titulo="Error de verificación." texto={SIN_ENLACE} />;
  if (new URLSearchParams(search).has('guardado')) {
    return (
      <Dialog titulo="Datos del envio" cerrar="/" anuncia>
        <p>Datos del envio guarados de forma correcta</p>
        {pagina.guardado && (
          <Datos>
            <Dato de="Recibe">{pagina.guardado.receptor}</Dato>
            <Dato de={pagina.guardado.ocurre ? 'Recoge en sucursal' : 'Dirección'} ancha>
              {pagina.guardado.direccion}
            </Dato>
          </Datos>
        )}
        <p className="nota">
          No te enviamos un correo: con este mismo enlace puedes verlos, y corregirlos mientras tu paquete no salga.
        </p>
        <div className="botones">
          <Link className="boton" data-tono="acento" to="/">
            Entendido
          </Link>
        </div>
      </Dialog>
    );
  }
  return (
    <div className="columna">
      <h1>Datos del envío</h1>
      <Resumen numOrden={pagina.numOrden} titulo={pagina.titulo} />
      {pagina.motivo === null ? (
        <Formulario
          key={answer?.status === undefined ? answer?.id : 'enviado'}
          escrito={pagina.escrito}
          huella={pagina.huella}
          lugar={answer ? sabidoOf(answer).lugar : lugar}
        />
      ) : (
        <Enviado motivo={pagina.motivo} enviado={pagina.enviado} />
      )}
    </div>
  );
}

function Enviado({
  motivo,
  enviado,
}: {
  motivo: string;
  enviado: NonNullable<ReturnType<typeof useLoaderData<typeof loader>>['pagina']>['enviado'];
}) {
  const url = enviado && rastreoUrl(enviado);
  return (
    <>
      <Panel tono="aviso">{motivo}</Panel>
      {enviado && (
        <section className="hoja">
          <Datos>
            <Dato de="Recibe">{enviado.receptor}</Dato>
            <Dato de="Paquetería">{enviado.paqueteria}</Dato>
            <Dato de="Guía">
              {enviado.guia === null ? (
                '—'
              ) : url ? (
                <a href={url} target="_blank" rel="noopener noreferrer">
                  {enviado.guia}
                </a>
              ) : (
                enviado.guia
              )}
            </Dato>
            <Dato de={enviado.ocurre ? 'Recoge en sucursal' : 'Dirección'} ancha>
              {enviado.direccion}
            </Dato>
          </Datos>
        </section>
      )}
    </>
  );
}

type Props = { escrito: Escrito; huella: string; lugar: LugarPostal | null };

function Formulario({ escrito, huella, lugar }: Props) {
  const form = useActionForm<Escrito>('guardar', {
    id: FORM,
    defaultValue: escrito,
    required: { nombre: true, apellidos: true, telefono: true, cp: true, colonia: true },
  });
  const { fields, answer } = form;
  const { aviso } = sabidoOf(answer ?? {});
  const faltan = answer?.status === 'error' && !answer.error?.[''];
  const refusal = answer?.choque ? undefined : answer?.error?.['']?.join(' ');
  return (
    <ActionForm of={form} ownErrors noValidate className="hoja envio-form">
      <Visto of={form} marcas={{ huella }} />
      <button type="submit" className="oculto" tabIndex={-1} aria-hidden="true">
        Guardar
      </button>
      <div role="alert">
        {(faltan || refusal) && (
          <p className="panel" data-tono="mal" data-noticia={NOTICIA_MS}>
            {faltan ? FALTAN : refusal}
          </p>
        )}
      </div>
      <fieldset className="parte entrega">
        <legend>¿Cómo quieres recibirlo?</legend>
        <Entrega
          value="domicilio"
          elegida={String(fields.entrega.value ?? escrito.entrega)}
          name={fields.entrega.name}
          answer={answer?.id}
        >
          Entrega a domicilio
        </Entrega>
        <Entrega
          value="ocurre"
          elegida={String(fields.entrega.value ?? escrito.entrega)}
          name={fields.entrega.name}
          answer={answer?.id}
        >
          Recoger en una sucursal de la paquetería (ocurre)
        </Entrega>
      </fieldset>
      <fieldset className="parte">
        <legend>Quién recibe</legend>
        <div className="campos">
          <Field field={fields.nombre} label="Nombre" autoComplete="shipping given-name" />
          <Field field={fields.apellidos} label="Apellidos" autoComplete="shipping family-name" />
          <Field field={fields.telefono} label="Telefono" type="tel" autoComplete="shipping tel" />
        </div>
      </fieldset>
      <fieldset className="parte">
        <legend>Lugar</legend>
        <div className="campos">
          <div>
            <div className="con-boton">
              <Field
                field={fields.cp}
                label="Código postal"
                inputMode="numeric"
                maxLength={5}
                autoComplete="shipping postal-code"
              />
              <button type="submit" name="intent" value="buscarCp" formNoValidate className="boton">
                Buscar CP
              </button>
            </div>
            <p className="nota" role="status" data-vivo="aviso" data-sin-respuesta={avisoPostal(SIN_RESPUESTA)}>
              {aviso}
            </p>
          </div>
          <div data-vivo="colonia">
            <Colonia field={fields.colonia} colonias={lugar?.colonias ?? []} />
          </div>
          <div className="par-campos">
            <div data-vivo="ciudad">
              <Field
                field={fields.ciudad}
                label="Ciudad"
                readOnly={lugar !== null}
                autoComplete="shipping address-level2"
                withAsterisk
              />
            </div>
            <div data-vivo="estado">
              <Field
                field={fields.estado}
                label="Estado"
                readOnly={lugar !== null}
                autoComplete="shipping address-level1"
                withAsterisk
              />
            </div>
          </div>
          <div className="campos solo-domicilio">
            <Field field={fields.calle} label="Calle" autoComplete="shipping address-line1" withAsterisk />
            <div className="par-campos">
              <Field field={fields.numeroE} label="Número exterior" autoComplete="off" withAsterisk />
              <Field field={fields.numeroI} label="Número interior" autoComplete="off" />
            </div>
            <Field field={fields.referencia} label="Referencia" autoComplete="off" withAsterisk />
            <details open={[fields.calleA, fields.calleB].some(isUsed) || undefined}>
              <summary>Agregar entre calles</summary>
              <div className="par-campos">
                <Field field={fields.calleA} label="Entre calle" autoComplete="off" />
                <Field field={fields.calleB} label="Y calle" autoComplete="off" />
              </div>
            </details>
          </div>
        </div>
      </fieldset>
      <Privacidad>Usamos estos datos solo para entregarte esta compra.</Privacidad>
      <div className="botones">
        <Boton tono="acento" type="submit">
          Guardar
        </Boton>
      </div>
    </ActionForm>
  );
}

/** Optional fields are folded away until somebody uses them. */
const isUsed = ({ value, errors }: { value?: unknown; errors?: string[] }) =>
  (typeof value === 'string' && value !== '') || errors !== undefined;

function Entrega({
  value,
  elegida,
  name,
  answer,
  children,
}: {
  value: string;
  elegida: string;
  name: string;
  answer: string | undefined;
  children: ReactNode;
}) {
  return (
    <label className="opcion">
      <input key={answer} type="radio" name={name} value={value} defaultChecked={elegida === value} /> {children}
    </label>
  );
}
