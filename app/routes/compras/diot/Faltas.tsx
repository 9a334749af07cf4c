import { Link } from '@remix-run/react';
import { useArea } from '~/access/useArea';
import { writeCount } from '~/core/count';
import type { Wire } from '~/core/list';
import type { Diot } from '~/domain/compras/pagos/diot';
import { Estatus } from '~/ui/Estatus';
import { Pesos } from '~/ui/Pesos';
import { TablaCaja } from '~/ui/TablaCaja';

type Una = Wire<Diot>['faltas'][number];
type Props = { faltas: Una[]; puede: boolean };

/** Reasons whose examples are payments. */
const DE_PAGO: ReadonlySet<Una['motivo']> = new Set(['sinFactura', 'sinFecha']);

/** What was paid without its IVA being known, by supplier and reason, with the next step. */
export function Faltas({ faltas, puede }: Props) {
  return (
    <section className="hoja" aria-labelledby="diot-faltas">
      <h2 id="diot-faltas">Lo que falta saber</h2>
      <TablaCaja nombre="Lo que se pagó sin que se sepa su IVA" conMandos>
        <table className="tabla tablero">
          <thead>
            <tr>
              <th scope="col">Proveedor</th>
              <th scope="col">Por qué</th>
              <th scope="col">Cuáles</th>
              <th scope="col" className="pesos">
                Pagado
              </th>
              <th scope="col">Qué sigue</th>
            </tr>
          </thead>
          <tbody>
            {faltas.map((falta) => (
              <tr key={`${falta.motivo}${falta.proveedor}${falta.rfc}`}>
                <td className="titular">{falta.label}</td>
                <td data-campo="Por qué">
                  <Estatus tono={falta.motivo === 'porLeer' ? 'neutro' : 'aviso'}>{falta.porQue}</Estatus>
                </td>
                <td data-campo="Cuáles">
                  <Cuales falta={falta} puede={puede} />
                </td>
                <td className="pesos" data-campo="Pagado">
                  <Pesos valor={falta.importe} />
                </td>
                <td data-campo="Qué sigue">
                  <Sigue falta={falta} puede={puede} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TablaCaja>
    </section>
  );
}

function Cuales({ falta: { motivo, ejemplos, cuantas }, puede }: { falta: Una; puede: boolean }) {
  const area = useArea();
  return (
    <>
      {ejemplos.map(({ folio, id, dice }, at) => (
        <span key={`${folio}${id}`}>
          {at > 0 && ', '}
          {puede && id !== null && DE_PAGO.has(motivo) ? (
            <Link to={`${area}/pagosProveedores?ver=${id}`}>{folio}</Link>
          ) : (
            folio
          )}
          {dice !== null && ` (${dice})`}
        </span>
      ))}
      {cuantas > ejemplos.length && ` y ${writeCount(cuantas - ejemplos.length)} más`}
    </>
  );
}

/** Payments open from their folios. */
function Sigue({ falta: { motivo, remedio, ejemplos }, puede }: { falta: Una; puede: boolean }) {
  const area = useArea();
  const id = ejemplos[0]?.id ?? null;
  if ((motivo === 'ilegible' || motivo === 'notaIlegible') && id !== null)
    return (
      <a href={`${area}/descargas/proveedorXml/${id}`} download>
        {remedio}
      </a>
    );
  if (!puede || motivo === 'porLeer' || motivo === 'ilegible' || motivo === 'notaIlegible' || motivo === 'notaDeMas')
    return remedio;
  if (motivo === 'sinXml') return <Link to={`${area}/facturasProveedores?xml=1`}>{remedio}</Link>;
  return <Link to={`${area}/pagosProveedores?ver=${id}`}>{remedio}</Link>;
}
