import { Form } from '@remix-run/react';
import type { CorreccionPublica } from '~/domain/facturacion/publico/publico.server';
import { Panel } from '~/ui/Blocks';
import { Hidden } from '~/ui/useAnswer';

const diaOf = (dia: string) => dia.split('-').reverse().join('/');

/** The corrections that the holder of a link may ask for when a factura has wrong data. */
export function Correccion({ correccion: { quedan, hasta, impedimento, visto } }: { correccion: CorreccionPublica }) {
  return (
    <section className="hoja">
      <h2>¿Un dato está mal?</h2>
      {impedimento === null ? (
        <>
          <p>
            Puedes pedir una factura nueva con tus datos correctos. Sustituye a esta, y al SAT se le pide cancelar esta.
          </p>
          <p className="nota">
            {quedan === 1 ? 'Puedes hacerlo una vez más' : `Puedes hacerlo ${quedan} veces`}, hasta el {diaOf(hasta)}.
          </p>
          <Form method="post" className="botones">
            <Hidden intent="corregirFactura" {...visto} />
            <button type="submit" className="boton">
              Corregir mis datos
            </button>
          </Form>
        </>
      ) : (
        <p className="nota">{impedimento}</p>
      )}
    </section>
  );
}

/** The note over the steps while a factura is being corrected. */
export function Corrigiendo({ folio, visto }: { folio: string; visto: CorreccionPublica['visto'] }) {
  return (
    <Panel tono="aviso" titulo={`Corriges la factura ${folio}`}>
      <p>
        Al crear la nueva se pedirá al SAT cancelar la {folio}. Si el SAT pide que lo aceptes, hazlo en tu Buzón
        Tributario: tienes tres días hábiles.
      </p>
      <Form method="post" className="botones">
        <Hidden intent="dejarCorreccion" {...visto} />
        <button type="submit" className="boton">
          No corregir
        </button>
      </Form>
    </Panel>
  );
}
