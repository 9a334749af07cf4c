import { Link } from '@remix-run/react';
import { useArea } from '~/access/useArea';
import { writeCount } from '~/core/count';
import type { Wire } from '~/core/list';
import type { Juicio } from '~/domain/operacion/mantenimiento/promesa';
import type { Promesa } from '~/domain/operacion/mantenimiento/promesas.server';
import { formatFecha } from '~/ui/Fecha';
import { TablaCaja } from '~/ui/TablaCaja';
import { duracion } from './duracion';

type Dicha = Wire<Promesa>;

const JUICIOS: Record<Juicio, { texto: string; tono: 'ok' | 'aviso' | 'mal' | 'neutro' }> = {
  cumple: { texto: 'Se cumple', tono: 'ok' },
  falla: { texto: 'No se cumple', tono: 'mal' },
  falta: { texto: 'Falla: sin eventos, y cada día los hay', tono: 'mal' },
  calla: { texto: 'Sin eventos en 24 horas', tono: 'neutro' },
  desconocida: { texto: 'No se sabe: no se pudo leer', tono: 'mal' },
};

/** What the product promises, judged by each event of the last day, with the worst of them. */
export function Promesas({ promesas }: { promesas: readonly Dicha[] }) {
  return (
    <section className="hoja entera">
      <h2>Promesas</h2>
      <TablaCaja nombre="Promesas y su cumplimiento">
        <table className="tabla">
          <thead>
            <tr>
              <th>Promesa</th>
              <th className="num">Meta</th>
              <th>Ahora</th>
              <th className="num">24 horas</th>
              <th className="num">30 días</th>
              <th>La peor</th>
            </tr>
          </thead>
          <tbody>
            {promesas.map(({ clave, nombre, meta, juicio, dia, mes, ultima }) => (
              <tr key={clave}>
                <td>{nombre}</td>
                <td className="num">{duracion(meta)}</td>
                <td>
                  <span className="promesa" data-tono={JUICIOS[juicio].tono}>
                    {JUICIOS[juicio].texto}
                  </span>
                  {juicio === 'falta' && ultima && <span className="nota"> desde el {formatFecha(ultima)}</span>}
                </td>
                <td className="num">{cumplidas(dia)}</td>
                <td className="num">{cumplidas(mes)}</td>
                <td>
                  <LaPeor peor={dia?.peor ?? mes?.peor ?? null} de={nombre} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TablaCaja>
      <p className="nota">Cada evento cuenta: con menos de cien en el día, uno tarde basta para que no se cumpla.</p>
    </section>
  );
}

/** '11 de 12'; a stretch without events has nothing to tell. */
const cumplidas = (tramo: Dicha['dia']) =>
  tramo === null || tramo.cuantas === 0 ? '—' : `${writeCount(tramo.cumplidas)} de ${writeCount(tramo.cuantas)}`;

function LaPeor({ peor, de }: { peor: NonNullable<Dicha['dia']>['peor']; de: string }) {
  const area = useArea();
  if (!peor) return '—';
  const texto = `${peor.abierta ? 'espera desde hace ' : ''}${duracion(peor.segundos)}, ${formatFecha(peor.en)}`;
  return peor.pantalla ? (
    <Link to={`${area}/${peor.pantalla}`} discover="none" aria-label={`${de}, la peor: ${texto}`}>
      {texto}
    </Link>
  ) : (
    texto
  );
}
