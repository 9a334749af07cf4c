import { data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { Form, Link, useLoaderData } from '@remix-run/react';
import { can } from '~/access/actions';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { toWire } from '~/core/list';
import { nombreOfParte } from '~/domain/compras/stock/conteo';
import {
  askFinish,
  askSettle,
  countPieza,
  discardConteo,
  finishConteo,
  settleDiferencia,
  startConteo,
} from '~/domain/compras/stock/contar.server';
import { listConteos, listPartes, readConteo } from '~/domain/compras/stock/conteos.server';
import {
  DecidirDiferencia,
  DescartarConteo,
  EmpezarConteo,
  LeerEnConteo,
  TerminarConteo,
} from '~/domain/compras/stock/forms';
import { defineActions, outcome } from '~/http/actions.server';
import { EmptyState, PageHeader } from '~/ui/Blocks';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { TablaCaja } from '~/ui/TablaCaja';
import { Asked, Hidden, Refusal } from '~/ui/useAnswer';
import { db } from '~db/shared.server';
import { Conteo } from './Conteo';
import './conteos.css';

const AUSENTE = { titulo: 'El conteo no existe', texto: 'El enlace nombra un conteo que no está aquí.' };
const LISTA = '?';
const abre = (id: string) => `?ver=${id}`;

export const meta: MetaFunction = () => [{ title: 'Conteos' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const puede = can(usuario, 'stock.operar');
  const ver = new URL(request.url).searchParams.get('ver');
  if (ver === null) {
    const [partes, conteos] = await Promise.all([listPartes(db()), listConteos(db())]);
    return { puede, abierto: null, partes: toWire(partes), conteos: toWire(conteos) };
  }
  const abierto = await readConteo(db(), ver);
  if (!abierto) throw data(AUSENTE, { status: 404 });
  return { puede, abierto: toWire(abierto), partes: [], conteos: [] };
}

export const action = defineActions({
  empezar: {
    schema: EmpezarConteo,
    right: 'stock.operar',
    run: async (db, form, usuario) => {
      const id = await db.transaction().execute((trx) => startConteo(trx, form, usuario.id));
      return outcome({ to: abre(id) });
    },
  },
  leer: {
    schema: LeerEnConteo,
    right: 'stock.operar',
    run: async (db, form, usuario) => {
      const resultado = await db.transaction().execute((trx) => countPieza(trx, form, usuario.id));
      return outcome({ resultado, valores: {} });
    },
  },
  terminar: {
    schema: TerminarConteo,
    right: 'stock.operar',
    confirm: (db, form) => askFinish(db, form),
    commit: (trx, form, usuario) => finishConteo(trx, form, usuario.id),
    aviso: 'Se terminó el conteo.',
  },
  descartar: {
    schema: DescartarConteo,
    right: 'stock.operar',
    commit: (trx, { conteo }, usuario) => discardConteo(trx, conteo, usuario.id),
    to: LISTA,
    aviso: 'Se descartó el conteo.',
  },
  decidir: {
    schema: DecidirDiferencia,
    right: 'stock.operar',
    confirm: (db, form) => askSettle(db, form),
    commit: (trx, form, usuario) => settleDiferencia(trx, form, usuario.id),
    aviso: 'Registro actualizado de forma correcta',
  },
});

/** The screen of counts: what can be counted, and what counts that ended found. With `?ver=` one of them. */
export default function Conteos() {
  const { abierto, puede } = useLoaderData<typeof loader>();
  const area = useArea();
  if (abierto)
    return (
      <>
        <Asked cancelar={abre(abierto.id)} />
        <Conteo key={`${abierto.id}-${abierto.terminadoEn}`} conteo={abierto} puede={puede} area={area} />
      </>
    );
  return (
    <>
      <PageHeader titulo="Conteos" nota="Se escanea lo que está en el estante y se compara con el registro.">
        <Link className="boton" to={`${area}/stockInterno`}>
          Stock Interno
        </Link>
      </PageHeader>
      <Refusal of="empezar" />
      <section className="hoja conteos-partes">
        <h2>Contar</h2>
        <Partes />
      </section>
      <section className="hoja">
        <h2>Terminados</h2>
        <Terminados />
      </section>
    </>
  );
}

function Partes() {
  const { partes, puede } = useLoaderData<typeof loader>();
  return (
    <TablaCaja nombre="Qué se puede contar">
      <table className="tabla tablero">
        <thead>
          <tr>
            <th>Qué</th>
            <th className="pesos">Piezas</th>
            <th>En curso</th>
            <th>Administración</th>
          </tr>
        </thead>
        <tbody>
          {partes.map(({ parte, piezas, conteo, leidas, quien, empezadoEn }) => (
            <tr key={parte ?? 'todo'}>
              <td className="titular">{nombreOfParte(parte)}</td>
              <td className="pesos" data-campo="Piezas">
                {piezas}
              </td>
              <td data-campo="En curso">
                {conteo && (
                  <>
                    {leidas === 1 ? '1 leída' : `${leidas} leídas`} · {quien} · <Fecha valor={empezadoEn} />
                  </>
                )}
              </td>
              <td>
                {conteo ? (
                  <Link
                    className="boton"
                    data-tono="acento"
                    to={abre(conteo)}
                    aria-label={`Seguir contando ${nombreOfParte(parte)}`}
                  >
                    Seguir
                  </Link>
                ) : puede && piezas > 0 ? (
                  <Form method="post">
                    <Hidden intent="empezar" parte={parte} />
                    <button type="submit" className="boton" aria-label={`Contar ${nombreOfParte(parte)}`}>
                      Contar
                    </button>
                  </Form>
                ) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TablaCaja>
  );
}

function Terminados() {
  const { conteos } = useLoaderData<typeof loader>();
  if (conteos.length === 0) return <EmptyState>Todavía no se termina ningún conteo.</EmptyState>;
  return (
    <TablaCaja nombre="Conteos terminados">
      <table className="tabla tablero">
        <thead>
          <tr>
            <th>Qué</th>
            <th>Terminó</th>
            <th>Quién</th>
            <th className="pesos">Encontradas</th>
            <th className="pesos">Faltan</th>
            <th className="pesos">De más</th>
            <th>Por resolver</th>
          </tr>
        </thead>
        <tbody>
          {conteos.map(({ id, parte, terminadoEn, quien, encontradas, faltan, deMas, abiertas }) => (
            <tr key={id}>
              <td className="titular">
                <Link to={abre(id)}>{nombreOfParte(parte)}</Link>
              </td>
              <td data-campo="Terminó">
                <Fecha valor={terminadoEn} />
              </td>
              <td data-campo="Quién">{quien ?? '—'}</td>
              <td className="pesos" data-campo="Encontradas">{`${encontradas} de ${encontradas + faltan}`}</td>
              <td className="pesos" data-campo="Faltan">
                {faltan}
              </td>
              <td className="pesos" data-campo="De más">
                {deMas}
              </td>
              <td>
                <Estatus tono={abiertas > 0 ? 'aviso' : 'ok'}>
                  {abiertas > 0 ? `${abiertas} por resolver` : 'Todo resuelto'}
                </Estatus>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TablaCaja>
  );
}
