import { NativeSelect } from '@mantine/core';
import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { Form, useLoaderData } from '@remix-run/react';
import type { ReactNode } from 'react';
import { can, requireRight } from '~/access/actions';
import { findSession } from '~/access/session.server';
import { toWire } from '~/core/list';
import { ESTADO_LABEL, ESTADO_TONO, mayPass, ERROR_PROVEEDOR, nombreOfPieza } from '~/domain/compras/stock/pieza';
import { bindEtiqueta } from '~/domain/compras/stock/etiquetas.server';
import { findEscaneado, listEstados, readPieza, askMove } from '~/domain/compras/stock/readPiezas.server';
import { changeEstado, undoMovimiento } from '~/domain/compras/stock/piezas.server';
import { DeshacerPieza, LigarEtiqueta, MoverPieza } from '~/domain/compras/stock/forms';
import { definePublicActions } from '~/http/actions.server';
import { Boton } from '~/ui/Boton';
import { Dato, Datos } from '~/ui/Datos';
import { Panel } from '~/ui/Blocks';
import { Visto } from '~/ui/Choque';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { Field } from '~/ui/Field';
import { LoginForm } from '~/ui/LoginForm';
import { Pesos } from '~/ui/Pesos';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Asked, Hidden, Refusal } from '~/ui/useAnswer';
import { db } from '~db/shared.server';
import { Fotos } from '~/routes/compras/stock/Fotos';
import './siqr.css';

const SIN_ROL = 'El rol de este usuario no tiene acceso a esta pagina.';
const SIN_FOLIO = 'Ese folio no existe. Léelo otra vez en la etiqueta.';

/** Facts that need more than half of a phone's width. */
const ANCHOS = new Set(['Orden', 'Sale en la orden', 'Observaciones', 'Factura']);

export const meta: MetaFunction = () => [{ title: 'Stock Interno' }, { name: 'robots', content: 'noindex' }];

/** The page that a label's QR leads to. A person without a session reads nothing about what exists, and comes back here after signing in. */
export async function loader({ request, params: { folio = '' } }: LoaderFunctionArgs) {
  const sesion = await findSession(db(), request);
  const volver = `/siqr/${encodeURIComponent(folio)}`;
  if (!sesion) return { clase: 'entrar' as const, volver };
  const { usuario } = sesion;
  if (sesion.debeActivar) throw redirect(`/${usuario.rol}/segundoFactor`);
  if (!can(usuario, 'stock.operar')) return data({ clase: 'sinRol' as const, volver }, { status: 403 });
  const found = await findEscaneado(db(), folio);
  if (!found) return data({ clase: 'no' as const, texto: SIN_FOLIO }, { status: 404 });
  if (found.clase === 'etiqueta') return found;
  const [pieza, estados] = await Promise.all([readPieza(db(), found.id), listEstados(db())]);
  if (!pieza) return data({ clase: 'no' as const, texto: SIN_FOLIO }, { status: 404 });
  return {
    clase: 'pieza' as const,
    area: `/${usuario.rol}`,
    pieza: toWire(pieza),
    estados: estados.filter((estado) => estado === pieza.estado || mayPass(pieza.estado, estado)),
  };
}

/** Returns the person who acts; without a session they are shown the way in. */
async function quien({ request }: ActionFunctionArgs) {
  const sesion = await findSession(db(), request);
  if (!sesion || sesion.debeActivar) throw redirect(new URL(request.url).pathname.replace(/\.data$/, ''));
  requireRight(sesion.usuario, 'stock.operar');
  return sesion.usuario;
}

export const action = definePublicActions(quien, {
  moverPieza: {
    schema: MoverPieza,
    confirm: (db, { id, estado }) => askMove(db, id, estado),
    commit: (trx, pieza, usuario) => changeEstado(trx, pieza, usuario.id),
    to: (_, { path }) => path,
    aviso: 'Registro actualizado de forma correcta',
  },
  deshacerPieza: {
    schema: DeshacerPieza,
    commit: (trx, pieza, usuario) => undoMovimiento(trx, pieza, usuario.id),
    to: (_, { path }) => path,
    aviso: 'Se deshizo el cambio de estatus.',
  },
  ligar: {
    schema: LigarEtiqueta,
    commit: (trx, etiqueta, usuario) => bindEtiqueta(trx, etiqueta, usuario.id),
    to: (_, { path }) => path,
    aviso: 'Registro actualizado de forma correcta',
  },
});

export default function Siqr() {
  const pagina = useLoaderData<typeof loader>();
  switch (pagina.clase) {
    case 'entrar':
      return (
        <div className="columna">
          <div className="hoja">
            <h1>Iniciar sesión</h1>
            <LoginForm volver={pagina.volver} />
          </div>
        </div>
      );
    case 'no':
      return (
        <div className="columna">
          <div className="hoja">
            <h1>Stock Interno</h1>
            <Panel tono="mal">{pagina.texto}</Panel>
            <a className="boton" href="/login">
              Ir a mi inicio
            </a>
          </div>
        </div>
      );
    case 'sinRol':
      return (
        <div className="columna">
          <div className="hoja">
            <h1>Stock Interno</h1>
            <Panel tono="mal">{SIN_ROL}</Panel>
            <a className="boton" href="/login">
              Ir a mi inicio
            </a>
          </div>
          <div className="hoja">
            <h2>Entrar con otro usuario</h2>
            <LoginForm volver={pagina.volver} />
          </div>
        </div>
      );
    case 'etiqueta':
      return <Etiqueta codigo={pagina.codigo} />;
    case 'pieza':
      return <Pieza {...pagina} />;
  }
}

