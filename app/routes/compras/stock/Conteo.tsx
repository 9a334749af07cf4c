import { TextInput } from '@mantine/core';
import { Form, Link } from '@remix-run/react';
import { useEffect, useRef } from 'react';
import type { Wire } from '~/core/list';
import { DECISIONES, diceDecision, type Lectura, MOTIVO_LABEL } from '~/domain/compras/stock/conteo';
import type { ConteoLeido } from '~/domain/compras/stock/conteos.server';
import { ESTADO_LABEL, ESTADO_TONO, mayPass } from '~/domain/compras/stock/pieza';
import { Boton } from '~/ui/Boton';
import { PageHeader } from '~/ui/Blocks';
import { Visto } from '~/ui/Choque';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { SelectField } from '~/ui/Field';
import { Pesos } from '~/ui/Pesos';
import { TablaCaja } from '~/ui/TablaCaja';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden, Refusal, useAnswer } from '~/ui/useAnswer';
import { focusOn } from '~/ui/foco';

type Abierto = Wire<ConteoLeido>;
type Fila = Abierto['filas'][number];
type Props = { conteo: Abierto; puede: boolean; area: string };

/** Pieces still to be read that the page names. */
const MAX_POR_LEER = 200;

/** A count: while it is open with its scans and its end, afterwards with the differences to settle. */
export function Conteo({ conteo, puede, area }: Props) {
  const { id, titulo, empezadoPor, empezadoEn, terminadoPor, terminadoEn, encontradas, esperadas } = conteo;
  const deMas = conteo.filas.filter(({ hallazgo }) => hallazgo !== 'encontrada' && hallazgo !== 'falta');
  const faltan = conteo.filas.filter(({ hallazgo }) => hallazgo === 'falta');
  return (
    <>
      <PageHeader
        titulo={`Conteo: ${titulo}`}
        nota={
          <>
            Empezó {empezadoPor}, <Fecha valor={empezadoEn} />
            {terminadoEn && (
              <>
                . Terminó {terminadoPor}, <Fecha valor={terminadoEn} />
              </>
            )}
          </>
        }
      >
        <Link className="boton" to="?">
          Conteos
        </Link>
        {!terminadoEn && (
          <a className="boton" href={`${area}/bodega?${new URLSearchParams({ ver: `contar ${id}` })}`}>
            Escanear en Bodega
          </a>
        )}
      </PageHeader>
      <section className="hoja conteo-cuenta">
        <p className="conteo-van">
          <strong>{encontradas}</strong> de {esperadas}
          <span className="nota">{esperadas === 1 ? ' pieza encontrada' : ' piezas encontradas'}</span>
        </p>
        {puede && (!terminadoEn || faltan.some(({ abierta }) => abierta)) && <Leer conteo={conteo} />}
        {puede && !terminadoEn && <Acabar conteo={conteo} />}
      </section>
      {terminadoEn ? (
        <>
          <Diferencias titulo="Faltan" filas={faltan} vacio="No falta ninguna pieza." {...{ conteo, puede, area }} />
          <Diferencias
            titulo="No deberían estar aquí"
            filas={deMas}
            vacio="Nada estaba de más."
            {...{ conteo, puede, area }}
          />
        </>
      ) : (
        <>
          {deMas.length > 0 && <DeMas filas={deMas} />}
          <PorLeer piezas={conteo.porLeer} />
        </>
      )}
      <Encontradas filas={conteo.filas.filter(({ hallazgo }) => hallazgo === 'encontrada')} />
    </>
  );
}

const TONO: Readonly<Record<Lectura['clase'], 'ok' | 'aviso' | 'mal'>> = {
  encontrada: 'ok',
  aparecio: 'ok',
  ya: 'aviso',
  fueraDeLugar: 'mal',
  fuera: 'mal',
  etiqueta: 'mal',
  desconocida: 'mal',
};

