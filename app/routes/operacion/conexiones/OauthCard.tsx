import { Form } from '@remix-run/react';
import { enumerate } from '~/core/hechos';
import type { Freshness, LastRun } from '~/domain/sync/freshness.server';
import type { Unread } from '~/domain/sync/inboxUnread.server';
import { SYNC_LABEL } from '~/domain/sync/syncKinds';
import { Estatus } from '~/ui/Estatus';
import { Hace } from '~/ui/Fecha';
import { EmptyState } from '~/ui/Blocks';
import { TablaCaja } from '~/ui/TablaCaja';
import type { ConnectionView, LinkView } from '~/platform/connections/list.server';
import { Direcciones } from './Direcciones';
import type { Situacion } from './situacion';
import { abrirTo } from './Tarjeta';
import { Vinculo } from './Vinculo';
import { LlavesForm, LoVisto } from './KeysCard';
import { AvisosSinLeer, avisosSinLeer } from './SinLeer';

/** The sales that the marketplace of the row brought; null for a far side that brings no sales. */
type Ventas = { frescura: Freshness; corridas: LastRun[]; avisos: Unread[] } | null;
type Props = {
  conexion: ConnectionView;
  link: Extract<LinkView, { type: 'oauth' }>;
  ventas: Ventas;
  situacion: Situacion;
  ahora: Date;
};

/** The card of an account whose owner consents at the far side, or types what the far side gave. For a marketplace it tells how complete the sales are. */
export function OauthCard({ conexion, link: { fields, falta, registra }, ventas, situacion, ahora }: Props) {
  const { kind, label, linked: link, seen } = conexion;
  return (
    <>
      <Vinculo link={link} />
      {seen.map((one) => (
        <LoVisto key={one.texto} {...one} />
      ))}
      {link && ventas && (
        <div className="apilado">
          <p className="nota">
            Ventas completas hasta: <Hace valor={ventas.frescura.lastSuccess} ahora={ahora} />
            {ventas.frescura.sinLeer > 0 && `, salvo ${avisosSinLeer(ventas.frescura.sinLeer)}`}
          </p>
          <Corridas corridas={ventas.corridas} ahora={ahora} />
          <AvisosSinLeer de={label} source={kind} avisos={ventas.avisos} total={ventas.frescura.sinLeer} />
        </div>
      )}
      <Form method="post" action={abrirTo(kind)} className="botones">
        <input type="hidden" name="conexion" value={kind} />
        {link?.status === 'linked' && ventas && (
          <button className="boton" type="submit" name="intent" value="sincronizar">
            Sincronizar ahora
          </button>
        )}
        {falta.length === 0 && (
          <button
            className="boton"
            data-tono={situacion.principal === 'activar' ? 'acento' : undefined}
            type="submit"
            name="intent"
            value="activar"
          >
            Activar {label}
          </button>
        )}
      </Form>
      {falta.length > 0 && (
        <p className="nota">
          Para activarla falta la aplicación de {label}: configura {enumerate(falta)} en el servidor.
        </p>
      )}
      <Direcciones label={label} direcciones={registra} />
      {fields.length > 0 && <LlavesForm conexion={conexion} fields={fields} guardadas={[]} principal={false} />}
    </>
  );
}

function Corridas({ corridas, ahora }: { corridas: LastRun[]; ahora: Date }) {
  if (corridas.length === 0) return <EmptyState>Todavía no hay sincronizaciones.</EmptyState>;
  return (
    <TablaCaja nombre="Sincronizaciones">
      <table className="tabla tablero">
        <thead>
          <tr>
            <th>Sincronización</th>
            <th>Última vez</th>
            <th className="num">Vistas</th>
            <th className="num">Guardadas</th>
            <th className="num">Con error</th>
            <th>Resultado</th>
          </tr>
        </thead>
        <tbody>
          {corridas.map(({ kind, startedAt, endedAt, seen, written, failed, error }) => (
            <tr key={kind}>
              <td>{SYNC_LABEL[kind]}</td>
              <td data-campo="Última vez">
                <Hace valor={startedAt} ahora={ahora} />
              </td>
              <td className="num" data-campo="Vistas">
                {seen}
              </td>
              <td className="num" data-campo="Guardadas">
                {written}
              </td>
              <td className="num" data-campo="Con error">
                {failed}
              </td>
              <td data-campo="Resultado">
                <Resultado enMarcha={endedAt === null} error={error} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TablaCaja>
  );
}

function Resultado({ enMarcha, error }: { enMarcha: boolean; error: string | null }) {
  if (enMarcha) return <Estatus tono="aviso">En marcha</Estatus>;
  if (error === null) return <Estatus tono="ok">Completa</Estatus>;
  return (
    <>
      <Estatus tono="mal">Con errores</Estatus>
      <p className="nota">{error}</p>
    </>
  );
}
