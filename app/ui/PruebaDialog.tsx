import { PasswordInput, TextInput } from '@mantine/core';
import { Form, useNavigation } from '@remix-run/react';
import { useEffect, useId, useRef } from 'react';
import type { PendingProof } from '~/core/submission';
import { Boton } from './Boton';
import { beginAt } from './foco';
import { useModal } from './useModal';

type Props = { probar: PendingProof; cancelar: string; onLeave: () => void };

/** With JavaScript a dialog over the page, without it a step of the page. */
export function PruebaDialog({ probar, cancelar, onLeave }: Props) {
  const dialog = useRef<HTMLDialogElement | null>(null);
  const [titleId, textId] = [useId(), useId()];
  const { vencida, conCodigo, conArchivo, error } = probar;
  const despues = conArchivo ? 'vuelve a elegir el archivo' : 'continúa lo que enviaste';
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
              ? `Escribe el código de tu aplicación y ${despues}.`
              : `Escribe tu contraseña y ${despues}.`}
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
    <Boton tono="acento" type="submit" ocupado={useNavigation().state !== 'idle'}>
      Continuar
    </Boton>
  );
}

function Cerrar({ cancelar, onLeave, texto }: { cancelar: string; onLeave: () => void; texto: string }) {
  return (
    <a
      className="boton grande"
      href={cancelar || '?'}
      onClick={(event) => {
        event.preventDefault();
        onLeave();
      }}
    >
      {texto}
    </a>
  );
}
