import type { ReactNode } from 'react';
import type { EnvioEnlace } from '~/domain/facturacion/enlaces/enlaceEnvios.server';
import type { EnlaceFila } from '~/domain/facturacion/enlaces/enlaces.server';
import { EmptyState } from '~/ui/Blocks';
import { Estatus, type Tono } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { TablaCaja } from '~/ui/TablaCaja';

export const ORIGEN = { personal: 'Personal', automatico: 'Automático', portada: 'Página de inicio' } as const;
const ESTADO: Record<EnlaceFila['estado'], { tono: Tono; texto: string }> = {
  vigente: { tono: 'ok', texto: 'Vigente' },
  vencido: { tono: 'neutro', texto: 'Vencido' },
  revocado: { tono: 'mal', texto: 'Revocado' },
};

export function TablaEnlaces({
  enlaces,
  children,
}: {
  enlaces: EnlaceFila[];
  children: (enlace: EnlaceFila) => ReactNode;
}) {
  return (
    <section className="hoja">
      <h2>Enlaces de la venta</h2>
      {enlaces.length === 0 ? (
        <EmptyState>Todavía no hay enlaces.</EmptyState>
      ) : (
        <TablaCaja nombre="Enlaces de la venta">
          <table className="tabla tablero">
            <thead>
              <tr>
                <th>Creado</th>
                <th>Por</th>
                <th>Vence</th>
                <th className="num">Usos</th>
                <th>Estatus</th>
                <th>
                  <span className="oculto">Administración</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {enlaces.map((enlace) => {
                const { id, creadoEn, creadoPor, origen, venceEn, usos, estado } = enlace;
                return (
                  <tr key={id}>
                    <td data-campo="Creado">
                      <Fecha valor={creadoEn} />
                    </td>
                    <td data-campo="Por">{creadoPor ?? ORIGEN[origen]}</td>
                    <td data-campo="Vence">
                      <Fecha valor={venceEn} />
                    </td>
                    <td className="num" data-campo="Usos">
                      {usos}
                    </td>
                    <td>
                      <Estatus tono={ESTADO[estado].tono}>{ESTADO[estado].texto}</Estatus>
                    </td>
                    <td>
                      <div className="acciones">{estado === 'vigente' && children(enlace)}</div>
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </TablaCaja>
      )}
    </section>
  );
}

const ENVIO: Record<EnvioEnlace['state'], { tono: Tono; texto: string }> = {
  queued: { tono: 'aviso', texto: 'En camino' },
  sending: { tono: 'aviso', texto: 'En camino' },
  unknown: { tono: 'aviso', texto: 'Por confirmar' },
  manual: { tono: 'mal', texto: 'En Pendientes' },
  done: { tono: 'ok', texto: 'Enviado' },
  refused: { tono: 'mal', texto: 'Rechazado' },
  cancelled: { tono: 'neutro', texto: 'Retirado' },
};

export function TablaEnvios({ envios }: { envios: EnvioEnlace[] }) {
  if (envios.length === 0) return null;
  return (
    <section className="hoja">
      <h2>Envíos</h2>
      <TablaCaja nombre="Envíos">
        <table className="tabla tablero">
          <thead>
            <tr>
              <th>Fecha</th>
              <th>Por</th>
              <th>Estatus</th>
            </tr>
          </thead>
          <tbody>
            {envios.map(({ id, createdAt, por, state, reason }) => (
              <tr key={id}>
                <td>
                  <Fecha valor={createdAt} />
                </td>
                <td>{por === 'correo' ? 'Correo' : 'Mensaje de Mercado Libre'}</td>
                <td>
                  <Estatus tono={ENVIO[state].tono}>
                    <span style={{ whiteSpace: 'normal' }}>
                      {ENVIO[state].texto}
                      {reason && `: ${reason}`}
                    </span>
                  </Estatus>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TablaCaja>
    </section>
  );
}
