import { Button, PasswordInput, TextInput } from '@mantine/core';
import { Form, useActionData, useNavigation } from '@remix-run/react';
import { useEffect, useId, useRef, useState } from 'react';
import type { Answer, PendingProof } from '~/core/submission';
import { beginAt } from './foco';
import { useModal } from './useModal';

/**
 * Asks who sent a form to prove who they are. The form waits on the server and goes on with the proof; on the page it
 * stays as it was typed. With JavaScript it is a dialog over the page, without it a step of the page.
 */
export function Prueba({ cancelar }: { cancelar: string }) {
  const probar = useActionData<Answer>()?.probar;
  const [left, setLeft] = useState<string>();
  if (!probar || probar.token === left) return null;
  return <Pregunta key={probar.token} probar={probar} cancelar={cancelar} onLeave={() => setLeft(probar.token)} />;
}

type Props = { probar: PendingProof; cancelar: string; onLeave: () => void };

function Pregunta({ probar, cancelar, onLeave }: Props) {
  const dialog = useRef<HTMLDialogElement | null>(null);
  const [titleId, textId] = [useId(), useId()];
  const { vencida, conCodigo, error } = probar;
  const modal = useModal((element) => {
    dialog.current = element;
  });
  // The field is where one goes on, at first and after a wrong proof.
  useEffect(() => {
    if (dialog.current) beginAt(dialog.current);
  }, [probar]);

  return (
    <dialog
      ref={modal}
      open
      className="dialogo"
      role="alertdialog"
      aria-labelledby={titleId}
      aria-describedby={textId}
      onCancel={(event) => {
        event.preventDefault();
        onLeave();
      }}
    >
      <header>
        <h2 id={titleId}>Confirma que eres tú</h2>
      </header>
      <div className="cuerpo">
        <p id={textId}>
          {vencida
            ? 'Pasó demasiado tiempo y no se hizo nada. Vuelve a enviarlo.'
            : conCodigo
              ? 'Escribe el código de tu aplicación y continúa lo que enviaste.'
              : 'Escribe tu contraseña y continúa lo que enviaste.'}
        </p>
        {vencida ? (
          <div className="botones">
            <Cerrar cancelar={cancelar} onLeave={onLeave} texto="Entendido" />
          </div>
        ) : (
          <Form method="post" preventScrollReset className="apilado">
            <input type="hidden" name="intent" value={probar.intent} />
            {probar.formulario !== null && <input type="hidden" name="formulario" value={probar.formulario} />}
            <input type="hidden" name="porProbar" value={probar.token} />
            <input type="text" defaultValue={probar.usuario} autoComplete="username" readOnly hidden />
            {conCodigo ? (
              <>
                <TextInput
                  data-foco
                  name="codigoDePrueba"
                  label="Código de verificación"
                  inputMode="numeric"
                  autoComplete="one-time-code"
                  maxLength={20}
                  className="codigo"
                  error={error.codigoDePrueba?.[0] ?? error['']?.[0]}
                />
                <details open={error.passwordDePrueba !== undefined || undefined}>
                  <summary>Usar mi contraseña</summary>
                  <Contrasena error={error.passwordDePrueba?.[0]} />
                </details>
              </>
            ) : (
              <Contrasena focus error={error.passwordDePrueba?.[0] ?? error['']?.[0]} />
            )}
            <div className="botones">
              <Cerrar cancelar={cancelar} onLeave={onLeave} texto="Cancelar" />
              <Enviar />
            </div>
          </Form>
        )}
      </div>
    </dialog>
  );
}

function Contrasena({ error, focus }: { error?: string | undefined; focus?: true }) {
  return (
    <PasswordInput
      data-foco={focus}
      name="passwordDePrueba"
      label="Contraseña"
      autoComplete="current-password"
      maxLength={200}
      error={error}
      visibilityToggleButtonProps={{ tabIndex: 0, 'aria-label': 'Mostrar u ocultar la contraseña' }}
    />
  );
}

function Enviar() {
  return (
    <Button type="submit" loading={useNavigation().state !== 'idle'}>
      Continuar
    </Button>
  );
}

function Cerrar({ cancelar, onLeave, texto }: { cancelar: string; onLeave: () => void; texto: string }) {
  return (
    <Button
      component="a"
      variant="default"
      href={cancelar || '?'}
      onClick={(event) => {
        event.preventDefault();
        onLeave();
      }}
    >
      {texto}
    </Button>
  );
}
