import { useEffect, useRef, useState } from 'react';
import type { Choque as Datos } from '~/core/choque';
import type { Answer } from '~/core/submission';
import { TablaCaja } from './TablaCaja';
import { focusOn } from './foco';
import { useDicho } from './useDicho';
import { useLookAgain } from './useLookAgain';

type De = { answer: Answer | undefined };

/**
 * Shows another person's changes beside this person's own, in the form of the changed record. The fields keep the typed text. The same button, pressed again,
 * decides about the current record.
 */
export function Choque({ answer }: De) {
  const panel = useRef<HTMLDivElement>(null);
  const id = answer?.choque && answer.id;
  useEffect(() => {
    if (id !== undefined) focusOn(panel.current);
  }, [id]);
  if (!answer?.choque) return null;
  const { cambios, marcas } = answer.choque;
  const otraVez = Object.keys(marcas).length > 0;
  return (
    <div ref={panel} role="alert" tabIndex={-1} className="panel" data-tono="aviso">
      <strong>{answer.titulo}</strong>
      {cambios.length === 0 ? <p>{answer.error?.['']?.join(' ')}</p> : <Tabla cambios={cambios} />}
      {cambios.length > 0 && (
        <p>{otraVez ? 'Si lo de aquí es lo que vale, vuelve a presionar el botón.' : 'Vuelve a cargarlo.'}</p>
      )}
    </div>
  );
}

function Tabla({ cambios }: Pick<Datos, 'cambios'>) {
  return (
    <TablaCaja nombre="Lo que cambió">
      <table className="tabla">
        <thead>
          <tr>
            <th>Cambió mientras lo veías</th>
            <th>Aquí</th>
            <th>Ahora</th>
          </tr>
        </thead>
        <tbody>
          {cambios.map(({ campo, mio, suyo }) => (
            <tr key={campo}>
              <th scope="row">{campo}</th>
              <td>{mio}</td>
              <td>{suyo}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TablaCaja>
  );
}

type Marcas = Record<string, string | number | null | undefined>;

/**
 * The marks of what a form shows, as hidden fields. The marks stay those of the moment the fields were filled, whatever the page learns later, and an answer
 * brings them back with the typed text. Only a refusal because something moved brings the current marks. `enVivo`: the form's record stands beside its fields
 * and the page keeps it fresh, so the marks are the page's, and the page looks again after a refusal.
 */
export function Visto({ of: { answer }, marcas, enVivo = false }: { of: De; marcas: Marcas; enVivo?: boolean }) {
  const [primeras] = useState(marcas);
  useLookAgain(enVivo ? answer : undefined);
  const ahora: Marcas = {
    ...(enVivo ? marcas : { ...primeras, ...enviadas(answer, primeras) }),
    ...answer?.choque?.marcas,
  };
  return Object.entries(ahora).map(
    ([name, value]) =>
      value !== undefined && value !== null && <input key={name} type="hidden" name={name} value={value} />,
  );
}

function enviadas(answer: Answer | undefined, marcas: Marcas): Marcas {
  const typed = answer?.initialValue ?? {};
  return Object.fromEntries(
    Object.keys(marcas).flatMap((name) => {
      const sent: unknown = typed[name];
      return typeof sent === 'string' || typeof sent === 'number' ? [[name, sent]] : [];
    }),
  );
}

/**
 * Returns the shape a form had when it was sent, for a form that changes with its record: a person who typed goes on in the same form, whatever the record
 * became. Each shape has its own form, `${form}-${shape}`.
 */
export function useForma<Forma extends string>(form: string, formas: readonly Forma[], ahora: Forma): Forma {
  const answer = useDicho();
  return (answer?.choque && formas.find((forma) => answer.formId === `${form}-${forma}`)) || ahora;
}