/** A label that was printed before its piece was known. The form ties the label to a piece. */
function Etiqueta({ codigo }: { codigo: string }) {
  const form = useActionForm<{ folio: string }>('ligar');
  return (
    <div className="columna">
      <div className="hoja">
        <h1>{codigo}</h1>
        <p>Esta etiqueta todavía no es de ninguna pieza.</p>
        <ActionForm of={form} className="apilado siqr-ligar">
          <Hidden codigo={codigo} />
          <Field field={form.fields.folio} label="Folio de la pieza" autoComplete="off" placeholder="DV-26-000001-A" />
          <Boton tono="acento" type="submit">
            Ligar
          </Boton>
        </ActionForm>
      </div>
    </div>
  );
}

type Vista = Extract<ReturnType<typeof useLoaderData<typeof loader>>, { clase: 'pieza' }>;

function Pieza({ pieza, estados, area }: Vista) {
  const { id, folio, version, estado, movimientos } = pieza;
  const form = useActionForm('moverPieza');
  const datos: [string, ReactNode][] = [
    ['Proveedor', pieza.productoProveedor ?? pieza.proveedorLabel ?? ERROR_PROVEEDOR],
    ['Modelo', pieza.modelo],
    ['Id Proveedor', pieza.idProveedor],
    [
      'Link Proveedor',
      pieza.link && (
        <a href={pieza.link} target="_blank" rel="noopener noreferrer">
          Ver en su página
        </a>
      ),
    ],
    ['Costo', <Pesos key="costo" valor={pieza.costo} />],
    ['Monto recuperado', <Pesos key="recuperado" valor={pieza.recuperado} />],
    ['Orden', pieza.numOrden],
    ...(pieza.ventaNumOrden ? [['Sale en la orden', pieza.ventaNumOrden] as [string, ReactNode]] : []),
    ['Etiqueta', pieza.etiquetas.join(', ') || null],
    ['Observaciones', pieza.observaciones],
    [
      'Factura',
      pieza.facturaId && (
        <a href={`${area}/descargas/facturaStock/${id}`} download>
          {pieza.facturaFolio} · {pieza.facturaNombre}
        </a>
      ),
    ],
  ];
  return (
    <div className="columna">
      <div className="hoja">
        <h1>{folio}</h1>
        <p>
          <strong>{nombreOfPieza(pieza)}</strong>
        </p>
        <p>
          <Estatus tono={ESTADO_TONO[estado]}>{ESTADO_LABEL[estado]}</Estatus>
        </p>
        {estados.length > 1 && (
          <ActionForm of={form} className="apilado siqr-estado">
            <Hidden id={id} />
            <Visto of={form} marcas={{ version }} />
            <NativeSelect
              key={version}
              name="estado"
              label="Estatus"
              defaultValue={estado}
              data={estados.map((value) => ({ value, label: ESTADO_LABEL[value] }))}
            />
            <Boton tono="acento" type="submit">
              Actualizar
            </Boton>
          </ActionForm>
        )}
        {pieza.regresaA && (
          <Form method="post" className="siqr-deshacer">
            <Hidden intent="deshacerPieza" id={id} version={version} />
            <Boton type="submit">Deshacer: regresar a {ESTADO_LABEL[pieza.regresaA]}</Boton>
          </Form>
        )}
        <Refusal of="deshacerPieza" />
        <Asked cancelar={`/siqr/${encodeURIComponent(folio)}`} />
        <Datos>
          {datos.map(([etiqueta, valor]) => (
            <Dato key={etiqueta} de={etiqueta} ancha={ANCHOS.has(etiqueta)}>
              {valor}
            </Dato>
          ))}
        </Datos>
        {pieza.facturaId && (
          <iframe
            className="siqr-factura"
            title={`Factura ${pieza.facturaFolio ?? ''}`}
            src={`${area}/descargas/facturaStock/${id}?ver=1`}
            loading="lazy"
          />
        )}
        {pieza.fotos.length > 0 && <Fotos fotos={pieza.fotos} folio={folio} area={area} />}
        <h2 className="siqr-cambios">Cambios de estado</h2>
        <ul className="siqr-lista">
          {movimientos.map(({ id: movimiento, a, en, quien, deshace }) => (
            <li key={movimiento}>
              <span>
                {ESTADO_LABEL[a]}
                {deshace !== null && ' (se deshizo)'}
              </span>
              <span className="nota">
                <Fecha valor={en} /> · {quien ?? 'Automático'}
              </span>
            </li>
          ))}
        </ul>
        <Form action={`${area}/stockInterno`} method="get" reloadDocument className="siqr-abrir">
          <Hidden ver={id} />
          <Boton type="submit">Abrir en Stock Interno</Boton>
        </Form>
      </div>
    </div>
  );
}
