import type { ComponentProps } from 'react';
import { FACIL_DE_ADIVINAR, isCommonPassword } from '~/core/commonPassword';
import { PASSWORD_MAX, PASSWORD_RULE, PASSWORD_RULES } from '~/core/password';
import { PasswordField } from '~/ui/Field';
import { Icono } from '~/ui/Icono';
import { useHydrated } from '~/ui/useHydrated';
import './passwordNuevo.css';

/**
 * The field of a new password. The parts of the rule are ticked as they are met, and a password that is easy to guess is told before any question.
 * Without scripts the rule is a sentence.
 */
export function PasswordNuevo({
  field,
  usuario,
}: Pick<ComponentProps<typeof PasswordField>, 'field'> & { usuario: string }) {
  const hydrated = useHydrated();
  const password = String(field.value ?? '');
  return (
    <PasswordField
      field={field}
      label="Contraseña"
      description={hydrated ? <Reglas password={password} /> : PASSWORD_RULE}
      maxLength={PASSWORD_MAX * 2}
      autoComplete="new-password"
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      onInput={({ currentTarget }) => {
        const facil = currentTarget.value !== '' && isCommonPassword(currentTarget.value, ['Trastienda', usuario]);
        currentTarget.setCustomValidity(facil ? FACIL_DE_ADIVINAR : '');
      }}
    />
  );
}

const Reglas = ({ password }: { password: string }) => (
  <span className="reglas">
    {PASSWORD_RULES.map(({ texto, cumple }) => (
      <span key={texto} data-cumple={cumple(password) || undefined}>
        <Icono nombre={cumple(password) ? 'visto' : 'sinEstatus'} /> {texto}
        <span className="oculto">{cumple(password) ? ': listo' : ': falta'}</span>
      </span>
    ))}
  </span>
);
