import { Form } from '@remix-run/react';
import type { PasoDelRecorrido } from '~/domain/operacion/recorrido.server';
import { Hidden } from '~/ui/useAnswer';

type Paso = Omit<PasoDelRecorrido, 'a'> & { a: string };

/** The tour of the demo: the acts of a day, each done for real. What to do is said of the next one. */
export function Recorrido({ pasos, area }: { pasos: readonly Paso[]; area: string }) {
  const hechos = pasos.filter(({ hecho }) => hecho).length;
  const siguiente = pasos.find(({ hecho }) => !hecho);
  return (
    <section className="hoja recorrido" aria-labelledby="recorrido">
      <header>
        <h2 id="recorrido">
          Recorrido <span className="nota">{`${hechos} de ${pasos.length}`}</span>
        </h2>
        <Form method="post" action={`${area}/preferencias`}>
          <Hidden intent="recorrido" recorrido={false} volver={`${area}/hoy`} />
          <button type="submit" className="boton">
            No mostrar el recorrido
          </button>
        </Form>
      </header>
      <ol>
        {pasos.map((paso) => (
          <li key={paso.clave} aria-current={paso === siguiente ? 'step' : undefined}>
            <a href={`${area}/${paso.a}`}>{paso.titulo}</a>
            {paso.hecho && <span className="nota">hecho</span>}
          </li>
        ))}
      </ol>
      {siguiente && (
        <div className="siguiente">
          <p>{siguiente.texto}</p>
          <a className="boton" href={`${area}/${siguiente.a}`} aria-label={`Hacerlo: ${siguiente.titulo}`}>
            Hacerlo
          </a>
        </div>
      )}
    </section>
  );
}
