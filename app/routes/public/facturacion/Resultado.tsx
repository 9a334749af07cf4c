import { Form, useLocation } from '@remix-run/react';
import type { ReactNode } from 'react';
import type { EstadoPublico } from '~/domain/facturacion/publico/publico.server';
import type { OtroDocumento } from '~/domain/facturacion/publico/publicoDraft.server';
import { Dato, Datos } from '~/ui/Datos';
import { Panel } from '~/ui/Blocks';
import { EnEspera } from '~/ui/EnEspera';
import { Pesos } from '~/ui/Pesos';
import { Titular } from '~/ui/Titular';
import { Correccion } from './Correccion';

type Props = { estado: EstadoPublico; ajena?: undefined } | { estado?: undefined; ajena: OtroDocumento };

/** The end of the customer's way, and what the link shows from then on. It says success only once the PAC did. */
export function Resultado({ estado, ajena }: Props) {
  const { pathname } = useLocation();
  if (ajena) {
    if (ajena.situacion === 'enProceso')
      return <EnEspera titulo="Factura en proceso">{ajena.texto} Esta página se actualiza sola.</EnEspera>;
    if (ajena.situacion !== 'facturada')
      return (
        <Noticia
          titulo={ajena.situacion === 'enRevision' ? 'La factura está en revisión' : 'Todavía no se puede facturar'}
        >
          {ajena.texto}
        </Noticia>
      );
    return (
      <section className="hoja resultado" role="status">
        <Titular>Compra facturada</Titular>
        <p>{ajena.texto}</p>
        <p className="nota">Si no tienes la factura, pídela por los mensajes de tu compra.</p>
      </section>
    );
  }
  switch (estado.tipo) {
    case 'lista':
      if (estado.cancelada)
        return (
          <Noticia titulo="Factura cancelada">
            La factura con folio {estado.folio} fue cancelada. Si necesitas una nueva, escríbenos por los mensajes de tu
            compra.
          </Noticia>
        );
      return (
        <>
          <section className="hoja resultado" role="status">
            <Titular>Factura Creada Correctamente</Titular>
            <p>
              La factura con folio: <strong>{estado.folio}</strong> se ha creado correctamente. Se enviara la
              informacion al correo de contacto.
            </p>
            <div className="descargas">
              <a className="boton" data-tono="acento" href={`${pathname}/pdf`}>
                Descargar PDF
              </a>
              <a className="boton" href={`${pathname}/xml`}>
                Descargar XML
              </a>
            </div>
            <Datos>
              <Dato de="Folio fiscal" ancha>
                <code id="folio-fiscal">{estado.uuid}</code>{' '}
                <button type="button" className="boton solo-js" data-copiar={estado.uuid} data-de="folio-fiscal">
                  Copiar
                </button>
              </Dato>
              <Dato de="Total">
                <Pesos valor={estado.total} />
              </Dato>
            </Datos>
            {estado.sustituye && (
              <p className="nota">Sustituye a la factura {estado.sustituye}, cuya cancelación se pidió al SAT.</p>
            )}
            <p className="nota">Puedes volver a este enlace para descargarla otra vez mientras siga vigente.</p>
          </section>
          {estado.correccion && <Correccion correccion={estado.correccion} />}
        </>
      );
    case 'proceso':
      return (
        <EnEspera titulo="Factura en proceso">
          Tu solicitud está registrada desde las {estado.desde} y el servicio de timbrado todavía no confirma. Esta
          página se actualiza sola; también puedes cerrarla y volver a tu enlace: nada se factura dos veces.
        </EnEspera>
      );
    case 'manual':
      return (
        <Noticia titulo="Tu factura está en revisión">
          El servicio de timbrado no dio una respuesta clara y una persona la está revisando. Vuelve a este enlace más
          tarde: aquí aparecerá.
        </Noticia>
      );
    case 'rechazada':
      return (
        <section className="hoja">
          <Panel tono="mal">
            <Titular>Facturación</Titular>
            <p>{estado.texto}</p>
            {estado.detalle !== null && (
              <details>
                <summary>Detalle</summary>
                <p className="nota">{estado.detalle}</p>
              </details>
            )}
          </Panel>
          <p className="nota">No se timbró nada. Lo que escribiste sigue aquí.</p>
          {estado.paso === null ? (
            <p className="nota">Este dato no depende de ti: escríbenos por los mensajes de tu compra.</p>
          ) : (
            <Form method="post" className="botones">
              <input type="hidden" name="paso" value={estado.paso} />
              <button type="submit" name="intent" value="corregir" className="boton" data-tono="acento">
                Corregir
              </button>
            </Form>
          )}
        </section>
      );
  }
}

function Noticia({ titulo, children }: { titulo: string; children: ReactNode }) {
  return (
    <Panel tono="aviso">
      <Titular>{titulo}</Titular>
      {children}
    </Panel>
  );
}
