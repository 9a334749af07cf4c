import { Form, Link } from '@remix-run/react';
import type { EstadoFactura } from '~/domain/facturacion/emision/draftSteps.server';
import { Confirm } from '~/ui/Confirm';
import { Copiar } from '~/ui/Copiar';
import { Panel } from '~/ui/Blocks';
import { EnEspera } from '~/ui/EnEspera';
import { Titular } from '~/ui/Titular';
import { Hidden, useQuestion } from '~/ui/useAnswer';

type Estado = EstadoFactura;
type Marcas = { version: number; mostrado: string };
type Props = {
  estado: Estado;
  visto: Marcas;
  area: string;
  /** The addresses to which the letter goes. */ correos: string[];
  puedeResolver: boolean;
  /** The request for a stamp, in one line. */ hechos: string;
};

/** The last step. Success is told only once the PAC has stamped; while the result is unknown the page says so and looks again by itself. */
export function Resultado({ estado, visto, area, correos, puedeResolver, hechos }: Props) {
  switch (estado.tipo) {
    case 'lista':
      return (
        <section className="hoja media resultado" data-tono="ok" role="status">
          <Titular>Factura Creada Correctamente</Titular>
          <p>
            La factura con folio: <strong>{estado.folio}</strong> se ha creado correctamente. Se enviara la informacion
            al correo de contacto. <Copiar texto={estado.folio} que="folio" />
          </p>
          <p className="nota">
            Folio fiscal {estado.uuid} <Copiar texto={estado.uuid} que="folio fiscal" />
          </p>
          <p className="nota">
            Va a {correos.join(' y ')}. <a href={`${area}/facturasClientes?ver=${estado.facturaId}`}>Ver si ya salió</a>
          </p>
          <div className="botones">
            <a className="boton" href={`${area}/descargas/factura/${estado.facturaId}/pdf`}>
              Descargar PDF
            </a>
            <a className="boton" href={`${area}/descargas/factura/${estado.facturaId}/xml`}>
              Descargar XML
            </a>
            <Link className="boton" data-tono="acento" data-principal to={`${area}/facturacion`}>
              Facturar otra orden
            </Link>
          </div>
        </section>
      );
    case 'proceso':
      return <EnProceso {...estado} visto={visto} hechos={hechos} />;
    case 'manual':
      return (
        <section className="hoja media">
          <Panel tono="aviso">
            <Titular>La factura necesita una decisión</Titular>
            El PAC no dio una respuesta que se pueda leer sin duda. Nadie volverá a timbrar esta venta hasta que una
            persona revise si la factura existe.
          </Panel>
          <div className="botones">
            {puedeResolver ? (
              <Link className="boton" data-tono="acento" to={`${area}/pendientes`}>
                Revisar en Pendientes
              </Link>
            ) : (
              <p className="nota">Pide a un administrador que la revise en Pendientes.</p>
            )}
          </div>
        </section>
      );
    case 'rechazada':
      return <Rechazada {...estado} visto={visto} />;
  }
}

function Rechazada({ texto, detalle, paso, visto }: Extract<Estado, { tipo: 'rechazada' }> & { visto: Marcas }) {
  return (
    <section className="hoja media">
      <Panel tono="mal">
        <Titular>Facturación</Titular>
        <p id="rechazo">{texto}</p>
        <details>
          <summary>Detalle</summary>
          <p className="nota">{detalle}</p>
        </details>
      </Panel>
      <p className="nota">No se timbró nada. Lo que escribiste sigue aquí.</p>
      <Form method="post" className="botones">
        <Hidden paso={paso} {...visto} />
        <button
          type="submit"
          name="intent"
          value="corregir"
          className="boton"
          data-tono="acento"
          aria-describedby="rechazo"
          data-principal
        >
          Corregir
        </button>
      </Form>
    </section>
  );
}

function EnProceso({
  desde,
  detalle,
  retirable,
  visto,
  hechos,
}: Extract<Estado, { tipo: 'proceso' }> & Pick<Props, 'visto' | 'hechos'>) {
  const question = useQuestion('retirar');
  return (
    <EnEspera titulo="Factura en proceso">
      La solicitud está registrada desde las {desde} y el PAC todavía no confirma. Esta página se actualiza sola;
      también puedes salir y volver: nada se timbra dos veces.
      {detalle && <span className="nota"> {detalle}</span>}
      {retirable && (
        <Form method="post" className="botones">
          <Hidden {...visto} />
          <Confirm name="intent" value="retirar" tono="neutro" {...question} hechos={hechos}>
            Retirar la solicitud
          </Confirm>
        </Form>
      )}
    </EnEspera>
  );
}
