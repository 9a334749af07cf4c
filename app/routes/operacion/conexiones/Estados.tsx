import { Link } from '@remix-run/react';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { TablaCaja } from '~/ui/TablaCaja';
import type { Vista } from './situacion';

/** The screen that ends a pause, by the kind of the far side; '' where the person may not open that screen. */
export type Empresas = Readonly<Record<string, string>>;
type Props = { conexiones: Vista[]; empresas: Empresas };

/** The states of all far sides at one glance: name, state, since when, and the next step. */
export function Estados({ conexiones, empresas }: Props) {
  return (
    <section className="hoja" aria-labelledby="titulo-conexiones">
      <h2 id="titulo-conexiones">Estado de las conexiones</h2>
      <TablaCaja nombre="Tabla de estados">
        <table className="tabla tablero estados">
          <thead>
            <tr>
              <th>Conexión</th>
              <th>Estado</th>
              <th>Desde</th>
              <th>Qué sigue</th>
            </tr>
          </thead>
          <tbody>
            {conexiones.map((conexion) => (
              <Fila key={`${conexion.kind} ${conexion.account}`} conexion={conexion} empresas={empresas} />
            ))}
          </tbody>
        </table>
      </TablaCaja>
    </section>
  );
}

function Fila({ conexion, empresas }: { conexion: Vista; empresas: Empresas }) {
  const { kind, account, label, situacion } = conexion;
  const { tono, dice, desde, sigue, principal } = situacion;
  const tarjeta = `?abrir=${kind}#titulo-${kind}`;
  return (
    <tr>
      <td>
        <Link to={tarjeta} discover="none">
          {label}
          {account !== '' && ` (${account})`}
        </Link>
      </td>
      <td>
        <Estatus tono={tono}>{dice}</Estatus>
      </td>
      <td data-campo="Desde">{desde ? <Fecha valor={desde} /> : '—'}</td>
      <td>
        {sigue === null ? (
          <span className="nota">Nada pendiente</span>
        ) : principal !== 'empresas' ? (
          <Link to={tarjeta} discover="none" aria-label={`${sigue}: ${label}`}>
            {sigue}
          </Link>
        ) : empresas[kind] ? (
          <a href={empresas[kind]} aria-label={`${sigue}: ${label}`}>
            {sigue}
          </a>
        ) : (
          'Un Super Usuario la activa en Empresas.'
        )}
      </td>
    </tr>
  );
}