/** The field of a scanner that types, or of a person. After each scan it is empty for the next. */
function Leer({ conteo: { id, terminadoEn } }: { conteo: Abierto }) {
  const campo = useRef<HTMLInputElement>(null);
  const answer = useAnswer('leer');
  const dicho = answer?.resultado as Lectura | undefined;
  useEffect(() => {
    if (!answer || !campo.current) return;
    campo.current.value = '';
    focusOn(campo.current);
  }, [answer]);
  return (
    <div>
      <Form method="post" className="conteo-leer" preventScrollReset>
        <Hidden intent="leer" conteo={id} />
        <TextInput
          ref={campo}
          name="codigo"
          label={terminadoEn ? 'Folio de una que ya apareció' : 'Folio o etiqueta'}
          required
          withAsterisk={false}
          maxLength={200}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
        />
        <Boton type="submit">Contar</Boton>
      </Form>
      <Refusal of="leer" />
      <div role="status">
        {dicho && (
          <p className="panel" data-tono={TONO[dicho.clase]}>
            {dicho.dice}
          </p>
        )}
      </div>
    </div>
  );
}

/** The end of an open count; one into which nothing was read is thrown away. */
function Acabar({ conteo: { id, leidas } }: { conteo: Abierto }) {
  const form = useActionForm('terminar');
  if (leidas === 0)
    return (
      <Form method="post" className="botones">
        <Hidden intent="descartar" conteo={id} />
        <Boton type="submit">Descartar el conteo</Boton>
        <Refusal of="descartar" />
      </Form>
    );
  return (
    <ActionForm of={form}>
      <Hidden conteo={id} />
      <Visto of={form} marcas={{ leidas }} enVivo />
      <div className="botones">
        <Boton tono="acento" type="submit" ocupado={form.pending !== undefined}>
          Terminar
        </Boton>
      </div>
    </ActionForm>
  );
}

function DeMas({ filas }: { filas: Fila[] }) {
  return (
    <section className="hoja">
      <h2>No deberían estar aquí ({filas.length})</h2>
      <p className="nota">Se resuelven cuando el conteo termina.</p>
      <ul className="conteo-lista">
        {filas.map(({ id, codigo, nombre, estado, venta }) => (
          <li key={id}>
            <span className="folio">{codigo}</span>
            <span>{nombre ?? 'Etiqueta sin pieza'}</span>
            {estado && <Estatus tono={ESTADO_TONO[estado]}>{enDonde(estado, venta)}</Estatus>}
          </li>
        ))}
      </ul>
    </section>
  );
}

const enDonde = (estado: NonNullable<Fila['estado']>, venta: string | null) =>
  venta === null ? ESTADO_LABEL[estado] : `${ESTADO_LABEL[estado]} en ${venta}`;

function PorLeer({ piezas }: { piezas: Abierto['porLeer'] }) {
  return (
    <section className="hoja">
      <h2>Por encontrar ({piezas.length})</h2>
      {piezas.length === 0 && <p className="nota">Ya se encontraron todas.</p>}
      <ul className="conteo-lista">
        {piezas.slice(0, MAX_POR_LEER).map(({ folio, nombre, etiquetas }) => (
          <li key={folio}>
            <span className="folio">{folio}</span>
            <span>{nombre}</span>
            {etiquetas.length > 0 && <span className="nota">{etiquetas.join(', ')}</span>}
          </li>
        ))}
      </ul>
      {piezas.length > MAX_POR_LEER && <p className="nota">{`Y ${piezas.length - MAX_POR_LEER} más.`}</p>}
    </section>
  );
}

type DiferenciasProps = Props & { titulo: string; filas: Fila[]; vacio: string };

