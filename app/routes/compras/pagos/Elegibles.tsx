import { useEffect, useId, useRef, useState } from 'react';
import { Money } from '~/core/money';
import { Pesos } from '~/ui/Pesos';
import './porPagar.css';

type Fila = { id: string; monto: string; titulo: string; nota: string; cuando: string; tarde?: boolean };

const NOMBRE = 'facturas';

/** The ids of the chosen rows of a form: those that were sent and refused, else `primeras`; and those that were chosen before the page listened. */
export function useElegidas(
  enviadas: string | readonly (string | undefined)[] | undefined,
  primeras: readonly string[],
) {
  const sent = [enviadas ?? []].flat().flatMap((una) => una?.split('|')[0] ?? []);
  const [elegidas, setElegidas] = useState<ReadonlySet<string>>(new Set(sent.length > 0 ? sent : primeras));
  const caja = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    const boxes = caja.current?.querySelectorAll<HTMLInputElement>(`input[name="${NOMBRE}"]:checked`) ?? [];
    setElegidas(new Set([...boxes].map(({ value }) => value.split('|')[0]!)));
  }, []);
  const alternar = (id: string) => {
    const otras = new Set(elegidas);
    if (!otras.delete(id)) otras.add(id);
    setElegidas(otras);
  };
  return { elegidas, alternar, caja };
}

/** The sum in pesos of the chosen rows. */
export const sumOf = (filas: readonly Pick<Fila, 'id' | 'monto'>[], elegidas: ReadonlySet<string>) =>
  Money.sum(filas.filter(({ id }) => elegidas.has(id)).map(({ monto }) => Money.of(monto))).toFixed(2);

/** Invoices to be chosen. Each box sends the amount that was shown, so a choice over other amounts is refused. */
export function Elegibles({
  legend,
  filas,
  elegidas,
  alternar,
  caja,
  suma,
  error,
}: ReturnType<typeof useElegidas> & {
  legend: string;
  filas: readonly Fila[];
  suma: string;
  error: string | undefined;
}) {
  const id = useId();
  return (
    <fieldset ref={caja} className="facturas-por-elegir" aria-describedby={id}>
      <legend>{legend}</legend>
      <ul>
        {filas.map((fila) => (
          <li key={fila.id}>
            <label>
              <input
                className="casilla"
                type="checkbox"
                name={NOMBRE}
                value={`${fila.id}|${fila.monto}`}
                checked={elegidas.has(fila.id)}
                onChange={() => alternar(fila.id)}
              />
              <span>
                {fila.titulo} <span className="nota">{fila.nota}</span>
              </span>
              <span className="nota" data-vence data-tarde={fila.tarde || undefined}>
                {fila.cuando}
              </span>
              <Pesos valor={fila.monto} />
            </label>
          </li>
        ))}
      </ul>
      <p id={id} className="error" role="alert">
        {error}
      </p>
      <p role="status">
        {elegidas.size === 1 ? '1 factura' : `${elegidas.size} facturas`}, <Pesos valor={suma} />
      </p>
    </fieldset>
  );
}
