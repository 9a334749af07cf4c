import { enMiles } from '~/core/importe';
import type { LecturaVista } from '~/domain/compras/catalogo/frescura.server';
import { Estatus } from '~/ui/Estatus';
import { Hace } from '~/ui/Fecha';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden } from '~/ui/useAnswer';

const cuantos = (n: number) => enMiles(String(n));

/** The last reading of a whole catalogue, or the reading under way: its counts, and its failures. */
export function LecturaDeCatalogo({ lectura, ahora }: { lectura: LecturaVista | undefined; ahora: Date | string }) {
  if (!lectura) return <p className="nota">Todavía no se ha leído su catálogo.</p>;
  const {
    id,
    porMarcar,
    decision,
    empezoEn,
    terminoEn,
    completa,
    vistos,
    escritos,
    ilegibles,
    ausentes,
    porSegundo,
    error,
    ejemplos,
    total,
  } = lectura;
  const ritmo = Math.round(porSegundo);
  return (
    <>
      <p>
        {terminoEn === null ? (
          <Estatus tono="aviso">Leyendo el catálogo</Estatus>
        ) : completa ? (
          <Estatus tono="ok">Catálogo completo</Estatus>
        ) : (
          <Estatus tono="mal">El catálogo no se leyó completo</Estatus>
        )}{' '}
        <span className="nota">
          <Hace valor={terminoEn ?? empezoEn} ahora={ahora} />
        </span>
      </p>
      <p className="nota">
        {cuantos(vistos)}
        {terminoEn === null && total !== null && ` de ${cuantos(total)}`} productos, {cuantos(escritos)} con cambios
        {ausentes > 0 && `, ${cuantos(ausentes)} que ya no aparecen`}
        {ritmo > 0 && `, ${cuantos(ritmo)} por segundo`}.
      </p>
      {error && <p className="nota">{error}</p>}
      {terminoEn !== null && porMarcar !== null && decision === null && <Encogido id={id} porMarcar={porMarcar} />}
      {ilegibles > 0 && (
        <details>
          <summary>{ilegibles === 1 ? '1 renglón sin leer' : `${cuantos(ilegibles)} renglones sin leer`}</summary>
          <ul className="nota">
            {ejemplos.map((ejemplo) => (
              <li key={ejemplo}>{ejemplo}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

/** The last read of prices and stock alone, where a supplier tells them apart. */
export function LecturaDePrecios({ lectura, ahora }: { lectura: LecturaVista | undefined; ahora: Date | string }) {
  if (!lectura) return null;
  const { terminoEn, empezoEn, vistos, escritos, ilegibles, completa, error } = lectura;
  return (
    <p className="nota">
      {terminoEn === null ? (
        'Leyendo precios y existencias'
      ) : (
        <>
          Precios y existencias{!completa && ', sin terminar'}, <Hace valor={terminoEn ?? empezoEn} ahora={ahora} />
        </>
      )}
      : {cuantos(vistos)} productos, {cuantos(escritos)} con cambios
      {ilegibles > 0 && `, ${cuantos(ilegibles)} sin leer`}.{error && ` ${error}`}
    </p>
  );
}

/** The catalogue shrank so much that a person has to confirm the reading. */
function Encogido({ id, porMarcar }: { id: string; porMarcar: number }) {
  return (
    <div className="botones" role="group" aria-label="¿Ya no vende los que no llegaron?">
      <Decision id={id} decision="dejar" texto="Dejarlos como están" />
      <Decision id={id} decision="marcar" texto={`Ya no vende esos ${cuantos(porMarcar)}`} />
    </div>
  );
}

function Decision({ id, decision, texto }: { id: string; decision: 'dejar' | 'marcar'; texto: string }) {
  const form = useActionForm('encogido', { id: `${decision}-${id}` });
  return (
    <ActionForm of={form}>
      <Hidden id={id} decision={decision} />
      <button className="boton" type="submit" disabled={form.pending !== undefined}>
        {texto}
      </button>
    </ActionForm>
  );
}
