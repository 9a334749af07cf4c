import { Form, Link, useLocation } from '@remix-run/react';
import type { ReactNode } from 'react';
import { writeCount } from '~/core/count';
import { withParams } from '~/core/list';
import type { Columna } from '~/platform/hoy/acomodo';
import type { Carta, Linea } from '~/platform/hoy/hoy.server';
import { Icono } from '~/ui/Icono';
import { Hidden } from '~/ui/useAnswer';
import { Abierta } from './Abierta';
import { NoEsDeHoyEnLinea } from './NoEsDeHoy';
import { SinLeer } from './SinLeer';
import type { Lotes } from './pagina';
import { useAbierta } from './useAbierta';

/** The card of the one thing that weighs most over all queues. */
export function LoPrimero({ linea, area }: { clave: string; linea: Linea; area: string }) {
  return (
    <p className="lo-primero" data-tono={linea.reloj.tono}>
      <Icono nombre="alerta" />
      <strong>Lo primero</strong>
      <span className="que">
        {linea.titulo} {linea.detalle && <span className="nota">{linea.detalle}</span>}
      </span>
      <Reloj linea={linea} />
      <a
        className="boton"
        data-tono="acento"
        href={`${area}/${linea.a}`}
        aria-label={`Abrir lo primero: ${linea.titulo}`}
      >
        Abrir
      </a>
    </p>
  );
}

type DeLote = { lotes: Lotes; area: string };

/** What is late by weeks, a number for each queue with its acts on all of it: it has done its harm, and is seen to in one go. */
export function Atrasado({ cartas, ...lote }: DeLote & { cartas: readonly Carta[] }) {
  const { search } = useLocation();
  const tarde = cartas.filter(({ atrasadas, sola }) => atrasadas > 0 && !sola);
  if (tarde.length === 0) return null;
  return (
    <div className="atrasado">
      <strong>Atrasado</strong>
      <span className="nota">desde hace más de dos semanas</span>
      {tarde.map((carta) => (
        <span className="con-lote" key={carta.clave}>
          <Link to={withParams(search, { cola: carta.clave, cosa: null, atrasadas: '1' })} discover="none">
            {carta.titulo} <span className="cuantas">{writeCount(carta.atrasadas)}</span>
          </Link>
          <LoteDe carta={carta} {...lote} />
        </span>
      ))}
    </div>
  );
}

/** The acts on everything of a queue that is late by weeks. Each begins with a preview. */
export const LoteDe = ({ carta: { clave, titulo }, lotes, area }: DeLote & { carta: Carta }) =>
  (lotes[clave] ?? []).map(({ hacer, boton }) => (
    <Form key={hacer} method="post" action={`${area}/lote`}>
      <Hidden intent="prepararAtrasadas" cola={clave} hacer={hacer} />
      <button className="boton" type="submit" aria-label={`${boton}: lo atrasado de ${titulo}`}>
        {boton}
      </button>
    </Form>
  ));

/** The cards that a person put aside, each with its count, and the way to arrange all of them. */
export function Otras({ cartas }: { cartas: readonly Carta[] }) {
  const { search } = useLocation();
  return (
    <p className="atrasado">
      {cartas.length > 0 && <strong>Otras de tu rol:</strong>}
      {cartas.map(({ clave, titulo, total, tarde, sinLeer }) => (
        <Link key={clave} to={withParams(search, { cola: clave, cosa: null })} discover="none">
          {titulo}{' '}
          <span className="cuantas" data-tarde={tarde > 0 || undefined}>
            {sinLeer && sinLeer.desde === null ? '—' : writeCount(total)}
          </span>
        </Link>
      ))}
      <Link to={withParams(search, { acomodar: '1' })} discover="none">
        Acomodar las tarjetas
      </Link>
    </p>
  );
}

export type Props = { area: string; yo: string };
type DeAqui = {
  /** The queues that this person sees to in their cards. */
  aqui?: readonly string[];
  /** A value that changes with the page. */
  marca?: string;
};

/** A card with the column that it stands in. */
export type EnColumna = Carta & { columna: Columna };

/** All cards. Each kind keeps its place, even when nothing of it waits. */
export function Cartas({ cartas, ...props }: Props & DeAqui & { cartas: readonly (Carta & { columna?: Columna })[] }) {
  return (
    <div className="cartas">
      {cartas.map((carta) => (
        <UnaCarta key={carta.clave} carta={carta} {...props} />
      ))}
    </div>
  );
}

