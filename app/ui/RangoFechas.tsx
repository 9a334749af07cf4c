import { Form, Link, useLocation } from '@remix-run/react';
import type { ReactNode } from 'react';
import { withParams, type Rango } from '~/core/list';
import { isPeriodo, nombreOfPeriodo, PERIODOS, TODAS, type Periodo } from '~/core/periodo';
import { Boton } from './Boton';
import { FechaInput } from './FechaInput';
import { HiddenParams } from './HiddenParams';
import { useDesplegable } from './useDesplegable';
import { useFilled } from './useFilled';

/**
 * The range of a list with its button, disabled while there is no range. A GET form: the rest of the address stays. Neither day limits the other, since both
 * are typed one after the other; a reversed range is answered with a sentence.
 */
export function RangoFechas({
  desde,
  hasta,
  rango,
  conHora = false,
  boton = 'Buscar',
  without = [],
  children,
}: Rango & {
  /** The name of the range. */ rango?: Periodo | undefined;
  /** Set where each end has an hour. */ conHora?: boolean;
  boton?: string;
  /** Fields of the address that `children` ask for. */ without?: string[];
  children?: ReactNode;
}) {
  const { search } = useLocation();
  const [filled, watch] = useFilled('desde', 'hasta');
  // All of time has a name and no days to type.
  const dias = rango === TODAS ? { desde: '', hasta: '' } : { desde, hasta };
  return (
    <Form {...watch} method="get" className="rango" data-hora={conHora || undefined} preventScrollReset>
      <HiddenParams search={search} without={['desde', 'hasta', 'rango', 'pagina', 'ver', ...without]} />
      <Periodos rango={rango} />
      <FechaInput
        name="desde"
        label="Desde"
        defaultValue={dias.desde}
        hora={conHora ? '00:00' : undefined}
        calendario="Elegir el inicio"
      />
      <FechaInput
        name="hasta"
        label="Hasta"
        defaultValue={dias.hasta}
        hora={conHora ? '23:59' : undefined}
        calendario="Elegir el fin"
      />
      {children}
      <Boton tono="acento" type="submit" disabled={!filled}>
        {boton}
      </Boton>
    </Form>
  );
}

const CON_NOMBRE = Object.keys(PERIODOS).filter(isPeriodo);

/** Ranges by name, one press each. The address keeps the name, so a saved view moves on with time. */
function Periodos({ rango }: { rango: Periodo | undefined }) {
  const { search } = useLocation();
  const box = useDesplegable(search);
  const to = (periodo: Periodo) =>
    withParams(search, { rango: periodo, desde: null, hasta: null, pagina: null, ver: null });
  return (
    <div className="periodos">
      <span aria-hidden="true">Periodo</span>
      <details ref={box}>
        <summary aria-label={`Periodo: ${rango ? nombreOfPeriodo(rango) : 'Otro rango'}`}>
          {rango ? nombreOfPeriodo(rango) : 'Otro rango'}
        </summary>
        <ul>
          {CON_NOMBRE.map((periodo) => (
            <li key={periodo}>
              <Link to={to(periodo)} aria-current={periodo === rango || undefined} preventScrollReset discover="none">
                {nombreOfPeriodo(periodo)}
              </Link>
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
}
