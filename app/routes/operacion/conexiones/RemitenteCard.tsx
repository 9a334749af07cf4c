import type { Remitente } from '~/domain/mercados/guias';
import { Boton } from '~/ui/Boton';
import { Visto } from '~/ui/Choque';
import { Field } from '~/ui/Field';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { abrirTo } from './Tarjeta';

/** The name of the card in the address. */
export const REMITENTE = 'remitente';

type Campos = Record<keyof Remitente, string>;

/** The card of the sender's address on labels that Amazon sells. */
export function RemitenteCard({ remitente }: { remitente: (Remitente & { version: number }) | null }) {
  const { version = 0, ...suyo } = remitente ?? {};
  const form = useActionForm<Campos>('remitente', { defaultValue: suyo });
  const { fields } = form;
  return (
    <>
      <p className="nota">
        De dónde salen los paquetes cuya guía se compra en la orden. Donde la cuenta no puede comprar guías no hace
        falta.
      </p>
      <ActionForm of={form} action={abrirTo(REMITENTE)} className="apilado">
        <Visto of={form} marcas={{ version }} />
        <div className="campos">
          <Field field={fields.nombre} label="Nombre" autoComplete="organization" />
          <Field field={fields.telefono} label="Teléfono" type="tel" autoComplete="off" />
          <Field field={fields.email} label="Correo" type="email" autoComplete="off" />
          <Field field={fields.calle} label="Calle y número" autoComplete="off" />
          <Field field={fields.colonia} label="Colonia" autoComplete="off" />
          <Field field={fields.cp} label="Código postal" inputMode="numeric" maxLength={5} autoComplete="off" />
          <Field field={fields.ciudad} label="Ciudad" autoComplete="off" />
          <Field field={fields.estado} label="Estado" autoComplete="off" />
        </div>
        <div className="botones">
          <Boton tono="acento" type="submit">
            Guardar
          </Boton>
        </div>
      </ActionForm>
    </>
  );
}
