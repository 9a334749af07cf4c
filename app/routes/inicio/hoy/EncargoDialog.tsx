import { NativeSelect, TextInput } from '@mantine/core';
import { Form, useLocation } from '@remix-run/react';
import { withParams } from '~/core/list';
import { HASTA } from '~/platform/hoy/hasta';
import type { Dueno } from '~/platform/hoy/encargos.server';
import type { Linea } from '~/platform/hoy/hoy.server';
import { Boton } from '~/ui/Boton';
import { Dialog } from '~/ui/Dialog';
import { Hidden, Refusal, useAnswer } from '~/ui/useAnswer';
import { NO_ES_DE_HOY, NoEsDeHoy } from './NoEsDeHoy';

type Props = { clave: string; linea: Linea; quienes: Dueno[]; yo: string };

const HASTAS = Object.entries(HASTA).map(([value, label]) => ({ value, label }));

/** The dialog of one thing's owner and of putting it aside. Doing the thing happens on its own screen, after which the thing leaves by itself. */
export function EncargoDialog({ clave, linea: { id, titulo, detalle, dueno, pospuesta }, quienes, yo }: Props) {
  const { search } = useLocation();
  const cual = { cola: clave, cosa: id };
  const otros = quienes.filter((quien) => quien.id !== dueno?.id && quien.id !== yo);
  return (
    <Dialog titulo={titulo} cerrar={withParams(search, { cosa: null })}>
      <div className="apilado encargo">
        {detalle && <p className="nota">{detalle}</p>}
        <p>{dueno === null ? 'No es de nadie.' : dueno.id === yo ? 'Es tuyo.' : `Es de ${dueno.nombre}.`}</p>
        <Refusal of="tomar" />
        <Refusal of="soltar" />
        <Refusal of="dar" shown={['usuario']} />
        <Refusal of="posponer" shown={['hasta', 'motivo']} />
        <div className="botones">
          {dueno?.id !== yo && (
            <Form method="post" preventScrollReset>
              <Hidden intent="tomar" {...cual} de={dueno?.id} />
              <button className="boton" type="submit">
                Tomar
              </button>
            </Form>
          )}
          {dueno && (
            <Form method="post" preventScrollReset>
              <Hidden intent="soltar" {...cual} />
              <button className="boton" type="submit">
                Soltar
              </button>
            </Form>
          )}
          {pospuesta === null && (
            <NoEsDeHoy clave={clave} cosa={id}>
              <button className="boton" type="submit">
                {NO_ES_DE_HOY}
              </button>
            </NoEsDeHoy>
          )}
        </div>
        {otros.length > 0 && <Dar cual={cual} quienes={otros} />}
        {pospuesta === null && <Posponer cual={cual} />}
      </div>
    </Dialog>
  );
}

type Cual = { cola: string; cosa: string };

function Dar({ cual, quienes }: { cual: Cual; quienes: Dueno[] }) {
  const answer = useAnswer('dar');
  return (
    <Form method="post" preventScrollReset className="con-boton">
      <Hidden intent="dar" {...cual} />
      <NativeSelect
        name="usuario"
        label="Dar a"
        data={quienes.map(({ id, nombre }) => ({ value: id, label: nombre }))}
        error={answer?.error?.usuario?.[0]}
      />
      <button className="boton" type="submit">
        Dar
      </button>
    </Form>
  );
}

function Posponer({ cual }: { cual: Cual }) {
  const answer = useAnswer('posponer');
  const typed = answer?.initialValue as { hasta?: string; motivo?: string } | undefined;
  return (
    <Form method="post" preventScrollReset className="apilado">
      <Hidden intent="posponer" {...cual} />
      <div className="campos dos">
        <NativeSelect
          name="hasta"
          label="Posponer hasta"
          data={HASTAS}
          defaultValue={typed?.hasta ?? 'manana'}
          error={answer?.error?.hasta?.[0]}
        />
        <TextInput
          name="motivo"
          label="Motivo"
          required
          maxLength={200}
          autoComplete="off"
          defaultValue={typed?.motivo}
          error={answer?.error?.motivo?.[0]}
        />
      </div>
      <div className="botones">
        <Boton tono="acento" type="submit">
          Posponer
        </Boton>
      </div>
    </Form>
  );
}
