import { Form, Link, useLocation } from '@remix-run/react';
import { writeCount } from '~/core/count';
import { withParams, type Wire } from '~/core/list';
import { TABLAS, type Tabla } from '~/domain/facturacion/mes/mes';
import type { readMes } from '~/domain/facturacion/mes/mesView.server';
import { Dato } from '~/ui/Datos';
import { BatchProgress, isUnderWay } from '~/ui/BatchProgress';
import { Confirm } from '~/ui/Confirm';
import { Pesos } from '~/ui/Pesos';
import { Hidden } from '~/ui/useAnswer';
import { useHydrated } from '~/ui/useHydrated';
import { AL_TERMINAR, questionOf } from './questions';

export type MesWire = Wire<Awaited<ReturnType<typeof readMes>>>;

type TablasProps = {
  mes: MesWire;
  activa: Tabla | null;
  area: string;
  /** The person who looks may issue the global, and not only credit notes. */
  factura: boolean;
};

/** The tables of the month side by side, each with its sums, its button and its last batch. The open table is listed below them. */
export function Tablas({ mes, activa, area, factura }: TablasProps) {
  return (
    <div className="mes-tablas">
      {mes.tablas.filter(isShown).map((tabla) => (
        <Tarjeta
          key={tabla.tabla}
          {...tabla}
          mes={mes.mes}
          enCurso={mes.enCurso}
          activa={tabla.tabla === activa}
          area={area}
          puede={factura || tabla.tabla !== 'ordenes'}
        />
      ))}
    </div>
  );
}

/** Sales that were given back in part are rare: their table is there when it holds some, or a batch of theirs. */
const isShown = ({ tabla, registros, lote }: MesWire['tablas'][number]) =>
  tabla !== 'parciales' || registros > 0 || lote !== null;

type Props = MesWire['tablas'][number] & {
  mes: string;
  enCurso: boolean;
  activa: boolean;
  area: string;
  /** The person who looks may issue this table. */
  puede: boolean;
};

function Tarjeta(props: Props) {
  const { tabla, registros, subTotal, iva, total, visto, lote, mes, enCurso, activa, area, puede } = props;
  const { search } = useLocation();
  const { titulo, boton } = TABLAS[tabla];
  const hydrated = useHydrated();
  const limpio = { pagina: null, ver: null, q: null, orden: null };
  return (
    <section className="hoja mes-tabla" data-activa={activa || undefined} aria-label={titulo}>
      <h2>
        <Link
          to={withParams(search, { tabla, lote: null, ...limpio })}
          preventScrollReset
          aria-current={activa ? 'true' : undefined}
        >
          {titulo}
        </Link>
      </h2>
      <dl>
        <Dato de="Ordenes">{writeCount(registros)}</Dato>
        <Dato de="Sub-Total">
          <Pesos valor={subTotal} />
        </Dato>
        <Dato de="I.V.A">
          <Pesos valor={iva} />
        </Dato>
        <Dato de="Total">
          <strong>
            <Pesos valor={total} />
          </strong>
        </Dato>
      </dl>
      {puede ? (
        <Form method="post" preventScrollReset>
          <Hidden intent="emitir" tabla={tabla} mes={mes} {...visto} />
          <Confirm {...questionOf(tabla, mes, enCurso, { registros, total })} disabled={hydrated && registros === 0}>
            {boton}
          </Confirm>
          {registros === 0 ? (
            <p className="nota">No hay ventas en esta tabla.</p>
          ) : (
            tabla === 'parciales' && (
              <p className="nota">
                Se acredita solo lo que se le devolvió al comprador. Las plataformas bajan su retención con esta nota.
              </p>
            )
          )}
        </Form>
      ) : (
        <p className="nota">La factura general la genera un Super Usuario.</p>
      )}
      {lote && (
        <BatchProgress lote={lote} source={`${area}/lotes/${lote.id}`} {...AL_TERMINAR[tabla]}>
          <Link className="boton" to={withParams(search, { lote: lote.id, ...limpio })} preventScrollReset>
            Ver resultado
          </Link>
          {lote.unclear > 0 && (
            <a className="boton" href={`${area}/pendientes`}>
              Pendientes
            </a>
          )}
          {puede && lote.failed > 0 && !isUnderWay(lote) && (
            <Form method="post" preventScrollReset>
              <Hidden intent="reintentar" lote={lote.id} />
              <button type="submit" className="boton" data-tono="acento">
                Reintentar fallidas
              </button>
            </Form>
          )}
        </BatchProgress>
      )}
    </section>
  );
}
