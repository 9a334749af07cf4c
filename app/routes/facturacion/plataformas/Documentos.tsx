import { Form } from '@remix-run/react';
import { useArea } from '~/access/useArea';
import type { Wire } from '~/core/list';
import type { Retencion } from '~/domain/facturacion/plataformas/retenciones.server';
import { Confirm } from '~/ui/Confirm';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { Pesos } from '~/ui/Pesos';
import { TablaCaja } from '~/ui/TablaCaja';
import { Hidden } from '~/ui/useAnswer';
import { removeQuestion } from './textos';

type Props = { documentos: (Wire<Retencion> & { mercado: string })[]; mes: string; puede: boolean };

/** The CFDI de retenciones of a month, each with what does not add up in it. */
export function Documentos({ documentos, mes, puede }: Props) {
  const area = useArea();
  if (documentos.length === 0) return null;
  return (
    <section className="hoja sat-cfdi" aria-labelledby="sat-cfdi">
      <h2 id="sat-cfdi">CFDI de retenciones</h2>
      <TablaCaja nombre="CFDI de retenciones del mes" conMandos>
        <table className="tabla">
          <thead>
            <tr>
              <th scope="col">Emisor</th>
              <th scope="col">Estado</th>
              <th scope="col" className="pesos">
                Sin IVA
              </th>
              <th scope="col" className="pesos">
                ISR retenido
              </th>
              <th scope="col" className="pesos">
                IVA retenido
              </th>
              <td />
            </tr>
          </thead>
          <tbody>
            {documentos.map((cfdi) => {
              const nombre = `${cfdi.mercado} ${cfdi.uuid.slice(0, 8)}`;
              return (
                <tr key={cfdi.id}>
                  <td>
                    {cfdi.mercado}
                    <br />
                    <span className="nota">
                      {cfdi.emisorNombre} {cfdi.emisorRfc}, <Fecha valor={cfdi.emitidoEn} />
                    </span>
                  </td>
                  <td>
                    <EstadoDe cfdi={cfdi} />
                  </td>
                  <td className="pesos">
                    <Pesos valor={cfdi.sinIva} />
                  </td>
                  <td className="pesos">
                    <Pesos valor={cfdi.isrRetenido} />
                  </td>
                  <td className="pesos">
                    <Pesos valor={cfdi.ivaRetenido} />
                  </td>
                  <td>
                    <div className="sat-acciones">
                      <a
                        className="boton"
                        href={`${area}/descargas/retencion/${cfdi.id}`}
                        download
                        aria-label={`XML de ${nombre}`}
                      >
                        XML
                      </a>
                      {puede && (
                        <Form method="post" preventScrollReset>
                          <Hidden intent="quitarRetencion" id={cfdi.id} />
                          <Confirm
                            plain="boton"
                            data-tono="mal"
                            {...removeQuestion({ ...cfdi, mes })}
                            aria-label={`Quitar ${nombre}`}
                          >
                            Quitar
                          </Confirm>
                        </Form>
                      )}
                    </div>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </TablaCaja>
    </section>
  );
}

/** A replaced document counts nowhere, so its sums are not looked at. */
function EstadoDe({ cfdi: { sustituida, observaciones } }: { cfdi: Props['documentos'][number] }) {
  if (sustituida) return <Estatus>Sustituido por otro</Estatus>;
  if (observaciones.length === 0) return <Estatus tono="ok">Sus sumas cuadran</Estatus>;
  return (
    <>
      <Estatus tono="aviso">Sus sumas no cuadran</Estatus>
      <ul>
        {observaciones.map((dicho) => (
          <li key={dicho}>{dicho}</li>
        ))}
      </ul>
    </>
  );
}
