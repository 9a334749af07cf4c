import { Form } from '@remix-run/react';
import type { Wire } from '~/core/list';
import type { EnlaceFila } from '~/domain/facturacion/enlaces/enlaces.server';
import { Confirm } from '~/ui/Confirm';
import { Estatus, type Tono } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { TablaCaja } from '~/ui/TablaCaja';
import { Hidden } from '~/ui/useAnswer';
import { askRevokeEnlace } from '~/routes/facturacion/enlaces/questions';

type Enlace = Wire<EnlaceFila>;

/** Returns the state of an enlace and its date. An answered enlace is told as answered even when it has ended, since the answer is kept. */
function estadoOf({ estado, usos, usadoEn, venceEn }: Enlace): {
  tono: Tono;
  texto: string;
  cuando: [string, string] | null;
} {
  if (estado === 'revocado')
    return { tono: 'mal', texto: 'Revocado', cuando: usadoEn ? ['Contestado el', usadoEn] : null };
  if (usos > 0 && usadoEn) return { tono: 'ok', texto: 'Contestado', cuando: ['el', usadoEn] };
  return estado === 'vencido'
    ? { tono: 'neutro', texto: 'Vencido sin respuesta', cuando: ['el', venceEn] }
    : { tono: 'aviso', texto: 'Sin contestar', cuando: ['Vence el', venceEn] };
}

/** The links with which the buyer tells where to send the sale: the state of each, and the revocation of those still open. */
export function EnlacesEnvio({
  enlaces,
  numOrden,
  puedeRevocar,
}: {
  enlaces: Enlace[];
  numOrden: string;
  puedeRevocar: boolean;
}) {
  if (enlaces.length === 0)
    return <p className="nota">Todavía no hay enlaces para que el cliente capture sus datos.</p>;
  return (
    <TablaCaja nombre="Enlaces de datos de envío">
      <table className="tabla">
        <thead>
          <tr>
            <th>Enlace creado</th>
            <th>Estatus</th>
            <th>
              <span className="oculto">Administración</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {enlaces.map((enlace) => {
            const { tono, texto, cuando } = estadoOf(enlace);
            return (
              <tr key={enlace.id}>
                <td>
                  <Fecha valor={enlace.creadoEn} />
                  <br />
                  <span className="nota">{enlace.creadoPor ?? '—'}</span>
                </td>
                <td>
                  <Estatus tono={tono}>{texto}</Estatus>
                  {cuando && (
                    <>
                      <br />
                      <span className="nota">
                        {cuando[0]} <Fecha valor={cuando[1]} hora={false} />
                      </span>
                    </>
                  )}
                </td>
                <td className="acciones num">
                  {puedeRevocar && enlace.estado === 'vigente' && (
                    <Form method="post" preventScrollReset>
                      <Hidden intent="revocarEnlace" enlace={enlace.id} />
                      <Confirm plain="boton" {...askRevokeEnlace({ ...enlace, numOrden })}>
                        Revocar
                      </Confirm>
                    </Form>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </TablaCaja>
  );
}
