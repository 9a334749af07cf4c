import { Form } from '@remix-run/react';
import { MERCADOS } from '~/domain/mercados/mercados';
import { Panel } from '~/ui/Blocks';
import { Confirm } from '~/ui/Confirm';
import { Copiar } from '~/ui/Copiar';
import { Dato, Datos } from '~/ui/Datos';
import { Fecha, formatFecha } from '~/ui/Fecha';
import { Field } from '~/ui/Field';
import { formatPesos, Pesos } from '~/ui/Pesos';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden } from '~/ui/useAnswer';
import { askKeepDevuelta } from './questions';
import type { OrdenAbierta } from './record';

type Props = { orden: OrdenAbierta; devuelta: NonNullable<OrdenAbierta['devuelta']> };

/** A sale that the marketplace paid us though it was not fulfilled: what is known of it, what was decided, and the decision. */
export function Devuelta({ orden, devuelta }: Props) {
  const { decision, conservada, folio, liquidado } = devuelta;
  const tienda = MERCADOS[orden.market].label;
  const texto = textoDeReclamo(orden, liquidado);
  return (
    <Panel
      tono={conservada ? undefined : 'aviso'}
      titulo={conservada ? 'No se entregó y se conserva' : 'Pagada y no entregada'}
    >
      <p>
        {conservada
          ? `Se decidió que el dinero es nuestro: cuenta como venta mientras su pago siga en pie.`
          : `${tienda} la da por no cumplida y pagó su dinero, que no ha pedido de vuelta. Mientras nadie decida, cuenta 0 y no se factura.`}
      </p>
      <Datos>
        <Dato de="Se recibieron">
          <Pesos valor={liquidado} />
        </Dato>
        {folio && <Dato de="Factura">{folio}</Dato>}
        {decision && (
          <Dato de="Última decisión" ancha>
            {DICHA[decision.decision]}
            {decision.folio && `, folio ${decision.folio}`} · {decision.quien} · <Fecha valor={decision.creadaEn} />
            {decision.hasta && ` · se pregunta otra vez después del ${decision.hasta.split('-').reverse().join('/')}`}
          </Dato>
        )}
        {!conservada && (
          <Dato de="Para reclamar" ancha>
            {texto} <Copiar texto={texto} que="el texto" />
          </Dato>
        )}
      </Datos>
      {orden.puede.operar &&
        (conservada ? <Soltar orden={orden} devuelta={devuelta} /> : <Decidir orden={orden} devuelta={devuelta} />)}
    </Panel>
  );
}

function Decidir({ orden, devuelta }: Props) {
  const { huella, folio, reclamada } = devuelta;
  return (
    <>
      <div className="botones">
        <Form method="post" preventScrollReset>
          <Hidden intent="decidirDevuelta" orden={orden.id} huella={huella} decision="facturar" />
          <Confirm plain="boton" {...askKeepDevuelta(orden, { liquidado: devuelta.liquidado, folio })}>
            {reclamada ? 'Es venta: su factura se queda' : 'Es venta: facturarla'}
          </Confirm>
        </Form>
        <Form method="post" preventScrollReset>
          <Hidden intent="decidirDevuelta" orden={orden.id} huella={huella} decision="esperar" />
          <button type="submit" className="boton">
            Esperar {devuelta.dias} días
          </button>
        </Form>
      </div>
      <Reclamada orden={orden} devuelta={devuelta} />
    </>
  );
}

function Reclamada({ orden, devuelta }: Props) {
  const form = useActionForm<{ folio: string }>('decidirDevuelta', { defaultValue: { folio: '' } });
  return (
    <ActionForm of={form} aria-label="Ya se reclamó">
      <Hidden orden={orden.id} huella={devuelta.huella} decision="reclamar" />
      <Field field={form.fields.folio} label="Folio del reclamo" description="Si lo dieron." autoComplete="off" />
      <p className="botones">
        <button type="submit" className="boton">
          Ya se reclamó
        </button>
      </p>
    </ActionForm>
  );
}

function Soltar({ orden, devuelta }: Props) {
  if (devuelta.reclamada) return <p className="nota">Para dejar de contarla, cancela antes su factura.</p>;
  return (
    <Form method="post" className="botones" preventScrollReset>
      <Hidden intent="decidirDevuelta" orden={orden.id} huella={devuelta.huella} decision="soltar" />
      <button type="submit" className="boton">
        Ya no cuenta como venta
      </button>
    </Form>
  );
}

const DICHA = {
  facturar: 'Es venta',
  esperar: 'Esperar',
  reclamar: 'Se reclamó',
  soltar: 'No cuenta como venta',
} as const;

/** The text with which a marketplace is asked what became of a package that it gave up and paid. */
function textoDeReclamo({ numOrden, fechaCreacion }: OrdenAbierta, liquidado: string | null): string {
  return `La venta ${numOrden} del ${formatFecha(fechaCreacion, { hora: false })} aparece sin entregar y se nos pagaron ${formatPesos(liquidado ?? '0')}. ¿El pago es definitivo? Si el paquete no se entregó, ¿dónde está?`;
}