function Diferencias({ titulo, filas, vacio, conteo, puede, area }: DiferenciasProps) {
  const abiertas = filas.filter(({ abierta }) => abierta).length;
  return (
    <section className="hoja">
      <h2>
        {titulo} ({filas.length})
      </h2>
      <p className="nota">
        {filas.length === 0 ? vacio : abiertas === 0 ? 'Todo resuelto.' : `${abiertas} por resolver.`}
      </p>
      <ul className="conteo-diferencias">
        {filas.map((fila) => (
          <li key={fila.id}>
            <Diferencia {...{ fila, conteo, puede, area }} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Diferencia({ fila, conteo, puede, area }: Props & { fila: Fila }) {
  const { codigo, nombre, piezaId, estado, estadoFinal, venta, costo, abierta } = fila;
  return (
    <>
      <div className="conteo-que">
        <strong className="folio">
          {piezaId ? <a href={`${area}/stockInterno?ver=${piezaId}`}>{codigo}</a> : codigo}
        </strong>
        <span>{nombre ?? 'Etiqueta sin pieza'}</span>
        {costo !== null && (
          <span className="nota">
            Costó <Pesos valor={costo} />
          </span>
        )}
        {estadoFinal && estado && (
          <Estatus tono={ESTADO_TONO[estado]}>
            {estado === estadoFinal ? enDonde(estado, venta) : `${ESTADO_LABEL[estadoFinal]} → ${ESTADO_LABEL[estado]}`}
          </Estatus>
        )}
      </div>
      <Decidido fila={fila} />
      {abierta && puede && <Decidir key={`${fila.version}-${fila.decision}`} {...{ fila, conteo }} />}
    </>
  );
}

/** What became of a difference: a person's decision, or what the piece did by itself. */
function Decidido({ fila }: { fila: Fila }) {
  const { hallazgo, decision, motivo, decididaPor, decididaEn, abierta, estado, ligadaA } = fila;
  if (decision)
    return (
      <p className="nota">
        {diceDecision({ hallazgo, decision }, { pasaA: null, motivo })} · {decididaPor}, <Fecha valor={decididaEn} />
      </p>
    );
  if (abierta) return null;
  if (ligadaA) return <p className="nota">Ya es la etiqueta de {ligadaA}.</p>;
  return estado && <p className="nota">Después pasó a {ESTADO_LABEL[estado]}.</p>;
}

/** The decisions about a difference: each is about the piece as it stands here. */
function Decidir({ fila, conteo: { id: conteo } }: { fila: Fila; conteo: Abierto }) {
  const { id, hallazgo, estado, version, decision: antes, pasaA } = fila;
  const form = useActionForm<{ motivo: string }>('decidir', { id: `decidir-${id}` });
  const conBaja = hallazgo === 'falta' && estado !== null && mayPass(estado, 'baja');
  const decisiones = DECISIONES[hallazgo].filter(
    (una) => una !== antes && (una !== 'baja' || conBaja) && (una !== 'pasada' || pasaA !== null),
  );
  return (
    <ActionForm of={form} className="conteo-decidir">
      <Hidden conteo={conteo} diferencia={id} />
      <Visto of={form} marcas={{ version }} enVivo />
      <div className="botones">
        {decisiones
          .filter((una) => una !== 'baja')
          .map((una) => (
            <button key={una} type="submit" className="boton" name="decision" value={una}>
              {diceDecision({ hallazgo, decision: una }, { pasaA, motivo: null })}
            </button>
          ))}
      </div>
      {conBaja && (
        <div className="conteo-baja">
          <SelectField
            field={form.fields.motivo}
            aria-label="Por qué se da de baja"
            data={[
              { value: '', label: 'Por qué se da de baja' },
              ...Object.entries(MOTIVO_LABEL).map(([value, label]) => ({ value, label })),
            ]}
          />
          <button type="submit" className="boton" name="decision" value="baja">
            Dar de baja
          </button>
        </div>
      )}
      {hallazgo === 'falta' && !conBaja && (
        <p className="nota">Está reservada: libérala en su ficha antes de darla de baja.</p>
      )}
      {hallazgo === 'fuera' && pasaA === null && (
        <p className="nota">De Baja no se regresa. Si es la misma pieza, recíbela en Devoluciones con otro folio.</p>
      )}
    </ActionForm>
  );
}

function Encontradas({ filas }: { filas: Fila[] }) {
  if (filas.length === 0) return null;
  return (
    <details className="plegable">
      <summary>Encontradas ({filas.length})</summary>
      <TablaCaja nombre="Piezas encontradas">
        <table className="tabla tablero">
          <thead>
            <tr>
              <th>Folio</th>
              <th>Nombre</th>
              <th>Estatus</th>
              <th>Leyó</th>
              <th>Cuándo</th>
            </tr>
          </thead>
          <tbody>
            {filas.map(({ id, codigo, nombre, estadoFinal, leidaPor, leidaEn }) => (
              <tr key={id}>
                <td className="folio titular">{codigo}</td>
                <td data-campo="Nombre">{nombre}</td>
                <td data-campo="Estatus">{estadoFinal && ESTADO_LABEL[estadoFinal]}</td>
                <td data-campo="Leyó">{leidaPor}</td>
                <td data-campo="Cuándo">
                  <Fecha valor={leidaEn} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TablaCaja>
    </details>
  );
}