function UnaCarta({
  carta,
  area,
  yo,
  aqui = [],
  marca = '',
}: Props & DeAqui & { carta: Carta & { columna?: Columna } }) {
  const { clave, titulo, icono, tarde, aparte, lineas, sola, sinConectar, sinLeer, ver, lista } = carta;
  const { search } = useLocation();
  const { abierta, otras, total, ...enCurso } = useAbierta(carta, yo, aqui.includes(clave));
  const id = `cola-${clave}`;
  const linea = { clave, area, yo, sola };
  return (
    <section
      className="carta"
      aria-labelledby={id}
      data-columna={carta.columna}
      data-vacia={(total === 0 && !abierta) || undefined}
    >
      <header>
        <Icono nombre={icono} />
        <h2 id={id}>{titulo}</h2>
        {sinLeer && <SinLeer desde={sinLeer.desde} />}
        {total === 0 ? (
          !sinLeer && <Vacia area={area} sola={sola} sinConectar={sinConectar} />
        ) : (
          <>
            <strong className="cuantas" data-tarde={tarde > 0 || undefined}>
              {writeCount(total)}
            </strong>
            {carta.cuenta && <span className="nota">{carta.cuenta[total === 1 ? 0 : 1]}</span>}
          </>
        )}
      </header>
      {(abierta || otras.length > 0) && (
        <ul>
          {abierta && (
            <UnaLinea key={abierta.id} {...linea} linea={abierta}>
              <Abierta
                clave={clave}
                cosa={abierta}
                area={area}
                corte={marca}
                conFoco={enCurso.conFoco}
                alOcupar={enCurso.ocupar}
                alTerminar={enCurso.terminar}
                alPasar={enCurso.pasar}
              />
            </UnaLinea>
          )}
          {otras.map((otra) => (
            <UnaLinea key={otra.id} {...linea} linea={otra} />
          ))}
        </ul>
      )}
      {(total > 0 || aparte > 0 || sinLeer) && !sola && (
        <footer>
          {lista !== null && (total > 0 || sinLeer) && <a href={`${area}/${lista}`}>{ver}</a>}
          {(total > lineas.length || aparte > 0 || (lista === null && total > 0)) && (
            <Link to={withParams(search, { cola: clave, cosa: null })} discover="none">
              {aparte > 0
                ? `${writeCount(aparte)} ${aparte === 1 ? 'pospuesta' : 'pospuestas'}`
                : `Ver las ${writeCount(total)}`}
            </Link>
          )}
        </footer>
      )}
    </section>
  );
}

/** What an empty card says. Nothing that is not connected is up to date. */
function Vacia({ area, sola, sinConectar }: { area: string; sola: boolean; sinConectar: boolean }) {
  if (sola) return <span className="al-dia">Nada en marcha</span>;
  if (!sinConectar) return <span className="al-dia">Al día</span>;
  return area === '/user' ? (
    <span className="al-dia">Sin conectar</span>
  ) : (
    <a className="al-dia" href={`${area}/tokens`}>
      Sin conectar
    </a>
  );
}

type LineaProps = Props & {
  clave: string;
  linea: Linea;
  sola: boolean;
  /** The form below the line, where the thing is seen to in its card. */
  children?: ReactNode;
};

export function UnaLinea({ clave, linea, area, yo, sola, children }: LineaProps) {
  const { search } = useLocation();
  const { id, titulo, detalle, a, dueno } = linea;
  return (
    <li className={children ? 'abierta' : undefined}>
      <a className="que" href={`${area}/${a}`}>
        <span className="titulo" title={titulo}>
          {titulo}
        </span>
        {detalle && (
          <span className="detalle" title={detalle}>
            {detalle}
          </span>
        )}
      </a>
      <span className="lado">
        <Reloj linea={linea} />
        {dueno && <span className="dueno">{dueno.id === yo ? 'Tú' : dueno.nombre}</span>}
      </span>
      {!sola && (
        <span className="mandos">
          <NoEsDeHoyEnLinea clave={clave} cosa={id} que={`${titulo}, ${detalle}`} />
          <Link
            className="accion"
            to={withParams(search, { cosa: `${clave}:${id}` })}
            preventScrollReset
            discover="none"
            aria-label={`Encargar o posponer: ${titulo}, ${detalle}`}
          >
            <Icono nombre="mas" />
          </Link>
        </span>
      )}
      {children}
    </li>
  );
}

function Reloj({ linea: { reloj, desde, vence } }: { linea: Linea }) {
  return (
    <time className="reloj" data-tono={reloj.tono} dateTime={(vence ?? desde).toISOString()}>
      <Icono nombre="reloj" />
      {reloj.texto}
    </time>
  );
}
