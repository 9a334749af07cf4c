import { Link } from '@remix-run/react';
import { enumerate } from '~/core/hechos';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { TablaCaja } from '~/ui/TablaCaja';
import { DeQue, foliosOf } from './DeQue';
import type { Pendiente } from './pendiente';

export function Tablero({ filas }: { filas: Pendiente[] }) {
  return (
    <TablaCaja nombre="Pendientes" conMandos>
      <table className="tabla tablero">
        <thead>
          <tr>
            <th>Fecha</th>
            <th>Solicitud</th>
            <th>De qué</th>
            <th>Estado</th>
            <th>Motivo</th>
            <th>
              <span className="oculto">Administración</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {filas.map((fila) => (
            <tr key={fila.id}>
              <td>
                <Fecha valor={fila.createdAt} />
              </td>
              <td>
                <strong>{fila.que}</strong>
              </td>
              <td>
                <DeQue fila={fila} />
              </td>
              <td>
                {fila.alarma ? (
                  <Estatus tono="mal">Hay más de uno vigente</Estatus>
                ) : fila.tardia ? (
                  <Estatus tono="mal">Existe, y se dio por no hecho</Estatus>
                ) : fila.state === 'manual' ? (
                  <Estatus tono="mal">Espera una decisión</Estatus>
                ) : (
                  <Estatus tono="aviso">Se sigue buscando</Estatus>
                )}
              </td>
              <td>{fila.alarma ? enumerate(foliosOf(fila.alarma)) : (fila.reason ?? 'La respuesta se perdió.')}</td>
              <td className="acciones">
                <Link
                  className="boton"
                  to={`?ver=${fila.id}`}
                  preventScrollReset
                  aria-label={`Revisar: ${fila.que}, ${fila.asunto.texto}`}
                >
                  Revisar
                </Link>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TablaCaja>
  );
}
