import { randomUUID } from 'node:crypto';
import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import { useState } from 'react';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { toWire } from '~/core/list';
import { createEtiquetas, bindEtiqueta, listTiradas } from '~/domain/compras/stock/etiquetas.server';
import { EtiquetasNuevas, LigarEtiqueta } from '~/domain/compras/stock/forms';
import { defineActions } from '~/http/actions.server';
import { Boton } from '~/ui/Boton';
import { EmptyState, PageHeader } from '~/ui/Blocks';
import { Fecha } from '~/ui/Fecha';
import { Field } from '~/ui/Field';
import { TablaCaja } from '~/ui/TablaCaja';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden } from '~/ui/useAnswer';
import { db } from '~db/shared.server';
import { Imprimir, IMPRIMIR, ImprimirDialog } from './Imprimir';
import './stock.css';

export const meta: MetaFunction = () => [{ title: 'Etiquetas en blanco' }];

export async function loader({ context }: LoaderFunctionArgs) {
  usuarioOf(context);
  return { tiradas: toWire(await listTiradas(db())), clave: randomUUID() };
}

export const action = defineActions({
  crear: {
    schema: EtiquetasNuevas,
    right: 'stock.operar',
    commit: (trx, nuevas, usuario) => createEtiquetas(trx, nuevas, usuario.id),
    to: ({ clave }) => `?${IMPRIMIR}=tirada:${clave}`,
    aviso: 'Se crearon las etiquetas.',
  },
  ligar: {
    schema: LigarEtiqueta,
    right: 'stock.operar',
    commit: (trx, etiqueta, usuario) => bindEtiqueta(trx, etiqueta, usuario.id),
    to: '?',
    aviso: 'Registro actualizado de forma correcta',
  },
});

/** The screen of labels printed in advance, with the piece that each label got. */
export default function EtiquetasStock() {
  const { tiradas, clave } = useLoaderData<typeof loader>();
  const area = useArea();
  return (
    <>
      <PageHeader titulo="Etiquetas en blanco" nota="Se imprimen antes de saber de qué pieza son.">
        <Link className="boton" to={`${area}/stockInterno`}>
          Stock Interno
        </Link>
      </PageHeader>
      <div className="etiquetas-formas">
        <Crear key={tiradas[0]?.clave ?? 'primera'} nueva={clave} />
        <Ligar />
      </div>
      <section className="hoja">
        <h2>Tiradas</h2>
        {tiradas.length === 0 ? <EmptyState>Todavía no hay etiquetas en blanco.</EmptyState> : <Tiradas />}
      </section>
      <ImprimirDialog area={area} />
    </>
  );
}

function Crear({ nueva }: { nueva: string }) {
  // The key of this form, kept until its run is made: sending twice creates once.
  const [clave] = useState(nueva);
  const form = useActionForm<{ cuantas: string }>('crear', { defaultValue: { cuantas: '24' } });
  return (
    <section className="hoja">
      <h2>Crear</h2>
      <ActionForm of={form} className="apilado">
        <Hidden clave={clave} />
        <Field field={form.fields.cuantas} label="Cuántas etiquetas" inputMode="numeric" autoComplete="off" />
        <div className="botones">
          <Boton tono="acento" type="submit" ocupado={form.pending !== undefined}>
            Crear etiquetas
          </Boton>
        </div>
      </ActionForm>
    </section>
  );
}

function Ligar() {
  const form = useActionForm<{ codigo: string; folio: string }>('ligar');
  return (
    <section className="hoja">
      <h2>Ligar a una pieza</h2>
      <ActionForm of={form} className="apilado">
        <div className="campos">
          <Field field={form.fields.codigo} label="Etiqueta" autoComplete="off" placeholder="ET-0000001-A" />
          <Field field={form.fields.folio} label="Folio de la pieza" autoComplete="off" placeholder="DV-26-000001-A" />
        </div>
        <div className="botones">
          <Boton type="submit" ocupado={form.pending !== undefined}>
            Ligar
          </Boton>
        </div>
      </ActionForm>
    </section>
  );
}

function Tiradas() {
  const { tiradas } = useLoaderData<typeof loader>();
  return (
    <TablaCaja nombre="Etiquetas impresas">
      <table className="tabla tablero">
        <thead>
          <tr>
            <th>Etiquetas</th>
            <th className="pesos">Cuántas</th>
            <th className="pesos">Sin pieza</th>
            <th>Fecha</th>
            <th>Quién</th>
            <th>Administración</th>
          </tr>
        </thead>
        <tbody>
          {tiradas.map(({ clave, primera, ultima, cuantas, libres, creadaEn, quien }) => (
            <tr key={clave}>
              <td className="titular">{primera === ultima ? primera : `${primera} a ${ultima}`}</td>
              <td className="pesos" data-campo="Cuántas">
                {cuantas}
              </td>
              <td className="pesos" data-campo="Sin pieza">
                {libres}
              </td>
              <td data-campo="Fecha">
                <Fecha valor={creadaEn} />
              </td>
              <td data-campo="Quién">{quien ?? '—'}</td>
              <td>
                {libres > 0 ? <Imprimir que={`tirada:${clave}`} nombre={`las etiquetas desde ${primera}`} /> : '—'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TablaCaja>
  );
}
