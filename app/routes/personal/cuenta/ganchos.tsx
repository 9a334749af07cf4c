import type { MetaFunction } from '@remix-run/node';
import { Form, Link, useLoaderData } from '@remix-run/react';
import { useArea } from '~/access/useArea';
import { EVENTOS } from '~/api/eventos.server';
import { ENTREGA_LABEL, TIPOS } from '~/platform/webhooks/gancho';
import { DeReceptor, NuevoGancho, UnaEntrega, UnGancho } from '~/platform/webhooks/forms';
import { sendPrueba } from '~/platform/webhooks/announce.server';
import {
  createGancho,
  listGanchos,
  puertosPermitidos,
  resend,
  removeGancho,
  requireDireccion,
  rotateSecreto,
} from '~/platform/webhooks/ganchos.server';
import { askRemoveReceptor, askRotateSecreto as preguntaRotar } from '~/platform/webhooks/questions';
import { defineActions, outcome } from '~/http/actions.server';
import { Boton } from '~/ui/Boton';
import { EmptyState, PageHeader } from '~/ui/Blocks';
import { Confirm } from '~/ui/Confirm';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { Field } from '~/ui/Field';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Asked, Hidden, Refusal, useAnswer } from '~/ui/useAnswer';
import type { Db } from '~db/client.server';
import { db } from '~db/shared.server';
import { SecretoUnaVez } from './SecretoUnaVez';
import './api.css';

export const meta: MetaFunction = () => [{ title: 'Webhooks' }];

export async function loader() {
  return {
    ganchos: await listGanchos(db()),
    puertos: puertosPermitidos(),
    tipos: TIPOS.map((tipo) => ({ tipo, resumen: EVENTOS[tipo].resumen })),
  };
}

const findGancho = async (db: Db, id: string) => (await listGanchos(db)).find((gancho) => gancho.id === id);

export const action = defineActions({
  crear: {
    schema: NuevoGancho,
    right: 'ganchos.editar',
    async run(db, form, usuario) {
      await requireDireccion(form.url);
      const secreto = await db.transaction().execute((trx) => createGancho(trx, form, usuario.id));
      return outcome({ resultado: { secreto, de: form.nombre }, valores: {} });
    },
  },
  rotar: {
    schema: UnGancho,
    right: 'ganchos.editar',
    async confirm(db, { gancho }) {
      const found = await findGancho(db, gancho);
      return found ? preguntaRotar(found) : null;
    },
    commit: async (trx, form, usuario) =>
      outcome({ resultado: { secreto: await rotateSecreto(trx, form, usuario.id) } }),
  },
  quitar: {
    schema: UnGancho,
    right: 'ganchos.editar',
    async confirm(db, { gancho }) {
      const found = await findGancho(db, gancho);
      return found ? askRemoveReceptor(found) : null;
    },
    commit: (trx, form, usuario) => removeGancho(trx, form, usuario.id),
    aviso: 'El receptor se quitó.',
  },
  probar: {
    schema: DeReceptor,
    commit: (trx, form, usuario) => sendPrueba(trx, form, usuario.id),
    aviso: 'La prueba va en camino: «Últimos avisos» dice qué contestaron.',
  },
  reenviar: {
    schema: UnaEntrega,
    commit: (trx, form, usuario) => resend(trx, form, usuario.id),
    aviso: 'El aviso se envía otra vez.',
  },
  reenviarTodas: {
    schema: DeReceptor,
    commit: (trx, form, usuario) => resend(trx, form, usuario.id),
    aviso: 'Los avisos se envían otra vez.',
  },
});

type Datos = ReturnType<typeof useLoaderData<typeof loader>>;
type Gancho = Datos['ganchos'][number];

/** The screen of receivers of webhooks: each with its kinds of events; the secret is shown once. */
export default function Ganchos() {
  const { ganchos, puertos, tipos } = useLoaderData<typeof loader>();
  const creado = (useAnswer('crear')?.resultado ?? {}) as { secreto?: string };
  const rotado = (useAnswer('rotar')?.resultado ?? {}) as { secreto?: string };
  const secreto = creado.secreto ?? rotado.secreto;
  const area = useArea();
  return (
    <div className="media">
      <PageHeader titulo="Webhooks" nota="Avisan a otros sistemas de lo que pasa aquí, con firma de Standard Webhooks.">
        <Link className="boton" to={`${area}/api`}>
          Leer la API
        </Link>
      </PageHeader>
      <Asked cancelar="?" />
      <Refusal of="rotar" />
      <Refusal of="quitar" />
      <Refusal of="probar" />
      <Refusal of="reenviar" />
      <Refusal of="reenviarTodas" />
      {secreto && <SecretoUnaVez titulo="Secreto del receptor" secreto={secreto} />}
      <Crear key={ganchos.length} tipos={tipos} puertos={puertos} />
      {ganchos.length === 0 ? (
        <section className="hoja">
          <h2>Receptores</h2>
          <EmptyState>Todavía no hay ninguno.</EmptyState>
        </section>
      ) : (
        ganchos.map((gancho) => <Receptor key={gancho.id} gancho={gancho} />)
      )}
    </div>
  );
}

