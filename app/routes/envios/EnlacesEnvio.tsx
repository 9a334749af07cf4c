import { Form } from '@remix-run/react';
import type { Wire } from '~/core/list';
import type { EnlaceFila } from '~/domain/facturas/enlaces.server';
import { Confirm } from '~/ui/Confirm';
import { Estatus, type Tono } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { PREGUNTAS } from '../ordenes/preguntas';

type Enlace = Wire<EnlaceFila>;

/** Answered outranks how it ended: what the customer told is kept. */
function estadoOf({ estado, usos }: Enlace): { tono: Tono; texto: string } {
  if (estado === 'revocado') return { tono: 'mal', texto: 'Revocado' };
  if (usos > 0) return { tono: 'ok', texto: 'Contestado' };
  return estado === 'vencido' ? { tono: 'neutro', texto: 'Vencido sin respuesta' } : { tono: 'aviso', texto: 'Sin contestar' };
}

/** The links with which the customer of a sale says where to send it: what became of each, and the end of those that still open. */
export function EnlacesEnvio({ enlaces, puedeRevocar }: { enlaces: Enlace[]; puedeRevocar: boolean }) {
  if (enlaces.length === 0) return <p className="nota">Todavía no hay enlaces para que el cliente capture sus datos.</p>;
  return (
    <div className="tabla-caja" role="region" aria-label="Enlaces de datos de envío" tabIndex={0}>
      <table className="tabla">
        <thead><tr><th>Enlace creado</th><th>Por</th><th>Estatus</th><th>Contestado</th><th>Vence</th><th><span className="oculto">Administración</span></th></tr></thead>
        <tbody>
          {enlaces.map((enlace) => {
            const { tono, texto } = estadoOf(enlace);
            return (
              <tr key={enlace.id}>
                <td><Fecha valor={enlace.creadoEn} /></td>
                <td>{enlace.creadoPor ?? '—'}</td>
                <td><Estatus tono={tono}>{texto}</Estatus></td>
                <td>{enlace.usadoEn ? <Fecha valor={enlace.usadoEn} /> : '—'}</td>
                <td><Fecha valor={enlace.venceEn} /></td>
                <td className="acciones">
                  {puedeRevocar && enlace.estado === 'vigente' && (
                    <Form method="post" preventScrollReset>
                      <input type="hidden" name="intent" value="revocarEnlace" />
                      <input type="hidden" name="enlace" value={enlace.id} />
                      <Confirm plain="boton" {...PREGUNTAS.revocarEnlace}>Revocar</Confirm>
                    </Form>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
