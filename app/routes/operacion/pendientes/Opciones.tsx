import { TextInput } from '@mantine/core';
import { Form } from '@remix-run/react';
import { enumerate } from '~/core/hechos';
import { civilDateTime, toInstant } from '~/core/time';
import { Boton } from '~/ui/Boton';
import { Confirm } from '~/ui/Confirm';
import { SinEnter } from '~/ui/SinEnter';
import { Hidden, useAnswer } from '~/ui/useAnswer';
import type { Alarma } from './DeQue';
import type { Pendiente } from './pendiente';
import { askCancelRepetida, questionOf } from './questions';

const COMPRUEBA = {
  uuid: (fila: Pendiente) => `Busca «${fila.ref}» en ${fila.conexion} y decide`,
  folio: (fila: Pendiente) =>
    fila.llama ? `Búscalo en ${fila.conexion} y decide` : `Busca «${fila.ref}» en ${fila.conexion} y decide`,
  done: (fila: Pendiente) =>
    fila.wire === 'SMTP'
      ? 'Comprueba si el destinatario lo recibió y decide'
      : `Comprueba en ${fila.conexion} si ya se hizo y decide`,
};

const quienes = ({ agentes, conexion }: Pendiente) =>
  agentes.length > 0 ? enumerate(agentes.map(({ nombre }) => nombre)) : conexion;

/** Returns whom to call, with the numbers: 'o llama a Ana Agente al 5512345678'. Undefined where no number is known. */
function llamadas({ agentes }: Pendiente): string | undefined {
  const con = agentes.flatMap(({ nombre, telefono }) => (telefono === null ? [] : [`${nombre} al ${telefono}`]));
  return con.length > 0 ? `o llama a ${enumerate(con)}` : undefined;
}

/** Returns the address of a ready letter that asks a far side to cancel what was done twice. */
function cartaDeRepetida({ agentes, conexion, ref }: Pendiente, { vigente }: Alarma, folio: string): string {
  const texto = [
    `Hola, ${conexion}:`,
    `Con nuestra referencia ${ref} quedó hecho dos veces lo mismo.`,
    vigente ? `El bueno es ${vigente.folio}. Por favor cancelen ${folio}.` : `Por favor cancelen ${folio}.`,
    'Confirmen por este medio que quedó cancelado y que no se cobrará.',
  ].join('\n\n');
  const [asunto, cuerpo] = [`Repetido: cancelar ${folio}`, texto].map(encodeURIComponent);
  return `mailto:${agentes.map(({ email }) => email).join(',')}?subject=${asunto}&body=${cuerpo}`;
}

/** The things that were done twice for one request. Each surplus one has a button that cancels it, or a ready letter that asks for it. */
export function ConRepetidas({ abierta, alarma }: { abierta: Pendiente; alarma: Alarma }) {
  return (
    <>
      {alarma.repetidas.map(({ uuid, folio, respuesta }) => (
        <Form method="post" className="decision repetida" key={uuid}>
          <Hidden intent="repetida" effectId={abierta.id} huella={abierta.huella} repetida={uuid} />
          <p>
            <strong>{folio}</strong> {abierta.seCancela && <span className="nota">{uuid}</span>}
            {respuesta && <span className="nota bloque">{respuesta}</span>}
          </p>
          <div className="botones">
            {abierta.seCancela ? (
              <Confirm {...askCancelRepetida(abierta, uuid)} tono="neutro" aria-label={`Cancelar la repetida ${folio}`}>
                Cancelar la repetida
              </Confirm>
            ) : (
              <span>
                <a href={cartaDeRepetida(abierta, alarma, folio)}>Escribir a {quienes(abierta)} que la cancele</a>{' '}
                {llamadas(abierta)}
              </span>
            )}
          </div>
        </Form>
      ))}
    </>
  );
}

/** The call was done after a person said it was not. */
export function Tardia({ abierta }: { abierta: Pendiente }) {
  return (
    <Form method="post" className="decision">
      <Hidden intent="entendido" effectId={abierta.id} huella={abierta.huella} />
      <div className="botones">
        <Confirm {...questionOf('entendido', abierta)} tono="neutro">
          Ya se atendió
        </Confirm>
      </div>
    </Form>
  );
}

/** The decisions about a call whose answer was lost. */
export function Opciones({ abierta }: { abierta: Pendiente }) {
  const errorUuid = useAnswer('existe')?.error?.uuid?.[0];
  const errorFolio = useAnswer('conFolio')?.error?.folio?.[0];
  return (
    <>
      <h3>{COMPRUEBA[abierta.says ?? 'done'](abierta)}</h3>
      <Form method="post" className="decision">
        <SinEnter />
        <Hidden effectId={abierta.id} huella={abierta.huella} />
        {abierta.says === 'uuid' && (
          <div className="con-boton">
            <TextInput
              name="uuid"
              label="Folio fiscal (UUID)"
              placeholder={`Como aparece en ${abierta.conexion}`}
              error={errorUuid}
              aria-invalid={errorUuid ? true : undefined}
              autoComplete="off"
            />
            <Confirm name="intent" value="existe" {...questionOf('existe', abierta)}>
              Sí existe (capturar folio/UUID)
            </Confirm>
          </div>
        )}
        {abierta.says === 'folio' && (
          <div className="con-boton">
            <TextInput
              name="folio"
              label={abierta.llama ?? 'Folio del pedido'}
              placeholder={`Como aparece en ${abierta.conexion}`}
              error={errorFolio}
              aria-invalid={errorFolio ? true : undefined}
              autoComplete="off"
            />
            <Confirm name="intent" value="conFolio" {...questionOf('conFolio', abierta)}>
              {abierta.llama ? 'Sí existe (capturar su id)' : 'Sí existe (capturar folio)'}
            </Confirm>
          </div>
        )}
        <div className="botones">
          {abierta.says === 'done' && (
            <Confirm name="intent" value="hecho" {...questionOf('hecho', abierta)}>
              Sí se hizo
            </Confirm>
          )}
          {abierta.seEnvia && !abierta.decideDesde && (
            <Confirm name="intent" value="enviar" {...questionOf('enviar', abierta)}>
              Enviar otra vez
            </Confirm>
          )}
          {abierta.seBusca && (
            <Boton type="submit" name="intent" value="otraVez">
              Buscar otra vez
            </Boton>
          )}
          {!abierta.decideDesde && (
            <Confirm name="intent" value="noExiste" tono="neutro" {...questionOf('noExiste', abierta)}>
              No existe (permitir reintento)
            </Confirm>
          )}
        </div>
        {abierta.decideDesde && (
          <p className="nota">
            Se acaba de enviar y todavía puede llegar:{' '}
            {abierta.seEnvia ? '«No existe» y «Enviar otra vez» se ofrecen' : '«No existe» se ofrece'} desde las{' '}
            {civilDateTime(toInstant(abierta.decideDesde)).slice(11, 19)}.
          </p>
        )}
      </Form>
    </>
  );
}