function Crear({ tipos, puertos }: Pick<Datos, 'tipos' | 'puertos'>) {
  const form = useActionForm<{ nombre: string; url: string; tipos: string[] }>('crear');
  const { fields } = form;
  const elegidos = form.answer?.initialValue?.tipos as string | string[] | undefined;
  return (
    <section className="hoja">
      <h2>Nuevo receptor</h2>
      <ActionForm of={form} className="apilado">
        <div className="campos">
          <Field field={fields.nombre} label="Nombre" description="De qué sistema es." autoComplete="off" />
          <Field
            field={fields.url}
            label="Dirección"
            description={`Empieza con https://. ${enPalabras(puertos)}`}
            autoComplete="off"
          />
        </div>
        <fieldset className="permisos" aria-describedby={`${fields.tipos.id}-error`}>
          <legend>Avisos</legend>
          {tipos.map(({ tipo, resumen }) => (
            <label key={tipo} className="permiso">
              <input
                className="casilla"
                type="checkbox"
                name="tipos"
                value={tipo}
                defaultChecked={[elegidos ?? []].flat().includes(tipo)}
              />{' '}
              <span>
                {tipo} <span className="nota">{resumen}</span>
              </span>
            </label>
          ))}
          <p id={`${fields.tipos.id}-error`} className="error" role="alert">
            {fields.tipos.errors?.[0]}
          </p>
        </fieldset>
        <div className="botones">
          <Boton tono="acento" type="submit">
            Agregar receptor
          </Boton>
        </div>
      </ActionForm>
    </section>
  );
}

/** Returns the ports that a receiver may have, in a sentence. */
function enPalabras(puertos: string[] | null): string {
  if (puertos === null) return 'Vale cualquier puerto.';
  return puertos.length === 1 ? `Solo el puerto ${puertos[0]}.` : `Solo los puertos ${puertos.join(', ')}.`;
}

/** A receiver with abandoned deliveries is not up to date, even when it answers again. */
function estadoOf({ fallos, muertas }: Gancho) {
  if (fallos > 0) return <Estatus tono="mal">No contesta</Estatus>;
  if (muertas > 0) return <Estatus tono="aviso">Con avisos sin entregar</Estatus>;
  return <Estatus tono="ok">Al corriente</Estatus>;
}

function Receptor({ gancho }: { gancho: Gancho }) {
  const { id, nombre, url, tipos, version, anteriorHasta, pendientes, muertas, ultimas, sinEntregar, puertoAjeno } =
    gancho;
  const otras = ultimas.filter(({ estado }) => estado !== 'muerta');
  return (
    <section className="hoja">
      <h2>{nombre}</h2>
      <p>
        <code>{url}</code>{' '}
        {puertoAjeno !== null && <Estatus tono="aviso">Puerto {puertoAjeno}, fuera de los permitidos</Estatus>}
      </p>
      <p className="nota">{tipos.join(', ')}</p>
      <p>
        {estadoOf(gancho)} {pendientes === 1 ? '1 pendiente' : `${pendientes} pendientes`}, {muertas} sin entregar.
        {anteriorHasta && (
          <>
            {' '}
            El secreto anterior firma hasta <Fecha valor={anteriorHasta} />.
          </>
        )}
      </p>
      <div className="botones">
        <Form method="post" preventScrollReset>
          <Hidden intent="probar" gancho={id} />
          <button className="boton">Probar</button>
        </Form>
        <Form method="post" preventScrollReset>
          <Hidden intent="rotar" gancho={id} version={String(version)} />
          <Confirm plain="boton" {...preguntaRotar({ nombre, url })}>
            Cambiar secreto
          </Confirm>
        </Form>
        <Form method="post" preventScrollReset>
          <Hidden intent="quitar" gancho={id} version={String(version)} />
          <Confirm plain="boton" {...askRemoveReceptor({ nombre, url, pendientes })}>
            Quitar
          </Confirm>
        </Form>
        {muertas > 0 && (
          <Form method="post" preventScrollReset>
            <Hidden intent="reenviarTodas" gancho={id} />
            <button className="boton">Reenviar todas</button>
          </Form>
        )}
      </div>
      {sinEntregar.length > 0 && (
        <>
          <h3>Sin entregar</h3>
          <Entregas de={sinEntregar} />
        </>
      )}
      {muertas > sinEntregar.length && <p className="nota">Se muestran los {sinEntregar.length} más recientes.</p>}
      {(otras.length > 0 || sinEntregar.length === 0) && <h3>Últimos avisos</h3>}
      {otras.length > 0 && <Entregas de={otras} />}
      {otras.length === 0 && sinEntregar.length === 0 && <EmptyState>Todavía no hay ninguno.</EmptyState>}
    </section>
  );
}

const TONO = { pendiente: 'neutro', entregada: 'ok', muerta: 'mal' } as const;

function Entregas({ de }: { de: Gancho['ultimas'] }) {
  return (
    <table className="llamadas">
      <thead>
        <tr>
          <th scope="col">Aviso</th>
          <th scope="col">Ocurrió</th>
          <th scope="col">Estado</th>
          <th scope="col">Intentos</th>
          <th scope="col">
            <span className="oculto">Acciones</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {de.map(({ id, tipo, ocurridoEn, estado, intentos, detalle }) => (
          <tr key={id}>
            <td>{tipo}</td>
            <td data-de="Ocurrió">
              <Fecha valor={ocurridoEn} />
            </td>
            <td data-de="Estado">
              <Estatus tono={TONO[estado]}>{ENTREGA_LABEL[estado]}</Estatus>{' '}
              {detalle && <span className="nota">{detalle}</span>}
            </td>
            <td data-de="Intentos">{intentos}</td>
            <td>
              {estado === 'muerta' && (
                <Form method="post" preventScrollReset>
                  <Hidden intent="reenviar" entrega={id} />
                  <button className="boton">Reenviar</button>
                </Form>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
